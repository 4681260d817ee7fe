//! What every refusal must be, whatever its reason.

use std::fmt::Debug;
use std::future::Future;

use tests::errors::{says_when_to_retry, try_refusal};
use tests::v1::{self, ErrorReason};
use tests::views::public;
use tests::{Table, metadata, reason, violations};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// Bytes that a status may have with its details: a larger one can break the connection that it travels on.
const MAX_BYTES: usize = 2_560;

/// The status code of a reason, as error.proto documents it.
pub(crate) fn code(reason: ErrorReason) -> Code {
    use ErrorReason as R;
    match reason {
        R::InvalidField | R::MalformedRequest | R::RequestIdReused | R::RulesInvalid => Code::InvalidArgument,
        R::RequestTooLarge => Code::OutOfRange,
        R::UnknownMethod => Code::Unimplemented,
        R::TokenMissing | R::TokenInvalid | R::TokenExpired => Code::Unauthenticated,
        R::SeatForbidden | R::PlatformOnly | R::ScriptForbidden => Code::PermissionDenied,
        R::TableNotFound => Code::NotFound,
        R::StaleRevision | R::Contention => Code::Aborted,
        R::NotStarted
        | R::AlreadyStarted
        | R::TableEnded
        | R::TablePaused
        | R::NotYourTurn
        | R::CardNotInHand
        | R::IllegalAction
        | R::TurnExpired
        | R::TableFull => Code::FailedPrecondition,
        R::SeatTaken => Code::AlreadyExists,
        R::QuotaExceeded => Code::ResourceExhausted,
        R::StoreUnavailable | R::Draining | R::Overloaded | R::SchemaAhead => Code::Unavailable,
        R::Deadline => Code::DeadlineExceeded,
        R::Invariant => Code::Internal,
        R::Unspecified => panic!("no reason"),
    }
}

/// Takes an answer that must be a refusal for this reason, and holds it against what all refusals have in common.
pub(crate) fn refused<T: Debug>(answer: Result<T, Status>, why: ErrorReason) -> Status {
    let Err(status) = answer else { panic!("accepted where {why:?} was awaited: {answer:?}") };
    let name = why.as_str_name().strip_prefix("ERROR_REASON_").expect("a reason's name");
    assert_eq!(reason(&status), name, "{status:?}");
    assert_eq!(status.code(), code(why), "{status:?}");
    says_one_sentence(&status);
    let bytes = status.message().len() + status.details().len();
    assert!(bytes <= MAX_BYTES, "{bytes} bytes: {status:?}");

    let passes = matches!(status.code(), Code::Unavailable | Code::ResourceExhausted);
    let retry = passes || why == ErrorReason::Contention;
    assert_eq!(says_when_to_retry(&status), retry, "RetryInfo: {status:?}");
    let names_fields =
        matches!(why, ErrorReason::InvalidField | ErrorReason::RulesInvalid | ErrorReason::RequestIdReused);
    assert_eq!(status.get_details_bad_request().is_some(), names_fields, "BadRequest: {status:?}");
    let by_the_table = matches!(code(why), Code::FailedPrecondition | Code::Aborted | Code::AlreadyExists);
    match try_refusal(&status) {
        None => assert!(!by_the_table, "no Refusal: {status:?}"),
        Some(refusal) => {
            assert!(by_the_table, "a Refusal: {status:?}");
            assert_eq!(refusal.reason(), why);
            assert_eq!(number(&status, "revision"), refusal.revision);
            assert_eq!(number(&status, "turnRevision"), refusal.turn_revision);
        }
    }
    status
}

/// The same, of a call that is about this table: nothing there may change, whoever looks.
pub(crate) async fn refused_at<T: Debug>(
    table: &Table,
    why: ErrorReason,
    call: impl Future<Output = Result<T, Status>>,
) -> Status {
    let before = everything(table).await;
    let status = refused(call.await, why);
    assert_eq!(everything(table).await, before, "a refused call changed the table: {status:?}");
    status
}

/// An answer that must be `INVALID_FIELD`, or `RULES_INVALID`, for this field alone.
pub(crate) fn refused_field<T: Debug>(answer: Result<T, Status>, why: ErrorReason, field: &str) {
    let status = refused(answer, why);
    let fields = violations(&status);
    let names: Vec<&str> = fields.iter().map(|(field, _)| field.as_str()).collect();
    assert_eq!(names, [field], "{status:?}");
    assert!(fields.iter().all(|(_, description)| !description.is_empty()), "{status:?}");
}

/// A number in the metadata of `ErrorInfo`.
pub(crate) fn number(status: &Status, key: &str) -> i64 {
    let metadata = metadata(status);
    let value = metadata.get(key).unwrap_or_else(|| panic!("no {key} in {status:?}"));
    value.parse().expect("a number")
}

/// The platform's view of a table with every hand.
async fn everything(table: &Table) -> v1::TableView {
    let seats = public(&table.view().await).seats.iter().map(|seat| seat.seat).collect::<Vec<_>>();
    table.view_of(&seats).await
}

/// The message is for a person: one sentence on one line, with more in it than the reason's name.
fn says_one_sentence(status: &Status) {
    let message = status.message();
    let printable = !message.chars().any(char::is_control);
    let words = message.split(' ').count();
    assert!(printable && words >= 5, "{status:?}");
    assert!(message.ends_with('.') && !message.contains(". "), "not one sentence: {status:?}");
}

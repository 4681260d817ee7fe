//! The one table that says what each reason is on the wire: status code, details, whether to try again.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;
use sedma_proto::v1;
use sedma_table::store::StoreError;
use sedma_table::{Failure, FieldViolation, Reason, Refusal};
use tonic::{Code, Status};
use tonic_types::pb;

use crate::limits::{
    DETAIL_HEAD_BYTES, MAX_STATUS_BYTES, MAX_STATUS_MESSAGE_BYTES, MAX_VIOLATIONS, RETRY_AFTER,
};
use crate::render;

/// The domain of every `ErrorInfo`.
pub const DOMAIN: &str = "sedma.v1";

/// What a reason is on the wire.
#[derive(Clone, Copy)]
struct Row {
    code: Code,
    name: &'static str,
    proto: v1::ErrorReason,
    /// Whether the same request may simply be sent again after a pause.
    retry: bool,
}

const fn row(code: Code, name: &'static str, proto: v1::ErrorReason) -> Row {
    Row { code, name, proto, retry: matches!(code, Code::Unavailable) }
}

fn table(reason: Reason) -> Row {
    use v1::ErrorReason as E;
    match reason {
        Reason::InvalidField => row(Code::InvalidArgument, "INVALID_FIELD", E::InvalidField),
        Reason::MalformedRequest => row(Code::InvalidArgument, "MALFORMED_REQUEST", E::MalformedRequest),
        Reason::RequestTooLarge => row(Code::OutOfRange, "REQUEST_TOO_LARGE", E::RequestTooLarge),
        Reason::UnknownMethod => row(Code::Unimplemented, "UNKNOWN_METHOD", E::UnknownMethod),
        Reason::RequestIdReused => row(Code::InvalidArgument, "REQUEST_ID_REUSED", E::RequestIdReused),
        Reason::RulesInvalid => row(Code::InvalidArgument, "RULES_INVALID", E::RulesInvalid),
        Reason::TokenMissing => row(Code::Unauthenticated, "TOKEN_MISSING", E::TokenMissing),
        Reason::TokenInvalid => row(Code::Unauthenticated, "TOKEN_INVALID", E::TokenInvalid),
        Reason::TokenExpired => row(Code::Unauthenticated, "TOKEN_EXPIRED", E::TokenExpired),
        Reason::SeatForbidden => row(Code::PermissionDenied, "SEAT_FORBIDDEN", E::SeatForbidden),
        Reason::PlatformOnly => row(Code::PermissionDenied, "PLATFORM_ONLY", E::PlatformOnly),
        Reason::ScriptForbidden => row(Code::PermissionDenied, "SCRIPT_FORBIDDEN", E::ScriptForbidden),
        Reason::TableNotFound => row(Code::NotFound, "TABLE_NOT_FOUND", E::TableNotFound),
        Reason::StaleRevision => row(Code::Aborted, "STALE_REVISION", E::StaleRevision),
        Reason::Contention => Row { retry: true, ..row(Code::Aborted, "CONTENTION", E::Contention) },
        Reason::NotStarted => row(Code::FailedPrecondition, "NOT_STARTED", E::NotStarted),
        Reason::AlreadyStarted => row(Code::FailedPrecondition, "ALREADY_STARTED", E::AlreadyStarted),
        Reason::TableEnded => row(Code::FailedPrecondition, "TABLE_ENDED", E::TableEnded),
        Reason::TablePaused => row(Code::FailedPrecondition, "TABLE_PAUSED", E::TablePaused),
        Reason::NotYourTurn => row(Code::FailedPrecondition, "NOT_YOUR_TURN", E::NotYourTurn),
        Reason::CardNotInHand => row(Code::FailedPrecondition, "CARD_NOT_IN_HAND", E::CardNotInHand),
        Reason::IllegalAction => row(Code::FailedPrecondition, "ILLEGAL_ACTION", E::IllegalAction),
        Reason::TurnExpired => row(Code::FailedPrecondition, "TURN_EXPIRED", E::TurnExpired),
        Reason::TableFull => row(Code::FailedPrecondition, "TABLE_FULL", E::TableFull),
        Reason::SeatTaken => row(Code::AlreadyExists, "SEAT_TAKEN", E::SeatTaken),
        Reason::QuotaExceeded => {
            Row { retry: true, ..row(Code::ResourceExhausted, "QUOTA_EXCEEDED", E::QuotaExceeded) }
        }
        Reason::StoreUnavailable => row(Code::Unavailable, "STORE_UNAVAILABLE", E::StoreUnavailable),
        Reason::Draining => row(Code::Unavailable, "DRAINING", E::Draining),
        Reason::Overloaded => row(Code::Unavailable, "OVERLOADED", E::Overloaded),
        Reason::SchemaAhead => row(Code::Unavailable, "SCHEMA_AHEAD", E::SchemaAhead),
        Reason::Deadline => row(Code::DeadlineExceeded, "DEADLINE", E::Deadline),
        Reason::Invariant => row(Code::Internal, "INVARIANT", E::Invariant),
    }
}

/// A failure as the caller gets it.
pub(crate) fn of(failure: &Failure) -> Status {
    match failure {
        Failure::Refused(refusal) => refused(refusal),
        Failure::Store(error) => store(error),
    }
}

/// A store's error as the caller gets it: what it says goes to the log, not to the caller.
fn store(error: &StoreError) -> Status {
    match error {
        StoreError::Unavailable(why) => {
            tracing::warn!(%why, "the store is unavailable");
            refused(&Refusal::new(
                Reason::StoreUnavailable,
                "The store can't be reached just now; send the same request again with the same request_id.",
            ))
        }
        StoreError::SchemaAhead { table, found } => {
            tracing::warn!(%table, found, "a record is of a newer schema");
            refused(&Refusal::new(
                Reason::SchemaAhead,
                format!(
                    "{table} was written by a newer release; send the same request again, another replica will take it."
                ),
            ))
        }
        StoreError::TooManyGroups => lasting(&Refusal::new(
            Reason::QuotaExceeded,
            "The platform has 8 groups of consumers; use one of them, or wait until one was not used for 7 days.",
        )),
        StoreError::Damaged { table, what } => {
            tracing::error!(%table, %what, "a record is damaged");
            invariant(&format!("{table} has a damaged record"))
        }
    }
}

/// A refusal as the caller gets it.
pub(crate) fn refused(refusal: &Refusal) -> Status {
    told(refusal, table(refusal.reason), &refusal.message)
}

/// A refusal that a pause does not mend, whatever its reason does as a rule.
fn lasting(refusal: &Refusal) -> Status {
    told(refusal, Row { retry: false, ..table(refusal.reason) }, &refusal.message)
}

/// A refusal with this row of the table; its cause is for the log alone, should it be a defect of ours.
fn told(refusal: &Refusal, row: Row, cause: &str) -> Status {
    let Row { code, name, proto, retry } = row;
    let metadata = metadata(refusal, cause);
    let info = ErrorInfo { reason: name.to_owned(), domain: DOMAIN.to_owned(), metadata };
    let mut details = vec![detail("google.rpc.ErrorInfo", &info)];
    if !refusal.fields.is_empty() {
        details.push(detail("google.rpc.BadRequest", &bad_request(&refusal.fields)));
    }
    if retry {
        let retry_delay = prost_types::Duration::try_from(RETRY_AFTER).ok();
        details.push(detail("google.rpc.RetryInfo", &pb::RetryInfo { retry_delay }));
    }
    let message = short(&refusal.message, MAX_STATUS_MESSAGE_BYTES).to_owned();
    let mut status = pb::Status { code: code.into(), message, details };
    if matches!(code, Code::FailedPrecondition | Code::Aborted | Code::AlreadyExists) {
        let whole = detail("sedma.v1.Refusal", &render::refusal(refusal, proto));
        let room = MAX_STATUS_BYTES.saturating_sub(status.encoded_len());
        if whole.encoded_len().saturating_add(DETAIL_HEAD_BYTES) <= room {
            status.details.push(whole);
        }
    }
    Status::with_details(code, status.message.clone(), Bytes::from(status.encode_to_vec()))
}

/// `google.rpc.ErrorInfo` with its metadata in the order of their keys, so that the same refusal has the same bytes. (The
/// library's own has a map in random order.)
#[derive(Clone, PartialEq, Message)]
struct ErrorInfo {
    #[prost(string, tag = "1")]
    reason: String,
    #[prost(string, tag = "2")]
    domain: String,
    #[prost(btree_map = "string, string", tag = "3")]
    metadata: BTreeMap<String, String>,
}

fn metadata(refusal: &Refusal, cause: &str) -> BTreeMap<String, String> {
    let mut metadata = BTreeMap::new();
    if let Some(standing) = refusal.standing {
        metadata.insert("revision".to_owned(), standing.revision.to_string());
        metadata.insert("turnRevision".to_owned(), standing.turn_revision.to_string());
    }
    if refusal.reason == Reason::Invariant {
        let incident = crate::chance::incident();
        tracing::error!(%incident, cause, "an invariant is broken");
        metadata.insert("incidentId".to_owned(), incident);
    }
    metadata
}

fn bad_request(fields: &[FieldViolation]) -> pb::BadRequest {
    let violation = |violation: &FieldViolation| pb::bad_request::FieldViolation {
        field: short(&violation.field, 96).to_owned(),
        description: short(&violation.description, 160).to_owned(),
        ..pb::bad_request::FieldViolation::default()
    };
    pb::BadRequest { field_violations: fields.iter().take(MAX_VIOLATIONS).map(violation).collect() }
}

fn detail(name: &str, message: &impl Message) -> prost_types::Any {
    prost_types::Any { type_url: format!("type.googleapis.com/{name}"), value: message.encode_to_vec() }
}

/// Bytes that are not the request's message.
pub(crate) fn malformed(what: &str) -> Status {
    refused(&Refusal::new(
        Reason::MalformedRequest,
        format!(
            "The request could not be read: {}; generate the client from the same protos.",
            short(what, 256)
        ),
    ))
}

/// Something that must not be: a defect of ours.
pub(crate) fn invariant(what: &str) -> Status {
    let defect = defect();
    told(&defect, table(defect.reason), what)
}

/// A defect of ours, in words for the caller.
pub(crate) fn defect() -> Refusal {
    Refusal::new(
        Reason::Invariant,
        "Something that must not happen did; please report the incident id that comes with this.",
    )
}

/// The reason that a caller is given for a failure.
pub(crate) fn reason(failure: &Failure) -> v1::ErrorReason {
    let reason = match failure {
        Failure::Refused(refusal) => refusal.reason,
        Failure::Store(StoreError::Unavailable(_)) => Reason::StoreUnavailable,
        Failure::Store(StoreError::SchemaAhead { .. }) => Reason::SchemaAhead,
        Failure::Store(StoreError::TooManyGroups) => Reason::QuotaExceeded,
        Failure::Store(StoreError::Damaged { .. }) => Reason::Invariant,
    };
    table(reason).proto
}

/// A method that is not there.
pub(crate) fn unknown_method(path: &str) -> Status {
    refused(&Refusal::new(
        Reason::UnknownMethod,
        format!("There is no method {}; see the server's reflection for those there are.", short(path, 128)),
    ))
}

/// At most so many bytes of a text, cut at a character.
fn short(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use sedma_table::Standing;
    use tonic_types::StatusExt as _;

    use super::*;

    const ALL: [Reason; 32] = [
        Reason::InvalidField,
        Reason::MalformedRequest,
        Reason::RequestTooLarge,
        Reason::UnknownMethod,
        Reason::RequestIdReused,
        Reason::RulesInvalid,
        Reason::TokenMissing,
        Reason::TokenInvalid,
        Reason::TokenExpired,
        Reason::SeatForbidden,
        Reason::PlatformOnly,
        Reason::ScriptForbidden,
        Reason::TableNotFound,
        Reason::StaleRevision,
        Reason::Contention,
        Reason::NotStarted,
        Reason::AlreadyStarted,
        Reason::TableEnded,
        Reason::TablePaused,
        Reason::NotYourTurn,
        Reason::CardNotInHand,
        Reason::IllegalAction,
        Reason::TurnExpired,
        Reason::TableFull,
        Reason::SeatTaken,
        Reason::QuotaExceeded,
        Reason::StoreUnavailable,
        Reason::Draining,
        Reason::Overloaded,
        Reason::SchemaAhead,
        Reason::Deadline,
        Reason::Invariant,
    ];

    #[test]
    fn every_reason_is_named_as_in_the_protos() {
        for reason in ALL {
            let row = table(reason);
            assert_eq!(row.proto.as_str_name(), format!("ERROR_REASON_{}", row.name));
            let info = refused(&Refusal::new(reason, "why")).get_details_error_info().unwrap();
            assert_eq!((info.reason.as_str(), info.domain.as_str()), (row.name, DOMAIN));
        }
        let named = (0..=200).filter(|number| v1::ErrorReason::try_from(*number).is_ok()).count();
        assert_eq!(named, ALL.len() + 1, "each value of the protos but the unspecified one");
    }

    #[test]
    fn what_may_be_sent_again_says_when() {
        for reason in ALL {
            let status = refused(&Refusal::new(reason, "why"));
            let retry = status.get_details_retry_info().is_some();
            let busy = matches!(reason, Reason::Contention | Reason::QuotaExceeded);
            assert_eq!(retry, status.code() == Code::Unavailable || busy);
        }
    }

    #[test]
    fn what_a_pause_does_not_mend_does_not_say_when() {
        let status = of(&Failure::Store(StoreError::TooManyGroups));
        assert_eq!(status.get_details_error_info().unwrap().reason, "QUOTA_EXCEEDED");
        assert!(status.get_details_retry_info().is_none());
    }

    #[test]
    fn the_same_refusal_has_the_same_bytes() {
        let standing = Standing { revision: 7, turn_revision: 5 };
        let bytes = || refused(&Refusal::stale(9, standing)).details().to_vec();
        let first = bytes();
        assert!((0..50).all(|_| bytes() == first));
    }

    #[test]
    fn no_status_is_larger_than_a_trailer_may_be() {
        let long = "ž".repeat(4_000);
        let mut refusal = Refusal::new(Reason::IllegalAction, long.clone())
            .at(Standing { revision: i64::MAX, turn_revision: i64::MAX });
        refusal.fields = vec![FieldViolation { field: long.clone(), description: long }; 100];
        refusal.legal = Some(Box::new(sedma_rules::LegalActions {
            plays: (0..52).filter_map(sedma_rules::Card::from_index).collect(),
            ..sedma_rules::LegalActions::NONE
        }));
        let status = refused(&refusal);
        assert!(status.details().len() + status.message().len() <= 2 * MAX_STATUS_BYTES);
        assert!(status.details().len() <= MAX_STATUS_BYTES, "{}", status.details().len());
        assert!(status.get_details_error_info().is_some());
    }
}

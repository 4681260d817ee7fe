//! What an error says beside its code.

use std::collections::HashMap;
use std::time::Duration;

use prost::Message as _;
use sedma_proto::v1;
use tonic::Status;
use tonic_types::{ErrorInfo, StatusExt as _};

/// The domain of every error of the service.
const DOMAIN: &str = "sedma.v1";
/// What the details call a refusal.
const REFUSAL: &str = "type.googleapis.com/sedma.v1.Refusal";

/// The reason, as in `NOT_YOUR_TURN`.
pub fn reason(status: &Status) -> String {
    info(status).reason
}

/// What `ErrorInfo` says beside the reason.
pub fn metadata(status: &Status) -> HashMap<String, String> {
    info(status).metadata
}

fn info(status: &Status) -> ErrorInfo {
    let info = status.get_details_error_info().unwrap_or_else(|| panic!("no ErrorInfo in {status:?}"));
    assert_eq!(info.domain, DOMAIN, "{status:?}");
    info
}

/// The fields that could not be taken, each with why.
pub fn violations(status: &Status) -> Vec<(String, String)> {
    let request = status.get_details_bad_request().unwrap_or_else(|| panic!("no BadRequest in {status:?}"));
    request.field_violations.into_iter().map(|violation| (violation.field, violation.description)).collect()
}

/// The table's refusal.
pub fn refusal(status: &Status) -> v1::Refusal {
    try_refusal(status).unwrap_or_else(|| panic!("no Refusal in {status:?}"))
}

/// The table's refusal, where the error has one.
pub fn try_refusal(status: &Status) -> Option<v1::Refusal> {
    let whole =
        tonic_types::pb::Status::decode(status.details()).expect("details that are a google.rpc.Status");
    let packed = whole.details.iter().find(|any| any.type_url == REFUSAL)?;
    Some(v1::Refusal::decode(&*packed.value).expect("a Refusal"))
}

/// How long to wait before the same request is sent again, where the error says so.
pub fn retry_delay(status: &Status) -> Option<Duration> {
    status.get_details_retry_info().and_then(|info| info.retry_delay)
}

/// Whether the error says when to try again.
pub fn says_when_to_retry(status: &Status) -> bool {
    retry_delay(status).is_some()
}

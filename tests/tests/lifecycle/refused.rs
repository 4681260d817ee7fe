//! Answers that must be refusals.

use std::fmt::Debug;

use tests::{reason, violations};
use tonic::Status;

/// An answer that must be a refusal for this reason; its status.
pub(crate) fn refused<T: Debug>(answer: Result<T, Status>, why: &str) -> Status {
    let Err(status) = answer else { panic!("accepted where {why} was awaited: {answer:?}") };
    assert_eq!(reason(&status), why, "{status:?}");
    status
}

/// An answer that must be `INVALID_FIELD` for this field alone, with a word on it.
pub(crate) fn refused_field<T: Debug>(answer: Result<T, Status>, field: &str) {
    let status = refused(answer, "INVALID_FIELD");
    let fields = violations(&status);
    assert_eq!(fields.iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>(), [field], "{status:?}");
    assert!(fields.iter().all(|(_, description)| !description.is_empty()), "{status:?}");
}

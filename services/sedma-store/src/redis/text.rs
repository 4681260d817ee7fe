//! Answers that are text, in whichever of its forms Redis gives them.

use redis::Value;

/// The text of an answer; `None` where it is none.
pub(super) fn text(answer: &Value) -> Option<&str> {
    match answer {
        Value::BulkString(bytes) => str::from_utf8(bytes).ok(),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Some(text),
        _ => None,
    }
}

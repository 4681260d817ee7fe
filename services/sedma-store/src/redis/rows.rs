//! Rows of sorted sets: a table's id with milliseconds as its score. RESP3 gives them as pairs.

use redis::Value;
use sedma_table::TableId;

use crate::redis::failure::Failure;

/// A member and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    /// The score.
    pub(super) ms: i64,
    /// The member.
    pub(super) table: TableId,
}

/// Reads an answer with scores.
pub(super) fn read(answer: &Value) -> Result<Vec<Row>, Failure> {
    let Value::Array(pairs) = answer else { return Err(Failure::misfit()) };
    pairs.iter().map(|pair| read_row(pair).ok_or_else(Failure::misfit)).collect()
}

fn read_row(pair: &Value) -> Option<Row> {
    let Value::Array(pair) = pair else { return None };
    let [member, Value::Double(score)] = pair.as_slice() else { return None };
    Some(Row { ms: millis(*score)?, table: member_table(member)? })
}

/// A score as the whole milliseconds that it was made from: all of them are below 2^53.
fn millis(score: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and below 2^53")]
    let whole = score as i64;
    (score.fract() == 0.0 && score.abs() <= EXACT).then_some(whole)
}

/// The table that a member is.
pub(super) fn member_table(member: &Value) -> Option<TableId> {
    let Value::BulkString(bytes) = member else { return None };
    Some(TableId::from_bytes(bytes.as_slice().try_into().ok()?))
}

//! Leases of seats: one small hash a table, whose fields are a seat and a holder, and when the lease is over.
//!
//! All of it may be sent again: a second sending leaves what the first one would have.

use std::collections::BTreeMap;

use redis::Value;
use sedma_rules::Seat;
use sedma_table::TableId;
use sedma_table::store::{Holder, Lease, Present};

use crate::limits::{LEASE_KEY_OUTLIVES, LEASE_LIES_OVER, PIPELINE};
use crate::presence;
use crate::redis::batch::Batch;
use crate::redis::failure::Failure;
use crate::redis::keys;
use crate::redis::reader::Reader;

/// What is published where somebody's presence has changed. A commit publishes more than one byte.
pub(super) const NEWS: &[u8] = b"p";

/// Gives leases until then.
pub(super) async fn hold(
    reader: &Reader<'_>,
    leases: &[Lease],
    until_ms: i64,
    news: bool,
) -> Result<(), Failure> {
    let dies_ms = until_ms.saturating_add_unsigned(millis(LEASE_KEY_OUTLIVES));
    for leases in leases.chunks(PIPELINE) {
        let mut pipeline = Batch::new();
        let by_table = by_table(leases);
        for (table, fields) in &by_table {
            let key = keys::presence(*table);
            // A sender that dies half-way must not leave leases that nothing ever ends.
            pipeline.cmd(table.bucket(), "MULTI");
            let set = pipeline.cmd(table.bucket(), "HSET").arg(&key);
            for field in fields {
                set.arg(field).arg(until_ms);
            }
            // Either the key has no end yet, or its end is moved only away.
            for only in ["NX", "GT"] {
                pipeline.cmd(table.bucket(), "PEXPIREAT").arg(&key).arg(dies_ms).arg(only);
            }
            pipeline.cmd(table.bucket(), "EXEC");
        }
        let answers = reader.pipeline("HSET", &pipeline).await?;
        let given = answers.iter().filter_map(fields_added);
        let new = by_table.keys().zip(given).filter(|(_, added)| news || *added > 0).map(|(table, _)| *table);
        tell(reader, new).await?;
    }
    Ok(())
}

/// How many leases a transaction gave that were not there: new ones, and those that Redis had lost.
fn fields_added(answer: &Value) -> Option<i64> {
    match answer {
        Value::Array(answers) => match answers.first() {
            Some(Value::Int(added)) => Some(*added),
            _ => Some(0),
        },
        _ => None,
    }
}

/// Wakes those who watch tables where somebody's presence has changed.
async fn tell(reader: &Reader<'_>, tables: impl Iterator<Item = TableId>) -> Result<(), Failure> {
    let mut pipeline = Batch::new();
    for table in tables {
        publish(&mut pipeline, table);
    }
    if pipeline.is_empty() { Ok(()) } else { reader.pipeline("SPUBLISH", &pipeline).await.map(drop) }
}

/// Gives leases up. A hash without a field is gone.
pub(super) async fn release(reader: &Reader<'_>, leases: &[Lease]) -> Result<(), Failure> {
    for leases in leases.chunks(PIPELINE) {
        let mut pipeline = Batch::new();
        for (table, fields) in by_table(leases) {
            pipeline.cmd(table.bucket(), "HDEL").arg(keys::presence(table)).arg(&fields);
            publish(&mut pipeline, table);
        }
        reader.pipeline("HDEL", &pipeline).await?;
    }
    Ok(())
}

/// The seats of a table that are present. Leases that were over long ago are removed on the way; one that its holder
/// renews so late, in this very moment, is lost until he does so again.
pub(super) async fn present(reader: &Reader<'_>, table: TableId) -> Result<Vec<Present>, Failure> {
    let mut get = redis::cmd("HGETALL");
    get.arg(keys::presence(table));
    let Value::Map(pairs) = reader.command("HGETALL", table.bucket(), &get).await? else {
        return Err(Failure::misfit());
    };
    let now_ms = reader.nodes.now_ms();
    let long_ago = now_ms.saturating_sub_unsigned(millis(LEASE_LIES_OVER));
    let (mut leases, mut over) = (Vec::new(), Vec::new());
    for (field, value) in &pairs {
        match read(field, value) {
            Some((seat, until_ms)) if until_ms > long_ago => leases.push((seat, until_ms)),
            _ => over.push(field),
        }
    }
    remove(reader, table, &over).await;
    Ok(presence::present(leases, now_ms))
}

/// Removes fields that say nothing any more. Where that fails, who looks next tries again.
async fn remove(reader: &Reader<'_>, table: TableId, fields: &[&Value]) {
    let mut command = redis::cmd("HDEL");
    command.arg(keys::presence(table));
    let names = fields.iter().filter_map(|field| match field {
        Value::BulkString(name) => Some(name),
        _ => None,
    });
    let names: Vec<&Vec<u8>> = names.take(PIPELINE).collect();
    if names.is_empty() {
        return;
    }
    command.arg(names);
    if let Err(failure) = reader.command("HDEL", table.bucket(), &command).await {
        tracing::debug!(failure = failure.text, "leases that are over were not removed");
    }
}

fn publish(pipeline: &mut Batch, table: TableId) {
    pipeline.cmd(table.bucket(), "SPUBLISH").arg(keys::channel(table)).arg(NEWS);
}

/// The fields of each table.
fn by_table(leases: &[Lease]) -> BTreeMap<TableId, Vec<Vec<u8>>> {
    let mut tables: BTreeMap<TableId, Vec<Vec<u8>>> = BTreeMap::new();
    for lease in leases {
        tables.entry(lease.table).or_default().push(field(lease));
    }
    tables
}

/// Bytes of a field: the seat's number, and the holder.
const FIELD: usize = 9;

fn field(lease: &Lease) -> Vec<u8> {
    let Holder(holder) = lease.holder;
    [[lease.seat.number()].as_slice(), &holder.to_be_bytes()].concat()
}

/// A lease's seat and when it is over. What can't be read is as good as none.
fn read(field: &Value, value: &Value) -> Option<(Seat, i64)> {
    let (Value::BulkString(field), Value::BulkString(value)) = (field, value) else { return None };
    let [seat, ..] = <[u8; FIELD]>::try_from(field.as_slice()).ok()?;
    Some((Seat::new(seat)?, str::from_utf8(value).ok()?.parse().ok()?))
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_a_seat_and_a_holder() {
        let lease = Lease {
            table: TableId::from_bytes([7; 16]),
            seat: Seat::Three,
            holder: Holder(0x0102_0304_0506_0708),
        };
        assert_eq!(field(&lease), [3, 1, 2, 3, 4, 5, 6, 7, 8]);
        let bytes = |bytes: &[u8]| Value::BulkString(bytes.to_vec());
        assert_eq!(read(&bytes(&field(&lease)), &bytes(b"90")), Some((Seat::Three, 90)));
        for (field, value) in [(&b"\x05abcdefgh"[..], "90"), (b"\x01abcdefg", "90"), (b"\x01abcdefgh", "9O")]
        {
            assert_eq!(read(&bytes(field), &bytes(value.as_bytes())), None, "{value}");
        }
    }
}

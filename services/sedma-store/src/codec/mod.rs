//! Stored records as bytes, and back.
//!
//! A table's blob is a head of [`HEAD_BYTES`] and a snapshot; an element of its log is [`ELEMENT_BYTES`] and an
//! update. Both carry a schema byte: a higher one than [`SCHEMA`] is refused whole, and what this release can't read
//! to the last byte is damaged, never filled with a default. (prost drops fields that it doesn't know. A record of a
//! known schema has none, by the rule that a new field needs a new schema; [`whole`] looks all the same.)

mod config;
mod facts;
#[cfg(test)]
mod golden;
mod reader;
mod records;
mod result;
mod setup;
mod snapshot;
#[cfg(test)]
mod tests;
mod timing;
mod update;

use std::sync::Arc;

use prost::Message;
use sedma_table::store::{Snapshot, StoreError, Stored};
use sedma_table::{Edition, Filed, Logged, TableId, TableResult, Update, Version};

pub(crate) use config::{decode_config, encode_config};

/// The newest schema that this release writes, and the highest that it reads. It also reads and writes the one before.
pub const SCHEMA: u8 = Edition::NEWEST.number();
/// Bytes in front of a snapshot: revision 8, token 8, fire time 8, schema 1.
const HEAD_BYTES: usize = 25;
/// Bytes in front of an update: token 8, time 8, schema 1.
const ELEMENT_BYTES: usize = 17;

/// A record of a schema has what only a later one brought.
const AHEAD_OF_ITS_SCHEMA: Unfit = Unfit("a record has something that its schema does not know");

/// Why bytes are no record, or a value is none that can be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unfit(pub(crate) &'static str);

impl Unfit {
    /// With the name of the table whose record it is.
    pub(crate) fn of(self, table: TableId) -> StoreError {
        StoreError::Damaged { table, what: self.0.to_owned() }
    }
}

/// A version as the head has it and as commits compare it: revision (big-endian), token.
pub(crate) fn version_bytes(version: Version) -> [u8; 16] {
    let mut bytes = [0; 16];
    let (revision, token) = bytes.split_at_mut(8);
    revision.copy_from_slice(&version.revision.to_be_bytes());
    token.copy_from_slice(&version.token);
    bytes
}

/// The version at the front of a head.
pub(crate) fn read_version(bytes: &[u8]) -> Option<Version> {
    let (revision, rest) = bytes.split_first_chunk::<8>()?;
    let (token, _) = rest.split_first_chunk::<8>()?;
    Some(Version { revision: i64::from_be_bytes(*revision), token: *token })
}

/// The version and the fire time at the front of a head.
fn read_head(bytes: &[u8]) -> Option<(Version, i64)> {
    let (_, rest) = bytes.split_first_chunk::<16>()?;
    let (fire_ms, _) = rest.split_first_chunk::<8>()?;
    let fire_ms = Some(i64::from_be_bytes(*fire_ms)).filter(|fire_ms| *fire_ms >= 0)?;
    Some((read_version(bytes)?, fire_ms))
}

/// A snapshot's bytes behind the schema: a blob but for the version and the fire time, which the script puts in front.
pub(crate) fn encode_snapshot(snapshot: &Snapshot) -> Result<Vec<u8>, Unfit> {
    encode(snapshot.table.setup().edition, &snapshot::to_record(snapshot)?)
}

/// Reads a table's blob.
pub(crate) fn decode_blob(table: TableId, blob: &[u8]) -> Result<Stored, StoreError> {
    let damaged = |what| Unfit(what).of(table);
    let (head, bytes) = blob.split_first_chunk::<HEAD_BYTES>().ok_or(damaged("its head is cut short"))?;
    let (version, fire_ms) = read_head(head).ok_or(damaged("its head has no version or time"))?;
    let edition = read_schema(table, head.last().copied())?;
    let record: records::Snapshot = whole(bytes).map_err(|unfit| unfit.of(table))?;
    let snapshot = snapshot::from_record(edition, record).map_err(|unfit| unfit.of(table))?;
    if snapshot.table.revision() != version.revision {
        return Err(damaged("its head and its snapshot differ in the revision"));
    }
    if snapshot.table.setup().id != table {
        return Err(damaged("its snapshot is another table's"));
    }
    Ok(Stored { version, snapshot: Arc::new(snapshot), fire_ms })
}

/// An update's bytes behind the schema: an element but for the token and the time, which the script puts in front.
pub(crate) fn encode_update(edition: Edition, update: &Update) -> Result<Vec<u8>, Unfit> {
    encode(edition, &update::to_record(update)?)
}

/// Reads the element of a table's log that made this revision.
pub(crate) fn decode_element(table: TableId, revision: i64, element: &[u8]) -> Result<Logged, StoreError> {
    let damaged = |unfit: Unfit| unfit.of(table);
    let (token, time_ms) = read_stamp(element).ok_or(Unfit("an update is cut short")).map_err(damaged)?;
    let (front, bytes) = element
        .split_first_chunk::<ELEMENT_BYTES>()
        .ok_or(Unfit("an update is cut short"))
        .map_err(damaged)?;
    let edition = read_schema(table, front.last().copied())?;
    let record: records::Update = whole(bytes).map_err(damaged)?;
    let update = update::from_record(table, edition, record).map_err(damaged)?;
    Ok(Logged { version: Version { revision, token }, time_ms, update: Arc::new(update) })
}

/// The token and the time at the front of an element.
pub(crate) fn read_stamp(element: &[u8]) -> Option<([u8; 8], i64)> {
    let (token, rest) = element.split_first_chunk::<8>()?;
    let (time, _) = rest.split_first_chunk::<8>()?;
    Some((*token, i64::from_be_bytes(*time)))
}

/// A result's bytes behind the schema; the script puts version and time in front.
pub(crate) fn encode_result(edition: Edition, result: &TableResult) -> Result<Vec<u8>, Unfit> {
    encode(edition, &result::to_record(result))
}

/// Reads a filed result.
pub(crate) fn decode_result(table: TableId, bytes: &[u8]) -> Result<Filed, StoreError> {
    let damaged = |unfit: Unfit| unfit.of(table);
    let (head, bytes) =
        bytes.split_first_chunk::<HEAD_BYTES>().ok_or(Unfit("its result is cut short")).map_err(damaged)?;
    let (version, time_ms) = read_head(head).ok_or(Unfit("its result has no version")).map_err(damaged)?;
    read_schema(table, head.last().copied())?;
    let record: records::Result = whole(bytes).map_err(damaged)?;
    let result = result::from_record(table, version.revision, record).map_err(damaged)?;
    Ok(Filed { version, time_ms, result })
}

fn read_schema(table: TableId, schema: Option<u8>) -> Result<Edition, StoreError> {
    match (schema.and_then(Edition::from_number), schema) {
        (Some(edition), _) => Ok(edition),
        (None, Some(found)) if found > SCHEMA => Err(StoreError::SchemaAhead { table, found }),
        _ => Err(Unfit("its schema is none that was ever written").of(table)),
    }
}

fn encode(edition: Edition, record: &impl Message) -> Result<Vec<u8>, Unfit> {
    let mut bytes = vec![edition.number()];
    record.encode(&mut bytes).map_err(|_| Unfit("a record can't be written"))?;
    Ok(bytes)
}

/// Reads a record to its last byte: one that is written again must have the length it was read with, so nothing in it
/// was skipped.
fn whole<M: Message + Default>(bytes: &[u8]) -> Result<M, Unfit> {
    let record = M::decode(bytes).map_err(|_| Unfit("a record can't be parsed"))?;
    if record.encoded_len() == bytes.len() { Ok(record) } else { Err(AHEAD_OF_ITS_SCHEMA) }
}

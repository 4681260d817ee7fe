//! A cluster's map: which node has which bucket. A bucket's keys all have its hash tag, so each bucket is one slot.

use std::time::Duration;

use redis::{AsyncConnectionConfig, Client, Pipeline, Value};
use tokio::task::JoinSet;

use crate::limits::MAP_TIMEOUT;
use crate::redis::address::{Manner, Place};
use crate::redis::keys;
use crate::redis::text::text;

/// How many slots a cluster has.
const SLOTS: u16 = 16_384;

/// Who has what. `None` where nobody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owners {
    /// By bucket.
    pub(super) buckets: Vec<Option<Place>>,
    /// Of `sedma:config`.
    pub(super) config: Option<Place>,
}

/// A slot by its key: CRC16 (XMODEM) of the hash tag, or of the whole key where there is none.
pub(super) fn slot(key: &str) -> u16 {
    let tag = key.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(tag, _)| tag);
    let hashed = tag.filter(|tag| !tag.is_empty()).unwrap_or(key);
    let crc = hashed.bytes().fold(0_u16, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 }
        })
    });
    crc % SLOTS
}

/// A map as one node tells it.
struct Told {
    owners: Owners,
    /// Whether that node sees most of the others. One that is cut off from them goes on telling what it knew.
    well: bool,
}

/// Asks all of these nodes at once for the map, and takes the first answer of a node that is well; where none is, the
/// first of all.
pub(super) async fn ask(manner: &Manner, places: Vec<Place>) -> Result<Owners, String> {
    let mut asked = JoinSet::new();
    for place in places {
        asked.spawn(ask_one(manner.clone(), place));
    }
    let mut why = "it has no node".to_owned();
    let mut other = None;
    while let Some(answer) = asked.join_next().await {
        match answer {
            Ok(Ok(Told { owners, well: true })) => return Ok(owners),
            Ok(Ok(Told { owners, well: false })) => other = other.or(Some(owners)),
            Ok(Err(error)) => why = error,
            Err(error) => why = error.to_string(),
        }
    }
    other.ok_or(why)
}

async fn ask_one(manner: Manner, place: Place) -> Result<Told, String> {
    const STEP: Duration = MAP_TIMEOUT;
    let asked = async {
        let client = Client::open(manner.to(&place))?;
        let config =
            AsyncConnectionConfig::new().set_connection_timeout(Some(STEP)).set_response_timeout(Some(STEP));
        let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
        let mut both = Pipeline::new();
        both.cmd("CLUSTER").arg("INFO").cmd("CLUSTER").arg("SLOTS");
        both.query_async::<(Value, Value)>(&mut connection).await
    };
    match tokio::time::timeout(MAP_TIMEOUT, asked).await {
        Ok(Ok((state, slots))) => {
            let owners = read(&slots, &place).ok_or_else(|| format!("{place} has no map"))?;
            let well = text(&state).is_some_and(|state| state.contains("cluster_state:ok"));
            Ok(Told { owners, well })
        }
        Ok(Err(error)) => Err(format!("{place}: {error}")),
        Err(_) => Err(format!("{place} does not answer")),
    }
}

/// Reads an answer to `CLUSTER SLOTS`. A node that does not know its own host leaves it empty: the one that was asked.
fn read(answer: &Value, asked: &Place) -> Option<Owners> {
    let Value::Array(rows) = answer else { return None };
    let rows: Option<Vec<(u16, u16, Place)>> = rows.iter().map(|row| read_row(row, asked)).collect();
    let rows = rows.filter(|rows| !rows.is_empty())?;
    let owner = |key: &str| {
        let slot = slot(key);
        rows.iter()
            .find(|(first, last, _)| (*first..=*last).contains(&slot))
            .map(|(_, _, place)| place.clone())
    };
    let buckets = (0..=u8::MAX).map(|bucket| owner(&keys::timers(bucket))).collect();
    Some(Owners { buckets, config: owner(keys::CONFIG) })
}

fn read_row(row: &Value, asked: &Place) -> Option<(u16, u16, Place)> {
    let Value::Array(parts) = row else { return None };
    let [Value::Int(first), Value::Int(last), Value::Array(primary), ..] = parts.as_slice() else {
        return None;
    };
    let [host, Value::Int(port), ..] = primary.as_slice() else { return None };
    let host = match host {
        Value::BulkString(host) if !host.is_empty() => str::from_utf8(host).ok()?.to_owned(),
        _ => asked.host.clone(),
    };
    let place = Place { host, port: u16::try_from(*port).ok()? };
    Some((u16::try_from(*first).ok()?, u16::try_from(*last).ok()?, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_the_one_that_redis_says() {
        // As `CLUSTER KEYSLOT` answers.
        assert_eq!((slot("123456789"), slot("foo"), slot("")), (12_739, 12_182, 0));
        assert_eq!(slot("tm:{0f}"), slot("0f"));
        assert_eq!(slot("a{}b"), slot("a{}b"));
    }

    #[test]
    fn a_map_says_who_has_each_bucket_and_where_nobody_has() {
        let row = |first, last, host: &str, port| {
            let host = Value::BulkString(host.as_bytes().to_vec());
            let id = Value::BulkString(b"id".to_vec());
            Value::Array(vec![
                Value::Int(first),
                Value::Int(last),
                Value::Array(vec![host, Value::Int(port), id]),
            ])
        };
        let asked = Place { host: "asked".into(), port: 1 };
        let map = Value::Array(vec![row(0, 8_000, "a", 7), row(8_001, 16_000, "", 8)]);
        let owners = read(&map, &asked).unwrap();
        for (bucket, owner) in (0..=u8::MAX).zip(&owners.buckets) {
            let expected = match slot(&keys::timers(bucket)) {
                0..=8_000 => Some("a:7"),
                8_001..=16_000 => Some("asked:8"),
                _ => None,
            };
            assert_eq!(owner.as_ref().map(ToString::to_string).as_deref(), expected);
        }
        assert_eq!(read(&Value::Array(Vec::new()), &asked), None);
    }
}

//! Each bucket's stamp: when its timers were last swept, by whomever. An old one tells of an outage.
//!
//! A stamp also names the outage whose timers have not all been given their time again, so that every server takes
//! them for what they are, whichever came back first, and one that is stuck makes no outage of what falls due later.

use std::collections::BTreeMap;

use redis::Value;

use crate::limits::STAMPS_PER_OUTAGE;
use crate::outage::Gap;
use crate::redis::batch::Batch;
use crate::redis::failure::Failure;
use crate::redis::keys;
use crate::redis::reader::{Part, Reader};

/// What this server knows of the stamps.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    /// When it wrote each bucket's last; none before the first time.
    written: BTreeMap<u8, i64>,
    /// Buckets that an outage has left something in.
    gaps: BTreeMap<u8, Gap>,
}

impl Stamps {
    /// Brings the stamps of these buckets up to a sweep at these times. Nothing may be fired before: where this server
    /// has been silent for too long itself, it learns here whether all others were. Takes out the buckets that it can't
    /// do so for, and says why.
    ///
    /// The time that is written is that of a sweep which was answered. So a Redis that hangs does not stamp its own
    /// outage away with commands that have waited at its door.
    pub(super) async fn keep(
        &mut self,
        reader: &Reader<'_>,
        now: &mut BTreeMap<u8, i64>,
        outage_after_ms: u64,
    ) -> Option<Failure> {
        let mut failed = None;
        let age = |written: &BTreeMap<u8, i64>, bucket: u8, now_ms: i64| {
            let age = |written_ms: &i64| u64::try_from(now_ms.saturating_sub(*written_ms)).unwrap_or(0);
            written.get(&bucket).map_or(u64::MAX, age)
        };
        let older = |written: &BTreeMap<u8, i64>, now: &BTreeMap<u8, i64>, ms: u64| -> Vec<(u8, i64)> {
            let rows = now.iter().map(|(bucket, now_ms)| (*bucket, *now_ms));
            rows.filter(|(bucket, now_ms)| age(written, *bucket, *now_ms) >= ms).collect()
        };
        let silent = older(&self.written, now, outage_after_ms.saturating_add(1));
        for (bucket, gap) in read(reader, &silent, outage_after_ms).await {
            match gap {
                Ok(Some(gap)) => drop(self.gaps.insert(bucket, gap)),
                Ok(None) => drop(self.gaps.remove(&bucket)),
                Err(failure) => {
                    now.remove(&bucket);
                    failed = Some(failure);
                }
            }
        }
        let to_write = older(&self.written, now, outage_after_ms / STAMPS_PER_OUTAGE);
        if !to_write.is_empty() {
            self.close(reader).await;
            for (bucket, now_ms, answer) in self.write(reader, &to_write).await {
                if let Err(failure) = answer {
                    now.remove(&bucket);
                    failed = Some(failure);
                } else {
                    self.written.insert(bucket, now_ms);
                }
            }
        }
        failed
    }

    /// Whether what fell due then in this bucket is an outage's.
    pub(super) fn outage(&self, bucket: u8, fire_ms: i64) -> bool {
        self.gaps.get(&bucket).is_some_and(|gap| gap.holds(fire_ms))
    }

    /// Forgets gaps that have no timer left.
    async fn close(&mut self, reader: &Reader<'_>) {
        if self.gaps.is_empty() {
            return;
        }
        let mut batch = Batch::new();
        for (bucket, gap) in &self.gaps {
            let after = format!("({}", gap.after_ms);
            batch.cmd(*bucket, "ZCOUNT").arg(keys::timers(*bucket)).arg(after).arg(gap.until_ms);
        }
        let mut counts = reader.parts("ZCOUNT", &batch).await.into_iter();
        self.gaps.retain(|_, _| !matches!(counts.next(), Some(Ok(Value::Int(0)))));
    }

    async fn write(&self, reader: &Reader<'_>, rows: &[(u8, i64)]) -> Vec<(u8, i64, Part)> {
        let mut batch = Batch::new();
        for (bucket, now_ms) in rows {
            batch.cmd(*bucket, "SET").arg(keys::alive(*bucket)).arg(stamp(*now_ms, self.gaps.get(bucket)));
        }
        let answers = reader.parts("SET", &batch).await;
        rows.iter().zip(answers).map(|((bucket, now_ms), answer)| (*bucket, *now_ms, answer)).collect()
    }
}

/// The gap that a bucket's stamp tells of, or why that is not known.
type Read = Result<Option<Gap>, Failure>;

/// The gaps that the stamps of these buckets tell of. A bucket without a stamp was never swept: it has none.
async fn read(reader: &Reader<'_>, rows: &[(u8, i64)], outage_after_ms: u64) -> Vec<(u8, Read)> {
    let mut batch = Batch::new();
    for (bucket, _) in rows {
        batch.cmd(*bucket, "GET").arg(keys::alive(*bucket));
    }
    let gap = |now_ms: i64, answer: Value| {
        let Value::BulkString(bytes) = answer else { return None };
        let (swept_ms, old) = parse(&bytes)?;
        Gap::joined(old, Gap::between(swept_ms, now_ms, outage_after_ms))
    };
    let stamps = reader.parts("GET", &batch).await;
    let told = rows.iter().zip(stamps);
    told.map(|((bucket, now_ms), answer)| (*bucket, answer.map(|answer| gap(*now_ms, answer)))).collect()
}

/// A stamp as text: the time of the sweep, and the ends of the gap where there is one.
fn stamp(now_ms: i64, gap: Option<&Gap>) -> String {
    match gap {
        None => now_ms.to_string(),
        Some(Gap { after_ms, until_ms }) => format!("{now_ms} {after_ms} {until_ms}"),
    }
}

/// Reads a stamp. One that can't be read is as good as none: the next one takes its place.
fn parse(bytes: &[u8]) -> Option<(i64, Option<Gap>)> {
    let mut numbers = str::from_utf8(bytes).ok()?.split(' ').map(|number| number.parse().ok());
    let now_ms = numbers.next()??;
    match (numbers.next(), numbers.next(), numbers.next()) {
        (None, None, None) => Some((now_ms, None)),
        (Some(after_ms), Some(until_ms), None) => {
            Some((now_ms, Some(Gap { after_ms: after_ms?, until_ms: until_ms? })))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_comes_back_or_is_none() {
        let gap = Gap { after_ms: 5, until_ms: 70 };
        for gap in [None, Some(gap)] {
            assert_eq!(parse(stamp(99, gap.as_ref()).as_bytes()), Some((99, gap)));
        }
        for text in ["", "x", "1 2", "1 2 x", "1 2 3 4", "1  2"] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }
}

//! Each bucket's stamp: when its timers were last swept, by whomever. An old one tells of an outage.
//!
//! A stamp also names the outage whose timers have not all been given their time again, so that every server takes
//! them for what they are, whichever came back first, and one that is stuck makes no outage of what falls due later.

use std::collections::BTreeMap;

use redis::{Pipeline, Value};

use crate::limits::STAMPS_PER_OUTAGE;
use crate::outage::Gap;
use crate::redis::failure::Failure;
use crate::redis::keys;
use crate::redis::reader::Reader;

/// What this server knows of the stamps.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    /// When it wrote them last; `None` before the first time.
    written_ms: Option<i64>,
    /// Buckets that an outage has left something in.
    gaps: BTreeMap<u8, Gap>,
}

impl Stamps {
    /// Brings the stamps up to a sweep at this time. Nothing may be fired before: where this server has been silent for
    /// too long itself, it learns here whether all others were.
    ///
    /// The time that is written is that of a sweep which was answered. So a Redis that hangs does not stamp its own
    /// outage away with commands that have waited at its door.
    pub(super) async fn keep(
        &mut self,
        reader: &Reader<'_>,
        now_ms: i64,
        outage_after_ms: u64,
    ) -> Result<(), Failure> {
        let age = |written_ms| u64::try_from(now_ms.saturating_sub(written_ms)).unwrap_or(0);
        let age = self.written_ms.map_or(u64::MAX, age);
        if age > outage_after_ms {
            self.gaps = read(reader, now_ms, outage_after_ms).await?;
        }
        if age >= outage_after_ms / STAMPS_PER_OUTAGE {
            self.close(reader).await?;
            self.write(reader, now_ms).await?;
            self.written_ms = Some(now_ms);
        }
        Ok(())
    }

    /// Whether what fell due then in this bucket is an outage's.
    pub(super) fn outage(&self, bucket: u8, fire_ms: i64) -> bool {
        self.gaps.get(&bucket).is_some_and(|gap| gap.holds(fire_ms))
    }

    /// Forgets gaps that have no timer left.
    async fn close(&mut self, reader: &Reader<'_>) -> Result<(), Failure> {
        if self.gaps.is_empty() {
            return Ok(());
        }
        let mut pipeline = Pipeline::new();
        for (bucket, gap) in &self.gaps {
            let after = format!("({}", gap.after_ms);
            pipeline.cmd("ZCOUNT").arg(keys::timers(*bucket)).arg(after).arg(gap.until_ms);
        }
        let mut counts = reader.pipeline("ZCOUNT", &pipeline).await?.into_iter();
        self.gaps.retain(|_, _| counts.next() != Some(Value::Int(0)));
        Ok(())
    }

    async fn write(&self, reader: &Reader<'_>, now_ms: i64) -> Result<(), Failure> {
        let mut pipeline = Pipeline::new();
        for bucket in 0..=u8::MAX {
            pipeline.cmd("SET").arg(keys::alive(bucket)).arg(stamp(now_ms, self.gaps.get(&bucket)));
        }
        reader.pipeline("SET", &pipeline).await.map(drop)
    }
}

/// The gaps that the stamps of all buckets tell of. A bucket without a stamp was never swept: it has none.
async fn read(reader: &Reader<'_>, now_ms: i64, outage_after_ms: u64) -> Result<BTreeMap<u8, Gap>, Failure> {
    let mut pipeline = Pipeline::new();
    for bucket in 0..=u8::MAX {
        pipeline.cmd("GET").arg(keys::alive(bucket));
    }
    let stamps = reader.pipeline("GET", &pipeline).await?;
    let gap = |answer: Value| {
        let Value::BulkString(bytes) = answer else { return None };
        let (swept_ms, old) = parse(&bytes)?;
        Gap::joined(old, Gap::between(swept_ms, now_ms, outage_after_ms))
    };
    let gaps = (0..=u8::MAX).zip(stamps).filter_map(|(bucket, answer)| Some((bucket, gap(answer)?)));
    Ok(gaps.collect())
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

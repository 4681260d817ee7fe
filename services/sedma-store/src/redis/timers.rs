//! Looks for timers that have fired, in all buckets at once.

use std::collections::BTreeMap;

use redis::Value;
use sedma_table::TableId;
use sedma_table::store::DueTable;
use tokio::sync::Mutex;

use crate::limits::{ASK_DEEPER, OVERDUE, PIPELINE};
use crate::redis::batch::Batch;
use crate::redis::commit::Committer;
use crate::redis::failure::Failure;
use crate::redis::keys;
use crate::redis::reader::Reader;
use crate::redis::rows::{self, Row};
use crate::redis::stamps::Stamps;

/// The sweeps of one server.
pub(super) struct Timers {
    /// What every sweep begins with: the first timer of each bucket. It never changes.
    peek: Batch,
    stamps: Mutex<Stamps>,
}

impl Timers {
    pub(super) fn new() -> Self {
        let mut peek = Batch::timed();
        for bucket in 0..=u8::MAX {
            first(&mut peek, bucket, 1);
        }
        Self { peek, stamps: Mutex::new(Stamps::default()) }
    }

    /// Up to `limit` tables whose timers have fired, the oldest first. Each bucket goes by the time of its node; one
    /// whose node does not answer is left out, for the clocks of the others must go on.
    pub(super) async fn due(
        &self,
        reader: &Reader<'_>,
        committer: &Committer,
        limit: usize,
        outage_after_ms: u64,
    ) -> Result<Vec<DueTable>, Failure> {
        // One sweep after the other: each knows what the one before has learned.
        let mut stamps = self.stamps.lock().await;
        let mut sweep = Sweep { now: BTreeMap::new(), asked: 1, fired: BTreeMap::new() };
        let mut failed = None;
        let mut firsts = Vec::new();
        for (bucket, (now_ms, answer)) in (0..=u8::MAX).zip(reader.timed(&self.peek).await) {
            match answer {
                Ok(answer) => {
                    sweep.now.insert(bucket, now_ms);
                    firsts.push((bucket, answer));
                }
                Err(failure) => failed = Some(failure),
            }
        }
        if let Some(failure) = stamps.keep(reader, &mut sweep.now, outage_after_ms).await {
            failed = Some(failure);
        }
        match failed {
            Some(failure) if sweep.now.is_empty() => return Err(failure),
            _ => {}
        }
        for (bucket, answer) in firsts {
            sweep.take(bucket, &answer)?;
        }
        let (fired, now) = sweep.oldest(reader, limit).await?;
        let gone = gone(reader, &fired, &now).await?;
        for table in &gone {
            if let Err(failure) = committer.forget_timer(reader, *table).await {
                tracing::debug!(%table, why = failure.text, "the timer of a table that is gone stays for now");
            }
        }
        let due = |Row { ms, table }: Row| DueTable { table, outage: stamps.outage(table.bucket(), ms) };
        Ok(fired.into_iter().filter(|row| !gone.contains(&row.table)).map(due).collect())
    }
}

/// Asks for the first `count` timers of a bucket.
fn first(pipeline: &mut Batch, bucket: u8, count: usize) {
    let last = count.saturating_sub(1);
    pipeline.cmd(bucket, "ZRANGE").arg(keys::timers(bucket)).arg(0).arg(last).arg("WITHSCORES");
}

/// What one sweep has found.
struct Sweep {
    /// The time of each bucket that can be served.
    now: BTreeMap<u8, i64>,
    /// How many timers each bucket was asked for.
    asked: usize,
    /// The first timers of each bucket in which one has fired; only those that have.
    fired: BTreeMap<u8, Vec<Row>>,
}

impl Sweep {
    fn take(&mut self, bucket: u8, answer: &Value) -> Result<(), Failure> {
        let mut rows = rows::read(answer)?;
        let now_ms = self.now.get(&bucket).copied();
        rows.retain(|row| now_ms.is_some_and(|now_ms| row.ms <= now_ms));
        if rows.is_empty() {
            self.fired.remove(&bucket)
        } else {
            self.fired.insert(bucket, rows)
        };
        Ok(())
    }

    /// Up to `limit` timers that have fired. A bucket where all that was read has fired may have more of them: it is
    /// asked again for its first ones, and for more of them, until there are enough.
    async fn oldest(
        mut self,
        reader: &Reader<'_>,
        limit: usize,
    ) -> Result<(Vec<Row>, BTreeMap<u8, i64>), Failure> {
        loop {
            let found: usize = self.fired.values().map(Vec::len).sum();
            let full = |rows: &Vec<Row>| rows.len() >= self.asked;
            let deep: Vec<u8> =
                self.fired.iter().filter(|(_, rows)| full(rows)).map(|(bucket, _)| *bucket).collect();
            if found >= limit || deep.is_empty() {
                break;
            }
            self.asked = self.asked.saturating_mul(ASK_DEEPER).min(limit);
            let mut pipeline = Batch::new();
            for bucket in &deep {
                first(&mut pipeline, *bucket, self.asked);
            }
            for (bucket, answer) in deep.into_iter().zip(reader.parts("ZRANGE", &pipeline).await) {
                match answer {
                    Ok(answer) => self.take(bucket, &answer)?,
                    // Its node was lost meanwhile.
                    Err(_) => drop(self.fired.remove(&bucket)),
                }
            }
        }
        let mut fired: Vec<Row> = self.fired.into_values().flatten().collect();
        fired.sort_unstable();
        fired.truncate(limit);
        Ok((fired, self.now))
    }
}

/// Those of the timers whose tables are gone. Only what has been due for long is looked at: all else has just been
/// armed, and who fires it finds out anyway.
async fn gone(reader: &Reader<'_>, fired: &[Row], now: &BTreeMap<u8, i64>) -> Result<Vec<TableId>, Failure> {
    let overdue_ms = u64::try_from(OVERDUE.as_millis()).unwrap_or(u64::MAX);
    let long_ago = |row: &&Row| {
        now.get(&row.table.bucket()).is_some_and(|now_ms| row.ms < now_ms.saturating_sub_unsigned(overdue_ms))
    };
    let overdue: Vec<TableId> = fired.iter().filter(long_ago).map(|row| row.table).collect();
    let mut gone = Vec::new();
    for tables in overdue.chunks(PIPELINE) {
        let mut pipeline = Batch::new();
        for table in tables {
            pipeline.cmd(table.bucket(), "EXISTS").arg(keys::blob(*table));
        }
        let answers = reader.parts("EXISTS", &pipeline).await;
        gone.extend(
            tables
                .iter()
                .zip(answers)
                .filter(|(_, there)| matches!(there, Ok(Value::Int(0))))
                .map(|(table, _)| *table),
        );
    }
    Ok(gone)
}

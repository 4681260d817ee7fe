//! Looks for timers that have fired, in all buckets at once.

use std::collections::BTreeMap;

use redis::{Pipeline, Value};
use sedma_table::TableId;
use sedma_table::store::DueTable;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::limits::{ASK_DEEPER, OVERDUE, PIPELINE};
use crate::redis::clock;
use crate::redis::commit::Committer;
use crate::redis::failure::Failure;
use crate::redis::keys;
use crate::redis::reader::Reader;
use crate::redis::rows::{self, Row};
use crate::redis::stamps::Stamps;

/// The sweeps of one server.
pub(super) struct Timers {
    /// What every sweep begins with: the time, and the first timer of each bucket. It never changes, and the time that
    /// it brings along is the only one that a sweep goes by.
    peek: Pipeline,
    stamps: Mutex<Stamps>,
}

impl Timers {
    pub(super) fn new() -> Self {
        let mut peek = Pipeline::new();
        peek.cmd("TIME");
        for bucket in 0..=u8::MAX {
            first(&mut peek, bucket, 1);
        }
        Self { peek, stamps: Mutex::new(Stamps::default()) }
    }

    /// Up to `limit` tables whose timers have fired, the oldest first.
    pub(super) async fn due(
        &self,
        reader: &Reader<'_>,
        committer: &Committer,
        limit: usize,
        outage_after_ms: u64,
    ) -> Result<Vec<DueTable>, Failure> {
        // One sweep after the other: each knows what the one before has learned.
        let mut stamps = self.stamps.lock().await;
        let asked = Instant::now();
        let mut answers = reader.pipeline("ZRANGE", &self.peek).await?.into_iter();
        let told = answers.next().as_ref().and_then(clock::read_us).ok_or_else(Failure::misfit)?;
        reader.server.clock.told_us(asked, told);
        let now_ms = told.div_euclid(1_000);
        stamps.keep(reader, now_ms, outage_after_ms).await?;
        let mut sweep = Sweep { now_ms, asked: 1, fired: BTreeMap::new() };
        for (bucket, answer) in (0..=u8::MAX).zip(answers) {
            sweep.take(bucket, &answer)?;
        }
        let fired = sweep.oldest(reader, limit).await?;
        let gone = gone(reader, &fired, now_ms).await?;
        for table in &gone {
            committer.forget_timer(reader, *table).await?;
        }
        let due = |Row { ms, table }: Row| DueTable { table, outage: stamps.outage(table.bucket(), ms) };
        Ok(fired.into_iter().filter(|row| !gone.contains(&row.table)).map(due).collect())
    }
}

/// Asks for the first `count` timers of a bucket.
fn first(pipeline: &mut Pipeline, bucket: u8, count: usize) {
    let last = count.saturating_sub(1);
    pipeline.cmd("ZRANGE").arg(keys::timers(bucket)).arg(0).arg(last).arg("WITHSCORES");
}

/// What one sweep has found.
struct Sweep {
    now_ms: i64,
    /// How many timers each bucket was asked for.
    asked: usize,
    /// The first timers of each bucket in which one has fired; only those that have.
    fired: BTreeMap<u8, Vec<Row>>,
}

impl Sweep {
    fn take(&mut self, bucket: u8, answer: &Value) -> Result<(), Failure> {
        let mut rows = rows::read(answer)?;
        rows.retain(|row| row.ms <= self.now_ms);
        if rows.is_empty() {
            self.fired.remove(&bucket)
        } else {
            self.fired.insert(bucket, rows)
        };
        Ok(())
    }

    /// Up to `limit` timers that have fired. A bucket where all that was read has fired may have more of them: it is
    /// asked again for its first ones, and for more of them, until there are enough.
    async fn oldest(mut self, reader: &Reader<'_>, limit: usize) -> Result<Vec<Row>, Failure> {
        loop {
            let found: usize = self.fired.values().map(Vec::len).sum();
            let full = |rows: &Vec<Row>| rows.len() >= self.asked;
            let deep: Vec<u8> =
                self.fired.iter().filter(|(_, rows)| full(rows)).map(|(bucket, _)| *bucket).collect();
            if found >= limit || deep.is_empty() {
                break;
            }
            self.asked = self.asked.saturating_mul(ASK_DEEPER).min(limit);
            let mut pipeline = Pipeline::new();
            for bucket in &deep {
                first(&mut pipeline, *bucket, self.asked);
            }
            let answers = reader.pipeline("ZRANGE", &pipeline).await?;
            for (bucket, answer) in deep.into_iter().zip(&answers) {
                self.take(bucket, answer)?;
            }
        }
        let mut fired: Vec<Row> = self.fired.into_values().flatten().collect();
        fired.sort_unstable();
        fired.truncate(limit);
        Ok(fired)
    }
}

/// Those of the timers whose tables are gone. Only what has been due for long is looked at: all else has just been
/// armed, and who fires it finds out anyway.
async fn gone(reader: &Reader<'_>, fired: &[Row], now_ms: i64) -> Result<Vec<TableId>, Failure> {
    let long_ago = now_ms.saturating_sub_unsigned(OVERDUE.as_millis().try_into().unwrap_or(u64::MAX));
    let overdue: Vec<TableId> = fired.iter().filter(|row| row.ms < long_ago).map(|row| row.table).collect();
    let mut gone = Vec::new();
    for tables in overdue.chunks(PIPELINE) {
        let mut pipeline = Pipeline::new();
        for table in tables {
            pipeline.cmd("EXISTS").arg(keys::blob(*table));
        }
        let answers = reader.pipeline("EXISTS", &pipeline).await?;
        gone.extend(
            tables.iter().zip(answers).filter(|(_, there)| *there == Value::Int(0)).map(|(table, _)| *table),
        );
    }
    Ok(gone)
}

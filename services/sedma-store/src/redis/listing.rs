//! A tenant's tables, newest first, merged from the listings of all buckets.

use redis::Value;
use sedma_table::store::{ListCursor, Listed, StoreError};
use sedma_table::{TableId, Tenant};

use crate::codec;
use crate::limits::{LISTING_SAMPLE, LISTING_SWEEP, PIPELINE};
use crate::redis::batch::Batch;
use crate::redis::failure::Failure;
use crate::redis::keys;
use crate::redis::reader::Reader;
use crate::redis::rows;

/// Rows that a bucket is asked for: its share of the page, for ids are random, twice, and some more.
pub(super) fn rows_to_ask(limit: usize) -> usize {
    (limit / 128).saturating_add(4)
}

/// One page: rows are merged, their snapshots read, and rows of tables that are gone are swept on the way.
pub(super) async fn list(
    reader: &Reader<'_>,
    tenant: &Tenant,
    after: Option<ListCursor>,
    limit: usize,
) -> Result<Vec<Listed>, StoreError> {
    let mut merge = Merge::new(tenant, after, limit);
    let mut page = Vec::new();
    let mut swept = 0_usize;
    while page.len() < limit {
        let wanted = limit.saturating_sub(page.len()).min(PIPELINE);
        let rows = merge.next(reader, wanted).await.map_err(unavailable)?;
        if rows.is_empty() {
            break;
        }
        let mut gone = Vec::new();
        for (row, blob) in rows.iter().zip(blobs(reader, &rows).await.map_err(unavailable)?) {
            match blob.map(|blob| codec::decode_blob(row.table, &blob)) {
                None => gone.push(row.table),
                Some(Ok(stored)) => page.push(Listed { created_ms: row.created_ms, stored }),
                // One record that nobody can read must not hide all the others.
                Some(Err(StoreError::Damaged { table, what })) => {
                    tracing::error!(%table, what, "a damaged table is left out of a listing");
                }
                Some(Err(StoreError::SchemaAhead { table, found })) => {
                    tracing::warn!(%table, found, "a table of a newer schema is left out of a listing");
                }
                Some(Err(error)) => return Err(error),
            }
        }
        swept = swept.saturating_add(gone.len());
        sweep(reader, tenant, &gone).await.map_err(unavailable)?;
        if swept > LISTING_SWEEP {
            return Err(StoreError::Unavailable("the listing is being swept; ask again".into()));
        }
    }
    Ok(page)
}

fn unavailable(failure: Failure) -> StoreError {
    StoreError::Unavailable(failure.text)
}

/// Looks at a few rows of one listing, to drop those of tables that are gone. Carries no span: nobody waits for it.
pub(super) async fn sample(reader: &Reader<'_>, bucket: u8, tenant: &Tenant) -> Result<(), Failure> {
    let mut pipeline = Batch::new();
    pipeline.cmd(bucket, "ZRANDMEMBER").arg(keys::listing(bucket, tenant)).arg(LISTING_SAMPLE);
    let Some(Value::Array(members)) = reader.pipeline("ZRANDMEMBER", &pipeline).await?.into_iter().next()
    else {
        return Err(Failure::misfit());
    };
    let tables: Vec<TableId> = members.into_iter().filter_map(|member| rows::member_table(&member)).collect();
    if tables.is_empty() {
        return Ok(());
    }
    let mut pipeline = Batch::new();
    for table in &tables {
        pipeline.cmd(table.bucket(), "EXISTS").arg(keys::blob(*table));
    }
    let answers = reader.pipeline("EXISTS", &pipeline).await?;
    let gone = tables.iter().zip(answers).filter(|(_, there)| *there == Value::Int(0));
    let gone: Vec<TableId> = gone.map(|(table, _)| *table).collect();
    sweep(reader, tenant, &gone).await
}

/// The blobs of some tables; `None` for one that is gone.
async fn blobs(reader: &Reader<'_>, rows: &[ListCursor]) -> Result<Vec<Option<Vec<u8>>>, Failure> {
    let mut pipeline = Batch::new();
    for row in rows {
        pipeline.cmd(row.table.bucket(), "GET").arg(keys::blob(row.table));
    }
    let read = |value| match value {
        Value::Nil => Ok(None),
        Value::BulkString(blob) => Ok(Some(blob)),
        _ => Err(Failure::misfit()),
    };
    reader.pipeline("GET", &pipeline).await?.into_iter().map(read).collect()
}

/// Drops rows of tables that are gone. A table that is created under the same id in this very moment loses its row:
/// it is missing from listings, and nothing else.
async fn sweep(reader: &Reader<'_>, tenant: &Tenant, gone: &[TableId]) -> Result<(), Failure> {
    if gone.is_empty() {
        return Ok(());
    }
    let mut pipeline = Batch::new();
    for table in gone {
        pipeline.cmd(table.bucket(), "ZREM").arg(keys::listing(table.bucket(), tenant)).arg(table.as_bytes());
    }
    reader.pipeline("ZREM", &pipeline).await.map(drop)
}

/// Rows of all buckets in one order.
struct Merge<'a> {
    tenant: &'a Tenant,
    buckets: Vec<Bucket>,
}

/// What is known of one bucket's rows.
struct Bucket {
    number: u8,
    /// Rows at hand, the newest last.
    rows: Vec<ListCursor>,
    /// Where the rows that were read end; older ones follow.
    end: Option<ListCursor>,
    /// How many rows to ask for next.
    ask: usize,
    /// Whether older rows may be there.
    more: bool,
}

impl<'a> Merge<'a> {
    fn new(tenant: &'a Tenant, after: Option<ListCursor>, limit: usize) -> Self {
        let ask = rows_to_ask(limit);
        let bucket = |number| Bucket { number, rows: Vec::new(), end: after, ask, more: true };
        Self { tenant, buckets: (0..=u8::MAX).map(bucket).collect() }
    }

    /// Up to `count` further rows; fewer only where there are no more.
    async fn next(&mut self, reader: &Reader<'_>, count: usize) -> Result<Vec<ListCursor>, Failure> {
        let mut taken = Vec::new();
        while taken.len() < count {
            // While a bucket has no row at hand but may have some, the newest of all is not known.
            if self.buckets.iter().any(Bucket::is_dry) {
                self.refill(reader).await?;
                continue;
            }
            let newest = self.buckets.iter_mut().max_by_key(|bucket| bucket.rows.last().copied());
            let Some(row) = newest.and_then(|bucket| bucket.rows.pop()) else { break };
            taken.push(row);
        }
        Ok(taken)
    }

    /// Reads on in every bucket that has no row at hand.
    async fn refill(&mut self, reader: &Reader<'_>) -> Result<(), Failure> {
        let mut pipeline = Batch::new();
        for bucket in self.buckets.iter().filter(|bucket| bucket.is_dry()) {
            let command = pipeline
                .cmd(bucket.number, "ZREVRANGEBYSCORE")
                .arg(keys::listing(bucket.number, self.tenant));
            match bucket.end {
                Some(end) => command.arg(end.created_ms),
                None => command.arg("+inf"),
            };
            command.arg("-inf").arg("WITHSCORES").arg("LIMIT").arg(0).arg(bucket.ask);
        }
        let answers = reader.pipeline("ZREVRANGEBYSCORE", &pipeline).await?;
        for (bucket, answer) in self.buckets.iter_mut().filter(|bucket| bucket.is_dry()).zip(answers) {
            let rows = rows::read(&answer)?.into_iter();
            bucket.take(rows.map(|row| ListCursor { created_ms: row.ms, table: row.table }).collect());
        }
        Ok(())
    }
}

impl Bucket {
    fn is_dry(&self) -> bool {
        self.rows.is_empty() && self.more
    }

    /// Takes what was read, the newest first. Rows of the millisecond where the last reading ended come again; where
    /// nothing else came, more is asked for.
    fn take(&mut self, rows: Vec<ListCursor>) {
        self.more = rows.len() >= self.ask;
        let end = self.end;
        self.rows = rows.into_iter().filter(|row| end.is_none_or(|end| *row < end)).collect();
        self.end = self.rows.last().copied().or(end);
        self.rows.reverse();
        if self.rows.is_empty() {
            self.ask = self.ask.saturating_mul(2);
        }
    }
}

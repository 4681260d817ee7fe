//! A tenant's tables that were created since an instant, oldest first, merged from the listings of all buckets.

use std::collections::BTreeMap;

use sedma_table::{TableId, Tenant};

use crate::limits::ASK_DEEPER;
use crate::redis::batch::Batch;
use crate::redis::failure::Failure;
use crate::redis::keys;
use crate::redis::listing::rows_to_ask;
use crate::redis::reader::Reader;
use crate::redis::rows::{self, Row};

/// Up to `limit` tables with the instants of their creation; fewer only where there are no more.
///
/// Each bucket is asked for its share. One that gave all that it was asked for may have more: it is asked again, for
/// more, where these could come before the last that is wanted.
pub(super) async fn since(
    reader: &Reader<'_>,
    tenant: &Tenant,
    since_ms: i64,
    limit: usize,
) -> Result<Vec<(i64, TableId)>, Failure> {
    let Some(last) = limit.checked_sub(1) else { return Ok(Vec::new()) };
    let mut ask = rows_to_ask(limit).min(limit);
    let mut dry: Vec<u8> = (0..=u8::MAX).collect();
    let mut found: BTreeMap<u8, Vec<Row>> = BTreeMap::new();
    loop {
        let mut pipeline = Batch::new();
        for bucket in &dry {
            first(&mut pipeline, *bucket, tenant, since_ms, ask);
        }
        let answers = reader.pipeline("ZRANGE", &pipeline).await?;
        for (bucket, answer) in dry.into_iter().zip(&answers) {
            found.insert(bucket, rows::read(answer)?);
        }
        let mut rows: Vec<Row> = found.values().flatten().copied().collect();
        rows.sort_unstable();
        let end = rows.get(last).copied();
        let more = |rows: &Vec<Row>| rows.len() >= ask && end.is_none_or(|end| rows.last() < Some(&end));
        dry = found.iter().filter(|(_, rows)| more(rows)).map(|(bucket, _)| *bucket).collect();
        if dry.is_empty() {
            return Ok(rows.into_iter().take(limit).map(|row| (row.ms, row.table)).collect());
        }
        ask = ask.saturating_mul(ASK_DEEPER).min(limit);
    }
}

/// Asks for the first `count` rows of a bucket from an instant on.
fn first(pipeline: &mut Batch, bucket: u8, tenant: &Tenant, since_ms: i64, count: usize) {
    let command = pipeline.cmd(bucket, "ZRANGE").arg(keys::listing(bucket, tenant)).arg(since_ms).arg("+inf");
    command.arg("BYSCORE").arg("LIMIT").arg(0).arg(count).arg("WITHSCORES");
}

//! Tables of a platform that are created while it watches all of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use sedma_table::store::{Store, StoreError};
use sedma_table::{TableId, Tables, Tenant};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::chance::{after, jittered};
use crate::limits::{CLOCK_SKEW, NEW_TABLES_BATCH, NEW_TABLES_INTERVAL, NEW_TABLES_PAUSE};
use crate::service::Service;

/// Finds them: at once where they are made here, and by looking now and then.
pub(super) struct Newcomers<S> {
    tables: Arc<Tables<S>>,
    tenant: Tenant,
    /// Tables created at or after this instant are looked for, in milliseconds since the Unix epoch.
    since_ms: i64,
    /// Those of them that are known.
    known: BTreeSet<(i64, TableId)>,
    made_here: watch::Receiver<u64>,
    looks_at: Instant,
    /// Not before: many tables made here are found together.
    not_before: Instant,
}

impl<S: Store> Newcomers<S> {
    /// Finds what is created from now on, once all that is there has been made [known](Self::know).
    pub(super) fn new(service: &Service<S>, tenant: Tenant) -> Self {
        let since_ms = service.now_ms().saturating_sub(skew_ms());
        let now = Instant::now();
        Self {
            tables: service.tables.clone(),
            tenant,
            since_ms,
            known: BTreeSet::new(),
            made_here: service.hub.made.subscribe(),
            looks_at: now,
            not_before: now,
        }
    }

    /// A table that needs not be found.
    pub(super) fn know(&mut self, created_ms: i64, table: TableId) {
        if created_ms >= self.since_ms {
            self.known.insert((created_ms, table));
        }
    }

    /// The next ones, oldest first. May be dropped at any time and asked again.
    pub(super) async fn next(&mut self) -> Result<Vec<TableId>, StoreError> {
        loop {
            tokio::select! {
                () = sleep_until(self.looks_at) => {}
                Ok(()) = self.made_here.changed() => {
                    self.looks_at = self.looks_at.min(self.not_before);
                    continue;
                }
            }
            let found =
                self.tables.store().created_since(&self.tenant, self.since_ms, NEW_TABLES_BATCH).await?;
            self.looks_at = after(jittered(NEW_TABLES_INTERVAL, 10));
            self.not_before = after(NEW_TABLES_PAUSE);
            let new = self.take(&found);
            if !new.is_empty() {
                return Ok(new);
            }
        }
    }

    /// Those that are not known, which now are.
    fn take(&mut self, found: &[(i64, TableId)]) -> Vec<TableId> {
        let new =
            found.iter().filter(|created| self.known.insert(**created)).map(|(_, table)| *table).collect();
        if let Some((last_ms, _)) = found.last() {
            // Another node's clock may be behind: what it creates next may look older than this.
            let skew_ms = if found.len() < NEW_TABLES_BATCH { skew_ms() } else { 0 };
            self.since_ms = self.since_ms.max(last_ms.saturating_sub(skew_ms));
            self.known = self.known.split_off(&(self.since_ms, TableId::from_bytes([0; 16])));
        }
        new
    }
}

fn skew_ms() -> i64 {
    i64::try_from(CLOCK_SKEW.as_millis()).unwrap_or(i64::MAX)
}

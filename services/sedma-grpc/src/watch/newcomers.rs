//! Tables of a platform that are created while it watches all of them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sedma_table::store::{Store, StoreError};
use sedma_table::{TableId, Tables, Tenant};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::chance::{after, jittered};
use crate::limits::{CLOCK_SKEW, KNOWN_NEWCOMERS, NEW_TABLES_BATCH, NEW_TABLES_INTERVAL, NEW_TABLES_PAUSE};
use crate::service::Service;

type Found = Result<Vec<(i64, TableId)>, StoreError>;

/// Finds them: at once where they are made here, and by looking now and then.
pub(super) struct Newcomers<S> {
    tables: Arc<Tables<S>>,
    tenant: Tenant,
    /// Tables created at or after this instant are looked for, in milliseconds since the Unix epoch.
    since_ms: i64,
    /// Those of them that are known, and some from before.
    known: BTreeSet<(i64, TableId)>,
    /// How many one look finds; more where that was not enough.
    batch: usize,
    made_here: watch::Receiver<u64>,
    looks_at: Instant,
    /// Not before: many tables made here are found together.
    not_before: Instant,
    /// A look that is on its way.
    looking: Option<BoxFuture<'static, Found>>,
}

impl<S: Store> Newcomers<S> {
    /// Finds what is created from now on, once all that is there has been made [known](Self::know).
    pub(super) fn new(service: &Service<S>, tenant: Tenant) -> Self {
        let now = Instant::now();
        Self {
            tables: service.tables.clone(),
            tenant,
            since_ms: service.now_ms().saturating_sub(ms(CLOCK_SKEW)),
            known: BTreeSet::new(),
            batch: NEW_TABLES_BATCH,
            made_here: service.hub.made.subscribe(),
            looks_at: now,
            not_before: now,
            looking: None,
        }
    }

    /// A table that needs not be found.
    pub(super) fn know(&mut self, created_ms: i64, table: TableId) {
        if created_ms >= self.since_ms.saturating_sub(ms(KNOWN_NEWCOMERS)) {
            self.known.insert((created_ms, table));
        }
    }

    /// The next ones, oldest first. May be dropped at any time and asked again: a look that is on its way goes on.
    pub(super) async fn next(&mut self) -> Result<Vec<TableId>, StoreError> {
        loop {
            if let Some(looking) = &mut self.looking {
                let found = looking.await;
                self.looking = None;
                let found = match found {
                    // As the watches of the tables themselves do, it waits: the next look finds what this one missed.
                    Err(StoreError::Unavailable(_)) => continue,
                    found => found?,
                };
                let new = self.take(&found);
                if !new.is_empty() {
                    return Ok(new);
                }
            }
            tokio::select! {
                () = sleep_until(self.looks_at) => self.look(),
                Ok(()) = self.made_here.changed() => self.looks_at = self.looks_at.min(self.not_before),
            }
        }
    }

    fn look(&mut self) {
        self.looks_at = after(jittered(NEW_TABLES_INTERVAL, 10));
        self.not_before = after(NEW_TABLES_PAUSE);
        let (tables, tenant) = (self.tables.clone(), self.tenant.clone());
        let (since_ms, batch) = (self.since_ms, self.batch);
        let look = async move { tables.store().created_since(&tenant, since_ms, batch).await };
        self.looking = Some(look.boxed());
    }

    /// Those that are not known, which now are.
    fn take(&mut self, found: &[(i64, TableId)]) -> Vec<TableId> {
        let new =
            found.iter().filter(|created| self.known.insert(**created)).map(|(_, table)| *table).collect();
        if found.len() >= self.batch {
            self.batch = self.batch.saturating_mul(2);
            self.looks_at = Instant::now();
            return new;
        }
        self.batch = NEW_TABLES_BATCH;
        // Another node's clock may be behind, and a node that takes over: what it creates next may look older.
        let newest_ms = found.last().map_or(0, |(last_ms, _)| *last_ms);
        let now_ms = self.tables.store().now_ms();
        self.since_ms = newest_ms
            .saturating_sub(ms(CLOCK_SKEW))
            .max(self.since_ms)
            .min(now_ms.saturating_sub(ms(CLOCK_SKEW)));
        let forgotten_ms = self.since_ms.saturating_sub(ms(KNOWN_NEWCOMERS));
        self.known = self.known.split_off(&(forgotten_ms, TableId::from_bytes([0; 16])));
        new
    }
}

fn ms(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

//! Tables in this process: the embedded default. Everything is lost at its exit.

mod leases;
mod results;
mod tables;
mod timers;
mod topics;

use std::sync::{Mutex, MutexGuard, PoisonError};

use sedma_table::durability::Durability;
use sedma_table::store::{
    Commit, Committed, DueTable, Lease, ListCursor, Listed, Present, Store, StoreError, Stored, Wake, Wakeups,
};
use sedma_table::{Edition, Filed, Group, Logged, ResultId, TableId, Tenant, Version};

use crate::clock;
use crate::lifetimes::Lifetimes;
use crate::memory::tables::Tables;
use crate::memory::topics::Topics;
use crate::secrets::{Drawn, Secrets, StartError, random};
use crate::sequence;

/// A store in this process.
pub struct MemoryStore {
    inner: Mutex<Inner>,
    lifetimes: Lifetimes,
    drawn: Drawn,
}

struct Inner {
    tables: Tables,
    topics: Topics,
}

/// What it holds is not for showing.
impl std::fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryStore").field("lifetimes", &self.lifetimes).finish_non_exhaustive()
    }
}

impl MemoryStore {
    /// An empty store, with secrets of its own.
    pub fn new(lifetimes: Lifetimes) -> Result<Self, StartError> {
        let inner = Inner { tables: Tables::default(), topics: Topics::default() };
        Ok(Self { inner: Mutex::new(inner), lifetimes, drawn: Drawn::draw(Edition::NEWEST)? })
    }

    /// The secrets that were drawn for this process.
    pub fn secrets(&self) -> Secrets {
        self.drawn.secrets()
    }

    /// Nothing panics while the lock is held, so what it guards is whole whatever the flag says.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn now_ms(&self) -> i64 {
        self.lock().tables.now_ms(clock::now_ms())
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        sequence::check(commit)?;
        let token = random().map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let mut inner = self.lock();
        let committed = inner.tables.commit(commit, token, clock::now_ms(), &self.lifetimes)?;
        if matches!(committed, Committed::Done { .. }) {
            inner.topics.wake(commit.snapshot.table.setup().id, Wake::for_updates);
        }
        Ok(committed)
    }

    async fn load(&self, table: TableId) -> Result<Option<Stored>, StoreError> {
        Ok(self.lock().tables.load(table, clock::now_ms()))
    }

    async fn updates_after(
        &self,
        table: TableId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        Ok(self.lock().tables.updates_after(table, after, limit, clock::now_ms()))
    }

    async fn versions(&self, tables: &[TableId]) -> Result<Vec<Option<Version>>, StoreError> {
        let now_ms = clock::now_ms();
        let inner = self.lock();
        Ok(tables.iter().map(|table| Some(inner.tables.load(*table, now_ms)?.version)).collect())
    }

    fn subscribe(&self, table: TableId) -> Wakeups {
        self.lock().topics.subscribe(table)
    }

    async fn list(
        &self,
        tenant: &Tenant,
        after: Option<ListCursor>,
        limit: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        Ok(self.lock().tables.list(tenant, after, limit, clock::now_ms()))
    }

    async fn created_since(
        &self,
        tenant: &Tenant,
        since_ms: i64,
        limit: usize,
    ) -> Result<Vec<(i64, TableId)>, StoreError> {
        Ok(self.lock().tables.created_since(tenant, since_ms, limit))
    }

    async fn hold(&self, leases: &[Lease], lasts_ms: i64, news: bool) -> Result<(), StoreError> {
        let mut inner = self.lock();
        for lease in leases {
            let new = inner.tables.hold(lease, lasts_ms, clock::now_ms())?;
            if news || new {
                inner.topics.wake(lease.table, Wake::for_presence);
            }
        }
        Ok(())
    }

    async fn release(&self, leases: &[Lease]) -> Result<(), StoreError> {
        let mut inner = self.lock();
        for lease in leases {
            inner.tables.release(lease, clock::now_ms());
            inner.topics.wake(lease.table, Wake::for_presence);
        }
        Ok(())
    }

    async fn present(&self, table: TableId) -> Result<Vec<Present>, StoreError> {
        Ok(self.lock().tables.present(table, clock::now_ms()))
    }

    async fn due(&self, limit: usize, outage_after_ms: u64) -> Result<Vec<DueTable>, StoreError> {
        Ok(self.lock().tables.due(limit, outage_after_ms, clock::now_ms()))
    }

    async fn claim(
        &self,
        tenant: &Tenant,
        group: &Group,
        limit: usize,
        again_ms: u32,
    ) -> Result<Vec<Filed>, StoreError> {
        let now = (clock::now_ms(), &self.lifetimes);
        self.lock().tables.claim(tenant, group, limit, again_ms, now)
    }

    async fn acknowledge(
        &self,
        tenant: &Tenant,
        group: &Group,
        results: &[ResultId],
    ) -> Result<Vec<bool>, StoreError> {
        let mut inner = self.lock();
        let now = (clock::now_ms(), &self.lifetimes);
        Ok(results.iter().map(|id| inner.tables.acknowledge(tenant, group, *id, now)).collect())
    }

    fn expiry_ms(&self) -> u64 {
        self.lifetimes.expiry_ms()
    }

    fn durability(&self) -> Option<Durability> {
        Some(Durability::IN_PROCESS)
    }

    fn edition(&self) -> Edition {
        Edition::NEWEST
    }

    async fn check(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

//! One of the two stores, chosen at the start.

use sedma_table::durability::Durability;
use sedma_table::store::{
    Commit, Committed, DueTable, Lease, ListCursor, Listed, Present, Store, StoreError, Stored, Wakeups,
};
use sedma_table::{Edition, Filed, Group, Logged, ResultId, TableId, Tenant, Version};

use crate::memory::MemoryStore;
use crate::redis::RedisStore;
use crate::secrets::{Secrets, StartError};

/// A store of either kind.
#[derive(Debug)]
pub enum AnyStore {
    /// In this process, lost at its exit.
    Memory(MemoryStore),
    /// In Redis, shared by all servers.
    Redis(RedisStore),
}

impl AnyStore {
    /// `memory` or `redis`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            Self::Redis(_) => "redis",
        }
    }

    /// The deployment's secrets, drawn where there are none yet.
    pub async fn secrets(&self) -> Result<Secrets, StartError> {
        match self {
            Self::Memory(store) => Ok(store.secrets()),
            Self::Redis(store) => store.secrets().await,
        }
    }
}

impl From<MemoryStore> for AnyStore {
    fn from(store: MemoryStore) -> Self {
        Self::Memory(store)
    }
}

impl From<RedisStore> for AnyStore {
    fn from(store: RedisStore) -> Self {
        Self::Redis(store)
    }
}

/// Hands a call on to whichever store it is.
macro_rules! each {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self {
            Self::Memory(store) => store.$method($($argument),*).await,
            Self::Redis(store) => store.$method($($argument),*).await,
        }
    };
}

impl Store for AnyStore {
    fn now_ms(&self) -> i64 {
        match self {
            Self::Memory(store) => store.now_ms(),
            Self::Redis(store) => store.now_ms(),
        }
    }

    fn incarnation(&self, table: TableId) -> Option<u64> {
        match self {
            Self::Memory(store) => store.incarnation(table),
            Self::Redis(store) => store.incarnation(table),
        }
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        each!(self.commit(commit))
    }

    async fn load(&self, table: TableId) -> Result<Option<Stored>, StoreError> {
        each!(self.load(table))
    }

    async fn updates_after(
        &self,
        table: TableId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        each!(self.updates_after(table, after, limit))
    }

    async fn versions(&self, tables: &[TableId]) -> Result<Vec<Option<Version>>, StoreError> {
        each!(self.versions(tables))
    }

    fn subscribe(&self, table: TableId) -> Wakeups {
        match self {
            Self::Memory(store) => store.subscribe(table),
            Self::Redis(store) => store.subscribe(table),
        }
    }

    async fn list(
        &self,
        tenant: &Tenant,
        after: Option<ListCursor>,
        limit: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        each!(self.list(tenant, after, limit))
    }

    async fn created_since(
        &self,
        tenant: &Tenant,
        since_ms: i64,
        limit: usize,
    ) -> Result<Vec<(i64, TableId)>, StoreError> {
        each!(self.created_since(tenant, since_ms, limit))
    }

    async fn hold(&self, leases: &[Lease], lasts_ms: i64, news: bool) -> Result<(), StoreError> {
        each!(self.hold(leases, lasts_ms, news))
    }

    async fn release(&self, leases: &[Lease]) -> Result<(), StoreError> {
        each!(self.release(leases))
    }

    async fn present(&self, table: TableId) -> Result<Vec<Present>, StoreError> {
        each!(self.present(table))
    }

    async fn due(&self, limit: usize, outage_after_ms: u64) -> Result<Vec<DueTable>, StoreError> {
        each!(self.due(limit, outage_after_ms))
    }

    async fn claim(
        &self,
        tenant: &Tenant,
        group: &Group,
        limit: usize,
        again_ms: u32,
    ) -> Result<Vec<Filed>, StoreError> {
        each!(self.claim(tenant, group, limit, again_ms))
    }

    async fn acknowledge(
        &self,
        tenant: &Tenant,
        group: &Group,
        results: &[ResultId],
    ) -> Result<Vec<bool>, StoreError> {
        each!(self.acknowledge(tenant, group, results))
    }

    fn expiry_ms(&self) -> u64 {
        match self {
            Self::Memory(store) => store.expiry_ms(),
            Self::Redis(store) => store.expiry_ms(),
        }
    }

    fn durability(&self) -> Option<Durability> {
        match self {
            Self::Memory(store) => store.durability(),
            Self::Redis(store) => store.durability(),
        }
    }

    fn commits_resolved(&self) -> u64 {
        match self {
            Self::Memory(store) => store.commits_resolved(),
            Self::Redis(store) => store.commits_resolved(),
        }
    }

    fn edition(&self) -> Edition {
        match self {
            Self::Memory(store) => store.edition(),
            Self::Redis(store) => store.edition(),
        }
    }

    async fn check(&self) -> Result<(), StoreError> {
        each!(self.check())
    }
}

//! One store behind several [`Tables`](crate::Tables), as one Redis is behind several servers.

use std::sync::Arc;

use crate::durability::Durability;
use crate::edition::Edition;
use crate::ids::{TableId, Tenant, Version};
use crate::result::{Filed, Group, ResultId};
use crate::store::{
    Commit, Committed, DueTable, Lease, ListCursor, Listed, Present, Store, StoreError, Stored, Wakeups,
};
use crate::update::Logged;

impl<S: Store> Store for Arc<S> {
    fn now_ms(&self) -> i64 {
        S::now_ms(self)
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        S::commit(self, commit).await
    }

    async fn load(&self, table: TableId) -> Result<Option<Stored>, StoreError> {
        S::load(self, table).await
    }

    async fn updates_after(
        &self,
        table: TableId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        S::updates_after(self, table, after, limit).await
    }

    async fn versions(&self, tables: &[TableId]) -> Result<Vec<Option<Version>>, StoreError> {
        S::versions(self, tables).await
    }

    fn subscribe(&self, table: TableId) -> Wakeups {
        S::subscribe(self, table)
    }

    async fn list(
        &self,
        tenant: &Tenant,
        after: Option<ListCursor>,
        limit: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        S::list(self, tenant, after, limit).await
    }

    async fn created_since(
        &self,
        tenant: &Tenant,
        since_ms: i64,
        limit: usize,
    ) -> Result<Vec<(i64, TableId)>, StoreError> {
        S::created_since(self, tenant, since_ms, limit).await
    }

    async fn hold(&self, leases: &[Lease], lasts_ms: i64, news: bool) -> Result<(), StoreError> {
        S::hold(self, leases, lasts_ms, news).await
    }

    async fn release(&self, leases: &[Lease]) -> Result<(), StoreError> {
        S::release(self, leases).await
    }

    async fn present(&self, table: TableId) -> Result<Vec<Present>, StoreError> {
        S::present(self, table).await
    }

    async fn due(&self, limit: usize, outage_after_ms: u64) -> Result<Vec<DueTable>, StoreError> {
        S::due(self, limit, outage_after_ms).await
    }

    async fn claim(
        &self,
        tenant: &Tenant,
        group: &Group,
        limit: usize,
        again_ms: u32,
    ) -> Result<Vec<Filed>, StoreError> {
        S::claim(self, tenant, group, limit, again_ms).await
    }

    async fn acknowledge(
        &self,
        tenant: &Tenant,
        group: &Group,
        results: &[ResultId],
    ) -> Result<Vec<bool>, StoreError> {
        S::acknowledge(self, tenant, group, results).await
    }

    fn incarnation(&self, table: TableId) -> Option<u64> {
        S::incarnation(self, table)
    }

    fn expiry_ms(&self) -> u64 {
        S::expiry_ms(self)
    }

    fn durability(&self) -> Option<Durability> {
        S::durability(self)
    }

    fn edition(&self) -> Edition {
        S::edition(self)
    }

    async fn check(&self) -> Result<(), StoreError> {
        S::check(self).await
    }
}

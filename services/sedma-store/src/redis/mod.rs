//! Tables in Redis: what production runs. Per table one string and one list, changed by one script.
//!
//! Three connections, each with its own watchdog: one for what callers wait for, one for reads of many keys and for
//! housekeeping, one for wake-ups. On the first an accepted action is one `EVALSHA` and nothing else.

mod clock;
mod commit;
mod config;
mod connection;
mod created;
mod durability;
mod failure;
mod housekeeping;
mod keys;
mod listing;
#[cfg(feature = "mutants")]
mod mutants;
mod presence;
mod reader;
mod results;
mod rows;
mod server;
mod span;
mod stamps;
mod timers;
mod wakeups;

use std::sync::Arc;
use std::time::Duration;

use ::redis::{Pipeline, Value};
use sedma_table::durability::Durability;
use sedma_table::store::{
    Commit, Committed, DueTable, Lease, ListCursor, Listed, Present, Store, StoreError, Stored, Wakeups,
};
use sedma_table::{Edition, Filed, Group, Logged, ResultId, TableId, Tenant, Version};

use crate::codec;
use crate::lifetimes::Lifetimes;
use crate::limits::{DURABILITY_INTERVAL, PIPELINE};
use crate::redis::commit::Committer;
use crate::redis::config::Config;
use crate::redis::connection::Connection;
use crate::redis::durability::Looks;
use crate::redis::failure::Failure;
use crate::redis::housekeeping::Housekeeping;
use crate::redis::reader::Reader;
use crate::redis::results::Results;
use crate::redis::server::Server;
use crate::redis::timers::Timers;
use crate::redis::wakeups::Subscriptions;
use crate::secrets::{Secrets, StartError};
use crate::sequence;

/// A store in one Redis (or one primary that an address leads to; a cluster of several nodes is not served).
pub struct RedisStore {
    server: Arc<Server>,
    commands: Connection,
    sweeper: Arc<Connection>,
    subscriptions: Subscriptions,
    committer: Committer,
    #[cfg(feature = "mutants")]
    late: mutants::Late,
    config: Config,
    housekeeping: Housekeeping,
    timers: Timers,
    results: Results,
    looks: Looks,
}

/// The address without its credentials.
impl std::fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Server { host, port, .. } = &*self.server;
        f.debug_struct("RedisStore").field("host", host).field("port", port).finish_non_exhaustive()
    }
}

impl RedisStore {
    /// A store at a `redis://` address. Redis need not be there yet: until it is, every call answers that the store is
    /// unavailable, and [`Store::check`] says why. Must be called within a tokio runtime.
    ///
    /// New tables are written in `edition`; `None` = in the one that the deployment began with.
    pub fn connect(url: &str, lifetimes: Lifetimes, edition: Option<Edition>) -> Result<Self, StartError> {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(StartError::NotReady("a store connects within a tokio runtime".into()));
        }
        let server = Arc::new(Server::new(url)?);
        let nothing: connection::OnPush = Arc::new(|_| ());
        let sweeper = Arc::new(Connection::keep(server.clone(), "sedma-sweeper", nothing.clone()));
        Ok(Self {
            commands: Connection::keep(server.clone(), "sedma-commands", nothing),
            subscriptions: Subscriptions::keep(server.clone()),
            #[cfg(feature = "mutants")]
            late: mutants::Late::begin(&server, lifetimes),
            committer: Committer::new(lifetimes),
            config: Config::new(edition)?,
            housekeeping: Housekeeping::keep(server.clone(), sweeper.clone()),
            timers: Timers::new(),
            results: Results::new(lifetimes),
            looks: Looks::new(DURABILITY_INTERVAL),
            server,
            sweeper,
        })
    }

    /// The same store, which looks so often at how well Redis keeps its data.
    #[must_use]
    pub fn looking_every(mut self, interval: Duration) -> Self {
        self.looks = Looks::new(interval);
        self
    }

    /// The secrets that all servers of this Redis share, drawn by the first of them. Answers within a bounded time.
    pub async fn secrets(&self) -> Result<Secrets, StartError> {
        Ok(self.config.settle(&self.server, &self.sweeper).await?.secrets())
    }

    /// Where callers' own commands go.
    fn commands(&self) -> Reader<'_> {
        Reader { server: &self.server, connection: &self.commands, traced: true }
    }

    /// Where reads of many keys go, so that they hold up no action.
    fn sweeper(&self, traced: bool) -> Reader<'_> {
        Reader { server: &self.server, connection: &self.sweeper, traced }
    }
}

fn unavailable(failure: Failure) -> StoreError {
    StoreError::Unavailable(failure.text)
}

impl Store for RedisStore {
    fn now_ms(&self) -> i64 {
        self.server.clock.now_ms()
    }

    /// A Redis that was restarted or failed over is behind another connection.
    fn incarnation(&self) -> Option<u64> {
        self.commands.generation()
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        sequence::check(commit)?;
        let parcel = self.committer.pack(commit)?;
        #[cfg(feature = "mutants")]
        if let Some(answered) = self.late.answer(&self.server, &parcel) {
            return Ok(answered);
        }
        let committed = self.committer.deliver(&self.server, &self.commands, &parcel).await?;
        if commit.expected.is_none() && matches!(committed, Committed::Done { .. }) {
            let setup = commit.snapshot.table.setup();
            self.housekeeping.created(setup.id, &setup.tenant);
        }
        Ok(committed)
    }

    async fn load(&self, table: TableId) -> Result<Option<Stored>, StoreError> {
        let mut get = ::redis::cmd("GET");
        get.arg(keys::blob(table));
        match self.commands().command("GET", &get).await.map_err(unavailable)? {
            Value::Nil => Ok(None),
            Value::BulkString(blob) => codec::decode_blob(table, &blob).map(Some),
            _ => Err(unavailable(Failure::misfit())),
        }
    }

    async fn updates_after(
        &self,
        table: TableId,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Logged>, StoreError> {
        // The element at index i made revision i + 1.
        let first = after.max(0);
        let last = i64::try_from(limit).ok().and_then(|limit| first.checked_add(limit)).unwrap_or(i64::MAX);
        if limit == 0 {
            return Ok(Vec::new());
        }
        let mut range = ::redis::cmd("LRANGE");
        range.arg(keys::log(table)).arg(first).arg(last.saturating_sub(1));
        let Value::Array(elements) = self.commands().command("LRANGE", &range).await.map_err(unavailable)?
        else {
            return Err(unavailable(Failure::misfit()));
        };
        let revisions = first.saturating_add(1)..;
        let decode = |(revision, element)| match element {
            Value::BulkString(element) => codec::decode_element(table, revision, &element),
            _ => Err(unavailable(Failure::misfit())),
        };
        revisions.zip(elements).map(decode).collect()
    }

    async fn versions(&self, tables: &[TableId]) -> Result<Vec<Option<Version>>, StoreError> {
        let mut versions = Vec::with_capacity(tables.len());
        for tables in tables.chunks(PIPELINE) {
            let mut pipeline = Pipeline::new();
            for table in tables {
                pipeline.cmd("GETRANGE").arg(keys::blob(*table)).arg(0).arg(15);
            }
            let heads = self.sweeper(false).pipeline("GETRANGE", &pipeline).await.map_err(unavailable)?;
            for head in heads {
                let Value::BulkString(head) = head else { return Err(unavailable(Failure::misfit())) };
                versions.push(codec::read_version(&head));
            }
        }
        Ok(versions)
    }

    fn subscribe(&self, table: TableId) -> Wakeups {
        self.subscriptions.subscribe(table)
    }

    async fn list(
        &self,
        tenant: &Tenant,
        after: Option<ListCursor>,
        limit: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        listing::list(&self.sweeper(true), tenant, after, limit).await
    }

    async fn created_since(
        &self,
        tenant: &Tenant,
        since_ms: i64,
        limit: usize,
    ) -> Result<Vec<(i64, TableId)>, StoreError> {
        created::since(&self.sweeper(false), tenant, since_ms, limit).await.map_err(unavailable)
    }

    async fn hold(&self, leases: &[Lease], lasts_ms: i64, news: bool) -> Result<(), StoreError> {
        let until_ms = self.now_ms().saturating_add(lasts_ms);
        presence::hold(&self.sweeper(false), leases, until_ms, news).await.map_err(unavailable)
    }

    async fn release(&self, leases: &[Lease]) -> Result<(), StoreError> {
        presence::release(&self.sweeper(false), leases).await.map_err(unavailable)
    }

    async fn present(&self, table: TableId) -> Result<Vec<Present>, StoreError> {
        presence::present(&self.sweeper(true), table).await.map_err(unavailable)
    }

    async fn due(&self, limit: usize, outage_after_ms: u64) -> Result<Vec<DueTable>, StoreError> {
        let reader = self.sweeper(false);
        self.timers.due(&reader, &self.committer, limit, outage_after_ms).await.map_err(unavailable)
    }

    async fn claim(
        &self,
        tenant: &Tenant,
        group: &Group,
        limit: usize,
        again_ms: u32,
    ) -> Result<Vec<Filed>, StoreError> {
        self.results.claim(&self.sweeper(false), tenant, group, limit, again_ms).await
    }

    async fn acknowledge(
        &self,
        tenant: &Tenant,
        group: &Group,
        results: &[ResultId],
    ) -> Result<Vec<bool>, StoreError> {
        self.results.acknowledge(&self.sweeper(true), tenant, group, results).await
    }

    fn expiry_ms(&self) -> u64 {
        self.results.lifetimes.expiry_ms()
    }

    fn durability(&self) -> Option<Durability> {
        self.looks.last()
    }

    fn commits_resolved(&self) -> u64 {
        commit::resolved()
    }

    fn edition(&self) -> Edition {
        self.config.edition()
    }

    async fn check(&self) -> Result<(), StoreError> {
        self.config
            .settle(&self.server, &self.sweeper)
            .await
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        // The connection that actions go by must stand too.
        self.commands.live().await.map_err(unavailable)?;
        self.looks.look(&[self.sweeper(false)]).await;
        Ok(())
    }
}

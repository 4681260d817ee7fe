//! Tables in Redis: what production runs. Per table one string and one list, changed by one script.
//!
//! Three connections a node, each with its own watchdog: one for what callers wait for, one for reads of many keys and for
//! housekeeping, one for wake-ups. On the first an accepted action is one `EVALSHA` and nothing else.

mod address;
mod batch;
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
mod nodes;
mod presence;
mod reader;
mod results;
mod rows;
mod sentinel;
mod server;
mod slots;
mod span;
mod stamps;
mod text;
mod timers;
mod wakeups;

use std::time::Duration;

use ::redis::Value;
use sedma_table::durability::Durability;
use sedma_table::store::{
    Commit, Committed, DueTable, Lease, ListCursor, Listed, Present, Store, StoreError, Stored, Wakeups,
};
use sedma_table::{Edition, Filed, Group, Logged, ResultId, TableId, Tenant, Version};

use crate::codec;
use crate::lifetimes::Lifetimes;
use crate::limits::{DURABILITY_INTERVAL, PIPELINE};
use crate::redis::address::Address;
use crate::redis::batch::Batch;
use crate::redis::commit::Committer;
use crate::redis::config::Config;
use crate::redis::durability::Looks;
use crate::redis::failure::Failure;
use crate::redis::housekeeping::Housekeeping;
use crate::redis::nodes::{KeptNodes, Nodes};
use crate::redis::reader::{Lane, Reader};
use crate::redis::results::Results;
use crate::redis::timers::Timers;
use crate::secrets::{Secrets, StartError};
use crate::sequence;

/// A store in one Redis, in the primary that sentinels know, or in a cluster.
pub struct RedisStore {
    nodes: KeptNodes,
    committer: Committer,
    #[cfg(feature = "mutants")]
    late: mutants::Late,
    config: Config,
    housekeeping: Housekeeping,
    timers: Timers,
    results: Results,
    looks: Box<Looks>,
}

/// The nodes without credentials.
impl std::fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let places: Vec<String> =
            self.nodes().all().iter().map(|node| node.server.place().to_string()).collect();
        f.debug_struct("RedisStore").field("nodes", &places).finish_non_exhaustive()
    }
}

impl RedisStore {
    /// A store at a `redis://`, `redis-sentinel://` or `redis-cluster://` address. Redis need not be there yet: until it
    /// is, every call answers that the store is unavailable, and [`Store::check`] says why. Must be called within a
    /// tokio runtime.
    ///
    /// New tables are written in `edition`; `None` = in the one that the deployment began with.
    pub fn connect(url: &str, lifetimes: Lifetimes, edition: Option<Edition>) -> Result<Self, StartError> {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(StartError::NotReady("a store connects within a tokio runtime".into()));
        }
        let nodes = KeptNodes::keep(Address::parse(url)?);
        Ok(Self {
            #[cfg(feature = "mutants")]
            late: mutants::Late::begin(&nodes.nodes, lifetimes),
            committer: Committer::new(lifetimes),
            config: Config::new(edition)?,
            housekeeping: Housekeeping::keep(nodes.nodes.clone()),
            timers: Timers::new(),
            results: Results::new(lifetimes),
            looks: Box::new(Looks::new(DURABILITY_INTERVAL)),
            nodes,
        })
    }

    /// The same store, which looks so often at how well Redis keeps its data.
    #[must_use]
    pub fn looking_every(mut self, interval: Duration) -> Self {
        *self.looks = Looks::new(interval);
        self
    }

    /// The secrets that all servers of this Redis share, drawn by the first of them. Answers within a bounded time.
    pub async fn secrets(&self) -> Result<Secrets, StartError> {
        Ok(self.config.settle(self.nodes()).await?.secrets())
    }

    fn nodes(&self) -> &Nodes {
        &self.nodes.nodes
    }

    /// Where callers' own commands go.
    fn commands(&self) -> Reader<'_> {
        Reader { nodes: self.nodes(), lane: Lane::Commands, traced: true }
    }

    /// Where reads of many keys go, so that they hold up no action.
    fn sweeper(&self, traced: bool) -> Reader<'_> {
        Reader { nodes: self.nodes(), lane: Lane::Sweeper, traced }
    }

    /// Whether a node takes actions. One node of several that is lost must not take the others' tables along: once
    /// the secrets are known, any node that stands will do.
    async fn ready(&self) -> Result<(), StartError> {
        let settled = self.config.settle(self.nodes()).await.map(drop);
        let nodes = self.nodes().all();
        let mut stands = Err(StartError::NotReady("no node of the cluster is known".into()));
        for node in &nodes {
            // The connection that actions go by must stand too.
            match node.commands.live().await {
                Ok(_) => {
                    stands = Ok(());
                    break;
                }
                Err(failure) => stands = Err(StartError::NotReady(failure.text)),
            }
        }
        match settled {
            Err(StartError::NotReady(why))
                if nodes.len() > 1 && self.config.is_settled() && stands.is_ok() =>
            {
                tracing::warn!(why, "the node with the shared configuration does not answer; others do");
                Ok(())
            }
            Err(error) => Err(error),
            Ok(()) => stands,
        }
    }
}

fn unavailable(failure: Failure) -> StoreError {
    StoreError::Unavailable(failure.text)
}

impl Store for RedisStore {
    fn now_ms(&self) -> i64 {
        self.nodes().now_ms()
    }

    /// A Redis that was restarted or failed over is behind another connection, or another node.
    fn incarnation(&self, table: TableId) -> Option<u64> {
        self.nodes().of_bucket(table.bucket()).ok()?.incarnation()
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        sequence::check(commit)?;
        let parcel = self.committer.pack(commit)?;
        #[cfg(feature = "mutants")]
        if let Some(answered) = self.late.answer(self.nodes(), &parcel) {
            return Ok(answered);
        }
        let committed = self.committer.deliver(self.nodes(), &parcel).await?;
        if commit.expected.is_none() && matches!(committed, Committed::Done { .. }) {
            let setup = commit.snapshot.table.setup();
            self.housekeeping.created(setup.id, &setup.tenant);
        }
        Ok(committed)
    }

    async fn load(&self, table: TableId) -> Result<Option<Stored>, StoreError> {
        let mut get = ::redis::cmd("GET");
        get.arg(keys::blob(table));
        match self.commands().command("GET", table.bucket(), &get).await.map_err(unavailable)? {
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
        let Value::Array(elements) =
            self.commands().command("LRANGE", table.bucket(), &range).await.map_err(unavailable)?
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
            let mut pipeline = Batch::new();
            for table in tables {
                pipeline.cmd(table.bucket(), "GETRANGE").arg(keys::blob(*table)).arg(0).arg(15);
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
        self.nodes().subscribe(table)
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
        self.ready().await.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        self.looks.look(self.nodes()).await;
        Ok(())
    }
}

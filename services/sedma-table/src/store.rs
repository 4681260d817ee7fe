//! The Store port: what a table needs from whatever keeps it. Adapters are judged by one suite, `contract`.

use std::future::Future;
use std::sync::Arc;

use crate::clock::Timer;
use crate::ids::{TableId, Tenant, Version};
use crate::ring::Ring;
use crate::table::Table;
use crate::update::{Logged, Update};

/// What is stored of a table beside its log: one atomic compare covers state and ring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The state.
    pub table: Table,
    /// The accepted requests that a repeat may still meet.
    pub ring: Ring,
}

/// A snapshot as the store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The commit that made it.
    pub version: Version,
    /// The snapshot.
    pub snapshot: Arc<Snapshot>,
    /// When the table's timer fires, in the store's milliseconds since the Unix epoch; 0 = never.
    pub fire_ms: i64,
}

/// What the store's clock must say for a commit to happen. Where another commit came first, that is told before what
/// the clock says: the clock that was meant is no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Whatever it says.
    None,
    /// The timer has not fired yet: a person acts in time.
    Before,
    /// The timer has fired: what is due happens.
    After,
}

/// One update to be written, with the snapshot after it. All of it happens, or nothing.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The commit that the decision was made on; `None` creates the table.
    pub expected: Option<Version>,
    /// What happened.
    pub update: Arc<Update>,
    /// The snapshot after it; its table's revision is the expected one + 1.
    pub snapshot: Arc<Snapshot>,
    /// What becomes of the table's timer. An ended table has none: the commit that ends it disarms.
    pub timer: Timer,
    /// What the clock must say.
    pub guard: Guard,
}

/// What became of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// It happened, now, once.
    Done {
        /// Its identity.
        version: Version,
        /// When: milliseconds of the store's clock since the Unix epoch.
        time_ms: i64,
    },
    /// Another commit came first; nothing was written.
    Conflict(Box<Stored>),
    /// The table is not there (any more); nothing was written.
    Missing,
    /// [`Guard::After`]: the timer has not fired yet, or there is none; nothing was written.
    Early {
        /// When it fires; 0 = never.
        fire_ms: i64,
    },
    /// [`Guard::Before`]: the timer has fired; nothing was written.
    Expired,
}

/// Why a store could not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It can't be reached, or refuses to work just now. A commit may or may not have happened: only a repeat with the
    /// same request id tells.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// A record was written by a newer release than this one can read whole.
    #[error("{table} has schema {found}, which this release can't read whole")]
    SchemaAhead {
        /// The table.
        table: TableId,
        /// The schema of its record.
        found: u8,
    },
    /// A record does not say what a record must say.
    #[error("{table} has a damaged record: {what}")]
    Damaged {
        /// The table.
        table: TableId,
        /// What does not fit.
        what: String,
    },
}

/// One row of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// When the table was created, in the store's milliseconds since the Unix epoch.
    pub created_ms: i64,
    /// Its snapshot.
    pub stored: Stored,
}

/// Where a page of a listing starts: just after this row. Newest tables come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListCursor {
    /// The row's creation time.
    pub created_ms: i64,
    /// The row's table, which breaks ties.
    pub table: TableId,
}

/// A table whose timer has fired, as far as a sweep can tell; a commit with [`Guard::After`] decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueTable {
    /// The table.
    pub table: TableId,
    /// Whether its timer fell due while nobody swept, for so long that it gets its whole time again.
    pub outage: bool,
}

/// A wake-up call: the table may have moved on. Carries nothing and may come late, twice or never; the log is the truth.
pub type Wakeups = tokio::sync::watch::Receiver<u64>;

/// What keeps tables.
pub trait Store: Send + Sync + 'static {
    /// Writes one update and its snapshot, if the table is still at the expected version.
    fn commit(&self, commit: &Commit) -> impl Future<Output = Result<Committed, StoreError>> + Send;

    /// Reads a table's snapshot.
    fn load(&self, table: TableId) -> impl Future<Output = Result<Option<Stored>, StoreError>> + Send;

    /// Reads up to `limit` updates after a revision, oldest first. Empty where there are none, or no such table.
    fn updates_after(
        &self,
        table: TableId,
        after: i64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Logged>, StoreError>> + Send;

    /// The newest versions of several tables in one round trip per node; `None` for one that is gone.
    fn versions(
        &self,
        tables: &[TableId],
    ) -> impl Future<Output = Result<Vec<Option<Version>>, StoreError>> + Send;

    /// Wake-ups for one table, for as long as the receiver lives. Wakes once when the subscription stands.
    fn subscribe(&self, table: TableId) -> Wakeups;

    /// Up to `limit` tables of a tenant, newest first, after a cursor. Rows of tables that are gone are left out.
    fn list(
        &self,
        tenant: &Tenant,
        after: Option<ListCursor>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Listed>, StoreError>> + Send;

    /// Looks for tables whose timers have fired, in all parts of the store: up to `limit` of them, the oldest first.
    /// As many as that may not be all; fewer are. What is due stays so until a commit moves its timer, whoever else
    /// looks, so several replicas find the same tables and race for them.
    ///
    /// Each call is also a sign of life. Where no replica gave one for longer than `outage_after_ms`, what fell due
    /// between the last one and the next is an outage's, on every replica, until its timer has moved. What fell due
    /// before the very first call is no outage's. All replicas give the same bound.
    ///
    /// The timer of a table that is gone is not found for ever: the store forgets it by itself.
    fn due(
        &self,
        limit: usize,
        outage_after_ms: u64,
    ) -> impl Future<Output = Result<Vec<DueTable>, StoreError>> + Send;

    /// Whether the store can be written to just now.
    fn check(&self) -> impl Future<Output = Result<(), StoreError>> + Send;
}

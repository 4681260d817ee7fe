//! The Store port: what a table needs from whatever keeps it. Adapters are judged by one suite, `contract`.

use std::future::Future;
use std::sync::Arc;

use sedma_rules::Seat;

use crate::clock::Timer;
use crate::durability::Durability;
use crate::edition::Edition;
use crate::ids::{TableId, Tenant, Version};
use crate::limits::MAX_GROUPS;
use crate::result::{Filed, Group, ResultId, TableResult};
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
    /// The result that is filed with it, where it ends a table that is to file one.
    pub result: Option<Arc<TableResult>>,
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
    /// A platform has as many groups of consumers as it may have.
    #[error("{MAX_GROUPS} groups of consumers are all that a platform may have")]
    TooManyGroups,
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

impl Listed {
    /// Where the rows after this one start.
    pub fn cursor(&self) -> ListCursor {
        ListCursor { created_ms: self.created_ms, table: self.stored.snapshot.table.setup().id }
    }
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

/// Who keeps a seat present: a replica that has a watch of it, or the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Holder(pub u64);

impl Holder {
    /// The platform. A replica draws any other number at its start.
    pub const PLATFORM: Self = Self(0);
}

/// A seat at a table, kept present by somebody. A lease is no part of the table: it has no revision, is not in the
/// log, and ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lease {
    /// The table, which need not be there.
    pub table: TableId,
    /// The seat.
    pub seat: Seat,
    /// Who keeps it present. Each holder has one lease of a seat.
    pub holder: Holder,
}

/// A seat with somebody there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Present {
    /// The seat.
    pub seat: Seat,
    /// When the last of its leases is over, unless it is renewed: milliseconds of the store's clock since the Unix epoch.
    pub until_ms: i64,
}

/// What a wake-up call is for: the table may have moved on, or its seats' presence may have changed. Only that a number
/// is another one than before says something; from a receiver's first wake-up on, neither is that of the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wake {
    /// Another one when there may be new updates.
    pub updates: u64,
    /// Another one when a seat may have become present, or may be so no longer. That a lease is over is not told.
    pub presence: u64,
}

impl Wake {
    /// Calls for a look at the log.
    pub fn for_updates(&mut self) {
        self.updates = self.updates.wrapping_add(1);
    }

    /// Calls for a look at who is present.
    pub fn for_presence(&mut self) {
        self.presence = self.presence.wrapping_add(1);
    }
}

/// Wake-up calls. They may come late, twice or never, for one thing or for both: the log and the leases are the truth.
pub type Wakeups = tokio::sync::watch::Receiver<Wake>;

/// What keeps tables.
pub trait Store: Send + Sync + 'static {
    /// The store's clock, which stamps commits and says when a lease is over: milliseconds since the Unix epoch, as far
    /// as this process knows. Costs nothing and asks nobody.
    ///
    /// A store elsewhere tells its time with answers. What is made of them is off by less than the newest one's round
    /// trip, as a rule by less than half of it; until the first one came it is this machine's wall clock. After a
    /// commit it has reached that commit's time.
    ///
    /// It does not go back: where the store's own clock falls back it stands still until that has caught up. A store
    /// elsewhere whose clock was set back by more than a second is followed, for standing still would keep leases alive.
    fn now_ms(&self) -> i64;

    /// Which store it is that answers for a table, as far as this process can tell: another number whenever another one may have taken
    /// its place, or the same one may have come back with less than it had. What was read before is then no longer
    /// trusted to be part of a table's history. `None` while none answers.
    fn incarnation(&self, _table: TableId) -> Option<u64> {
        Some(0)
    }

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

    /// Wake-ups for one table, for as long as the receiver lives. Wakes once for both when the subscription stands, and
    /// again when it was lost and stands anew.
    fn subscribe(&self, table: TableId) -> Wakeups;

    /// Up to `limit` tables of a tenant, newest first, after a cursor. Rows of tables that are gone are left out.
    fn list(
        &self,
        tenant: &Tenant,
        after: Option<ListCursor>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Listed>, StoreError>> + Send;

    /// A tenant's tables that were created at this instant of the store's clock or later, each with the instant of its
    /// creation: up to `limit` of them, the oldest first, ties by id. As many as that may not be all; fewer are. One
    /// that is gone by now may be among them.
    ///
    /// To follow what is created, ask again from some time before the newest instant that was answered: the parts of a
    /// store are looked through one after the other, and their clocks may differ.
    fn created_since(
        &self,
        tenant: &Tenant,
        since_ms: i64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<(i64, TableId)>, StoreError>> + Send;

    /// Gives leases or renews them: each lasts so many milliseconds from now, whatever its holder had before. Whoever
    /// waits for one of the tables is woken to look where the store did not have its lease, and where `news` is set: pass
    /// that where a lease may have been over for a while.
    ///
    /// Nobody looks whether the tables are there, so `lasts_ms` is also the bound on how long a lease of none is kept.
    fn hold(
        &self,
        leases: &[Lease],
        lasts_ms: i64,
        news: bool,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Gives leases up, and wakes whoever waits for one of the tables to look. One that is not held is no error.
    fn release(&self, leases: &[Lease]) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The seats of a table that somebody keeps present now, in their order.
    fn present(&self, table: TableId) -> impl Future<Output = Result<Vec<Present>, StoreError>> + Send;

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

    /// Takes up to `limit` results of a tenant for a group of its consumers, those that have waited longest first. Fewer
    /// may be all that there are, or not.
    ///
    /// Each result that is kept is given to each group, and given again `again_ms` after it was, for as long as the
    /// group has not acknowledged it. Whoever takes results for a group makes it known; a group that has taken none
    /// for as long as results are kept is forgotten. A new group gets all that is kept.
    fn claim(
        &self,
        tenant: &Tenant,
        group: &Group,
        limit: usize,
        again_ms: u32,
    ) -> impl Future<Output = Result<Vec<Filed>, StoreError>> + Send;

    /// A group has no more need of these results. One that every known group has acknowledged is dropped; its table
    /// is listed no more, and lives as long as one that files none. An id of no result, of one that was superseded, or of one that the group
    /// was not given is passed over. Answers for each id whether it was the group's to acknowledge.
    fn acknowledge(
        &self,
        tenant: &Tenant,
        group: &Group,
        results: &[ResultId],
    ) -> impl Future<Output = Result<Vec<bool>, StoreError>> + Send;

    /// After how many milliseconds without any update a table expires that waits for nothing; up to a tenth later.
    fn expiry_ms(&self) -> u64;

    /// What a new table's records are written in.
    fn edition(&self) -> Edition;

    /// How well it keeps what was acknowledged, as far as it was found out; `None` where it does not tell.
    fn durability(&self) -> Option<Durability>;

    /// How many commits were found to have happened at an earlier sending, by their tokens, since the start.
    fn commits_resolved(&self) -> u64 {
        0
    }

    /// Whether the store can be written to just now.
    fn check(&self) -> impl Future<Output = Result<(), StoreError>> + Send;
}

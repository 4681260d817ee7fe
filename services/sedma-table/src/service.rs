//! One action's life: authorised already; then load, replay lookup, revision window, rules, one commit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sedma_rules::Seat;
use tokio::sync::MutexGuard;

use crate::cache::Cache;
use crate::caller::Caller;
use crate::clock::{self, Timer, What};
use crate::decide::{Command, Decision, decide};
use crate::ids::{RequestKey, TableId};
use crate::limits::MAX_CONFLICTS;
use crate::refusal::{Reason, Refusal};
use crate::ring::{RingEntry, Scope};
use crate::store::{Commit, Committed, Guard, Snapshot, Store, StoreError, Stored};
use crate::table::Table;
use crate::turns::Turns;
use crate::update::{Actor, Logged, Update};

/// Why a call did not get what it asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It was judged and refused; nothing changed.
    Refused(Box<Refusal>),
    /// The store could not answer. A mutation may have happened; a repeat with the same request id tells.
    Store(StoreError),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// One mutating call on a table, parsed and authorised by what its credential alone says.
#[derive(Clone, Debug)]
pub struct Call {
    /// Who calls.
    pub caller: Caller,
    /// The table.
    pub table: TableId,
    /// The seat acted for, if the call is for one.
    pub seat: Option<Seat>,
    /// Whose ring a repeat is looked for in.
    pub scope: Scope,
    /// The request's id and content, where it has an id.
    pub request: Option<RequestKey>,
    /// The revision of the view that the decision was made on, where the verb needs one.
    pub expected_revision: Option<i64>,
    /// What is asked for.
    pub command: Command,
    /// The call's W3C `traceparent`.
    pub traceparent: Option<String>,
}

/// What an accepted call comes to.
#[derive(Clone, Debug)]
pub struct Done {
    /// The update that it became, now or at its first sending. `None` where all was so already.
    pub own: Option<Happened>,
    /// Whether the update is that of an earlier sending.
    pub replayed: bool,
    /// The table as it is now; may be newer than the update.
    pub current: Stored,
}

/// An update with the state before it, which its events are told from.
#[derive(Clone, Debug)]
pub struct Happened {
    /// The state before; `None` before the first update.
    pub before: Option<Arc<Snapshot>>,
    /// The update.
    pub logged: Logged,
}

/// The tables of one store.
#[derive(Debug)]
pub struct Tables<S> {
    pub(crate) store: S,
    pub(crate) cache: Cache,
    turns: Turns,
    rewound: AtomicU64,
}

/// The state a call is judged on, and whether it was read for this call.
struct Basis {
    stored: Stored,
    fresh: bool,
}

impl<S: Store> Tables<S> {
    /// Tables kept by this store.
    pub fn new(store: S) -> Self {
        Self { store, cache: Cache::new(), turns: Turns::new(), rewound: AtomicU64::new(0) }
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// How often this process has seen that a history was taken back, by a failover or a store that came back with less:
    /// once by each feed of a watched table that saw it, however many watched, and once by each client that came back to it
    /// with a cursor of what is gone.
    pub fn rewound(&self) -> u64 {
        self.rewound.load(Ordering::Relaxed)
    }

    /// What a table's history was known to say, the store says no more, and says something else instead.
    pub fn note_rewound(&self) {
        self.rewound.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits until no other call of this process writes to the table.
    pub(crate) async fn lane(&self, table: TableId) -> Option<MutexGuard<'_, ()>> {
        self.turns.take(table).await
    }

    /// Writes what was judged, on the state that it was judged on; a new table on none.
    pub(crate) async fn write(&self, basis: Option<&Stored>, judged: Written) -> Result<Outcome, Failure> {
        let Written { update, snapshot, guard } = judged;
        let before = basis.map(|basis| basis.snapshot.clone());
        let timer = match clock::timer(before.as_ref().map(|before| &before.table), &update, &snapshot.table)
        {
            Timer::Disarm if snapshot.table.expires() => self.expiry(basis),
            timer => timer,
        };
        let expected = basis.map(|basis| basis.version);
        let over = before.as_ref().is_some_and(|before| before.table.is_ended());
        let result = if over { None } else { snapshot.table.result().map(Arc::new) };
        let commit = Commit { expected, update, snapshot, timer, guard, result };
        let incarnation = self.store.incarnation(commit.snapshot.table.setup().id);
        // What an adapter does about lost answers is large, and seldom needed.
        Ok(match Box::pin(self.store.commit(&commit)).await? {
            Committed::Done { version, time_ms } => {
                let fire_ms = timer.fires_at(basis.map_or(0, |basis| basis.fire_ms), time_ms);
                let current = Stored { version, snapshot: commit.snapshot, fire_ms };
                self.cache.put(&current, incarnation);
                let logged = Logged { version, time_ms, update: commit.update };
                let own = Some(Happened { before, logged });
                Outcome::Done(Done { own, replayed: false, current })
            }
            Committed::Conflict(newer) => {
                self.cache.put(&newer, incarnation);
                Outcome::Conflict(*newer)
            }
            Committed::Missing => {
                self.cache.forget(commit.snapshot.table.setup().id);
                return Err(Refusal::table_not_found().into());
            }
            Committed::Early { fire_ms } => Outcome::Early { fire_ms },
            Committed::Expired => {
                let judged_on = before.unwrap_or(commit.snapshot);
                return Err(Refusal::turn_expired(judged_on.table.standing()).into());
            }
        })
    }

    /// The timer of a table that waits for nothing. It is set with a tenth to spare and left alone while enough is left,
    /// for most plays move no timer then.
    fn expiry(&self, basis: Option<&Stored>) -> Timer {
        let expiry_ms = self.store.expiry_ms();
        let enough = |basis: &Stored| {
            let left_ms = basis.fire_ms.saturating_sub(self.store.now_ms());
            basis.snapshot.table.due().is_none() && u64::try_from(left_ms).is_ok_and(|left| left >= expiry_ms)
        };
        if basis.is_some_and(enough) {
            Timer::Keep
        } else {
            Timer::Arm(expiry_ms.saturating_add(expiry_ms / 10))
        }
    }

    /// Makes an action happen exactly once, or says why not.
    pub async fn act(&self, call: &Call) -> Result<Done, Failure> {
        let _turn = self.lane(call.table).await;
        let mut basis = self.basis(call).await?;
        for _ in 0..MAX_CONFLICTS {
            let table = &basis.stored.snapshot.table;
            let judged = match judge(call, &basis.stored) {
                judged if !basis.fresh && needs_fresh_look(call, table, &judged) => {
                    basis = self.fresh(call).await?;
                    judge(call, &basis.stored)
                }
                judged => judged,
            };
            let written = match judged? {
                Judged::Replay(revision) => return self.replay(revision, basis.stored).await,
                Judged::AlreadySo => {
                    return Ok(Done { own: None, replayed: false, current: basis.stored });
                }
                Judged::Write(written) => written,
            };
            match self.write(Some(&basis.stored), written).await? {
                Outcome::Done(done) => return Ok(done),
                Outcome::Conflict(stored) => basis = Basis { stored, fresh: true },
                Outcome::Early { .. } => break,
            }
        }
        Err(Refusal::contention(basis.stored.snapshot.table.standing()).into())
    }

    /// The cached state, or a fresh one where nothing is cached or the caller has seen more.
    async fn basis(&self, call: &Call) -> Result<Basis, Failure> {
        match self.cache.get(call.table, self.store.incarnation(call.table)) {
            Some(stored) if call.expected_revision.unwrap_or(0) <= stored.version.revision => {
                Ok(Basis { stored, fresh: false })
            }
            _ => self.fresh(call).await,
        }
    }

    async fn fresh(&self, call: &Call) -> Result<Basis, Failure> {
        Ok(Basis { stored: self.read_fresh(call.table).await?, fresh: true })
    }

    /// Answers a repeat with the update of the first sending.
    async fn replay(&self, revision: i64, current: Stored) -> Result<Done, Failure> {
        let own = self.happened(current.snapshot.table.setup().id, revision).await?;
        Ok(Done { own, replayed: true, current })
    }
}

/// What judging comes to.
enum Judged {
    Replay(i64),
    AlreadySo,
    Write(Written),
}

/// What is to be written.
pub(crate) struct Written {
    pub(crate) update: Arc<Update>,
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) guard: Guard,
}

/// What became of it.
pub(crate) enum Outcome {
    Done(Done),
    Conflict(Stored),
    Early { fire_ms: i64 },
}

/// The pure middle: who, replay, revision window, rules.
fn judge(call: &Call, stored: &Stored) -> Result<Judged, Refusal> {
    let Snapshot { table, ring } = &*stored.snapshot;
    admit_tenant(&call.caller, table)?;
    let accepted = match &call.request {
        Some(key) if !mutated!(NoRingLookup) => ring.find(call.scope, key),
        _ => Ok(None),
    };
    // Leaving makes the leaver's own token worthless; the repeat of it must find itself all the same. Its answer shows
    // no hand.
    if let (Command::Leave { .. }, Ok(Some(revision))) = (&call.command, &accepted) {
        return Ok(Judged::Replay(*revision));
    }
    admit(&call.caller, table)?;
    if let Some(seat) = call.seat {
        table.must_have(seat)?;
    }
    if let Some(revision) = accepted? {
        return Ok(Judged::Replay(revision));
    }
    let standing = table.standing();
    if let Some(expected) = call.expected_revision
        && !(standing.turn_revision..=standing.revision).contains(&expected)
    {
        return Err(Refusal::stale(expected, standing));
    }
    let Decision::Happens { facts, seat } = decide(table, &call.command)? else {
        return Ok(Judged::AlreadySo);
    };
    let seat = seat.or(call.seat);
    let platform = matches!(call.command, Command::AddBot { .. } | Command::Forfeit { .. });
    let actor = if seat.is_some() && !platform { Actor::Player } else { Actor::Platform };
    let update = Update { actor, seat, facts, traceparent: call.traceparent.clone() };
    let guard = guard(table, &call.command);
    let table =
        table.evolve(&update).map_err(|misfit| Refusal::new(Reason::Invariant, misfit.to_string()))?;
    let mut ring = ring.clone();
    if let Some(key) = call.request {
        ring.push(call.scope, RingEntry { key, revision: table.revision() });
    }
    Ok(Judged::Write(Written { update: update.into(), snapshot: Snapshot { table, ring }.into(), guard }))
}

/// A person's action counts when it comes in time; where a bot is awaited, whoever comes first counts.
fn guard(table: &Table, command: &Command) -> Guard {
    let in_time = matches!(command, Command::Act { .. });
    let person = table.due().is_some_and(|due| matches!(due.what, What::Turn(_)));
    if in_time && person { Guard::Before } else { Guard::None }
}

/// Whether the caller may see this table at all, and whether its token still counts.
pub(crate) fn admit(caller: &Caller, table: &Table) -> Result<(), Refusal> {
    admit_tenant(caller, table)?;
    match caller {
        Caller::Seat { seat, generation, .. }
            if table.seat(*seat).is_none_or(|state| state.generation != *generation) =>
        {
            Err(Refusal::new(
                Reason::TokenInvalid,
                "This seat token was made worthless; ask the platform for a new one.",
            ))
        }
        _ => Ok(()),
    }
}

/// Whether the table is one of the caller's tenant.
fn admit_tenant(caller: &Caller, table: &Table) -> Result<(), Refusal> {
    if *caller.tenant() == table.setup().tenant { Ok(()) } else { Err(Refusal::table_not_found()) }
}

/// Whether what was judged on a cached state has to be judged again on what the store has. A refusal is final where the
/// caller's own view is that state, unless the cache does not know his token yet; a repeat is answered with the newest
/// view.
fn needs_fresh_look(call: &Call, table: &Table, judged: &Result<Judged, Refusal>) -> bool {
    match judged {
        Ok(Judged::Write(_)) => false,
        Ok(Judged::Replay(_) | Judged::AlreadySo) => true,
        Err(_) => call.expected_revision.is_none() || admit(&call.caller, table).is_err(),
    }
}

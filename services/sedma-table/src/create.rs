//! Creating tables: a repeat, or another caller of the same rematch, meets the same table.

use std::sync::Arc;

use crate::caller::Caller;
use crate::decide::{self, Command};
use crate::edition::Edition;
use crate::fairness::Link;
use crate::ids::{RequestKey, TableId};
use crate::refusal::{Reason, Refusal};
use crate::ring::{Ring, RingEntry, Scope};
use crate::service::{Call, Done, Failure, Outcome, Tables, Written};
use crate::setup::{NewTable, Occupant, Results, StartPolicy};
use crate::store::{Guard, Snapshot, Store, Stored};
use crate::table::{SeatState, Table};
use crate::update::{Actor, Update};

/// A table to be made, under an id that a repeat derives again.
#[derive(Clone, Debug)]
pub struct Creation {
    /// The table's id, derived from the request.
    pub table: TableId,
    /// What it shall be.
    pub new: NewTable,
    /// The end of its seed chain: from the operating system, or from a script.
    pub root: Link,
    /// The request's id and content; `None` for a rematch, whose id alone makes it one table.
    pub request: Option<RequestKey>,
    /// The call's W3C `traceparent`.
    pub traceparent: Option<String>,
}

impl<S: Store> Tables<S> {
    /// Makes a table, or answers the one that this request made before.
    pub async fn create(&self, caller: &Caller, creation: Creation) -> Result<Done, Failure> {
        let Creation { table: id, new, root, request, traceparent } = creation;
        let edition = self.store.edition();
        if new.results == Results::None && edition < Edition::Second {
            let why = "This deployment still writes the records of the release before, which file every result; tell its servers `--write-schema 2`.";
            return Err(Refusal::new(Reason::SchemaAhead, why).into());
        }
        let setup = new.setup(id, caller.tenant().clone(), edition, root);
        let facts = decide::open(setup, &new.seats)?;
        let update = Arc::new(Update { actor: Actor::Platform, seat: None, facts, traceparent });
        let table = Table::open(&update).map_err(|e| Refusal::new(Reason::Invariant, e.to_string()))?;
        let mut ring = Ring::default();
        if let Some(key) = request {
            ring.push(Scope::Platform, RingEntry { key, revision: 1 });
        }
        let snapshot = Arc::new(Snapshot { table, ring });
        match self.write(None, Written { update, snapshot, guard: Guard::None }).await? {
            Outcome::Done(done) => Ok(done),
            Outcome::Conflict(there) => self.created_before(id, request, there).await,
            Outcome::Early { .. } => Err(Refusal::table_not_found().into()),
        }
    }

    /// Makes the table that follows an ended one, then notes it there. Every caller of the same old table gets the same
    /// new one, and a crash between the two steps is healed by the next call.
    pub async fn rematch(&self, link: &Call, root: Link) -> Result<Done, Failure> {
        let Command::LinkRematch { table } = link.command else {
            return Err(Refusal::new(Reason::Invariant, "A rematch was asked for by another command.").into());
        };
        let old = self.read(&link.caller, link.table, None).await?;
        decide::decide(&old.snapshot.table, &link.command)?;
        let creation = Creation {
            table,
            new: rematch_of(&old.snapshot.table),
            root,
            request: None,
            traceparent: link.traceparent.clone(),
        };
        let made = self.create(&link.caller, creation).await?;
        self.act(link).await?;
        Ok(made)
    }

    /// The table is there: this call's first sending made it. (Its entry may have left the ring of eight; the id that
    /// was derived from the request says the same.)
    async fn created_before(
        &self,
        id: TableId,
        request: Option<RequestKey>,
        current: Stored,
    ) -> Result<Done, Failure> {
        if let Some(key) = request {
            current.snapshot.ring.find(Scope::Platform, &key)?;
        }
        let own = self.happened(id, 1).await?;
        Ok(Done { own, replayed: true, current })
    }
}

/// The table that follows `old`: the same seats and rules. Its players were at the old table, not yet at this one, so
/// what started by itself there waits here until each of them has said that he is here.
pub fn rematch_of(old: &Table) -> NewTable {
    let setup = old.setup();
    NewTable {
        external_ref: setup.external_ref.clone(),
        labels: setup.labels.clone(),
        rules: setup.rules.clone(),
        start: match setup.start {
            StartPolicy::WhenFull | StartPolicy::WhenReady => StartPolicy::WhenReady,
            StartPolicy::Manual => StartPolicy::Manual,
        },
        between_deals: setup.between_deals,
        spectators: setup.spectators,
        script: None,
        timing: setup.timing,
        results: setup.results,
        seats: old.seats().map(|(_, seat)| occupant(seat)).collect(),
    }
}

/// Who has the seat at the next table. A player who went away had his seat all the same.
fn occupant(seat: &SeatState) -> Occupant {
    match (&seat.player, seat.bot) {
        (Some(player), _) => Occupant::Player(player.as_ref().clone()),
        (None, Some(level)) => Occupant::Bot(level),
        (None, None) => Occupant::Open,
    }
}

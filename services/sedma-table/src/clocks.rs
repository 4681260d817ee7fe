//! Makes happen what is due: a timer's table, or a bot's turn.

use std::sync::Arc;

use sedma_rules::{Action, Seat};

use crate::clock::What;
use crate::decide::{Command, Decision, decide};
use crate::ids::TableId;
use crate::limits::MAX_CONFLICTS;
use crate::refusal::{Reason, Refusal};
use crate::service::{Done, Failure, Outcome, Tables, Written};
use crate::store::{Guard, Snapshot, Store, Stored};
use crate::table::Table;
use crate::timing::BotLevel;
use crate::update::{Actor, Update};
use crate::view::{TableView, Viewer};

/// Whoever plays for a seat that no person plays for. Sees what the seat may see, and nothing else.
pub trait BotPlayer: Send + Sync {
    /// One of the seat's legal actions; `None` where there is none.
    fn choose(&self, view: &TableView, seat: Seat, level: BotLevel) -> Option<Action>;
}

/// What firing came to.
#[derive(Debug)]
pub enum Fired {
    /// It happened, now, once.
    Done(Box<Done>),
    /// It is not due yet, or not any more.
    Early {
        /// When the table's timer fires; 0 = never.
        fire_ms: i64,
    },
}

impl<S: Store> Tables<S> {
    /// Does what is due at a table, if its time has come; after an outage gives it its whole time again instead.
    pub async fn fire(&self, table: TableId, outage: bool, bots: &impl BotPlayer) -> Result<Fired, Failure> {
        let _turn = self.lane(table).await;
        let mut stored = self.read_fresh(table).await?;
        for _ in 0..MAX_CONFLICTS {
            let Some(written) = judge(&stored, outage, bots)? else {
                return Ok(Fired::Early { fire_ms: 0 });
            };
            match self.write(Some(&stored), written).await? {
                Outcome::Done(done) => return Ok(Fired::Done(Box::new(done))),
                Outcome::Early { fire_ms } => return Ok(Fired::Early { fire_ms }),
                Outcome::Conflict(newer) => stored = newer,
            }
        }
        Err(Refusal::contention(stored.snapshot.table.standing()).into())
    }
}

fn judge(stored: &Stored, outage: bool, bots: &impl BotPlayer) -> Result<Option<Written>, Refusal> {
    let Snapshot { table, ring } = &*stored.snapshot;
    let what = match table.due() {
        Some(due) => due.what,
        None if table.expires() => What::Anything,
        None => return Ok(None),
    };
    // A bot is as ready after an outage as before.
    let command = match what {
        What::Bot(..) => Command::Fire { choice: choice(table, what, bots) },
        _ if outage => Command::Rearm,
        what => Command::Fire { choice: choice(table, what, bots) },
    };
    let Decision::Happens { facts, seat } = decide(table, &command)? else { return Ok(None) };
    let actor = if matches!(what, What::Bot(..)) { Actor::Bot } else { Actor::Timeout };
    let update = Update { actor, seat, facts, traceparent: None };
    let after =
        table.evolve(&update).map_err(|misfit| Refusal::new(Reason::Invariant, misfit.to_string()))?;
    let snapshot = Arc::new(Snapshot { table: after, ring: ring.clone() });
    Ok(Some(Written { update: update.into(), snapshot, guard: Guard::After }))
}

fn choice(table: &Table, what: What, bots: &impl BotPlayer) -> Option<Action> {
    let (seat, level) = match what {
        What::Bot(seat, level) => (seat, level),
        What::Turn(seat) => (seat, table.setup().timing.stand_in()?),
        What::NextDeal | What::Start | What::Anything => return None,
    };
    bots.choose(&table.view(Viewer::seat(seat)), seat, level)
}

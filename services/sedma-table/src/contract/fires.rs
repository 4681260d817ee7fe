//! Cases about several servers that fire the same timers: what is due happens once.

use std::sync::Arc;
use std::time::Duration;

use sedma_rules::{Action, Seat};
use tokio::task::JoinSet;

use crate::clocks::{BotPlayer, Fired};
use crate::contract::games::{Game, loads};
use crate::contract::sample::SelfPlay;
use crate::contract::timers::NO_OUTAGE;
use crate::ids::TableId;
use crate::reads::Fold;
use crate::refusal::Reason;
use crate::service::{Failure, Tables};
use crate::store::Store;
use crate::table::Phase;
use crate::timing::{BotLevel, OnJoinTimeout, Timing};
use crate::update::{Actor, CloseReason, TableFact};
use crate::view::TableView;

/// A bot that takes the first of its legal actions.
#[derive(Clone, Copy, Debug)]
pub struct Eager;

impl BotPlayer for Eager {
    fn choose(&self, view: &TableView, seat: Seat, _: BotLevel) -> Option<Action> {
        view.game.hands.iter().find(|hand| hand.seat == seat)?.legal.iter().next()
    }
}

/// Several servers sweep and fire as fast as they can, until none of these tables has a timer left. How often they fired
/// something. One that loses a race is told so; whatever else goes wrong is a panic.
async fn fire_all<S: Store>(servers: Vec<S>, tables: &Arc<[TableId]>) -> usize {
    let mut sweepers = JoinSet::new();
    for store in servers {
        sweepers.spawn(sweep(Tables::new(store), tables.clone()));
    }
    sweepers.join_all().await.into_iter().sum()
}

async fn sweep<S: Store>(server: Tables<S>, tables: Arc<[TableId]>) -> usize {
    let mut fired = 0;
    loop {
        let due = server.store().due(50, NO_OUTAGE).await.expect("a sweep");
        if due.is_empty() {
            if !any_armed(server.store(), &tables).await {
                return fired;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        for due in due {
            match server.fire(due.table, due.outage, &Eager).await {
                Ok(Fired::Done(_)) => fired += 1,
                Ok(Fired::Early { .. }) => {}
                Err(Failure::Refused(refusal)) if refusal.reason == Reason::Contention => {}
                Err(failure) => panic!("a timer that can't be fired: {failure:?}"),
            }
        }
    }
}

async fn any_armed<S: Store>(store: &S, tables: &[TableId]) -> bool {
    for table in tables {
        if store.load(*table).await.expect("a load").expect("a table").fire_ms > 0 {
            return true;
        }
    }
    false
}

/// Three servers of one store fire 200 timers at once, and each acts exactly once.
pub async fn fired_once<S: Store>(servers: [S; 3]) {
    let servers = servers.map(Arc::new);
    let timing = Timing { join_timeout_ms: 30, on_join_timeout: OnJoinTimeout::Close, ..Timing::NONE };
    let mut tables = Vec::new();
    for seed in 0..200 {
        let play = SelfPlay::clocked(6_000 + seed, "dev", timing, None);
        tables.push(Game::created(&servers[0], play).await.table());
    }
    let tables: Arc<[TableId]> = tables.into();
    assert_eq!(fire_all(servers.to_vec(), &tables).await, 200);
    for table in tables.iter() {
        let log = servers[0].updates_after(*table, 0, 10).await.expect("a log");
        let [_, fired] = log.as_slice() else { panic!("{} updates of {table}", log.len()) };
        assert_eq!(fired.update.actor, Actor::Timeout);
        assert_eq!(fired.update.facts, [TableFact::Closed(CloseReason::NotStarted)]);
    }
}

pub(super) async fn timers<S: Store>(store: Arc<S>) {
    fired_once([store.clone(), store.clone(), store]).await;
}

pub(super) async fn bots<S: Store>(store: Arc<S>) {
    let play = SelfPlay::clocked(80, "dev", Timing::NONE, Some(BotLevel::Steady));
    let game = Game::created(&store, play).await;
    let tables = Arc::from([game.table()]);
    let fired = fire_all(vec![store.clone(), store.clone(), store.clone()], &tables).await;

    let stored = loads(&store, game.table()).await;
    assert_eq!(stored.snapshot.table.phase(), Phase::Finished);
    let log = store.updates_after(game.table(), 0, 5_000).await.expect("a log");
    assert_eq!(log.len(), fired + 1);
    assert!(log.iter().skip(1).all(|logged| logged.update.actor == Actor::Bot));
    let mut fold = Fold::new(game.table());
    for logged in log {
        fold.step(logged).expect("an update that fits");
    }
    assert_eq!(fold.state().expect("a state").table, stored.snapshot.table);
}

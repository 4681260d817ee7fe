//! Cases about outages: a time in which nobody swept is nobody's fault.

use std::sync::Arc;

use crate::clock::Timer;
use crate::clocks::Fired;
use crate::contract::fires::Eager;
use crate::contract::games::{Game, loads};
use crate::contract::timers::Clock;
use crate::ids::TableId;
use crate::service::Tables;
use crate::store::{Guard, Store};
use crate::update::Actor;

/// How long nobody may sweep in these cases. Longer than a busy machine makes a sweep wait.
const BOUND: u64 = 2_000;
const BOUND_MS: i64 = 2_000;

/// Whether a table is due, and if so, by an outage.
async fn outage<S: Store>(store: &Arc<S>, table: TableId, bound: u64) -> Option<bool> {
    let due = store.due(100, bound).await.expect("a sweep");
    due.iter().find(|due| due.table == table).map(|due| due.outage)
}

async fn arm<S: Store>(game: &mut Game<S>, ms: u64, guard: Guard) {
    let commit = game.with(Timer::Arm(ms), guard);
    game.make(&commit).await;
}

pub(super) async fn told<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let (mut late, mut stuck) = (Game::create(&store, 70).await, Game::create(&store, 71).await);
    assert_eq!(store.due(100, BOUND).await, Ok(Vec::new()));
    let swept = clock.now().await;
    arm(&mut late, 10, Guard::None).await;
    arm(&mut stuck, 20, Guard::None).await;
    clock.after(swept + BOUND_MS + 100).await;

    for _ in 0..3 {
        assert_eq!(outage(&store, late.table(), BOUND).await, Some(true));
        assert_eq!(outage(&store, stuck.table(), BOUND).await, Some(true));
    }
    // What falls due from now on is no outage's, nor is what got its time again.
    let mut later = Game::create(&store, 72).await;
    arm(&mut later, 1, Guard::None).await;
    arm(&mut late, 1, Guard::After).await;
    let fires = late.newest().fire_ms;
    clock.after(fires).await;
    assert_eq!(outage(&store, late.table(), BOUND).await, Some(false));
    assert_eq!(outage(&store, later.table(), BOUND).await, Some(false));
    assert_eq!(outage(&store, stuck.table(), BOUND).await, Some(true), "its turn has not come yet");
}

pub(super) async fn fresh<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let mut game = Game::create(&store, 73).await;
    arm(&mut game, 1, Guard::None).await;
    let fires = game.newest().fire_ms;
    clock.after(fires + 50).await;
    assert_eq!(outage(&store, game.table(), 10).await, Some(false));
}

pub(super) async fn untimed<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let mut game = Game::create(&store, 74).await;
    assert_eq!(store.due(100, BOUND).await, Ok(Vec::new()));
    let swept = clock.now().await;
    // It waits for nothing: what fires is how long such a table is kept.
    arm(&mut game, 10, Guard::None).await;
    assert_eq!(game.newest().snapshot.table.due(), None);
    clock.after(swept + BOUND_MS + 100).await;

    assert_eq!(outage(&store, game.table(), BOUND).await, Some(true));
    let server = Tables::new(store.clone());
    let fired = server.fire(game.table(), true, &Eager).await.expect("it gets its time again");
    let Fired::Done(done) = fired else { panic!("nothing happened: {fired:?}") };
    let update = done.own.expect("an update").logged;
    assert_eq!((update.update.actor, update.update.facts.as_slice()), (Actor::Timeout, [].as_slice()));
    let stored = loads(&store, game.table()).await;
    let mut expected = game.newest().snapshot.table.to_parts();
    expected.revision += 1;
    expected.record_hash = *stored.snapshot.table.record_hash();
    assert_eq!(stored.snapshot.table.to_parts(), expected, "nothing else has changed");
    assert!(stored.fire_ms >= update.time_ms.saturating_add_unsigned(store.expiry_ms()), "its whole time");
    assert_eq!(outage(&store, game.table(), BOUND).await, None);
    let log = store.updates_after(game.table(), game.version().revision, 10).await;
    assert_eq!(log, Ok(vec![update]));
}

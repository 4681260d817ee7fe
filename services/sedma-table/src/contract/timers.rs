//! Cases about timers. No case knows the time but from the store: a commit says when it was made.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Timer;
use crate::contract::commits::race;
use crate::contract::games::{Game, loads};
use crate::contract::sample::SelfPlay;
use crate::ids::TableId;
use crate::store::{Commit, Committed, Guard, Store, Stored};

/// A time without a sweep that no case comes near.
pub(super) const NO_OUTAGE: u64 = 3_600_000;
/// More than any case arms.
const ALL: usize = 1_000;
/// How long one waits before he looks again.
const POLL: Duration = Duration::from_millis(2);

/// A table without an end whose commits tell the store's time.
pub(super) struct Clock<S>(Game<S>);

impl<S: Store> Clock<S> {
    pub(super) async fn start(store: &Arc<S>) -> Self {
        Self(Game::created(store, SelfPlay::endless(9_999, "dev")).await)
    }

    /// The store's time.
    pub(super) async fn now(&mut self) -> i64 {
        let commit = self.0.propose().expect("a step");
        match self.0.store.commit(&commit).await {
            Ok(Committed::Done { version, time_ms }) => {
                self.0.follow(Stored { version, snapshot: commit.snapshot, fire_ms: 0 });
                time_ms
            }
            other => panic!("a commit that must happen: {other:?}"),
        }
    }

    /// Waits, without looking at any timer, until the store's time has passed this one.
    pub(super) async fn after(&mut self, then_ms: i64) {
        while self.now().await <= then_ms {
            tokio::time::sleep(POLL).await;
        }
    }
}

/// The tables that are due.
async fn due<S: Store>(store: &Arc<S>) -> BTreeSet<TableId> {
    let due = store.due(ALL, NO_OUTAGE).await.expect("a sweep");
    due.iter().map(|due| due.table).collect()
}

/// Waits until a table is due, and looks at each sweep whether it must be there or must not.
async fn falls_due<S: Store>(store: &Arc<S>, clock: &mut Clock<S>, table: &Stored) {
    let (id, fire_ms) = (table.snapshot.table.setup().id, table.fire_ms);
    assert!(fire_ms > 0, "it has a timer");
    loop {
        let before = clock.now().await;
        let is_due = due(store).await.contains(&id);
        let after = clock.now().await;
        assert!(is_due || before < fire_ms, "not found at {before}, though it fires at {fire_ms}");
        assert!(!is_due || after >= fire_ms, "found at {after}, though it fires at {fire_ms}");
        if is_due {
            return;
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Makes the table's next commit with this timer.
async fn arm<S: Store>(game: &mut Game<S>, timer: Timer) -> Stored {
    let commit = game.with(timer, Guard::None);
    game.make(&commit).await;
    let stored = loads(&game.store, game.table()).await;
    assert_eq!(stored, *game.newest(), "a load knows the timer that the commit set");
    stored
}

pub(super) async fn at_its_time<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let mut game = Game::create(&store, 60).await;
    let armed = arm(&mut game, Timer::Arm(50)).await;
    falls_due(&store, &mut clock, &armed).await;
    assert!(due(&store).await.contains(&game.table()), "it stays due until something happens");
}

pub(super) async fn moved<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let mut game = Game::create(&store, 61).await;
    assert_eq!(game.newest().fire_ms, 0);
    let far = arm(&mut game, Timer::Arm(3_600_000)).await;
    assert_eq!(arm(&mut game, Timer::Keep).await.fire_ms, far.fire_ms);
    let near = arm(&mut game, Timer::Arm(40)).await;
    assert!(near.fire_ms < far.fire_ms);
    let kept = arm(&mut game, Timer::Keep).await;
    assert_eq!(kept.fire_ms, near.fire_ms);
    falls_due(&store, &mut clock, &kept).await;

    arm(&mut game, Timer::Arm(3_600_000)).await;
    assert!(!due(&store).await.contains(&game.table()), "it has moved away");
    arm(&mut game, Timer::Arm(1)).await;
    let none = arm(&mut game, Timer::Disarm).await;
    assert_eq!(none.fire_ms, 0);
    assert_eq!(arm(&mut game, Timer::Keep).await.fire_ms, 0, "there is nothing to keep");
    let now = clock.now().await;
    clock.after(now + 5).await;
    assert!(!due(&store).await.contains(&game.table()));
}

/// A commit that must leave no trace, whatever it is answered.
async fn writes_nothing<S: Store>(game: &Game<S>, commit: &Commit) -> Committed {
    let store = &game.store;
    let log = store.updates_after(game.table(), 0, ALL).await.expect("a log");
    let committed = store.commit(commit).await.expect("an answer");
    assert_eq!(loads(store, game.table()).await, *game.newest());
    assert_eq!(store.updates_after(game.table(), 0, ALL).await.expect("a log"), log);
    committed
}

pub(super) async fn before<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let mut game = Game::create(&store, 62).await;
    let without_a_timer = game.with(Timer::Arm(3_600_000), Guard::Before);
    game.make(&without_a_timer).await;
    let in_time = game.with(Timer::Arm(20), Guard::Before);
    game.make(&in_time).await;

    let armed = game.newest().clone();
    falls_due(&store, &mut clock, &armed).await;
    let late = game.with(Timer::Arm(3_600_000), Guard::Before);
    assert_eq!(writes_nothing(&game, &late).await, Committed::Expired);
    assert!(due(&store).await.contains(&game.table()), "it is as due as before");
    game.make(&Commit { guard: Guard::None, ..late }).await;
}

pub(super) async fn after<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let mut game = Game::create(&store, 63).await;
    let without_a_timer = game.with(Timer::Arm(40), Guard::After);
    assert_eq!(writes_nothing(&game, &without_a_timer).await, Committed::Early { fire_ms: 0 });
    game.make(&Commit { timer: Timer::Arm(3_600_000), guard: Guard::None, ..without_a_timer }).await;

    let early = game.with(Timer::Disarm, Guard::After);
    let fire_ms = game.newest().fire_ms;
    assert_eq!(writes_nothing(&game, &early).await, Committed::Early { fire_ms });
    game.make(&Commit { timer: Timer::Arm(20), guard: Guard::None, ..early }).await;

    let armed = game.newest().clone();
    falls_due(&store, &mut clock, &armed).await;
    let in_time = game.with(Timer::Disarm, Guard::After);
    game.make(&in_time).await;
    assert!(!due(&store).await.contains(&game.table()), "it has happened");
}

pub(super) async fn raced<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let mut game = Game::create(&store, 64).await;
    let armed = arm(&mut game, Timer::Arm(5)).await;
    falls_due(&store, &mut clock, &armed).await;
    let fired = game.with(Timer::Arm(3_600_000), Guard::After);
    let winner = race(&store, &fired).await;
    assert_eq!(loads(&store, game.table()).await.version, winner);
    assert_eq!(store.updates_after(game.table(), 0, ALL).await.expect("a log").len(), 3);
}

pub(super) async fn ended<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let mut ended = 0;
    for seed in 200..215 {
        let mut game = Game::created(&store, SelfPlay::eventful(seed, "dev")).await;
        while let Some(mut commit) = game.propose() {
            // However short its clocks are, the update that ends it stops them.
            if let Timer::Arm(_) = commit.timer {
                commit.timer = Timer::Arm(1);
            }
            game.make(&commit).await;
        }
        ended += usize::from(game.newest().snapshot.table.is_ended());
        assert_eq!(loads(&store, game.table()).await.fire_ms, 0);
    }
    assert_eq!(ended, 15);
    let now = clock.now().await;
    clock.after(now + 5).await;
    assert_eq!(due(&store).await, BTreeSet::new());
}

pub(super) async fn pages<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    let mut games = Vec::new();
    for seed in 0..300 {
        let mut game = Game::create(&store, 5_000 + seed).await;
        arm(&mut game, Timer::Arm(1)).await;
        games.push(game);
    }
    let now = clock.now().await;
    clock.after(now + 1).await;
    assert_eq!(store.due(0, NO_OUTAGE).await, Ok(Vec::new()));
    for (limit, count) in [(1, 10), (7, 10), (100, 2), (500, 1)] {
        for _ in 0..count {
            let page = store.due(limit, NO_OUTAGE).await.expect("a sweep");
            assert_eq!(page.len(), limit.min(games.len()), "a page is full while there is more");
            for table in page.iter().map(|due| due.table) {
                let found = games.iter().position(|game| game.table() == table).expect("a table once");
                let mut game = games.swap_remove(found);
                let fired = game.with(Timer::Disarm, Guard::After);
                game.make(&fired).await;
            }
        }
    }
    assert!(games.is_empty());
    assert_eq!(due(&store).await, BTreeSet::new());
}

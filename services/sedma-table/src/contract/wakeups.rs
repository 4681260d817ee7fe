//! Cases about wake-ups: they may come twice, but whoever waits is woken.

use std::sync::Arc;
use std::time::Duration;

use crate::contract::games::{Game, commit, happens};
use crate::contract::sample::SelfPlay;
use crate::store::{Store, Wakeups};

/// How long a wake-up may take. Generous: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits for one wake-up.
async fn woken(wakeups: &mut Wakeups) {
    tokio::time::timeout(PATIENCE, wakeups.changed())
        .await
        .expect("a wake-up in time")
        .expect("an open store");
}

pub(super) async fn stands<S: Store>(store: Arc<S>) {
    let game = Game::create(&store, 41).await;
    woken(&mut store.subscribe(game.table())).await;
}

pub(super) async fn after_a_commit<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 42).await;
    let mut wakeups = store.subscribe(game.table());
    woken(&mut wakeups).await;
    for _ in 0..20 {
        wakeups.mark_unchanged();
        game.play(1).await;
        woken(&mut wakeups).await;
    }
}

pub(super) async fn everybody<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 43).await;
    let mut subscribers: Vec<Wakeups> = (0..50).map(|_| store.subscribe(game.table())).collect();
    for wakeups in &mut subscribers {
        woken(wakeups).await;
    }
    let mut late = store.subscribe(game.table());
    woken(&mut late).await;
    subscribers.push(late);
    for wakeups in &mut subscribers {
        wakeups.mark_unchanged();
    }
    game.play(1).await;
    for wakeups in &mut subscribers {
        woken(wakeups).await;
    }
}

pub(super) async fn before_creation<S: Store>(store: Arc<S>) {
    let mut play = SelfPlay::plain(44, "dev");
    let mut wakeups = store.subscribe(play.table());
    woken(&mut wakeups).await;
    wakeups.mark_unchanged();
    happens(&store, &commit(None, &play.next().expect("a creation"))).await;
    woken(&mut wakeups).await;
}

pub(super) async fn dropped<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 45).await;
    let mut stays = store.subscribe(game.table());
    for _ in 0..10 {
        let mut leaves = store.subscribe(game.table());
        woken(&mut leaves).await;
        drop(leaves);
        stays.mark_unchanged();
        game.play(1).await;
        woken(&mut stays).await;
    }
    // And when all have left, a new one is served again.
    drop(stays);
    let mut returns = store.subscribe(game.table());
    woken(&mut returns).await;
    returns.mark_unchanged();
    game.play(1).await;
    woken(&mut returns).await;
}

//! Cases about the store's clock, which is compared with nothing but what commits say.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::contract::games::Game;
use crate::contract::sample::SelfPlay;
use crate::contract::timers::Clock;
use crate::store::Store;

/// How far ahead of the clock itself may be what a process knows of it: a round trip on a busy machine.
const AHEAD_MS: i64 = 1_000;

pub(super) async fn stamps<S: Store>(store: Arc<S>) {
    let mut clock = Clock::start(&store).await;
    for _ in 0..200 {
        let before = store.now_ms();
        let stamp = clock.now().await;
        let after = store.now_ms();
        assert!(before <= stamp + AHEAD_MS, "{before} before a commit at {stamp}");
        assert!(after >= stamp, "{after} after a commit at {stamp}");
        assert!(after <= clock.now().await + AHEAD_MS);
    }
}

pub(super) async fn forward<S: Store>(store: Arc<S>) {
    let mut readers = JoinSet::new();
    for seed in 0..4 {
        // Commits and sweeps meanwhile tell the time again and again.
        let mut game = Game::created(&store, SelfPlay::endless(9_000 + seed, "dev")).await;
        readers.spawn(async move {
            let store = game.store.clone();
            let mut newest = 0;
            for _ in 0..200 {
                let now = store.now_ms();
                assert!(now >= newest, "{now} after {newest}");
                newest = now;
                game.play(1).await;
                store.due(10, 3_600_000).await.expect("a sweep");
            }
        });
    }
    readers.join_all().await;
}

//! Cases about the log: every update, once, in order.

use std::sync::Arc;

use crate::contract::games::{Game, conflicts, loads};
use crate::contract::sample::SelfPlay;
use crate::ids::TableId;
use crate::reads::Fold;
use crate::store::{Committed, Store};
use crate::update::Logged;

async fn log<S: Store>(store: &Arc<S>, table: TableId) -> Vec<Logged> {
    store.updates_after(table, 0, 5_000).await.expect("a log")
}

pub(super) async fn nothing<S: Store>(store: Arc<S>) {
    let table = TableId::from_bytes([9; 16]);
    assert_eq!(store.load(table).await, Ok(None));
    assert_eq!(store.updates_after(table, 0, 10).await, Ok(Vec::new()));
    assert_eq!(store.versions(&[table]).await, Ok(vec![None]));
}

pub(super) async fn from_any_point<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 21).await;
    game.play(29).await;
    let whole = log(&store, game.table()).await;
    let revisions: Vec<i64> = whole.iter().map(|logged| logged.version.revision).collect();
    assert_eq!(revisions, (1..=30).collect::<Vec<i64>>());
    assert_eq!(whole[29].version, game.version());
    for after in [0_usize, 1, 15, 29, 30, 31, 4_000] {
        for limit in [0, 1, 7, 30, 100] {
            let after_i64 = i64::try_from(after).expect("a small number");
            let page = store.updates_after(game.table(), after_i64, limit).await.expect("a page");
            let rest = whole.get(after..).unwrap_or(&[]);
            assert_eq!(page, rest[..rest.len().min(limit)], "{limit} updates after {after}");
        }
    }
}

pub(super) async fn as_written<S: Store>(store: Arc<S>) {
    let mut game = Game::created(&store, SelfPlay::eventful(22, "dev")).await;
    let mut written = log(&store, game.table()).await;
    while written.len() < 50 {
        let Some(next) = game.propose() else { break };
        match store.commit(&next).await {
            Ok(Committed::Done { version, time_ms }) => {
                written.push(Logged { version, time_ms, update: next.update });
            }
            other => panic!("a commit that must happen: {other:?}"),
        }
        game.follow(loads(&store, game.table()).await);
    }
    assert_eq!(log(&store, game.table()).await, written);
}

pub(super) async fn times<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 23).await;
    game.play(50).await;
    let log = log(&store, game.table()).await;
    assert!(log.is_sorted_by_key(|logged| logged.time_ms));
    assert!(log[0].time_ms > 1_600_000_000_000, "milliseconds since the Unix epoch");
}

pub(super) async fn no_trace<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 24).await;
    let next = game.propose().expect("a step");
    game.make(&next).await;
    let before = log(&store, game.table()).await;
    for _ in 0..5 {
        conflicts(&store, &next).await;
    }
    assert_eq!(log(&store, game.table()).await, before);
    assert_eq!(loads(&store, game.table()).await, *game.newest());
}

pub(super) async fn replayed<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 25).await;
    game.play(200).await;
    let fold = fold(&store, game.table()).await;
    let stored = loads(&store, game.table()).await;
    assert_eq!(fold.revision(), stored.version.revision);
    assert_eq!(fold.state().expect("a state").table, stored.snapshot.table);
}

pub(super) async fn eventful<S: Store>(store: Arc<S>) {
    let mut armed = 0;
    for seed in 100..120 {
        let mut game = Game::created(&store, SelfPlay::eventful(seed, "dev")).await;
        let mut fold = Fold::new(game.table());
        for _ in 0..120 {
            let stored = loads(&store, game.table()).await;
            assert_eq!(stored, *game.newest(), "seed {seed}");
            let newest = store.updates_after(game.table(), fold.revision(), 2).await.expect("a log");
            assert_eq!(newest.len(), 1, "seed {seed}");
            for logged in newest {
                fold.step(logged).expect("an update that fits");
            }
            assert_eq!(fold.state().expect("a state").table, stored.snapshot.table, "seed {seed}");
            assert_eq!(fold.fire_ms(), stored.fire_ms, "seed {seed}: the log tells the deadline too");
            armed += usize::from(stored.fire_ms > 0);
            let Some(next) = game.propose() else { break };
            game.make(&next).await;
        }
    }
    assert!(armed > 500, "only {armed} states had a clock running");
}

async fn fold<S: Store>(store: &Arc<S>, table: TableId) -> Fold {
    let mut fold = Fold::new(table);
    for logged in log(store, table).await {
        fold.step(logged).expect("an update that fits");
    }
    fold
}

pub(super) async fn versions<S: Store>(store: Arc<S>) {
    let mut games = Vec::new();
    for seed in 0..30 {
        let mut game = Game::create(&store, 1_000 + seed).await;
        game.play(usize::try_from(seed % 5).expect("a small number")).await;
        games.push(game);
    }
    let mut tables: Vec<TableId> = games.iter().map(Game::table).collect();
    tables.insert(15, TableId::from_bytes([9; 16]));
    let mut expected: Vec<_> = games.iter().map(|game| Some(game.version())).collect();
    expected.insert(15, None);
    assert_eq!(store.versions(&tables).await, Ok(expected));
    assert_eq!(store.versions(&[]).await, Ok(Vec::new()));
}

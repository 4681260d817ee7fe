//! Cases about commits: each happens once or not at all.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::task::JoinSet;

use crate::contract::games::{Game, commit, conflicts, happens, loads};
use crate::contract::sample::SelfPlay;
use crate::ids::Version;
use crate::store::{Commit, Committed, Store, StoreError};

pub(super) async fn created_is_there<S: Store>(store: Arc<S>) {
    let game = Game::create(&store, 1).await;
    assert_eq!(game.version().revision, 1);
    assert_eq!(loads(&store, game.table()).await, *game.newest());
}

pub(super) async fn created_once<S: Store>(store: Arc<S>) {
    let mut play = SelfPlay::plain(2, "dev");
    let creation = commit(None, &play.next().expect("a creation"));
    let first = happens(&store, &creation).await;
    let there = conflicts(&store, &creation).await;
    assert_eq!(there.version, first);
    assert_eq!(there.snapshot, creation.snapshot);

    // Also when it has moved on since.
    let next = commit(Some(first), &play.next().expect("a step"));
    let second = happens(&store, &next).await;
    assert_eq!(conflicts(&store, &creation).await.version, second);
}

pub(super) async fn on_the_newest<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 3).await;
    for revision in 2..=41 {
        game.play(1).await;
        assert_eq!(game.version().revision, revision);
        assert_eq!(loads(&store, game.table()).await, *game.newest());
    }
}

pub(super) async fn stale<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 4).await;
    let late = game.propose().expect("a step");
    let ahead = commit(Some(game.version()), &SelfPlay::plain(4, "dev").nth(1).expect("a step"));
    game.make(&ahead).await;
    let newer = conflicts(&store, &late).await;
    assert_eq!(newer, *game.newest());
    assert_eq!(loads(&store, game.table()).await, *game.newest(), "nothing was written");
}

pub(super) async fn other_token<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 5).await;
    let mut next = game.propose().expect("a step");
    let Version { revision, token } = game.version();
    next.expected = Some(Version { revision, token: token.map(|byte| !byte) });
    assert_eq!(conflicts(&store, &next).await, *game.newest());
}

pub(super) async fn missing<S: Store>(store: Arc<S>) {
    let mut play = SelfPlay::plain(6, "dev");
    let _creation = play.next();
    let nowhere = Some(Version { revision: 1, token: [7; 8] });
    let next = commit(nowhere, &play.next().expect("a step"));
    assert_eq!(store.commit(&next).await, Ok(Committed::Missing));
    assert_eq!(store.load(play.table()).await, Ok(None));
    assert_eq!(store.updates_after(play.table(), 0, 10).await, Ok(Vec::new()));
}

pub(super) async fn repeated<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 7).await;
    let next = game.propose().expect("a step");
    game.make(&next).await;
    let there = conflicts(&store, &next).await;
    assert_eq!(there, *game.newest());
    assert_eq!(there.snapshot.ring, next.snapshot.ring, "the repeat finds its request in the ring");
    assert_eq!(store.updates_after(game.table(), 0, 10).await.expect("a log").len(), 2);
}

pub(super) async fn skipped<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 8).await;
    let _skipped = game.propose();
    let next = game.propose().expect("a step");
    assert!(matches!(store.commit(&next).await, Err(StoreError::Damaged { .. })));
    assert_eq!(loads(&store, game.table()).await, *game.newest());
}

pub(super) async fn raced<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 9).await;
    let next = game.propose().expect("a step");
    let winner = race(&store, &next).await;
    assert_eq!(loads(&store, game.table()).await.version, winner);
    assert_eq!(store.updates_after(game.table(), 0, 30).await.expect("a log").len(), 2);
}

pub(super) async fn raced_creations<S: Store>(store: Arc<S>) {
    let creation = commit(None, &SelfPlay::plain(10, "dev").next().expect("a creation"));
    let winner = race(&store, &creation).await;
    let table = creation.snapshot.table.setup().id;
    assert_eq!(loads(&store, table).await.version, winner);
    assert_eq!(store.updates_after(table, 0, 30).await.expect("a log").len(), 1);
}

/// Twenty at once: one happens, and the others are all shown what it made.
pub(super) async fn race<S: Store>(store: &Arc<S>, commit: &Commit) -> Version {
    let mut racers = JoinSet::new();
    for _ in 0..20 {
        let (store, commit) = (store.clone(), commit.clone());
        racers.spawn(async move { store.commit(&commit).await });
    }
    let (mut done, mut seen) = (Vec::new(), Vec::new());
    for committed in racers.join_all().await {
        match committed {
            Ok(Committed::Done { version, .. }) => done.push(version),
            Ok(Committed::Conflict(stored)) => seen.push(stored.version),
            other => panic!("a racing commit: {other:?}"),
        }
    }
    assert_eq!((done.len(), seen.len()), (1, 19));
    assert!(seen.iter().all(|version| *version == done[0]));
    done[0]
}

pub(super) async fn two_tables<S: Store>(store: Arc<S>) {
    let mut first = Game::create(&store, 11).await;
    let mut second = Game::create(&store, 12).await;
    for _ in 0..10 {
        first.play(1).await;
        second.play(2).await;
    }
    assert_eq!(loads(&store, first.table()).await, *first.newest());
    assert_eq!(loads(&store, second.table()).await, *second.newest());
    assert_eq!((first.version().revision, second.version().revision), (11, 21));
}

pub(super) async fn tokens<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 13).await;
    game.play(60).await;
    let log = store.updates_after(game.table(), 0, 100).await.expect("a log");
    let tokens: HashSet<[u8; 8]> = log.iter().map(|logged| logged.version.token).collect();
    assert_eq!(tokens.len(), 61);
}

pub(super) async fn ended<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 14).await;
    game.play(usize::MAX).await;
    let table = &game.newest().snapshot.table;
    assert!(table.is_ended() && table.rematch().is_some());
    assert_eq!(loads(&store, game.table()).await, *game.newest());
}

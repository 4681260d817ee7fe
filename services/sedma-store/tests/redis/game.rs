//! A table and the store it is played into, as the transcripts here need them.

use std::sync::Arc;
use std::time::Duration;

use sedma_store::{Lifetimes, RedisStore};
use sedma_table::contract::Game;
use sedma_table::store::{Commit, Committed, Store, Wakeups};
use sedma_table::{TableId, Version};

use crate::redis::Redis;

/// How long anything here may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A store that stands.
pub(crate) async fn store(url: &str) -> Arc<RedisStore> {
    let store = connect(url);
    standing(&store).await;
    store
}

/// A store whose connections may not stand yet.
pub(crate) fn connect(url: &str) -> Arc<RedisStore> {
    Arc::new(RedisStore::connect(url, Lifetimes::default(), None).expect("an address"))
}

/// Waits until a store works.
pub(crate) async fn standing(store: &RedisStore) {
    let works = async {
        while store.check().await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, works).await.expect("a store that works in time");
}

/// Makes a commit in the background.
pub(crate) fn committing(
    store: &Arc<RedisStore>,
    commit: &Commit,
) -> tokio::task::JoinHandle<Result<Committed, sedma_table::store::StoreError>> {
    let (store, commit) = (store.clone(), commit.clone());
    tokio::spawn(async move { store.commit(&commit).await })
}

/// The version and time of a commit that must have happened.
pub(crate) fn done(committed: Result<Committed, sedma_table::store::StoreError>) -> (Version, i64) {
    match committed {
        Ok(Committed::Done { version, time_ms }) => (version, time_ms),
        other => panic!("a commit that must have happened: {other:?}"),
    }
}

/// Checks that a table's log is whole, that it has exactly so many updates, and that this one is in it.
pub(crate) async fn logged_once(store: &RedisStore, table: TableId, count: usize, made: (Version, i64)) {
    let log = store.updates_after(table, 0, 10_000).await.expect("a log");
    assert_eq!(log.len(), count);
    let same: Vec<_> = log.iter().filter(|logged| logged.version == made.0).collect();
    assert_eq!(same.len(), 1, "exactly one update of this commit");
    assert_eq!(same[0].time_ms, made.1);
}

/// A plain table with a few steps behind it.
pub(crate) async fn game(store: &Arc<RedisStore>, seed: u64) -> Game<RedisStore> {
    let mut game = Game::create(store, seed).await;
    game.play(6).await;
    game
}

/// Redis' own clock.
pub(crate) fn time_ms(redis: &Redis) -> i64 {
    let answer = redis.ask(&["TIME"]);
    let (seconds, micros) = answer.split_once('\n').expect("two numbers");
    seconds.parse::<i64>().expect("seconds") * 1_000 + micros.parse::<i64>().expect("microseconds") / 1_000
}

/// Waits for one wake-up.
pub(crate) async fn woken(wakeups: &mut Wakeups) {
    tokio::time::timeout(PATIENCE, wakeups.changed())
        .await
        .expect("a wake-up in time")
        .expect("an open store");
}

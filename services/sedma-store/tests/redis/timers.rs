//! Timers in Redis, seen by several servers and by Redis itself.

use std::time::Duration;

use sedma_store::RedisStore;
use sedma_table::clock::Timer;
use sedma_table::contract::{Game, SelfPlay, fired_once};
use sedma_table::store::{Commit, DueTable, Store};

use crate::game::{PATIENCE, connect, standing, store, time_ms};
use crate::redis::Redis;

/// How long nobody may sweep in these tests. Longer than a busy machine makes a sweep wait.
const BOUND: u64 = 2_000;

/// A table whose timer fires so many milliseconds from now.
async fn armed(store: &std::sync::Arc<RedisStore>, seed: u64, ms: u64) -> Game<RedisStore> {
    let mut game = Game::create(store, seed).await;
    arm(&mut game, ms).await;
    game
}

async fn arm(game: &mut Game<RedisStore>, ms: u64) {
    let commit = game.propose().expect("a step");
    game.make(&Commit { timer: Timer::Arm(ms), ..commit }).await;
}

fn until(redis: &Redis, then_ms: i64) {
    redis.until("a time has come", |redis| time_ms(redis) > then_ms);
}

fn due(game: &Game<RedisStore>, outage: bool) -> DueTable {
    DueTable { table: game.table(), outage }
}

#[tokio::test(flavor = "multi_thread")]
async fn three_servers_fire_each_timer_once() {
    let redis = Redis::start();
    fired_once([connect(&redis.url()), connect(&redis.url()), connect(&redis.url())]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_is_one_for_every_server_until_what_it_left_has_its_time_again() {
    let redis = Redis::start();
    let (first, second) = (store(&redis.url()).await, store(&redis.url()).await);
    assert_eq!(first.due(10, BOUND).await, Ok(Vec::new()));
    let swept = time_ms(&redis);
    let mut game = armed(&first, 1, 10).await;
    until(&redis, swept + 2_100);

    // Whoever comes first, all see it, and so does one that was not even there.
    assert_eq!(first.due(10, BOUND).await, Ok(vec![due(&game, true)]));
    assert_eq!(second.due(10, BOUND).await, Ok(vec![due(&game, true)]));
    assert_eq!(first.due(10, BOUND).await, Ok(vec![due(&game, true)]));
    let third = store(&redis.url()).await;
    assert_eq!(third.due(10, BOUND).await, Ok(vec![due(&game, true)]));

    arm(&mut game, 1).await;
    until(&redis, game.newest().fire_ms);
    for server in [&first, &second, &third, &store(&redis.url()).await] {
        assert_eq!(server.due(10, BOUND).await, Ok(vec![due(&game, false)]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_slept_while_another_swept_makes_no_outage() {
    let redis = Redis::start();
    let (awake, asleep) = (store(&redis.url()).await, store(&redis.url()).await);
    for server in [&awake, &asleep] {
        assert_eq!(server.due(10, BOUND).await, Ok(Vec::new()));
    }
    let slept = time_ms(&redis);
    let game = armed(&awake, 2, 10).await;
    while time_ms(&redis) <= slept + 2_100 {
        awake.due(10, BOUND).await.expect("a sweep");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(asleep.due(10, BOUND).await, Ok(vec![due(&game, false)]));
    assert_eq!(store(&redis.url()).await.due(10, BOUND).await, Ok(vec![due(&game, false)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_hung_was_an_outage_too() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    assert_eq!(store.due(10, BOUND).await, Ok(Vec::new()));
    let game = armed(&store, 3, 500).await;
    redis.freeze();
    // Sweeps go on meanwhile, and wait at its door with whatever they would write.
    let start = tokio::time::Instant::now();
    while start.elapsed() < Duration::from_millis(2_600) {
        assert!(store.due(10, BOUND).await.is_err());
    }
    redis.thaw();
    standing(&store).await;
    let swept = async {
        loop {
            match store.due(10, BOUND).await {
                Ok(due) if !due.is_empty() => return due,
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    };
    let found = tokio::time::timeout(PATIENCE, swept).await.expect("a sweep in time");
    assert_eq!(found, [due(&game, true)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_outage_left_stuck_makes_no_outage_of_what_comes_later() {
    let redis = Redis::start();
    let first = store(&redis.url()).await;
    assert_eq!(first.due(10, BOUND).await, Ok(Vec::new()));
    let swept = time_ms(&redis);
    // Two tables of one bucket.
    let mut seeds = (1..).filter(|seed| SelfPlay::plain(*seed, "dev").table().bucket() == 7);
    let stuck = armed(&first, seeds.next().expect("a seed"), 10).await;
    until(&redis, swept + 2_100);
    assert_eq!(first.due(10, BOUND).await, Ok(vec![due(&stuck, true)]));
    let later = armed(&first, seeds.next().expect("a seed"), 1).await;
    until(&redis, later.newest().fire_ms);
    let found = [due(&stuck, true), due(&later, false)];
    assert_eq!(first.due(10, BOUND).await, Ok(found.to_vec()));
    assert_eq!(
        store(&redis.url()).await.due(10, BOUND).await,
        Ok(found.to_vec()),
        "nor for a server that is new"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timer_whose_table_is_gone_is_removed_when_a_sweep_has_met_it_for_long() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let game = armed(&store, 5, 500).await;
    let (bucket, code) = (format!("{{{:02x}}}", game.table().bucket()), game.table().code());
    let timers = format!("tm:{bucket}");
    redis.ask(&["DEL", &format!("t:{bucket}:{code}"), &format!("e:{bucket}:{code}")]);
    until(&redis, game.newest().fire_ms);
    assert_eq!(store.load(game.table()).await, Ok(None));
    assert_eq!(store.due(10, 60_000).await, Ok(vec![due(&game, false)]), "a sweep does not look behind it");
    until(&redis, game.newest().fire_ms + 5_000);
    assert_eq!(store.due(10, 60_000).await, Ok(Vec::new()));
    assert_eq!(redis.ask(&["ZCARD", &timers]), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_was_due_for_long_stays_so() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let game = armed(&store, 6, 1).await;
    until(&redis, game.newest().fire_ms + 5_000);
    assert_eq!(store.due(10, 60_000).await, Ok(vec![due(&game, false)]));
}

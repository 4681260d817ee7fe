//! The store's clock is Redis' own, whatever this machine's says.

use std::sync::Arc;

use sedma_rules::Seat;
use sedma_store::RedisStore;
use sedma_table::contract::Game;
use sedma_table::store::{Holder, Lease, Store};

use crate::game::store;
use crate::proxy::Proxy;
use crate::redis::Redis;

/// How far off a clock may be here. A busy machine makes a round trip of that length, but no hour of it.
const OFF_MS: i64 = 10_000;
const HOUR_S: i64 = 3_600;
const HOUR_MS: i64 = HOUR_S * 1_000;

/// How far the store's clock is ahead of this Redis', in whole hours. It must be whole hours.
fn hours_ahead(store: &Arc<RedisStore>, redis: &Redis) -> i64 {
    let ahead = store.now_ms() - crate::game::time_ms(redis);
    let hours = (ahead + HOUR_MS / 2).div_euclid(HOUR_MS);
    assert!((ahead - hours * HOUR_MS).abs() < OFF_MS, "{ahead} ms");
    hours
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_knows_the_time_of_redis_from_its_start() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    proxy.turn_clock(5 * HOUR_S);
    let store = store(&proxy.url).await;
    assert_eq!(hours_ahead(&store, &redis), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn commits_sweeps_and_checks_tell_the_time() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    let store = store(&proxy.url).await;
    let mut game = Game::create(&store, 1).await;
    assert_eq!(hours_ahead(&store, &redis), 0);

    proxy.turn_clock(HOUR_S);
    assert_eq!(hours_ahead(&store, &redis), 0, "nobody has said so yet");
    game.play(1).await;
    assert_eq!(hours_ahead(&store, &redis), 1);
    let log = store.updates_after(game.table(), 0, 10).await.expect("a log");
    assert!(log[1].time_ms < store.now_ms() - HOUR_MS + OFF_MS, "what Redis wrote is its own");

    proxy.turn_clock(2 * HOUR_S);
    store.due(10, 60_000_000).await.expect("a sweep");
    assert_eq!(hours_ahead(&store, &redis), 2);

    proxy.turn_clock(3 * HOUR_S);
    store.check().await.expect("a Redis that works");
    assert_eq!(hours_ahead(&store, &redis), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_whose_clock_was_set_back_is_followed() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    proxy.turn_clock(HOUR_S);
    let store = store(&proxy.url).await;
    assert_eq!(hours_ahead(&store, &redis), 1);
    proxy.turn_clock(-HOUR_S);
    store.check().await.expect("a Redis that works");
    assert_eq!(hours_ahead(&store, &redis), -1);
}

#[tokio::test(flavor = "multi_thread")]
async fn leases_last_by_the_clock_of_redis() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    proxy.turn_clock(HOUR_S);
    let store = store(&proxy.url).await;
    let table = Game::create(&store, 2).await.table();
    let lease = Lease { table, seat: Seat::One, holder: Holder(7) };
    store.hold(&[lease], 60_000, false).await.expect("a lease");
    let present = store.present(table).await.expect("who is present");
    assert!((present[0].until_ms - crate::game::time_ms(&redis) - HOUR_MS - 60_000).abs() < OFF_MS);
    proxy.turn_clock(2 * HOUR_S);
    store.check().await.expect("a Redis that works");
    assert_eq!(store.present(table).await, Ok(Vec::new()), "the hour has passed");
}

//! Every store passes the one suite.

use sedma_store::{AnyStore, Lifetimes, MemoryStore, RedisStore};
use sedma_table::contract;
use sedma_table::store::Store;

#[path = "../../../tests/support/redis.rs"]
mod redis;

use redis::Redis;

/// An empty store at this Redis.
async fn emptied(redis: &Redis) -> RedisStore {
    redis.ask(&["FLUSHALL"]);
    let store = RedisStore::connect(&redis.url(), Lifetimes::default()).expect("an address");
    store.check().await.expect("a Redis that works");
    store
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_passes_the_contract() {
    contract::run(async || MemoryStore::new(Lifetimes::default()).expect("a store")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_passes_the_contract() {
    let redis = Redis::start();
    contract::run(async || emptied(&redis).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_in_cluster_mode_passes_the_contract() {
    let redis = Redis::start_cluster();
    contract::run(async || AnyStore::from(emptied(&redis).await)).await;
}

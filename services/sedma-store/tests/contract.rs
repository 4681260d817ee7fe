//! Every store passes the one suite.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "tests fail by panicking"
)]

use sedma_store::{AnyStore, Lifetimes, MemoryStore, RedisStore};
use sedma_table::contract;
use sedma_table::store::Store;

#[path = "../../../tests/support/redis.rs"]
mod redis;

#[path = "../../../tests/support/cluster.rs"]
mod cluster;

use cluster::Cluster;
use redis::Redis;

/// An empty store at this Redis.
async fn emptied(redis: &Redis) -> RedisStore {
    redis.ask(&["FLUSHALL"]);
    let store = RedisStore::connect(&redis.url(), Lifetimes::default(), None).expect("an address");
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
async fn valkey_passes_the_contract() {
    let valkey = Redis::start_valkey();
    contract::run(async || emptied(&valkey).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_in_cluster_mode_passes_the_contract() {
    let redis = Redis::start_cluster();
    contract::run(async || AnyStore::from(emptied(&redis).await)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_of_three_masters_passes_the_contract() {
    let cluster = Cluster::start(3, 0);
    let make = async || {
        cluster.flush();
        let store = RedisStore::connect(&cluster.url(), Lifetimes::default(), None).expect("an address");
        store.check().await.expect("a cluster that works");
        store
    };
    contract::run(make).await;
}

#[tokio::test]
async fn a_store_of_either_kind_says_which_and_has_secrets() {
    let memory = AnyStore::from(MemoryStore::new(Lifetimes::default()).expect("a store"));
    let redis = Redis::start();
    let redis = AnyStore::from(emptied(&redis).await);
    assert_eq!((memory.kind(), redis.kind()), ("memory", "redis"));
    for store in [memory, redis] {
        let secrets = store.secrets().await.expect("secrets");
        assert_eq!(secrets.token_keys.len(), 1);
        let (_, key) = &secrets.token_keys[0];
        assert!(!format!("{secrets:?} {store:?}").contains(&format!("{key:?}")), "no key is shown");
    }
}

//! What the servers of one Redis share.

use sedma_store::{Lifetimes, RedisStore, StartError};
use sedma_table::RequestId;
use sedma_table::Tenant;
use sedma_table::store::Store;

use crate::game::{connect, store};
use crate::redis::Redis;

#[tokio::test(flavor = "multi_thread")]
async fn all_servers_of_one_redis_have_the_secrets_of_the_first() {
    let redis = Redis::start();
    let mut servers = Vec::new();
    for _ in 0..8 {
        let store = connect(&redis.url());
        servers.push(tokio::spawn(async move { store.secrets().await.expect("secrets") }));
    }
    let mut seen = Vec::new();
    for server in servers {
        let secrets = server.await.expect("no panic");
        let request = RequestId::from_bytes([5; 16]);
        let table = secrets.id_secret.created(&Tenant::new("dev").expect("a tenant"), request);
        seen.push((table, secrets.token_keys));
    }
    assert!(seen.iter().all(|secrets| *secrets == seen[0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_number_of_buckets_is_refused() {
    let redis = Redis::start();
    // schema 1, buckets 128
    redis.ask(&["SET", "sedma:config", "\u{8}\u{1}\u{10}\u{7f}"]);
    let store = connect(&redis.url());
    assert_eq!(store.secrets().await.err(), Some(StartError::Buckets { found: 127 }));
    assert!(store.check().await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_deployments_secrets_are_noticed() {
    let redis = Redis::start();
    let first = store(&redis.url()).await;
    redis.ask(&["FLUSHALL"]);
    let second = store(&redis.url()).await;
    assert_eq!(first.secrets().await.err(), Some(StartError::OtherSecrets));
    assert!(second.secrets().await.is_ok());
}

#[tokio::test]
async fn an_address_that_can_not_be_used_is_refused_at_once() {
    for url in ["", "redis", "http://localhost/", "rediss://localhost/", "unix:///run/redis.sock"] {
        let refused = RedisStore::connect(url, Lifetimes::default(), None);
        assert!(matches!(refused, Err(StartError::Address(_))), "{url}");
    }
    let secret =
        RedisStore::connect("redis://:hush@127.0.0.1:1/", Lifetimes::default(), None).expect("an address");
    assert!(!format!("{secret:?}").contains("hush"));
}

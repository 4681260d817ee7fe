//! A primary with one replica, and sentinels.

use std::time::Duration;

use sedma_table::contract::Game;
use sedma_table::store::Store;

use crate::cluster::Sentinels;
use crate::course::{goes_on, store};
use crate::redis::Redis;

/// As one that a network has cut off, or that was left over from another set.
#[tokio::test(flavor = "multi_thread")]
async fn no_connection_goes_where_one_sentinel_alone_says() {
    let set = Sentinels::start();
    let other = Redis::start();
    let odd = Redis::start_sentinel(&other.port().to_string());
    let ports = [odd.port(), set.sentinels[0].port(), set.sentinels[1].port()];
    let hosts = ports.map(|port| format!("127.0.0.1:{port}")).join(",");
    for _ in 0..3 {
        let store = store(&format!("redis-sentinel://{hosts}/tables")).await;
        let mut game = Game::create(&store, 8).await;
        goes_on(&store, &mut game).await;
        let clients = other.ask(&["CLIENT", "LIST"]);
        assert!(!clients.contains("name=sedma"), "{clients}");
        set.nodes[0].ask(&["FLUSHALL"]);
    }
}

/// Primary and replica change places, and no connection is closed: only what they answer has changed.
#[tokio::test(flavor = "multi_thread")]
async fn m01_after_a_swap_that_closes_no_connection_the_new_primary_is_found() {
    let set = Sentinels::start();
    let store = store(&set.url()).await;
    let mut game = Game::create(&store, 7).await;
    goes_on(&store, &mut game).await;
    let mut wakeups = store.subscribe(game.table());
    let woken = tokio::time::timeout(Duration::from_secs(10), wakeups.changed()).await;
    woken.expect("the subscription stands").expect("a store");
    let (old, new) = (&set.nodes[0], &set.nodes[1]);
    let caught_up = |node: &Redis| {
        let revision = |node: &Redis| {
            let key = format!("e:{{{:02x}}}:{}", game.table().bucket(), game.table().code());
            node.ask(&["LLEN", &key])
        };
        revision(node) == revision(old)
    };
    new.until("it has everything", caught_up);
    new.ask(&["REPLICAOF", "NO", "ONE"]);
    old.ask(&["REPLICAOF", "127.0.0.1", &new.port().to_string()]);
    // The sentinels are told by hand, as an operator would who moves a name.
    for sentinel in &set.sentinels {
        sentinel.ask(&["SENTINEL", "REMOVE", "tables"]);
        sentinel.ask(&["SENTINEL", "MONITOR", "tables", "127.0.0.1", &new.port().to_string(), "2"]);
    }
    let before = game.version().revision;
    goes_on(&store, &mut game).await;
    assert_eq!(game.version().revision, before + 1, "nothing was lost");
    wakeups.mark_unchanged();
    // The connection for wake-ups moved along though nobody told it anything.
    let channel = format!("n:{{{:02x}}}:{}", game.table().bucket(), game.table().code());
    new.until("the subscription stands at the new primary", |node| {
        node.ask(&["PUBSUB", "SHARDNUMSUB", &channel]).ends_with("\n1")
    });
}

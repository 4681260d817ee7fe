//! A cluster of three masters.

use std::time::Duration;

use sedma_store::{Lifetimes, RedisStore};
use sedma_table::contract::Game;
use sedma_table::store::Store;

use crate::cluster::Cluster;
use crate::course::{Course, goes_on, store};
use crate::redis::Redis;

/// How often each is done; `PROVE_FAILOVER` says otherwise.
fn times() -> usize {
    if std::env::var_os("PROVE_FAILOVER").is_some() { 10 } else { 1 }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_a_cluster_are_played_on_through_planned_failovers_and_kills() {
    let mut cluster = Cluster::start(3, 1);
    let store = store(&cluster.url()).await;
    for round in 0..times() {
        let course = Course::begin(&store).await;
        course.more(60).await;
        let master = cluster.masters()[round % 3];
        let replica = cluster.replica_of(master);
        cluster.nodes[replica].ask(&["CLUSTER", "FAILOVER"]);
        cluster.nodes[replica].until("it is the master", |node| node.ask(&["ROLE"]).starts_with("master"));
        cluster.whole();
        course.more(60).await;
        let seen = course.end("cluster, planned").await;
        assert_eq!((seen.lost, seen.rewinds), (0, 0), "a planned failover loses nothing");

        let course = Course::begin(&store).await;
        course.more(60).await;
        let master = cluster.masters()[round % 3];
        let replica = cluster.replica_of(master);
        cluster.nodes[master].kill();
        cluster.nodes[replica].until("it is the master", |node| node.ask(&["ROLE"]).starts_with("master"));
        cluster.nodes[master].launch();
        cluster.whole();
        course.more(60).await;
        course.end("cluster, killed").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn that_a_node_throws_tables_away_is_known_while_another_or_it_stands_still() {
    let cluster = Cluster::start(3, 0);
    let keeps_config = |node: &&Redis| node.ask(&["EXISTS", "sedma:config"]) == "1";
    let looking = async || {
        let store = RedisStore::connect(&cluster.url(), Lifetimes::default(), None).expect("an address");
        let store = store.looking_every(Duration::ZERO);
        store.check().await.expect("a store that works");
        store
    };
    let evicts = |store: &RedisStore| store.durability().is_some_and(|known| known.evicts());
    let first = looking().await;
    let [one, other] = cluster.nodes.iter().filter(|node| !keeps_config(node)).collect::<Vec<_>>()[..] else {
        panic!("two nodes without the configuration")
    };
    one.ask(&["CONFIG", "SET", "maxmemory", "20mb", "maxmemory-policy", "allkeys-lru"]);
    first.check().await.expect("a store that works");
    assert!(evicts(&first));
    for away in [one, other] {
        away.freeze();
        first.check().await.expect("the store is there for the others");
        assert!(evicts(&first), "as it said last");
        away.thaw();
    }
    other.freeze();
    assert!(evicts(&looking().await), "known from the one that answers");
    other.thaw();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shard_that_stands_still_does_not_stop_the_others() {
    let cluster = Cluster::start(3, 0);
    let store = store(&cluster.url()).await;
    let mut games = Vec::new();
    for seed in 1..=12 {
        games.push(Game::create(&store, seed).await);
    }
    let stuck = &cluster.nodes[0];
    let has = |game: &Game<_>| {
        let key = format!("t:{{{:02x}}}:{}", game.table().bucket(), game.table().code());
        stuck.ask(&["EXISTS", &key]) == "1"
    };
    let (theirs, mut others): (Vec<_>, Vec<_>) = games.into_iter().partition(has);
    assert!(!theirs.is_empty() && !others.is_empty(), "tables on both sides");
    store.due(100, 15_000).await.expect("a sweep of all");
    stuck.freeze();
    for game in &mut others {
        goes_on(&store, game).await;
    }
    let swept = tokio::time::timeout(Duration::from_secs(10), store.due(100, 15_000)).await;
    swept.expect("a sweep ends").expect("the clocks of the others go on");
    store.check().await.expect("the store is there for the others");
    stuck.thaw();
    for mut game in theirs {
        goes_on(&store, &mut game).await;
    }
}

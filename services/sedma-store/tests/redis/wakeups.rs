//! Subscriptions outlive connections.

use sedma_table::contract::Game;
use sedma_table::store::Store;

use crate::game::{game, standing, store, woken};
use crate::redis::Redis;

#[tokio::test(flavor = "multi_thread")]
async fn everybody_is_woken_when_the_subscriptions_stand_again() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let mut games = [game(&store, 1).await, game(&store, 2).await, game(&store, 3).await];
    let mut wakeups: Vec<_> = games.iter().map(|game| store.subscribe(game.table())).collect();
    for wakeups in &mut wakeups {
        woken(wakeups).await;
        wakeups.mark_unchanged();
    }
    for _ in 0..3 {
        redis.ask(&["CLIENT", "KILL", "TYPE", "pubsub"]);
        // Nothing was committed: they are told to look for what they may have missed.
        for wakeups in &mut wakeups {
            woken(wakeups).await;
            wakeups.mark_unchanged();
        }
        for (game, wakeups) in games.iter_mut().zip(&mut wakeups) {
            game.play(1).await;
            woken(wakeups).await;
            wakeups.mark_unchanged();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_redis_wakes_again() {
    let mut redis = Redis::start_durable();
    let store = store(&redis.url()).await;
    let mut game = game(&store, 4).await;
    let mut wakeups = store.subscribe(game.table());
    woken(&mut wakeups).await;
    wakeups.mark_unchanged();
    redis.kill();
    redis.launch();
    woken(&mut wakeups).await;
    standing(&store).await;
    wakeups.mark_unchanged();
    game.play(1).await;
    woken(&mut wakeups).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_has_one_subscription_however_many_wait() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let game = Game::create(&store, 5).await;
    let channel = format!("n:{{{:02x}}}:{}", game.table().bucket(), game.table().code());
    let subscribers = |count: &str| {
        let answer = format!("{channel}\n{count}");
        redis.until("a number of subscriptions", |redis| {
            redis.ask(&["PUBSUB", "SHARDNUMSUB", &channel]) == answer
        });
    };
    let mut first = store.subscribe(game.table());
    let second = store.subscribe(game.table());
    woken(&mut first).await;
    subscribers("1");
    drop(first);
    drop(second);
    subscribers("0");
    let _third = store.subscribe(game.table());
    subscribers("1");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_tables_can_be_waited_for() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let table = |number: u32| {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        sedma_table::TableId::from_bytes(bytes)
    };
    let mut wakeups: Vec<_> = (0..10_000).map(|number| store.subscribe(table(number))).collect();
    for wakeups in &mut wakeups {
        woken(wakeups).await;
        wakeups.mark_unchanged();
    }
    redis.ask(&["CLIENT", "KILL", "TYPE", "pubsub"]);
    for wakeups in &mut wakeups {
        woken(wakeups).await;
    }
}

//! A commit whose answer does not come back has happened once, or not, and the store finds out which.

use std::time::Duration;

use sedma_store::RedisStore;
use sedma_table::clock::Timer;
use sedma_table::contract::Game;
use sedma_table::store::{Commit, Committed, Guard, Store, StoreError};

use crate::game::{PATIENCE, committing, connect, done, game, logged_once, standing, store, time_ms};
use crate::proxy::{Fault, Proxy};
use crate::redis::Redis;

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_after_execution_and_before_the_answer_leaves_one_update() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    let store = store(&proxy.url).await;
    let mut game = game(&store, 1).await;
    for round in 1..=8 {
        proxy.arm(Fault::CutAfter, 1 + round % 3);
        let commit = game.propose().expect("a step");
        let made = done(store.commit(&commit).await);
        let count = usize::try_from(made.0.revision).expect("a small number");
        logged_once(&store, game.table(), count, made).await;
        game.follow(store.load(game.table()).await.expect("a load").expect("a table"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timer_that_was_cut_off_has_fired_once_and_is_neither_early_nor_lost() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    let store = store(&proxy.url).await;
    let mut game = game(&store, 13).await;
    for _ in 0..3 {
        let arm = game.propose().expect("a step");
        game.make(&Commit { timer: Timer::Arm(1), ..arm }).await;
        redis.until("the timer has fired", |redis| time_ms(redis) >= game.newest().fire_ms);
        proxy.arm(Fault::CutAfter, 1);
        let fired = Commit { guard: Guard::After, ..game.propose().expect("a step") };
        let made = done(store.commit(&fired).await);
        let count = usize::try_from(made.0.revision).expect("a small number");
        logged_once(&store, game.table(), count, made).await;
        game.follow(store.load(game.table()).await.expect("a load").expect("a table"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_before_execution_is_sent_again() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    let store = store(&proxy.url).await;
    let mut game = game(&store, 2).await;
    proxy.arm(Fault::CutBefore, 2);
    let commit = game.propose().expect("a step");
    let made = done(store.commit(&commit).await);
    logged_once(&store, game.table(), 8, made).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_creation_that_was_cut_off_is_not_made_twice() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    let store = store(&proxy.url).await;
    proxy.arm(Fault::CutAfter, 1);
    let game = Game::create(&store, 3).await;
    let log = store.updates_after(game.table(), 0, 10).await.expect("a log");
    assert_eq!(log.len(), 1);
    assert_eq!(log[0].version, game.version());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_is_recognised_under_a_newer_one() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    let (cut_off, other) = (store(&proxy.url).await, store(&redis.url()).await);
    let mut game = game(&cut_off, 4).await;

    // Redis makes it, the answer is lost, and the way back is shut for a while.
    proxy.arm(Fault::CutAfter, 1);
    let commit = game.propose().expect("a step");
    let committing = committing(&cut_off, &commit);
    let table = game.table();
    let first = loop {
        let stored = other.load(table).await.expect("a load").expect("a table");
        proxy.shut();
        if stored.version != game.version() {
            break stored;
        }
    };
    let made_first = first.version;

    // Meanwhile the next action of the table comes through another server.
    game.follow(first);
    let next = game.propose().expect("a step");
    let second = done(other.commit(&next).await);
    proxy.open();

    let made = done(committing.await.expect("no panic"));
    assert_eq!(made.0, made_first);
    logged_once(&other, table, 9, made).await;
    logged_once(&other, table, 9, second).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_redis_makes_a_commit_once_however_often_it_was_sent() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    let store = store(&proxy.url).await;
    let mut game = game(&store, 5).await;
    let seen = u32::try_from(game.version().revision).expect("a small number");
    redis.freeze();
    let commit = game.propose().expect("a step");
    let committing = committing(&store, &commit);
    proxy.seen(seen + 2).await; // it timed out and was sent again, and both wait at the door
    redis.thaw();
    let made = done(committing.await.expect("no panic"));
    logged_once(&store, game.table(), 8, made).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_falls_silent_is_replaced_within_one_commit() {
    let redis = Redis::start();
    let proxy = Proxy::before(redis.port()).await;
    let store = store(&proxy.url).await;
    let mut game = game(&store, 6).await;
    proxy.arm(Fault::Silence, 1);
    let commit = game.propose().expect("a step");
    let made = done(store.commit(&commit).await);
    logged_once(&store, game.table(), 8, made).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_redis_forgot_is_brought_along() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let mut game = game(&store, 7).await;
    for _ in 0..3 {
        redis.ask(&["SCRIPT", "FLUSH"]);
        game.play(2).await;
    }
    assert_eq!(game.version().revision, 13);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_that_loses_nothing_is_bridged() {
    let mut redis = Redis::start_durable();
    let store = store(&redis.url()).await;
    let mut game = game(&store, 8).await;
    for _ in 0..3 {
        redis.kill();
        let commit = game.propose().expect("a step");
        let refused = store.commit(&commit).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        redis.launch();
        standing(&store).await;
        let made = game.make(&commit).await;
        assert_eq!(store.load(game.table()).await.expect("a load").expect("a table").version, made);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_that_loses_all_says_that_the_table_is_missing() {
    let mut redis = Redis::start();
    let store = store(&redis.url()).await;
    let secrets = store.secrets().await.expect("secrets").token_keys;
    let mut game = game(&store, 9).await;
    redis.kill();
    redis.launch();
    standing(&store).await;
    let commit = game.propose().expect("a step");
    assert_eq!(store.commit(&commit).await, Ok(Committed::Missing));
    assert_eq!(store.secrets().await.expect("secrets").token_keys, secrets, "its tokens still count");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_not_there_yet_is_unavailable_until_it_is() {
    let mut redis = Redis::start();
    redis.kill();
    let store = connect(&redis.url());
    let table = sedma_table::TableId::from_bytes([1; 16]);
    assert!(matches!(store.check().await, Err(StoreError::Unavailable(_))));
    assert!(matches!(store.load(table).await, Err(StoreError::Unavailable(_))));
    assert!(store.secrets().await.is_err());
    redis.launch();
    standing(&store).await;
    game(&store, 10).await;
}

/// As a new user of Redis 7 is, whom nobody gave a right to channels.
#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_may_not_publish_is_noticed_and_what_he_commits_is_told_as_it_is() {
    let redis = Redis::start();
    redis.ask(&["ACL", "SETUSER", "sedma", "on", ">secret", "~*", "&*", "+@all"]);
    let store = store(&format!("redis://sedma:secret@127.0.0.1:{}/", redis.port())).await;
    let mut game = game(&store, 12).await;
    redis.ask(&["ACL", "SETUSER", "sedma", "resetchannels"]);
    makes_a_step(&store, &mut game).await;
    assert!(store.check().await.is_err(), "watchers would wait for ever");
    redis.ask(&["ACL", "SETUSER", "sedma", "&*"]);
    standing(&store).await;
}

/// A step that is done, whatever becomes of the message about it. (Redis ends the connections of a user who loses a
/// channel.)
async fn makes_a_step(store: &RedisStore, game: &mut Game<RedisStore>) {
    let commit = game.propose().expect("a step");
    let made = async {
        loop {
            match store.commit(&commit).await {
                Err(StoreError::Unavailable(_)) => tokio::time::sleep(Duration::from_millis(10)).await,
                made => return made,
            }
        }
    };
    let made = tokio::time::timeout(PATIENCE, made).await.expect("a commit in time");
    let revision = commit.snapshot.table.revision();
    logged_once(store, game.table(), usize::try_from(revision).expect("few"), done(made)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_or_a_full_redis_takes_no_commit_and_says_so() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let mut game = game(&store, 11).await;
    let commit = game.propose().expect("a step");

    redis.ask(&["CONFIG", "SET", "maxmemory", "1"]);
    assert_eq!(store.commit(&commit).await, Err(StoreError::Unavailable("Redis answered OOM".into())));
    assert!(store.check().await.is_err());
    redis.ask(&["CONFIG", "SET", "maxmemory", "0"]);

    redis.ask(&["REPLICAOF", "127.0.0.1", "1"]);
    assert!(matches!(store.commit(&commit).await, Err(StoreError::Unavailable(_))));
    redis.ask(&["REPLICAOF", "NO", "ONE"]);
    standing(&store).await;
    game.make(&commit).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_does_not_fit_its_table_stops_the_table() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let mut game = game(&store, 12).await;
    let commit = game.propose().expect("a step");
    let log = format!("e:{{{:02x}}}:{}", game.table().bucket(), game.table().code());
    redis.ask(&["RPOP", &log]);
    assert!(matches!(store.commit(&commit).await, Err(StoreError::Damaged { .. })));
    redis.ask(&["DEL", &log]);
    assert!(matches!(store.commit(&commit).await, Err(StoreError::Damaged { .. })));
    assert_eq!(store.load(game.table()).await.expect("a load").expect("a table"), *game.newest());
}

//! Results that nobody takes, that come in an odd order, and that free a full Redis.

use std::sync::Arc;
use std::time::Duration;

use sedma_rules::{Preset, RuleOptions};
use sedma_store::{Lifetimes, RedisStore};
use sedma_table::contract::{Game, SelfPlay};
use sedma_table::store::{Store, StoreError};
use sedma_table::{Filed, Group, ResultId, Tenant};

use crate::game::{standing, store, time_ms};
use crate::housekeeping::ends;
use crate::redis::Redis;

/// Long enough that nothing is given twice here.
const LATE: u32 = 3_600_000;

fn dev() -> Tenant {
    Tenant::new("dev").expect("a tenant")
}

fn books() -> Group {
    Group::new("books").expect("a group")
}

fn short(seed: u64) -> SelfPlay {
    SelfPlay::by_rules(seed, "dev", RuleOptions { match_target: 1, ..Preset::Classic.options(4) })
}

/// Another short match in the bucket of the first.
fn neighbour(seed: u64) -> SelfPlay {
    SelfPlay::in_bucket(short(seed).table().bucket(), seed + 1..100_000, short)
}

async fn ended(store: &Arc<RedisStore>, play: SelfPlay) -> Game<RedisStore> {
    let mut game = Game::created(store, play).await;
    game.play(usize::MAX).await;
    game
}

async fn taken(store: &RedisStore) -> Vec<Filed> {
    store.claim(&dev(), &books(), 10, LATE).await.expect("an answer")
}

async fn acknowledged(store: &RedisStore, filed: &Filed) -> Vec<bool> {
    let id = ResultId { table: filed.result.table, version: filed.version };
    store.acknowledge(&dev(), &books(), &[id]).await.expect("an answer")
}

/// The names of a bucket's outbox, and of the part of it that `books` has.
fn outbox(bucket: u8) -> [String; 2] {
    [format!("ob:{{{bucket:02x}}}:dev"), format!("ob:{{{bucket:02x}}}:dev:books")]
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_takes_results_the_outbox_forgets_those_that_have_outlived_themselves() {
    let redis = Redis::start();
    let brief = Duration::from_millis(300);
    let lifetimes = Lifetimes { ended: brief, result: brief, ..Lifetimes::default() };
    let store = Arc::new(RedisStore::connect(&redis.url(), lifetimes, None).expect("an address"));
    standing(&store).await;
    let first = ended(&store, short(1)).await;
    let [rows, _] = outbox(first.table().bucket());
    let key = format!("re:{{{:02x}}}:{}", first.table().bucket(), first.table().code());
    // As it is where another result is filed before the last of them has gone.
    redis.ask(&["PERSIST", &rows]);
    redis.until("the result has gone", |redis| redis.ask(&["EXISTS", &key]) == "0");
    assert_eq!(redis.ask(&["ZCARD", &rows]), "1");
    ended(&store, neighbour(1)).await;
    assert_eq!(redis.ask(&["ZCARD", &rows]), "1", "the new one alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_look_goes_past_any_number_of_results_that_are_gone() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let game = ended(&store, short(1)).await;
    let bucket = game.table().bucket();
    let [rows, part] = outbox(bucket);
    let script = "local id = string.char(ARGV[1]) .. string.rep(string.char(ARGV[2]), 15)
                  return redis.call('ZADD', KEYS[1], ARGV[2], id)";
    for number in 1..=25 {
        let added = redis.ask(&["EVAL", script, "1", &rows, &bucket.to_string(), &number.to_string()]);
        assert_eq!(added, "1");
    }
    assert_eq!(taken(&store).await.len(), 1, "the one that is there, at the first look");
    assert_eq!((redis.ask(&["ZCARD", &rows]), redis.ask(&["ZCARD", &part])), ("1".into(), "2".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_given_though_the_clock_went_back_since_the_last_one() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let ahead = ended(&store, neighbour(1)).await;
    let [rows, _] = outbox(ahead.table().bucket());
    // It was filed while the clock was an hour ahead, and one before it, which nobody has acknowledged, was not.
    let hour_ahead = (time_ms(&redis) + 3_600_000).to_string();
    let script = "return redis.call('ZADD', KEYS[1], ARGV[1], redis.call('ZRANGE', KEYS[1], 0, 0)[1])";
    redis.ask(&["EVAL", script, "1", &rows, &hour_ahead]);
    let told = taken(&store).await;
    assert_eq!(told.len(), 1);
    let script = "return redis.call('ZADD', KEYS[1], 5, string.rep('x', 16))";
    redis.ask(&["EVAL", script, "1", &rows]);
    assert_eq!(acknowledged(&store, &told[0]).await, [true]);
    let later = ended(&store, short(1)).await;
    let given: Vec<_> = taken(&store).await.iter().map(|filed| filed.result.table).collect();
    assert_eq!(given, [later.table()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_of_a_result_that_is_gone_takes_nothing_from_a_new_table_of_that_id() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let game = ended(&store, short(1)).await;
    let [bucket, code] = [format!("{{{:02x}}}", game.table().bucket()), game.table().code()];
    redis.ask(&[
        "DEL",
        &format!("re:{bucket}:{code}"),
        &format!("t:{bucket}:{code}"),
        &format!("e:{bucket}:{code}"),
    ]);
    let anew = Game::created(&store, short(1)).await;
    assert_eq!(anew.table(), game.table());
    let before = ends(&redis, anew.table());
    assert_eq!(taken(&store).await, []);
    assert_eq!(ends(&redis, anew.table()), before, "it lives as long as before");
    assert_eq!(store.list(&dev(), None, 10).await.expect("a page").len(), 1, "and is listed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_redis_is_emptied_by_acknowledging() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    assert_eq!(taken(&store).await, [], "the group is known from now on");
    let game = ended(&store, short(1)).await;
    let mut other = Game::created(&store, SelfPlay::plain(9, "dev")).await;
    let commit = other.propose().expect("a step");
    redis.ask(&["CONFIG", "SET", "maxmemory", "1"]);
    assert_eq!(store.commit(&commit).await, Err(StoreError::Unavailable("Redis answered OOM".into())));
    let given = taken(&store).await;
    let [filed] = given.as_slice() else { panic!("{given:?}") };
    assert_eq!(filed.result.table, game.table());
    assert_eq!(acknowledged(&store, filed).await, [true]);
}

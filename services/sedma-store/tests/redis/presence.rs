//! Leases in Redis, seen by several servers and by Redis itself.

use sedma_rules::Seat;
use sedma_table::TableId;
use sedma_table::contract::Game;
use sedma_table::store::{Holder, Lease, Present, Store, StoreError};

use crate::game::{PATIENCE, standing, store, time_ms};
use crate::redis::Redis;

const LONG: i64 = 3_600_000;

fn lease(table: TableId, seat: Seat, holder: u64) -> Lease {
    Lease { table, seat, holder: Holder(holder) }
}

/// A table of the bucket 0x41 that need not be there.
fn table(number: u16) -> TableId {
    let [high, low] = number.to_be_bytes();
    TableId::from_bytes([0x41, high, low, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
}

fn key(table: TableId) -> String {
    format!("p:{{{:02x}}}:{}", table.bucket(), table.code())
}

/// When Redis removes a key by itself; negative where it does not.
fn dies(redis: &Redis, key: &str) -> i64 {
    redis.ask(&["PEXPIRETIME", key]).parse().expect("an instant")
}

/// When the last lease of a key is over.
fn last(redis: &Redis, key: &str) -> i64 {
    let values = redis.ask(&["HVALS", key]);
    values.lines().map(|until| until.parse().expect("an instant")).max().expect("a lease")
}

fn seats(present: Result<Vec<Present>, StoreError>) -> Vec<Seat> {
    present.expect("who is present").iter().map(|present| present.seat).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_leases_outlives_the_last_of_them_and_not_for_long() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let (table, key) = (table(1), key(table(1)));
    let hold = async |leases: &[Lease], lasts_ms| {
        store.hold(leases, lasts_ms, false).await.expect("leases");
        (dies(&redis, &key), last(&redis, &key))
    };
    let (dies_ms, last_ms) = hold(&[lease(table, Seat::One, 1)], 60_000).await;
    assert_eq!(dies_ms, last_ms + 3_000);
    let (dies_ms, last_ms) = hold(&[lease(table, Seat::One, 0), lease(table, Seat::Two, 0)], LONG).await;
    assert_eq!(dies_ms, last_ms + 3_000);
    for holder in 1..4 {
        let short = [lease(table, Seat::One, holder), lease(table, Seat::Three, holder)];
        assert_eq!(hold(&short, 60_000).await, (dies_ms, last_ms), "a short one shortens nothing");
    }
    let (longer_ms, last_ms) = hold(&[lease(table, Seat::Four, 3)], 2 * LONG).await;
    assert!(longer_ms > dies_ms);
    assert_eq!(longer_ms, last_ms + 3_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_leases_that_are_over_or_given_up() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let given_up: Vec<Lease> = (0..10).map(|number| lease(table(number), Seat::One, 1)).collect();
    store.hold(&given_up, LONG, true).await.expect("leases");
    let over: Vec<Lease> = (10..20).map(|number| lease(table(number), Seat::Two, 1)).collect();
    store.hold(&over, 50, true).await.expect("leases");
    assert_eq!(redis.ask(&["DBSIZE"]), "21", "20 keys of leases and the configuration");
    store.release(&given_up).await.expect("a release");
    redis.until("all is gone", |redis| redis.ask(&["DBSIZE"]) == "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_key_has_a_name_that_is_known_and_whatever_is_a_tables_has_an_end() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    for seed in 0..20 {
        let mut game = Game::create(&store, seed).await;
        game.play(3).await;
        let leases = Seat::ALL.map(|seat| lease(game.table(), seat, seed));
        store.hold(&leases, 60_000, true).await.expect("leases");
        store.due(10, 15_000).await.expect("a sweep");
        store.present(game.table()).await.expect("who is present");
        store.release(&leases[..1]).await.expect("a release");
    }
    let keys = redis.ask(&["KEYS", "*"]);
    let of_kind = |kind: &str| keys.lines().filter(|key| key.starts_with(kind)).count();
    assert_eq!([of_kind("t:{"), of_kind("e:{"), of_kind("p:{"), of_kind("al:{")], [20, 20, 20, 256]);
    for key in keys.lines() {
        let known = ["t:{", "e:{", "lo:{", "p:{"].iter().any(|kind| key.starts_with(kind));
        let lasting = key == "sedma:config" || ["tm:{", "al:{"].iter().any(|kind| key.starts_with(kind));
        assert!(known || lasting, "{key}");
        assert_eq!(dies(&redis, key) > 0, known, "{key}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_holds_a_seat_and_all_others_are_told() {
    let redis = Redis::start();
    let (here, there) = (store(&redis.url()).await, store(&redis.url()).await);
    let game = Game::create(&here, 1).await;
    let mut wakeups = there.subscribe(game.table());
    let standing = wakeups.wait_for(|wake| wake.presence != 0);
    let mut seen = *tokio::time::timeout(PATIENCE, standing).await.expect("in time").expect("an open store");
    let mine = [lease(game.table(), Seat::Two, 1)];
    let mut news = async || {
        let told = wakeups.wait_for(|wake| wake.presence != seen.presence);
        let told = *tokio::time::timeout(PATIENCE, told).await.expect("in time").expect("an open store");
        assert_eq!(told.updates, seen.updates);
        seen = told;
        seats(there.present(game.table()).await)
    };
    here.hold(&mine, LONG, true).await.expect("a lease");
    assert_eq!(news().await, [Seat::Two]);
    // One has it as well, so it stays there when the other leaves.
    there.hold(&[lease(game.table(), Seat::Two, 2)], LONG, true).await.expect("a lease");
    assert_eq!(news().await, [Seat::Two]);
    here.release(&mine).await.expect("a release");
    assert_eq!(news().await, [Seat::Two]);
    there.release(&[lease(game.table(), Seat::Two, 2)]).await.expect("a release");
    assert_eq!(news().await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_over_for_long_or_says_nothing_is_removed_by_whoever_looks() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let (table, key) = (table(1), key(table(1)));
    store.hold(&[lease(table, Seat::One, 1)], LONG, false).await.expect("a lease");
    let now_ms = time_ms(&redis);
    let field = |seat: u8, holder: char| format!("{}\0\0\0\0\0\0\0{holder}", char::from(seat));
    for (field, until) in [
        (field(2, 'a'), (now_ms - 70_000).to_string()),
        (field(3, 'b'), (now_ms - 1_000).to_string()),
        (field(9, 'c'), (now_ms + LONG).to_string()),
        (field(4, 'd'), "tomorrow".to_owned()),
        ("somebody".to_owned(), (now_ms + LONG).to_string()),
    ] {
        redis.ask(&["HSET", &key, &field, &until]);
    }
    for _ in 0..2 {
        assert_eq!(seats(store.present(table).await), [Seat::One]);
        assert_eq!(redis.ask(&["HLEN", &key]), "2", "one that is there, one that has just left");
    }
    assert_eq!(redis.ask(&["HEXISTS", &key, &field(3, 'b')]), "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_leases_are_given_and_given_up_in_one_call() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let leases: Vec<Lease> =
        (0..700).flat_map(|number| Seat::ALL.map(|seat| lease(table(number), seat, 1))).collect();
    store.hold(&leases, LONG, true).await.expect("leases");
    assert_eq!(redis.ask(&["DBSIZE"]), "701");
    for number in [0, 249, 250, 699] {
        assert_eq!(seats(store.present(table(number)).await), Seat::ALL);
    }
    store.release(&leases).await.expect("a release");
    assert_eq!(redis.ask(&["DBSIZE"]), "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_redis_refuses_is_no_lease() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let mine = [lease(table(1), Seat::One, 1)];
    let refused = |result: Result<(), StoreError>| matches!(result, Err(StoreError::Unavailable(_)));

    // Somebody else's key: the transaction runs, and one of its commands fails.
    redis.ask(&["SET", &key(table(1)), "something else"]);
    assert!(refused(store.hold(&mine, LONG, true).await));
    assert!(refused(store.release(&mine).await));
    assert!(store.present(table(1)).await.is_err());
    redis.ask(&["DEL", &key(table(1))]);

    redis.ask(&["CONFIG", "SET", "maxmemory", "1"]);
    assert!(refused(store.hold(&mine, LONG, true).await));
    assert_eq!(redis.ask(&["EXISTS", &key(table(1))]), "0");
    redis.ask(&["CONFIG", "SET", "maxmemory", "0"]);
    store.hold(&mine, LONG, true).await.expect("a lease");
    assert_eq!(seats(store.present(table(1)).await), [Seat::One]);
}

#[tokio::test(flavor = "multi_thread")]
async fn leases_last_through_a_restart_of_a_durable_redis() {
    let mut redis = Redis::start_durable();
    let store = store(&redis.url()).await;
    store.hold(&[lease(table(1), Seat::One, 1)], LONG, true).await.expect("a lease");
    let dies_ms = dies(&redis, &key(table(1)));
    redis.kill();
    redis.launch();
    standing(&store).await;
    assert_eq!(seats(store.present(table(1)).await), [Seat::One]);
    assert_eq!(dies(&redis, &key(table(1))), dies_ms);
}

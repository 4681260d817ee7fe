//! What is created is found by every server.

use sedma_table::contract::Game;
use sedma_table::store::Store;
use sedma_table::{TableId, Tenant};

use crate::game::store;
use crate::redis::Redis;

/// How many commands of a kind Redis has run, and the microseconds that they took.
fn commands(redis: &Redis, name: &str) -> (u64, u64) {
    let stats = redis.ask(&["INFO", "commandstats"]);
    let begin = format!("cmdstat_{name}:");
    let line = stats.lines().find_map(|line| line.strip_prefix(&begin)).unwrap_or("calls=0,usec=0");
    let number = |name: &str| {
        let field = line.split(',').find_map(|field| field.strip_prefix(name));
        field.expect("a field").parse::<u64>().expect("a number")
    };
    (number("calls="), number("usec="))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_server_creates_another_finds() {
    let redis = Redis::start();
    let (here, there) = (store(&redis.url()).await, store(&redis.url()).await);
    let dev = Tenant::new("dev").expect("a tenant");
    let mut since_ms = 0;
    for seed in 0..20 {
        let game = Game::create(&here, seed).await;
        let rows = there.created_since(&dev, since_ms, 100).await.expect("rows");
        let (created_ms, table) = *rows.last().expect("a row");
        assert!(rows.iter().any(|(_, table)| *table == game.table()));
        assert!(rows.len() <= 2 || created_ms == since_ms, "only what is new, and its millisecond again");
        assert!(here.load(table).await.expect("a load").is_some());
        since_ms = created_ms;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_in_one_bucket_comes_in_order_however_many_are_asked_for() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let dev = Tenant::new("dev").expect("a tenant");
    // Buckets whose numbers are characters, so that rows of them can be written as text. All but one of the others'
    // rows are younger than the crowd.
    let row = |bucket: &str, number: u32, ms: u32| {
        let id = format!("{}{number:015}", char::from(u8::from_str_radix(bucket, 16).expect("a bucket")));
        redis.ask(&["ZADD", &format!("lo:{{{bucket}}}:dev"), &ms.to_string(), &id]);
        (i64::from(ms), TableId::from_bytes(id.as_bytes().try_into().expect("16 bytes")))
    };
    let mut rows: Vec<_> = (0..300).map(|number| row("41", number, 1_000 + number / 3)).collect();
    rows.push(row("42", 0, 1_050));
    for bucket in ["42", "43", "44", "45", "46", "47", "48"] {
        rows.extend((1..20).map(|number| row(bucket, number, 5_000 + number)));
    }
    rows.sort_unstable();
    for limit in [1, 3, 10, 30, 100, 150, 151, 200, 301, 302, 400, 1_000] {
        let found = store.created_since(&dev, 0, limit).await.expect("rows");
        assert_eq!(found, rows[..limit.min(rows.len())], "the first {limit}");
    }
    let found = store.created_since(&dev, 1_050, 1_000).await.expect("rows");
    assert_eq!(found, rows[150..], "also those of tables that are gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_that_finds_nothing_is_one_short_trip() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let dev = Tenant::new("dev").expect("a tenant");
    for seed in 0..500 {
        Game::create(&store, seed).await;
    }
    let now_ms = store.now_ms() + 60_000;
    redis.ask(&["CONFIG", "RESETSTAT"]);
    for _ in 0..100 {
        assert_eq!(store.created_since(&dev, now_ms, 1_000).await, Ok(Vec::new()));
    }
    let (calls, usec) = commands(&redis, "zrange");
    assert_eq!(calls, 25_600);
    println!("a look for new tables that finds none: {} us of Redis", usec / 100);
}

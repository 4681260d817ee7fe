//! What is over goes away.

use std::time::Duration;

use sedma_store::{Lifetimes, RedisStore};
use sedma_table::clock::Timer;
use sedma_table::contract::{Game, SelfPlay};
use sedma_table::store::{Commit, Store};
use sedma_table::{TableId, Tenant};

use crate::game::store;
use crate::redis::Redis;

#[tokio::test(flavor = "multi_thread")]
async fn a_table_and_its_log_die_together_and_its_row_with_the_last_of_the_listing() {
    let redis = Redis::start();
    let lifetimes = Lifetimes {
        open: Duration::from_millis(300),
        ended: Duration::from_millis(300),
        ..Lifetimes::default()
    };
    let store = RedisStore::connect(&redis.url(), lifetimes, None).expect("an address");
    store.check().await.expect("a Redis that works");
    let store = std::sync::Arc::new(store);
    let mut game = Game::create(&store, 1).await;
    game.play(5).await;
    assert_eq!(redis.ask(&["DBSIZE"]), "4", "its blob, log and listing, and the configuration");
    let ends = ends(&redis, game.table());
    assert_eq!(ends, [ends[0]; 3], "at the same moment");
    redis.until("all is gone", |redis| redis.ask(&["DBSIZE"]) == "1");
    assert_eq!(store.load(game.table()).await, Ok(None));
}

/// When a table's blob, its log and its listing end.
pub(crate) fn ends(redis: &Redis, table: TableId) -> [i64; 3] {
    let (bucket, code) = (format!("{{{:02x}}}", table.bucket()), table.code());
    [format!("t:{bucket}:{code}"), format!("e:{bucket}:{code}"), format!("lo:{bucket}:dev")]
        .map(|key| redis.ask(&["PEXPIRETIME", &key]).parse().expect("an instant"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_kept_for_its_lifetime_after_its_timer_fires() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let (day, week) = (86_400_000, 7 * 86_400_000);
    let mut game = Game::create(&store, 3).await;
    let commit = game.propose().expect("a step");
    game.make(&Commit { timer: Timer::Arm(week), ..commit }).await;
    assert_eq!(ends(&redis, game.table()), [game.newest().fire_ms + day; 3], "its clock acts before it goes");
    let commit = game.propose().expect("a step");
    game.make(&Commit { timer: Timer::Keep, ..commit }).await;
    assert_eq!(ends(&redis, game.table()), [game.newest().fire_ms + day; 3]);

    // Another table of the bucket that ends sooner takes nothing from the listing's time.
    let beside = SelfPlay::in_bucket(game.table().bucket(), 4..100_000, |seed| SelfPlay::plain(seed, "dev"));
    let sooner = Game::created(&store, beside).await;
    let [blob, log, listing] = ends(&redis, sooner.table());
    assert_eq!((blob, listing), (log, game.newest().fire_ms + day));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_table_is_kept_for_the_shorter_time_or_as_long_as_its_result_is_unread() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let (hour, day, week) = (3_600_000, 86_400_000, 7 * 86_400_000);
    for (play, ended) in
        [(SelfPlay::plain(2, "dev").without_result(), hour), (SelfPlay::plain(3, "dev"), week)]
    {
        let mut game = Game::created(&store, play).await;
        let (bucket, code) = (format!("{{{:02x}}}", game.table().bucket()), game.table().code());
        let lives = |kind: &str| -> u64 {
            redis.ask(&["PTTL", &format!("{kind}:{bucket}:{code}")]).parse().expect("a time to live")
        };
        for kind in ["t", "e"] {
            assert!((day - 60_000..=day).contains(&lives(kind)), "{kind}");
        }
        game.play(usize::MAX).await;
        for kind in if ended == week { vec!["t", "e", "re"] } else { vec!["t", "e"] } {
            assert!((ended - 60_000..=ended).contains(&lives(kind)), "{kind}");
        }
        let listing = redis.ask(&["PTTL", &format!("lo:{bucket}:dev")]);
        assert!(
            listing.parse::<u64>().expect("a time to live") > ended - 60_000,
            "it lives as long as its tables"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_tables_that_are_gone_are_dropped_by_listing() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let dev = Tenant::new("dev").expect("a tenant");
    let mut kept = Vec::new();
    for seed in 0..40 {
        let game = Game::create(&store, seed).await;
        let bucket = format!("{{{:02x}}}", game.table().bucket());
        if seed % 2 == 0 {
            redis.ask(&["DEL", &format!("t:{bucket}:{}", game.table().code())]);
        } else {
            kept.push(game.table());
        }
    }
    let rows = store.list(&dev, None, 15).await.expect("a page");
    assert_eq!(rows.len(), 15, "a page is full while there is something to fill it");
    let rows = store.list(&dev, None, 100).await.expect("a page");
    let mut listed: Vec<_> = rows.iter().map(|row| row.stored.snapshot.table.setup().id).collect();
    listed.sort_unstable();
    kept.sort_unstable();
    assert_eq!(listed, kept);
    let members: usize = (0..=255_u8)
        .map(|bucket| {
            redis.ask(&["ZCARD", &format!("lo:{{{bucket:02x}}}:dev")]).parse::<usize>().expect("a number")
        })
        .sum();
    assert_eq!(members, 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_tables_that_are_gone_don_t_pile_up_where_nobody_lists() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    // A bucket whose number is a character, so that rows of it can be written as text.
    let mut seeds = (1..).filter(|seed| SelfPlay::plain(*seed, "dev").table().bucket() == b'a');
    let listing = "lo:{61}:dev";
    for number in 0..100 {
        redis.ask(&["ZADD", listing, "1", &format!("a-gone-one-{number:05}")]);
    }
    // Each creation in this bucket looks at a few rows, and drops more than it adds.
    for _ in 0..30 {
        Game::create(&store, seeds.next().expect("a seed")).await;
    }
    redis.until("most rows are dropped", |redis| {
        redis.ask(&["ZCARD", listing]).parse::<u32>().expect("a number") < 60
    });
}

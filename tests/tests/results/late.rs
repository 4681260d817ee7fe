//! A consumer that comes late still finds result and log. Hours pass by moving the end of every key of Redis so much
//! nearer: it is the only clock that lifetimes know.

use std::time::Duration;

use tests::known_deal::deal;
use tests::views::public;
use tests::{Consumer, Process, Redis, Table, hours, reason, v1};

/// Moves what every key has left to live, as if this time had passed.
fn pass(redis: &Redis, time: Duration) {
    let script = "for _, key in ipairs(redis.call('KEYS', '*')) do \
                  local dies = redis.call('PEXPIRETIME', key) \
                  if dies > 0 then redis.call('PEXPIREAT', key, dies - ARGV[1]) end end return 'passed'";
    assert_eq!(redis.ask(&["EVAL", script, "0", &time.as_millis().to_string()]), "passed");
}

async fn is_gone(table: &Table) -> bool {
    let request = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
    match table.platform.get_table(request).await {
        Ok(_) => false,
        Err(refused) => reason(&refused) == "TABLE_NOT_FOUND",
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_consumer_that_is_two_hours_late_finds_result_and_log_and_one_a_week_late_nothing() {
    let redis = Redis::start();
    let process = Process::redis(&redis).await;
    let platform = process.platform().await;
    let table = deal().create(&platform).await;
    table.close().await;
    let mut silent = deal();
    silent.request.results = v1::ResultPolicy::None.into();
    let silent = silent.create(&platform).await;
    silent.close().await;

    pass(&redis, Duration::from_hours(2));
    let mut books = Consumer::of(&platform, "books", 60).await;
    let result = books.next().await;
    assert_eq!(result.table, table.name);
    let updates = v1::ListUpdatesRequest { name: table.name.clone(), ..v1::ListUpdatesRequest::default() };
    let updates = platform.list_updates(updates).await.expect("the log").updates;
    assert_eq!(updates.last().map(|update| update.revision), Some(result.revision));
    assert!(is_gone(&silent).await, "a table that files no result is kept for an hour");

    assert!(books.acknowledge(&result).await);
    pass(&redis, Duration::from_mins(59));
    assert!(!is_gone(&table).await, "acknowledged, it can be read for another hour");
    pass(&redis, Duration::from_mins(2));
    assert!(is_gone(&table).await);

    let unread = deal().create(&platform).await;
    unread.close().await;
    pass(&redis, Duration::from_hours(7 * 24 - 1));
    assert!(!is_gone(&unread).await);
    pass(&redis, Duration::from_hours(2));
    assert!(is_gone(&unread).await, "nothing is kept for ever");
    let left = redis.ask(&["KEYS", "*:{*"]);
    let left: Vec<&str> = left.split_whitespace().filter(|key| !key.starts_with("al:")).collect();
    assert_eq!(left, Vec::<&str>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_left_alone_expires_and_that_is_its_result() {
    let redis = Redis::start();
    let url = redis.url();
    let flags = ["--allow-scripted", "--redis-url", &url, "--open-lifetime", "1s"];
    let process = Process::start(&flags).await;
    let platform = process.platform().await;
    let mut books = Consumer::of(&platform, "books", 60).await;
    let (open, running) = (deal().create(&platform).await, deal().start(&platform).await);
    running.play(&["1:8h"]).await;
    for table in [open, running] {
        assert_eq!(public(&table.view().await).deadline_time, None, "nobody is hurried by it");
    }
    for _ in 0..2 {
        let result = books.next().await;
        assert_eq!(result.outcome(), v1::Outcome::Expired);
        assert!(books.acknowledge(&result).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_lives_longer_than_what_it_waits_for() {
    let redis = Redis::start();
    let process = Process::redis(&redis).await;
    let three_days = Some(hours(3 * 24));
    let timing = v1::Timing { turn_timeout: three_days, ..v1::Timing::default() };
    let table = deal().timed(timing).start(&process.platform().await).await;
    pass(&redis, Duration::from_hours(3 * 24));
    assert!(!is_gone(&table).await);
    pass(&redis, Duration::from_hours(25));
    assert!(is_gone(&table).await);
}

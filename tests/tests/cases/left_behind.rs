//! Tables that were made and left, and what they leave.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tests::views::public;
use tests::{Client, NewTable, Process, Redis, Table, Usage, World, ms, reason, v1, within};
use tokio::runtime::Handle;
use v1::StartPolicy;

use crate::scale::{full, of, tell};

/// Tables that are made, or played, at a time.
const AT_A_TIME: usize = 16;
/// How often it is looked whether something has come about.
const POLL: Duration = Duration::from_millis(20);
/// Memory that Redis may have taken for good.
const REST: u64 = 256 * 1_024;
/// Memory that a replica may take for the last quarter of many games.
const LAST_QUARTER: u64 = 48 * 1_024 * 1_024;

/// Keys but those that Redis has without any table: the configuration, and one stamp a bucket.
fn keys(redis: &Redis) -> Vec<String> {
    let keys = redis.ask(&["KEYS", "*"]);
    let of_tables = keys.lines().filter(|key| *key != "sedma:config" && !key.starts_with("al:"));
    of_tables.map(str::to_owned).collect()
}

fn memory(redis: &Redis) -> u64 {
    let info = redis.ask(&["INFO", "memory"]);
    let line = info.lines().find_map(|line| line.strip_prefix("used_memory:"));
    line.expect("a figure").trim().parse().expect("bytes")
}

async fn until(what: &str, mut so: impl FnMut() -> bool) {
    let waiting = async {
        while !so() {
            tokio::time::sleep(POLL).await;
        }
    };
    within(what, waiting).await;
}

/// Waits until no key of a table is left. They go one after the other, as they came.
async fn gone(redis: &Redis) {
    let mut there = keys(redis).len();
    while there > 0 {
        let before = there;
        until("fewer keys of tables", || {
            there = keys(redis).len();
            there < before
        })
        .await;
    }
}

/// Tables stayed that nobody had ever come to. <https://github.com/colyseus/colyseus/issues/428>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g01_tables_that_nobody_joins_are_gone_with_all_that_is_theirs() {
    // At full scale thousands of them are there at the same time.
    let kept = Duration::from_secs(of(3, 18));
    let world = World::on_with(Redis::start(), |config| {
        (config.lifetimes.open, config.lifetimes.ended) = (kept, Duration::from_secs(1));
    })
    .await;
    let redis = world.its_redis();
    let new_table = || {
        let mut new = NewTable::classic().with_open_seats();
        new.request.results = v1::ResultPolicy::None.into();
        new
    };
    new_table().create(world.a()).await;
    gone(redis).await;
    let before = memory(redis);

    let count = of(300, 10_000);
    let new = |n| new_table().create(world.door(n));
    let tables: Vec<Table> = stream::iter((0..count).map(new)).buffered(AT_A_TIME).collect().await;
    let most = memory(redis);
    gone(redis).await;
    let list = world.b().list_tables(v1::ListTablesRequest::default()).await.unwrap();
    assert_eq!(list.tables, [], "no table that is gone is listed");
    for (n, table) in tables.iter().enumerate().step_by(count / 100) {
        let get = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
        for door in [world.a(), world.b()] {
            let gone = door.get_table(get.clone()).await.expect_err("a table that is gone");
            assert_eq!(reason(&gone), "TABLE_NOT_FOUND");
        }
        let late = world.door(n).join_table(table.join_request(1, "late")).await.expect_err("no such table");
        assert_eq!(reason(&late), "TABLE_NOT_FOUND");
    }
    let after = memory(redis);
    assert!(after <= before + REST, "{before} bytes before, {after} after");
    assert_eq!(keys(redis), [""; 0], "who comes too late brings nothing back");
    tell("G01", &format!("{count} tables took {} bytes, and left none", most.saturating_sub(before)));
    world.stop().await;
}

/// Whoever comes in time finds a table that is as good as new.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g01_a_join_shortly_before_a_tables_end_gives_it_its_whole_lifetime_again() {
    let hour = Duration::from_hours(1);
    let world = World::on_with(Redis::start(), |config| config.lifetimes.open = hour).await;
    let redis = world.its_redis();
    let table = NewTable::classic().with_open_seats().create(world.a()).await;
    // As if the hour were over but for a moment. What belongs together is told to end together.
    let ends = |key: &String| redis.ask(&["PEXPIRETIME", key]).parse::<i64>().expect("an instant");
    let [state, log] = table.state_and_log(redis);
    let soon = tests::timing::wall_ms() + 3_000;
    for key in [&state, &log] {
        assert_eq!(redis.ask(&["PEXPIREAT", key, &soon.to_string()]), "1");
    }
    let joined =
        world.b().join_table(table.join_request(1, "anna")).await.expect("a seat at the last moment");
    // Left alone it expires after an hour, or a tenth later; until then it can't be gone, nor for an hour more.
    let hours = |tenths: i64| ms(joined.update.as_ref().expect("an update").time.as_ref()) + tenths * 360_000;
    let bucket = state.split(':').nth(1).unwrap();
    let ends = [&state, &log, &format!("lo:{bucket}:dev")].map(ends);
    assert_eq!(ends, [ends[0]; 3], "all at the same moment");
    assert!((hours(20)..=hours(21)).contains(&ends[0]), "an hour after its expiry: {ends:?}");
    until("the old end", || tests::timing::wall_ms() > soon).await;
    assert_eq!(public(&table.view().await).seats[0].player_id, "anna");
    world.stop().await;
}

/// A short game with somebody who watches it at the other replica: made, one card, closed.
async fn short_game(doors: [&Client; 2]) {
    let new = NewTable::two().deal(&["7c 8c 9c Jc"], "").starting(StartPolicy::WhenFull);
    let table = new.create(doors[0]).await;
    let mut watch = table.at(doors[1]).seat(2).watch().await;
    watch.snapshot().await;
    table.seat(1).play("7c").await.expect("a legal card");
    table.close().await;
    let (_, status) = watch.rest().await;
    assert!(status.is_none(), "{status:?}");
}

/// Plays so many short games, some at a time.
async fn short_games(doors: [&Client; 2], count: usize) {
    let games = (0..count).map(|_| short_game(doors));
    stream::iter(games).buffer_unordered(AT_A_TIME).for_each(|()| async {}).await;
}

/// Channels that somebody has subscribed to, sharded or not.
fn channels(redis: &Redis) -> Vec<String> {
    let ask = |kind: &str| redis.ask(&["PUBSUB", kind]);
    let told = format!("{}\n{}", ask("SHARDCHANNELS"), ask("CHANNELS"));
    told.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Each table left a subscription, and what it held. <https://github.com/colyseus/colyseus/issues/842>
/// <https://github.com/colyseus/colyseus/issues/386>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g03_games_that_are_over_leave_no_subscription_and_no_task() {
    let world = World::redis().await;
    let redis = world.its_redis();
    let doors = [world.a(), world.b()];
    short_games(doors, 1).await;
    until("no subscription", || channels(redis).is_empty()).await;
    let tasks = || Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    for _ in 0..3 {
        short_games(doors, of(30, 500)).await;
        until("no subscription", || channels(redis).is_empty()).await;
        until("no more tasks than before", || tasks() <= before).await;
    }
    assert_eq!(redis.ask(&["PUBSUB", "NUMPAT"]), "0");
    world.stop().await;
}

/// The same for very many, and for the memory of processes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g03_many_games_take_no_more_memory_and_no_more_channels_than_few() {
    let redis = Redis::start();
    let replicas = [Process::redis(&redis).await, Process::redis(&redis).await];
    let doors = [replicas[0].platform().await, replicas[1].platform().await];
    let (games, mut memory) = (of(120, 20_000), Vec::new());
    for _ in 0..4 {
        short_games([&doors[0], &doors[1]], games / 4).await;
        until("no subscription", || channels(&redis).is_empty()).await;
        memory.push([0, 1].map(|n: usize| Usage::of(replicas[n].id()).memory));
    }
    if full() {
        for (last, before) in memory[3].iter().zip(memory[2]) {
            assert!(*last <= before + LAST_QUARTER, "bytes after each quarter: {memory:?}");
        }
    }
    tell("G03", &format!("{games} games, no channel left; bytes of each replica by quarters: {memory:?}"));
    drop(doors);
    for replica in replicas {
        replica.terminate().await;
    }
}

//! What a replica and its Redis take while nothing happens: with no table, with 10,000 open ones, and with 1,000 watchers
//! of as many of these; then with one stream over all of them. Prints shares of one core, measured after all has settled, and memory.
//!
//! Half of the tables wait for players and have no clock that runs; at the others it is a person's turn for an hour.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a measurement that can't go on stops"
)]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

use std::fmt;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tests::v1::{self, StartPolicy, TablePhase};
use tests::views::public;
use tests::watch_all::Said;
use tests::{Client, NewTable, Process, Redis, Table, Usage, hours};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

const TABLES: usize = 10_000;
const WATCHERS: usize = 1_000;
/// Connections that the watchers share.
const CONNECTIONS: usize = 4;
/// Tables that are made at a time.
const AT_A_TIME: usize = 16;
/// How long everything has to settle before it is measured.
const SETTLING: Duration = Duration::from_secs(5);
/// How long it is measured.
const MEASURED: Duration = Duration::from_secs(30);
/// The share of a core that a replica may take with 10,000 open tables.
const BUDGET: f64 = 0.02;

/// What the replica and its Redis took.
struct Taken {
    /// Shares of one core.
    cores: [f64; 2],
    /// Bytes of memory.
    memory: [u64; 2],
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [replica, redis] = self.cores.map(|share| share * 100.0);
        let [of_replica, of_redis] = self.memory.map(mib);
        write!(f, "{replica:>7.2} % {of_replica:>7.1} MiB {redis:>7.2} % {of_redis:>7.1} MiB")
    }
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}

/// KiB that each of so many has added.
fn each(before: u64, after: u64, count: usize) -> f64 {
    after.saturating_sub(before) as f64 / 1_024.0 / count as f64
}

/// What both take while nothing happens.
async fn measure(replica: &Process, redis: &Redis) -> Taken {
    sleep(SETTLING).await;
    let usage = || [replica.id(), redis.id()].map(Usage::of);
    let (begun, before) = (Instant::now(), usage());
    sleep(MEASURED).await;
    let (lasted, after) = (begun.elapsed(), usage());
    let share = |n: usize| after[n].cpu.saturating_sub(before[n].cpu).as_secs_f64() / lasted.as_secs_f64();
    Taken { cores: [share(0), share(1)], memory: after.map(|usage| usage.memory) }
}

/// Every second table waits for players, the others for a play.
async fn table(number: usize, door: &Client) -> Table {
    if number.is_multiple_of(2) {
        return NewTable::classic().with_open_seats().create(door).await;
    }
    let timing = v1::Timing { turn_timeout: Some(hours(1)), ..v1::Timing::default() };
    NewTable::classic().timed(timing).starting(StartPolicy::WhenFull).create(door).await
}

/// Opens the watches; they read what comes for as long as the set lives.
async fn watch(tables: &[Table], replica: &Process) -> JoinSet<()> {
    let mut watching = JoinSet::new();
    let mut doors = Vec::new();
    for _ in 0..CONNECTIONS {
        doors.push(replica.platform().await);
    }
    for (n, table) in tables.iter().take(WATCHERS).enumerate() {
        let name = table.name.clone();
        let request = v1::WatchTableRequest { name, ..v1::WatchTableRequest::default() };
        let mut watch = doors[n % CONNECTIONS].watch_table(request).await.expect("a watch");
        let expected = if n.is_multiple_of(2) { TablePhase::Open } else { TablePhase::Playing };
        assert_eq!(public(&watch.snapshot().await).phase(), expected);
        watching.spawn(async move {
            loop {
                watch.heartbeat().await;
            }
        });
    }
    watching
}

/// One stream over all tables, read for as long as the set lives; open once each table has come.
async fn watch_all(replica: &Process) -> (JoinSet<()>, Duration) {
    let begun = Instant::now();
    let door = replica.platform().await;
    let mut all =
        door.watch_tables(v1::WatchTablesRequest::default()).await.expect("a watch over all tables");
    for _ in 0..TABLES {
        assert!(matches!(all.next().await, Said::Of(..)), "a table's first message");
    }
    let mut watching = JoinSet::new();
    watching.spawn(async move {
        loop {
            assert!(matches!(all.next().await, Said::Stream(_)), "nothing happens");
        }
    });
    (watching, begun.elapsed())
}

async fn run() {
    let redis = Redis::start();
    let replica = Process::redis(&redis).await;
    println!("{:32} {:>9} {:>11} {:>9} {:>11}", "while nothing happens", "replica", "", "Redis", "");
    let empty = measure(&replica, &redis).await;
    println!("{:32} {empty}", "no table");

    let door = &replica.platform().await;
    let tables: Vec<Table> =
        stream::iter((0..TABLES).map(|number| table(number, door))).buffered(AT_A_TIME).collect().await;
    let open = measure(&replica, &redis).await;
    println!("{:32} {open}", format!("{TABLES} open tables"));

    let mut watching = watch(&tables, &replica).await;
    let watched = measure(&replica, &redis).await;
    println!("{:32} {watched}", format!("and {WATCHERS} watchers of {WATCHERS}"));
    assert!(watching.try_join_next().is_none(), "a watch ended");

    let [in_replica, in_redis] = [0, 1].map(|n| each(empty.memory[n], open.memory[n], TABLES));
    let a_watcher = each(open.memory[0], watched.memory[0], WATCHERS);
    println!(
        "a table takes {in_redis:.1} KiB of Redis and {in_replica:.1} KiB of the replica that made it, \
         a watcher with a table of its own {a_watcher:.1} KiB"
    );
    println!(
        "the replica takes {:.2} % of a core for {TABLES} open tables (budget: below {:.0} %)",
        open.cores[0] * 100.0,
        BUDGET * 100.0
    );
    watching.shutdown().await;
    let (mut watching, opened) = watch_all(&replica).await;
    let all = measure(&replica, &redis).await;
    println!("{:32} {all}", format!("one stream over all {TABLES}"));
    assert!(watching.try_join_next().is_none(), "the watch ended");
    println!(
        "all tables had come after {:.1} s; each takes {:.1} KiB of the replica that has the stream",
        opened.as_secs_f64(),
        each(open.memory[0], all.memory[0], TABLES)
    );
    watching.shutdown().await;
    replica.terminate().await;
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(run());
}

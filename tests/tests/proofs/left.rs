//! Very many tables that are made and left, in every way in which a table can be left: each ends with a result, and when
//! that is acknowledged nothing stays.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tests::moves::{after, misses};
use tests::views::public;
use tests::{Client, Consumer, NewTable, Redis, Table, Watch, World, duration, reason, v1, within};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use v1::watch_table_response::Payload;
use v1::{CloseCause, StartPolicy, TablePhase, TimeoutPolicy};

use crate::proving;

/// How many tables there are, and how long each is kept.
#[derive(Clone, Copy)]
struct Size {
    tables: usize,
    /// After so long a table that waits for nothing expires.
    open: Duration,
    /// When its result was acknowledged.
    ended: Duration,
    /// A turn that takes longer than tables are kept, in milliseconds.
    long_turn: i32,
}

const SLICE: Size =
    Size { tables: 280, open: Duration::from_secs(4), ended: Duration::from_secs(2), long_turn: 6_000 };
/// Thousands of them are there at the same time.
const WHOLE: Size =
    Size { tables: 10_000, open: Duration::from_secs(20), ended: Duration::from_secs(10), long_turn: 25_000 };

/// Tables that are made at a time.
const AT_A_TIME: usize = 16;
/// One table in so many is watched until it is gone.
const WATCHED: usize = 20;
/// How often it is looked whether something has come about.
const POLL: Duration = Duration::from_millis(50);
/// Keys that are no table's: what all servers share, which groups of consumers there are, and one stamp for each of the
/// 256 buckets, which tells an outage.
const STAY: [&str; 3] = ["sedma:config", "gr:{00}:dev", "al:"];

/// Tasks of connections that were made anew meanwhile. One for each table, or each watch, would be hundreds.
const CONNECTIONS: usize = 4;

/// How a table is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// Nobody ever comes.
    Empty,
    /// Some sit and wait, until the time to join is over.
    Waiting,
    /// In play, and whoever is to act misses his turn.
    InPlay,
    /// In play, on a turn that takes longer than tables are kept. It is missed all the same.
    Pondering,
    /// Nothing happens until the table ends by itself.
    Idle,
    /// Bots have played it to its end.
    Finished,
    /// The platform closes it.
    Closed,
}

impl Left {
    const ALL: [Left; 7] =
        [Left::Empty, Left::Waiting, Left::InPlay, Left::Pondering, Left::Idle, Left::Finished, Left::Closed];

    /// How the table ends.
    fn end(self) -> CloseCause {
        match self {
            Left::Waiting => CloseCause::NotStarted,
            Left::Empty | Left::InPlay | Left::Pondering | Left::Idle => CloseCause::Expired,
            Left::Finished => CloseCause::Unspecified,
            Left::Closed => CloseCause::Platform,
        }
    }

    fn new_table(self, size: Size) -> NewTable {
        let second = Some(duration(1_000));
        let timing = v1::Timing { timeout_policy: TimeoutPolicy::Nothing.into(), ..v1::Timing::default() };
        let two = NewTable::two().to(1).starting(StartPolicy::WhenFull);
        match self {
            Left::Empty => NewTable::classic().with_open_seats(),
            Left::Waiting => {
                NewTable::classic().with_open(&[3, 4]).timed(v1::Timing { join_timeout: second, ..timing })
            }
            Left::InPlay | Left::Closed => two.timed(v1::Timing { turn_timeout: second, ..timing }),
            Left::Pondering => {
                two.timed(v1::Timing { turn_timeout: Some(duration(size.long_turn)), ..timing })
            }
            Left::Idle => {
                NewTable::two().with_open_seats().timed(v1::Timing { idle_timeout: second, ..timing })
            }
            Left::Finished => two.with_bots(&[1, 2]),
        }
    }
}

/// Makes a table and leaves it, watched or not.
async fn leave(world: &World, size: Size, n: usize) -> (Left, Table, Option<Watch>) {
    let left = Left::ALL[n % Left::ALL.len()];
    let table = left.new_table(size).create(world.door(n)).await;
    let watch = match n % WATCHED {
        0 => Some(table.at(world.door(n + 1)).history().await),
        _ => None,
    };
    match left {
        Left::Closed => drop(table.close().await),
        // Somebody who was there, so that Redis has known who is connected.
        Left::InPlay => drop(table.seat(1).watch().await.snapshot().await),
        _ => {}
    }
    (left, table, watch)
}

/// Reads a watch to its end, which must be how such a table ends.
async fn watch_it_go(left: Left, watch: Watch) {
    let (messages, status) = watch.rest().await;
    let updates = messages.iter().filter_map(|message| match &message.payload {
        Some(Payload::Update(update)) => Some(update),
        _ => None,
    });
    let updates: Vec<&v1::Update> = updates.collect();
    if matches!(left, Left::InPlay | Left::Pondering) {
        let missed: usize = updates.iter().map(|update| misses(update).len()).sum();
        assert_eq!(missed, 1, "{left:?}: a clock that has acted, once");
    }
    assert!(status.is_none(), "{left:?}: {status:?}");
    let table = public(after(updates.last().expect("the update that ended it")));
    assert!(matches!(table.phase(), TablePhase::Finished | TablePhase::Closed), "{left:?}: {table:?}");
    assert_eq!(table.close_cause(), left.end(), "{left:?}");
}

/// Keys of tables that Redis has.
fn keys(redis: &Redis) -> Vec<String> {
    let keys = redis.ask(&["KEYS", "*"]);
    let stays = |key: &&str| STAY.iter().any(|stays| key.starts_with(stays));
    keys.lines().filter(|key| !stays(key)).map(str::to_owned).collect()
}

/// Whether nothing is there but ended tables whose results nobody has read.
fn unread(redis: &Redis, tables: usize) -> bool {
    let keys = keys(redis);
    let count = |kind: &str| keys.iter().filter(|key| key.starts_with(kind)).count();
    let belongs = ["t:", "e:", "re:"].map(count) == [tables; 3];
    belongs
        && keys.iter().all(|key| ["t:", "e:", "re:", "lo:", "ob:"].iter().any(|kind| key.starts_with(kind)))
}

/// Reads every result and acknowledges it.
async fn acknowledge(door: &Client, tables: usize) {
    let mut books = Consumer::of(door, "books", 600).await;
    for _ in 0..tables {
        let result = books.next().await;
        assert!(books.acknowledge(&result).await);
    }
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

async fn until(what: &str, mut so: impl FnMut() -> bool) {
    let waiting = async {
        while !so() {
            tokio::time::sleep(POLL).await;
        }
    };
    within(what, waiting).await;
}

/// What a list shows while tables go has a state. Answers how many it shows.
async fn listed(door: &Client) -> usize {
    let list = door.list_tables(v1::ListTablesRequest::default()).await.expect("a list");
    for listed in &list.tables {
        assert!(listed.revision > 0, "a table is listed of which nothing is there: {listed:?}");
    }
    list.tables.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_tables_that_are_left_nothing_stays() {
    let size = if proving("PROVE_LEFT") { WHOLE } else { SLICE };
    let world = World::on_with(Redis::start(), |config| {
        (config.lifetimes.open, config.lifetimes.ended) = (size.open, size.ended);
    })
    .await;
    let redis = world.its_redis();
    assert!(keys(redis).is_empty());
    // What a server makes once, when it is first asked for it, is there before anything is counted.
    for door in [world.a(), world.b()] {
        let table = Left::Closed.new_table(size).create(door).await;
        let watch = table.history().await;
        table.close().await;
        watch_it_go(Left::Closed, watch).await;
    }
    acknowledge(world.b(), 2).await;
    gone(redis).await;
    until("no subscription", || redis.ask(&["PUBSUB", "SHARDCHANNELS"]).trim().is_empty()).await;
    let tasks = || Handle::current().metrics().num_alive_tasks();
    let before = tasks();

    let mut watching = JoinSet::new();
    let mut leaving = stream::iter((0..size.tables).map(|n| leave(&world, size, n))).buffered(AT_A_TIME);
    let (mut names, mut most) = (Vec::new(), 0);
    while let Some((left, table, watch)) = leaving.next().await {
        if let Some(watch) = watch {
            watching.spawn(watch_it_go(left, watch));
        }
        names.push(table.name);
        if names.len() % 200 == 0 {
            listed(world.b()).await;
            most = most.max(keys(redis).len());
        }
    }
    drop(leaving);
    let watches = watching.len();
    watching.join_all().await;

    until("that only unread results are left", || unread(redis, size.tables)).await;
    let unread = keys(redis).len();
    acknowledge(world.a(), size.tables).await;
    gone(redis).await;
    until("no subscription", || redis.ask(&["PUBSUB", "SHARDCHANNELS"]).trim().is_empty()).await;
    until("no more tasks than before, but for connections", || tasks() <= before + CONNECTIONS).await;
    assert_eq!(listed(world.a()).await, 0);
    for (n, name) in names.iter().enumerate().step_by(size.tables / 70) {
        let get = v1::GetTableRequest { name: name.clone(), ..v1::GetTableRequest::default() };
        let gone = world.door(n).get_table(get).await.expect_err("a table that is gone");
        assert_eq!(reason(&gone), "TABLE_NOT_FOUND");
    }
    println!(
        "{} tables left in {} ways, {watches} of them watched to the end, {most} keys at most, {unread} \
         with all results unread; when they were acknowledged 0 keys, 0 subscriptions, {} \
         tasks as before ({before})",
        size.tables,
        Left::ALL.len(),
        tasks()
    );
    world.stop().await;
}

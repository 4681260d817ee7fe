//! Replicas whose clocks don't agree.

use prost::Message as _;
use prost_types::{Duration, FieldDescriptorProto, FileDescriptorSet};
use tests::timing::deadline;
use tests::views::public;
use tests::{NewTable, Process, Redis, Table, faketime, ms, v1};
use v1::Actor;

use crate::ledger::audited;
use crate::moves::{after, from_now_on, misses, play_any, slow_turns, turn};
use crate::scale::of;

/// How far one replica's clock is ahead.
const AHEAD: &str = "+5s";
/// A turn's time, in milliseconds.
const HOUR: i64 = 60 * 60 * 1_000;
/// How much later than its deadline an action is still taken, in milliseconds.
const GRACE: i64 = 500;
/// By how much two looks at the same time may differ, in milliseconds.
const SECOND: i64 = 1_000;

/// Two replicas on one Redis, the first with a clock that is 5 s ahead of the other's and of the Redis'.
struct Skewed {
    ahead: Process,
    right: Process,
    _redis: Redis,
}

impl Skewed {
    async fn start() -> Self {
        let redis = Redis::start();
        let url = redis.url();
        let flags =
            ["--allow-scripted", "--redis-url", &url, "--drain-delay", "0ms", "--drain-spread", "100ms"];
        let library = faketime::library();
        let environment = [
            ("LD_PRELOAD", library.as_str()),
            ("FAKETIME", AHEAD),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
            ("FAKETIME_NO_CACHE", "1"),
        ];
        let ahead = Process::start_with(&flags, &environment).await;
        let right = Process::redis(&redis).await;
        // The one that was started first began to listen later than the other, if one believes its clock.
        let [first, second] = [&ahead, &right].map(listening);
        assert!(first > second, "the clocks agree: {first} is before {second}");
        Self { ahead, right, _redis: redis }
    }

    async fn stop(self) {
        for process in [self.ahead, self.right] {
            process.terminate().await;
        }
    }
}

/// When a process began to listen, by its own clock; such texts sort as the instants do.
fn listening(process: &Process) -> String {
    let lines = process.output();
    let lines = lines.iter().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let line = lines.into_iter().find(|line| line["message"] == "listening").expect("the line that says so");
    line["timestamp"].as_str().expect("a timestamp").to_owned()
}

/// What clients think the time is plays no part: none of them can say it.
/// <https://github.com/scribble-rs/scribble.rs/issues/100>
#[test]
fn f06_no_request_carries_an_instant() {
    let set = FileDescriptorSet::decode(sedma_proto::FILE_DESCRIPTOR_SET).unwrap();
    let ours = set.file.iter().filter(|file| file.package() == "sedma.v1");
    let messages = ours.flat_map(|file| &file.message_type);
    for request in messages.filter(|message| message.name().ends_with("Request")) {
        let is_instant = |field: &&FieldDescriptorProto| field.type_name() == ".google.protobuf.Timestamp";
        assert_eq!(request.field.iter().find(is_instant), None, "{}", request.name());
    }
}

/// Clocks that differed ate the time of whoever was to act. <https://github.com/boardgamers/powergrid/pull/154>
/// <https://github.com/scribble-rs/scribble.rs/issues/100>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f06_a_replica_whose_clock_is_ahead_ends_no_turn_early_and_none_twice() {
    let skewed = Skewed::start().await;
    let (ahead, right) = (skewed.ahead.platform().await, skewed.right.platform().await);

    // A turn goes from one replica to the other, and nobody loses any of its time.
    let table = NewTable::two().timed(slow_turns()).start(&ahead).await;
    let tables: [Table; 2] = [table.at(&right), table.at(&ahead)];
    let mut watch = from_now_on(&tables[0]).await;
    for n in 0..6 {
        let (here, there) = (&tables[n % 2], &tables[(n + 1) % 2]);
        let seat = public(&here.view().await).turn_seat;
        play_any(here.seat(seat)).await;
        let update = watch.update().await;
        assert_eq!(deadline(after(&update)), Some(ms(update.time.as_ref()) + HOUR));
        assert_eq!(deadline(&there.view().await), deadline(after(&update)), "both show the same");
    }

    // And where nobody acts it lasts as long as it should.
    let hasty = NewTable::two().to(0).timed(one_second()).start(&ahead).await.at(&right);
    misses_each_turn_in_time(&hasty, of(4, 20)).await;
    hasty.close().await;
    audited(&hasty, &ahead).await;
    drop((watch, tables, table, hasty, ahead, right));
    skewed.stop().await;
}

/// A second for each turn, and nobody is ever away.
fn one_second() -> v1::Timing {
    let limit = Duration { seconds: 1, nanos: 0 };
    v1::Timing { turn_timeout: Some(limit), away_after: Some(0), ..v1::Timing::default() }
}

/// So many turns at which nobody acts: each is missed once, and not before its time by the store's clock.
async fn misses_each_turn_in_time(table: &Table, turns: usize) {
    let mut watch = table.history_after(table.revision().await - 1).await;
    let mut last = watch.update().await;
    for _ in 0..turns {
        let update = watch.update().await;
        assert_eq!((update.actor(), misses(&update)), (Actor::Timeout, vec![turn(&last)]), "once");
        let until = deadline(after(&last)).expect("a deadline");
        assert!(ms(update.time.as_ref()) >= until + GRACE, "a turn was missed before its time");
        last = update;
    }
}

/// The same where no other replica is left: it alone ends turns, by the store's clock.
/// <https://github.com/boardgamers/powergrid/pull/154>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f06_a_replica_whose_clock_is_ahead_keeps_the_stores_time_by_itself() {
    let Skewed { ahead, right, _redis } = Skewed::start().await;
    let door = ahead.platform().await;
    let table = NewTable::two().to(0).timed(one_second()).start(&door).await;
    right.kill_9().await;
    misses_each_turn_in_time(&table, 3).await;
    drop((table, door));
    ahead.terminate().await;
}

/// Milliseconds that are left, as a view says.
fn remaining(view: &v1::TableView) -> i64 {
    let Duration { seconds, nanos } = public(view).remaining_duration.expect("time that is left");
    seconds * 1_000 + i64::from(nanos / 1_000_000)
}

/// A client that trusts the remaining time, for it doesn't know the clocks, is told the same by every replica.
/// <https://github.com/boardgamers/powergrid/pull/154> <https://github.com/scribble-rs/scribble.rs/issues/100>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f06_replicas_whose_clocks_differ_tell_the_same_remaining_time() {
    let skewed = Skewed::start().await;
    let (ahead, right) = (skewed.ahead.platform().await, skewed.right.platform().await);
    let table = NewTable::two().timed(slow_turns()).start(&ahead).await;
    let [mut here, mut there] = [table.seat(1).watch().await, table.seat(1).at(&right).watch().await];
    let shown = [here.snapshot().await, there.snapshot().await].map(|view| remaining(&view));
    let got = [table.at(&ahead).view().await, table.at(&right).view().await].map(|view| remaining(&view));
    let played = play_any(&table.seat(1).at(&ahead)).await;
    let answered = remaining(played.view.as_ref().unwrap());
    let read = remaining(&table.at(&right).view().await);
    for [one, other] in [shown, got, [answered, read]] {
        assert!((one - other).abs() < SECOND, "{one} ms and {other} ms are left of the same turn");
    }
    drop((here, there, table, ahead, right));
    skewed.stop().await;
}

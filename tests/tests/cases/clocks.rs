//! Who has a clock, and how long it runs.

use prost_types::Duration;
use tests::timing::{deadline, waits};
use tests::views::public;
use tests::{NewTable, Redis, Table, World, ms, reason, v1, violations};
use tonic::Code;
use v1::event::Fact;

use crate::ledger::{audited, count};
use crate::moves::{
    after, ended, from_now_on, misses, play_any, slow_turns, time_runs_out, turn, until_its_turn,
};
use crate::scale::full;

/// Turns that are over soon: after a second, and the half by which an action may be late. A bot takes longer than that.
fn short_turns() -> v1::Timing {
    let second = Duration { seconds: 1, nanos: 0 };
    let more = Duration { seconds: 1, nanos: 600_000_000 };
    v1::Timing { turn_timeout: Some(second), bot_delay: Some(more), ..v1::Timing::default() }
}

/// Waits until a turn of another table with [`short_turns`] is missed.
async fn a_while(world: &World) {
    let timing = v1::Timing { timeout_policy: v1::TimeoutPolicy::Nothing.into(), ..short_turns() };
    let other = NewTable::two().timed(timing).start(world.b()).await;
    other.history().await.until(|update| !misses(update).is_empty()).await;
}

/// Tables that a clock runs for.
fn timers(redis: &Redis) -> usize {
    let buckets = redis.ask(&["KEYS", "tm:*"]);
    let in_each = buckets.lines().map(|bucket| redis.ask(&["ZCARD", bucket]));
    in_each.map(|count| count.parse::<usize>().expect("a number")).sum()
}

fn no_turn_was_missed(updates: &[v1::Update]) {
    assert_eq!(count(updates, |fact| matches!(fact, Fact::TurnMissed(_) | Fact::AwayChanged(_))), 0);
}

/// The clock ran out for somebody who was not to act. <https://github.com/pokerth/pokerth/issues/87>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f04_a_spectator_and_a_bot_have_no_turn_to_miss() {
    let world = World::redis().await;
    let new = NewTable::two().with_bots(&[1, 2]).timed(short_turns());
    let table = new.create(world.a()).await;
    let spectator = table.spectator().await;
    let request = v1::WatchTableRequest { name: table.name.clone(), ..v1::WatchTableRequest::default() };
    let mut watch = spectator.watch_table(request).await.unwrap();
    watch.snapshot().await;
    for _ in 0..2 {
        let update = watch.update().await;
        assert_eq!(update.actor(), v1::Actor::Bot, "a bot takes longer than a person may, and is not late");
    }
    no_turn_was_missed(&audited(&table, world.b()).await);
    world.stop().await;
}

/// The same of a player who has left. <https://github.com/pokerth/pokerth/issues/87>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f04_who_has_left_has_no_turn_to_miss() {
    let world = World::redis().await;
    let autoplay = NewTable::two().timed(short_turns()).create(world.a()).await;
    let nothing = v1::Timing { timeout_policy: v1::TimeoutPolicy::Nothing.into(), ..slow_turns() };
    let nothing = NewTable::two().timed(nothing).start(world.a()).await;

    // Where nobody plays for who has left, his turn waits, and nothing runs for him.
    nothing.seat(2).leave().await.unwrap();
    play_any(nothing.seat(1)).await;
    let waiting = nothing.view().await;
    assert_eq!((public(&waiting).turn_seat, deadline(&waiting)), (2, None));
    let before = timers(world.its_redis());

    // Where a bot plays for him it takes its time, and is not late.
    for seat in &autoplay.seats {
        seat.join().await.unwrap();
    }
    let mut watch = from_now_on(&autoplay).await;
    autoplay.seat(1).leave().await.unwrap();
    let left = watch.update().await;
    assert_eq!(turn(&left), 1);
    let played = watch.update().await;
    assert_eq!((played.actor(), played.seat), (v1::Actor::Bot, 1));
    autoplay.close().await;

    a_while(&world).await;
    no_turn_was_missed(&audited(&autoplay, world.b()).await);
    no_turn_was_missed(&audited(&nothing, world.b()).await);
    assert_eq!(timers(world.its_redis()), before, "nothing is due at either of them");
    world.stop().await;
}

/// The same of players whose table has ended. <https://github.com/pokerth/pokerth/issues/87>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f04_at_a_table_that_has_ended_nobody_has_a_turn_to_miss() {
    let world = World::redis().await;
    let short = |rules: &mut v1::SedmaRules| rules.stop_at_points = Some(10);
    let hands = ["10c", "9c", "9d", "9h"];
    let new = || NewTable::classic().changed(short).to(1).timed(slow_turns()).deal(&hands, "");
    let finished = new().start(world.a()).await;
    finished.play(&["1:10c", "2:9c", "3:9d", "4:9h"]).await;
    let closed = new().start(world.a()).await;
    closed.close().await;
    let forfeited = new().start(world.a()).await;
    world.b().forfeit_seat(forfeited.forfeit_request(2)).await.unwrap();
    assert_eq!(timers(world.its_redis()), 0, "nothing is due anywhere");

    let tables = [finished, closed, forfeited];
    let mut before = Vec::new();
    for table in &tables {
        let view = table.view().await;
        assert_eq!((public(&view).turn_seat, deadline(&view)), (0, None));
        before.push(public(&view).revision);
    }
    a_while(&world).await;
    for (table, before) in tables.iter().zip(before) {
        let updates = audited(table, world.b()).await;
        assert_eq!(updates.last().map(|last| (last.revision, ended(last))), Some((before, true)));
        no_turn_was_missed(&updates);
    }
    world.stop().await;
}

async fn timed(world: &World, limit: Option<Duration>) -> Result<Table, tonic::Status> {
    let new = NewTable::two().timed(v1::Timing { turn_timeout: limit, ..v1::Timing::default() });
    let created = world.a().create_table(new.request.clone()).await?;
    assert!(!created.replayed);
    // The same request meets the table that there is.
    Ok(new.start(world.b()).await)
}

/// Players lost their turns after a second, for seconds were taken for milliseconds.
/// <https://github.com/therewillbecode/poker-maison/issues/15>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f05_thirty_seconds_are_thirty_seconds_and_nonsense_is_refused() {
    let world = World::redis().await;
    let day = 24 * 60 * 60;
    for (seconds, nanos, waited) in
        [(30, 0, 30_000), (0, 1_000_000, 1), (7 * day, 0, 7 * day * 1_000), (1, 500_000_000, 1_500)]
    {
        let table = timed(&world, Some(Duration { seconds, nanos })).await.expect("a time for a turn");
        let started = audited(&table, world.b()).await;
        let started = started.iter().find(|update| turn(update) > 0).expect("a start");
        assert_eq!(waits(started), Some(waited), "{seconds} s {nanos} ns");
    }
    for none in [None, Some(Duration { seconds: 0, nanos: 0 })] {
        let table = timed(&world, none).await.expect("a table without a limit");
        let view = table.view().await;
        assert_eq!((public(&view).turn_seat, deadline(&view)), (1, None));
        let resolved = public(&view).timing.as_ref().unwrap().turn_timeout;
        assert_eq!(resolved, Some(Duration { seconds: 0, nanos: 0 }), "the documented default");
    }
    for (seconds, nanos) in [
        (-1, 0),
        (0, -1_000_000),
        (0, -1),
        (10 * 365 * day, 0),
        (7 * day, 1_000_000),
        (0, 1),
        (0, 1_000_000_000),
        (i64::MAX, 999_000_000),
        (i64::MIN, i32::MIN),
        (i64::MAX / 1_000 + 1, 0),
    ] {
        let refused = timed(&world, Some(Duration { seconds, nanos })).await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused).as_str()), (Code::InvalidArgument, "INVALID_FIELD"));
        assert_eq!(violations(&refused)[0].0, "timing.turn_timeout", "{seconds} s {nanos} ns");
    }
    world.stop().await;
}

/// The same, waited for: a turn of 30 s, which everyday runs have cut to its last moment.
/// <https://github.com/therewillbecode/poker-maison/issues/15>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f05_a_turn_is_missed_when_its_time_is_over_and_not_before() {
    let world = World::redis().await;
    let limit = Duration { seconds: 30, nanos: 0 };
    let table = timed(&world, Some(limit)).await.expect("a time for a turn");
    until_its_turn(&table, 2, 1).await;
    let mut watch = from_now_on(&table).await;
    let before = table.view().await;
    let until = deadline(&before).expect("a deadline");
    if full() {
        // Meanwhile heartbeats come, each of which is waited for as long as anything.
        let mut heard = 0;
        while matches!(watch.next().await.payload, Some(v1::watch_table_response::Payload::Heartbeat(_))) {
            heard += 1;
        }
        assert!(heard >= 1);
        let updates = audited(&table, world.b()).await;
        let missed = updates.last().unwrap();
        let late = ms(missed.time.as_ref()) - until;
        assert!((500..1_500).contains(&late), "missed {late} ms after its deadline");
    } else {
        let missed = time_runs_out(&table, &mut watch).await;
        let extended = audited(&table, world.b()).await;
        let extended = &extended[extended.len() - 2];
        assert!(ms(missed.time.as_ref()) >= deadline(after(extended)).expect("a deadline") + 500);
    }
    world.stop().await;
}

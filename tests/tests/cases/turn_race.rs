//! The last moment of a turn: its player and its clock, on different replicas.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::join_all;
use tests::timing::deadline;
use tests::views::{facts, legal};
use tests::{NewTable, Table, Watch, World, ms, reason, v1};
use v1::Actor;
use v1::event::Fact;

use crate::ledger::{audit, audited, open_book};
use crate::moves::{after, misses, slow_turns, turn};
use crate::scale::{of, tell};
use tests::Chance;

/// How much later than its deadline an action is still taken, in milliseconds.
const GRACE: i64 = 500;
/// How many milliseconds before and after the last moment players act.
const CLOSE: i64 = 5;
/// What is left of a turn when it is raced for, in milliseconds.
const LEFT: i32 = 20;

/// Two players and an endless match; nobody is ever away.
fn endless() -> NewTable {
    let timing = v1::Timing { away_after: Some(0), ..slow_turns() };
    NewTable::two().to(0).timed(timing)
}

/// The time by the store's clock, which is this machine's, in milliseconds.
#[expect(clippy::disallowed_methods, reason = "the store's instants are those of the wall clock")]
fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    i64::try_from(now.as_millis()).expect("a time")
}

async fn wait_until(instant_ms: i64) {
    let left = u64::try_from(instant_ms - now_ms()).unwrap_or(0);
    tokio::time::sleep(Duration::from_millis(left)).await;
}

/// What the races of one table came to.
#[derive(Debug, Default)]
struct Races {
    by_players: usize,
    by_the_clock: usize,
}

/// One turn: it has a moment left, and what its player does arrives so much after the moment has ended, if it takes as
/// long on its way as the call before it.
async fn race(table: &Table, watch: &mut Watch, world: &World, later_ms: i64) -> Actor {
    let before = now_ms();
    let extended = table.extend(tests::duration(LEFT)).await;
    let last = watch.until(|update| update.revision == extended.revision).await.pop().expect("the extension");
    let (seat, revision) = (turn(&last), last.revision);
    let action = legal(after(&last), seat).into_iter().next().expect("something to do");
    let last_moment = deadline(after(&last)).expect("a deadline") + GRACE;
    let holder = table.seat(seat).at(world.door(usize::try_from(revision).unwrap()));

    let way = ms(last.time.as_ref()) - before;
    wait_until(last_moment + later_ms - way).await;
    let answer = holder.act_at(revision, &action).await;
    let update = watch.update().await;
    assert_eq!(update.revision, revision + 1);
    assert_eq!(update.seat, seat);
    let at = ms(update.time.as_ref());
    match &answer {
        Ok(played) => {
            assert_eq!(
                (played.revision, update.actor(), misses(&update)),
                (revision + 1, Actor::Player, vec![])
            );
            assert!(at < last_moment, "a player acted at {at}, after the last moment {last_moment}");
        }
        Err(status) => {
            let why = reason(status);
            assert!(
                ["TURN_EXPIRED", "STALE_REVISION", "NOT_YOUR_TURN"].contains(&why.as_str()),
                "{status:?}"
            );
            assert_eq!((update.actor(), misses(&update)), (Actor::Timeout, vec![seat]));
            assert!(at >= last_moment, "a turn was missed at {at}, before the last moment {last_moment}");
        }
    }
    update.actor()
}

async fn raced(world: &World, number: usize, rounds: usize) -> Races {
    let mut chance = Chance::new(number, "the last moments of turns");
    let table = endless().start(world.a()).await;
    let mut watch = open_book(&table, world.b()).await;
    let mut races = Races::default();
    for _ in 0..rounds {
        let later_ms = i64::try_from(chance.below(11)).unwrap() - CLOSE;
        match race(&table, &mut watch, world, later_ms).await {
            Actor::Player => races.by_players += 1,
            _ => races.by_the_clock += 1,
        }
    }
    audited(&table, world.a()).await;
    races
}

/// A turn that expired with two players was played twice, for the clock asked whose turn it was, and it was his again.
/// <https://github.com/stuartizon/anagrabble/issues/21>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f01_a_turn_that_ends_as_its_player_acts_is_his_or_the_clocks_and_never_both() {
    let world = World::redis().await;
    let (tables, rounds) = of((10, 6), (25, 20));
    let races = join_all((0..tables).map(|n| raced(&world, n, rounds))).await;
    let by_players: usize = races.iter().map(|races| races.by_players).sum();
    let by_the_clock: usize = races.iter().map(|races| races.by_the_clock).sum();
    assert_eq!(by_players + by_the_clock, tables * rounds);
    tell("F01", &format!("{} turns: {by_players} played in time, {by_the_clock} missed", tables * rounds));
    world.stop().await;
}

/// The same where nobody acts, and two replicas look at the clock.
/// <https://github.com/stuartizon/anagrabble/issues/21>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f01_where_nobody_acts_each_turn_is_played_once() {
    let world = World::redis().await;
    let limit = prost_types::Duration { seconds: of(0, 1), nanos: of(100_000_000, 0) };
    let timing = v1::Timing { away_after: Some(0), turn_timeout: Some(limit), ..v1::Timing::default() };
    let table = NewTable::two().to(0).timed(timing).start(world.a()).await;
    let mut watch = open_book(&table, world.b()).await;
    let started = table.revision().await;
    let mut updates = watch.updates_to(started).await;
    for _ in 0..of(6, 12) {
        let (seat, until) = updates.last().map(|last| (turn(last), deadline(after(last)))).unwrap();
        let update = watch.update().await;
        assert_eq!((update.actor(), misses(&update)), (Actor::Timeout, vec![seat]));
        let cards = facts(&update).into_iter().filter(|fact| matches!(fact, Fact::CardPlayed(_))).count();
        assert_eq!(cards, 1);
        assert!(ms(update.time.as_ref()) >= until.expect("a deadline") + GRACE);
        updates.push(update);
    }
    audit(&updates);
    world.stop().await;
}

//! Somebody who joins and leaves, over and over.

use tests::views::{legal, public};
use tests::{NewTable, Redis, Table, World, hours, reason, request_id, v1};
use v1::event::Fact;
use v1::{CloseCause, TablePhase};

use crate::ledger::{audited, count};
use crate::moves::{from_now_on, time_runs_out};
use crate::scale::{of, tell};

/// Updates that a table may have.
const MOST_UPDATES: i64 = 4_096;

/// Keys that a Redis has for tables; what the clocks of all of them need is not counted.
fn keys(redis: &Redis) -> usize {
    redis.ask(&["KEYS", "*"]).lines().filter(|key| !key.starts_with("al:")).count()
}

/// Three sit and wait for a fourth.
async fn waiting_for_the_fourth(world: &World, new: NewTable) -> Table {
    let table = new.with_open_seats().create(world.a()).await;
    for n in 1..=3 {
        world.b().join_table(table.join_request(n, &format!("player-{n}"))).await.expect("a free seat");
    }
    table
}

/// The fourth comes and goes once. False where the table has ended.
async fn comes_and_goes(world: &World, table: &Table, n: usize) -> bool {
    let leave = v1::LeaveTableRequest { name: table.name.clone(), request_id: request_id(), seat: 4 };
    for answer in [
        world.door(n).join_table(table.join_request(4, "restless")).await.map(drop),
        world.door(n + 1).leave_table(leave).await.map(drop),
    ] {
        if let Err(status) = answer {
            assert_eq!(reason(&status), "TABLE_ENDED", "{status:?}");
            return false;
        }
    }
    true
}

/// A game never started, for one player came and went all the time. <https://github.com/pokerth/pokerth/issues/120>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f11_who_comes_and_goes_keeps_nobody_from_starting() {
    let world = World::redis().await;
    let timing = v1::Timing {
        join_timeout: Some(hours(1)),
        join_timeout_policy: v1::JoinTimeoutPolicy::FillWithBots.into(),
        ..v1::Timing::default()
    };
    let new = NewTable::classic().starting(v1::StartPolicy::Manual).timed(timing);
    let table = waiting_for_the_fourth(&world, new).await;
    let before = table.view().await;
    let (deadline, kept) = (public(&before).deadline_time, keys(world.its_redis()));
    let times = 100;
    for n in 0..times {
        assert!(comes_and_goes(&world, &table, n).await);
    }
    let after = table.view().await;
    assert_eq!(public(&after).deadline_time, deadline, "who joins gives nobody more time to join");
    let grown = public(&after).revision - public(&before).revision;
    assert_eq!(grown, 2 * i64::try_from(times).unwrap(), "two updates each time");
    assert_eq!(keys(world.its_redis()), kept);

    // The time until the start runs out: the others play, with a bot where nobody sits just then.
    let started = time_runs_out(&table, &mut from_now_on(&table).await).await;
    assert_eq!(public(started.after.as_ref().unwrap()).phase(), TablePhase::Playing);
    assert_eq!(public(started.after.as_ref().unwrap()).seats[3].bot_level, "steady");
    let late = world.a().join_table(table.join_request(4, "restless")).await.unwrap_err();
    assert_eq!(reason(&late), "SEAT_TAKEN");
    world.stop().await;
}

/// The same where the table starts as soon as it is full: it does, the first time, and goes on.
/// <https://github.com/pokerth/pokerth/issues/120>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f11_a_full_table_starts_whether_the_fourth_stays_or_not() {
    let world = World::redis().await;
    let table = waiting_for_the_fourth(&world, NewTable::classic()).await;
    for n in 0..10 {
        assert!(comes_and_goes(&world, &table, n).await);
        assert_eq!(public(&table.view().await).phase(), TablePhase::Playing);
    }
    let history = audited(&table, world.b()).await;
    assert_eq!(count(&history, |fact| matches!(fact, Fact::Dealt(_))), 1);
    let leader = table.issue(1).await.at(world.b());
    let card = legal(&leader.view().await, 1).into_iter().next().expect("a card to lead");
    leader.act(&card).await.expect("those who stay play on");
    world.stop().await;
}

/// Who says "here" again and again adds nothing, and who never stops to come and go ends a table at its bound.
/// <https://github.com/pokerth/pokerth/issues/120>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f11_coming_and_going_fills_no_store() {
    let world = World::redis().await;
    let table = waiting_for_the_fourth(&world, NewTable::classic().starting(v1::StartPolicy::Manual)).await;
    let holder = table.issue(1).await;
    let (before, kept) = (table.revision().await, keys(world.its_redis()));
    for n in 0..100 {
        let again = holder.at(world.door(n)).join().await.expect("whose seat it is");
        assert_eq!((again.update, again.revision), (None, before));
    }

    let mut times = 0;
    while times < of(50, 2_100) && comes_and_goes(&world, &table, times).await {
        times += 1;
    }
    let view = table.view().await;
    let updates = public(&view).revision;
    assert!(updates <= MOST_UPDATES);
    if of(false, true) {
        assert_eq!(public(&view).close_cause(), CloseCause::Limit, "a table at its bound");
    }
    assert_eq!(keys(world.its_redis()), kept, "one table, however restless its players are");
    tell("F11", &format!("{times} times, {updates} updates"));
    world.stop().await;
}

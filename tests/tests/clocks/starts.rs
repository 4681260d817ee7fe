//! Matches that don't start in time, pauses between deals, and tables where nothing happens.

use tests::v1::{self, Actor, CloseCause, TablePhase, event::Fact};
use tests::views::{facts, public};
use tests::{NewTable, World, hours, on_each_store};

use crate::moves::{after, away, from_now_on, time_runs_out};

fn closed(update: &v1::Update, cause: CloseCause) {
    let table = public(after(update));
    assert_eq!(update.actor(), Actor::Timeout);
    assert_eq!((table.phase(), table.close_cause()), (TablePhase::Closed, cause));
}

on_each_store! {
    async fn a_table_that_is_not_complete_in_time_ends(world: &World) {
        let timing = v1::Timing { join_timeout: Some(hours(1)), ..v1::Timing::default() };
        let table = NewTable::two().timed(timing).create(world.a()).await.at(world.b());
        closed(&time_runs_out(&table, &mut from_now_on(&table).await).await, CloseCause::NotStarted);
    }

    async fn bots_fill_a_table_that_is_not_complete_in_time(world: &World) {
        let timing = v1::Timing {
            join_timeout: Some(hours(1)),
            join_timeout_policy: v1::JoinTimeoutPolicy::FillWithBots.into(),
            ..v1::Timing::default()
        };
        let table = NewTable::classic().with_open(&[3, 4]).timed(timing).create(world.a()).await.at(world.b());
        table.seat(1).join().await.unwrap();
        let update = time_runs_out(&table, &mut from_now_on(&table).await).await;
        let started = public(after(&update));
        assert_eq!((update.actor(), started.phase()), (Actor::Timeout, TablePhase::Playing));
        assert_eq!(started.seats.iter().map(|seat| seat.bot_level.as_str()).collect::<Vec<_>>(), ["", "", "steady", "steady"]);
        assert_eq!(away(&update), [(2, true)]);
        let back = table.seat(2).join().await.unwrap();
        assert_eq!(away(&back.update.unwrap()), [(2, false)]);
    }

    async fn the_next_deal_is_dealt_when_the_pause_is_over(world: &World) {
        let timing = v1::Timing { between_deals: Some(hours(1)), ..v1::Timing::default() };
        let table = NewTable::two().with_bots(&[1, 2]).to(9).timed(timing).create(world.a()).await.at(world.b());
        let mut watch = table.history().await;
        let pause = |update: &v1::Update| public(after(update)).phase() == TablePhase::BetweenDeals;
        let last = watch.until(pause).await.pop().unwrap();
        assert_eq!(tests::timing::waits(&last), Some(60 * 60 * 1_000));
        let dealt = time_runs_out(&table, &mut watch).await;
        assert_eq!(dealt.actor(), Actor::Timeout);
        assert!(matches!(facts(&dealt)[..], [Fact::Dealt(_)]), "{:?}", dealt.events);
    }

    async fn a_table_where_nothing_happens_expires(world: &World) {
        let timing = v1::Timing { idle_timeout: Some(hours(1)), ..v1::Timing::default() };
        let table = NewTable::two().timed(timing).create(world.a()).await.at(world.b());
        closed(&time_runs_out(&table, &mut from_now_on(&table).await).await, CloseCause::Expired);
    }
}

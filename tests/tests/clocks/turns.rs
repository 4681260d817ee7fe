//! Turns that a person lets pass, and what the table's policy makes of them.

use tests::timing::waits;
use tests::v1::{self, Actor, CloseCause, TablePhase, TimeoutPolicy, event::Fact};
use tests::views::{facts, public};
use tests::{NewTable, Table, World, on_each_store, reason};

use crate::moves::{
    after, away, from_now_on, is_move, misses, play_any, slow_turns, time_runs_out, until_its_turn,
};

const fn minutes(minutes: i64) -> prost_types::Duration {
    prost_types::Duration { seconds: minutes * 60, nanos: 0 }
}

fn with_policy(policy: TimeoutPolicy) -> v1::Timing {
    v1::Timing { timeout_policy: policy.into(), ..slow_turns() }
}

/// What a missed turn is that a bot played: one miss of this seat, and its move.
fn played_for(update: &v1::Update, seat: i32) {
    assert_eq!((update.actor(), update.seat), (Actor::Timeout, seat));
    assert_eq!(misses(update), [seat]);
    assert!(matches!(facts(update)[0], Fact::TurnMissed(_)) && is_move(update), "{:?}", update.events);
}

/// The seat lets one turn pass. The other player plays before that, where he must.
async fn lets_pass(table: &Table, seat: i32) -> v1::Update {
    until_its_turn(table, seat, 3 - seat).await;
    time_runs_out(table, &mut from_now_on(table).await).await
}

on_each_store! {
    async fn whoever_lets_turns_pass_is_played_for_until_he_is_back(world: &World) {
        let timing = v1::Timing { away_after: Some(2), ..slow_turns() };
        let table = NewTable::two().timed(timing).start(world.a()).await.at(world.b());

        let first = lets_pass(&table, 1).await;
        played_for(&first, 1);
        assert_eq!(away(&first), []);
        let second = lets_pass(&table, 1).await;
        played_for(&second, 1);
        assert_eq!(away(&second), [(1, true)], "twice in a row");
        assert!(public(after(&second)).seats[0].away);

        // Nobody asks him any more: a bot plays for the seat, in its own name.
        let mut watch = from_now_on(&table).await;
        until_its_turn(&table, 1, 2).await;
        let bots = watch.until(|update| update.seat == 1).await.pop().unwrap();
        assert_eq!((bots.actor(), misses(&bots)), (Actor::Bot, vec![]));
        assert!(is_move(&bots));

        let back = table.seat(1).join().await.unwrap();
        let update = back.update.expect("an update");
        assert_eq!((update.actor(), away(&update)), (Actor::Player, vec![(1, false)]));
        assert!(!public(&back.view.unwrap()).seats[0].away);
        let third = lets_pass(&table, 1).await;
        played_for(&third, 1);
        assert_eq!(away(&third), [], "it is counted anew");
    }

    async fn whoever_plays_in_between_has_not_let_turns_pass_in_a_row(world: &World) {
        let timing = v1::Timing { away_after: Some(2), ..slow_turns() };
        let table = NewTable::two().timed(timing).start(world.a()).await.at(world.b());
        assert_eq!(away(&lets_pass(&table, 1).await), []);
        until_its_turn(&table, 1, 2).await;
        play_any(table.seat(1)).await;
        assert_eq!(away(&lets_pass(&table, 1).await), []);
        assert_eq!(away(&lets_pass(&table, 1).await), [(1, true)]);
    }

    async fn a_player_is_never_away_where_the_table_says_so(world: &World) {
        let timing = v1::Timing { away_after: Some(0), ..slow_turns() };
        let table = NewTable::two().timed(timing).start(world.a()).await.at(world.b());
        for _ in 0..4 {
            let update = lets_pass(&table, 1).await;
            played_for(&update, 1);
            assert_eq!(away(&update), []);
        }
    }

    async fn the_side_of_a_missed_turn_forfeits_the_match(world: &World) {
        let new = NewTable::classic().timed(with_policy(TimeoutPolicy::Forfeit));
        let table = new.start(world.a()).await.at(world.b());
        let update = time_runs_out(&table, &mut from_now_on(&table).await).await;

        assert_eq!((update.actor(), update.seat), (Actor::Timeout, 1));
        let missed = Fact::TurnMissed(v1::TurnMissed { seat: 1 });
        let forfeited = Fact::SeatForfeited(v1::SeatForfeited { seat: 1 });
        assert_eq!(facts(&update), [&missed, &forfeited]);
        let public = public(after(&update));
        assert_eq!((public.phase(), public.close_cause()), (TablePhase::Closed, CloseCause::Forfeited));
        assert_eq!((&public.winner_seats[..], public.turn_seat, public.deadline_time), (&[2, 4][..], 0, None));
        let late = table.seat(1).play("7c").await.unwrap_err();
        assert_eq!(reason(&late), "TABLE_ENDED");
    }

    async fn whoever_leaves_a_match_forfeits_it_where_the_policy_is_so(world: &World) {
        let new = NewTable::two().timed(with_policy(TimeoutPolicy::Forfeit));
        let table = new.start(world.a()).await.at(world.b());
        let left = table.seat(2).leave().await.unwrap();
        assert_eq!(facts(&left.update.unwrap()), [&Fact::SeatForfeited(v1::SeatForfeited { seat: 2 })]);
        let view = table.view().await;
        assert_eq!((public(&view).close_cause(), &public(&view).winner_seats[..]), (CloseCause::Forfeited, &[1][..]));
    }

    async fn a_missed_turn_is_only_told_where_nothing_shall_happen(world: &World) {
        let new = NewTable::two().timed(with_policy(TimeoutPolicy::Nothing));
        let table = new.start(world.a()).await.at(world.b());
        let before = table.seat(1).view().await;
        let update = time_runs_out(&table, &mut from_now_on(&table).await).await;

        assert_eq!((update.actor(), update.seat), (Actor::Timeout, 1));
        assert_eq!(facts(&update), [&Fact::TurnMissed(v1::TurnMissed { seat: 1 })]);
        let after = public(after(&update));
        assert_eq!((after.turn_seat, after.turn_revision), (1, public(&before).turn_revision));
        assert_eq!((after.deadline_time, after.seats[0].away), (None, false));

        // The decision on the view from before the miss is as good as it was.
        let card = tests::views::playable(&before, 1)[0];
        let played = table.seat(1).play_at(public(&before).revision, &tests::text([&card])).await.unwrap();
        assert_eq!(played.revision, update.revision + 1);
        let next = played.view.unwrap();
        assert!(public(&next).deadline_time.is_some(), "the next seat's clock runs");
    }

    async fn a_turn_is_missed_once_however_long_it_lasts(world: &World) {
        let new = NewTable::two().timed(with_policy(TimeoutPolicy::Nothing));
        let table = new.start(world.a()).await.at(world.b());
        let mut watch = from_now_on(&table).await;
        let update = time_runs_out(&table, &mut watch).await;
        assert_eq!(waits(&update), None);

        // Another table's clock that starts now runs out later than this one's could for a second time.
        let other = NewTable::two().timed(with_policy(TimeoutPolicy::Nothing)).start(world.a()).await;
        time_runs_out(&other, &mut from_now_on(&other).await).await;
        assert_eq!(table.revision().await, update.revision);
    }

    async fn a_missed_turn_that_is_given_time_may_be_missed_again(world: &World) {
        let new = NewTable::two().timed(with_policy(TimeoutPolicy::Nothing));
        let table = new.start(world.a()).await.at(world.b());
        let before = table.seat(1).view().await;
        let mut watch = from_now_on(&table).await;
        let missed = Fact::TurnMissed(v1::TurnMissed { seat: 1 });
        assert_eq!(facts(&time_runs_out(&table, &mut watch).await), [&missed]);

        // The platform gives him five more minutes, and he lets them pass: that is told as the first time was.
        table.extend(minutes(5)).await;
        let extended = watch.update().await;
        assert_eq!(waits(&extended), Some(5 * 60 * 1_000));
        assert_eq!(public(after(&extended)).turn_revision, public(&before).turn_revision);
        assert_eq!(facts(&time_runs_out(&table, &mut watch).await), [&missed]);

        // With time once more he plays in it, still on the view from before the first miss.
        table.extend(minutes(5)).await;
        let card = tests::views::playable(&before, 1)[0];
        table.seat(1).play_at(public(&before).revision, &tests::text([&card])).await.unwrap();
        let played = watch.until(is_move).await.pop().unwrap();
        assert_eq!(waits(&played), Some(60 * 60 * 1_000), "the next seat has the whole time of a turn");
    }
}

//! How each seat took part.

use tests::life::hour_for_everything;
use tests::v1::{self, StartPolicy};
use tests::views::public;
use tests::{Consumer, NewTable, World, hours, on_each_store};

on_each_store! {
    async fn turns_let_pass_and_actions_of_bots_are_counted(world: &World) {
        let timing = v1::Timing {
            turn_timeout: Some(hours(1)),
            timeout_policy: v1::TimeoutPolicy::Autoplay.into(),
            away_after: Some(2),
            bot_delay: None,
            ..hour_for_everything()
        };
        let new = NewTable::preset("two", 2).timed(timing).starting(StartPolicy::WhenFull);
        let table = new.create(world.a()).await.at(world.b());
        let slow = public(&table.view().await).turn_seat;
        // The clock plays for the slow one, once; whatever follows is played for everybody.
        table.time_runs_out().await;
        table.play_first().await;
        table.close().await;
        let result = Consumer::of(world.a(), "books", 60).await.next().await;
        for seat in &result.seats {
            let counts = if seat.seat == slow { (1, 1) } else { (0, 0) };
            assert_eq!((seat.timeouts, seat.bot_actions), counts, "seat {}", seat.seat);
        }
    }

    async fn who_comes_back_keeps_his_count_and_who_replaces_him_has_none(world: &World) {
        let timing = v1::Timing {
            turn_timeout: Some(hours(1)),
            timeout_policy: v1::TimeoutPolicy::Autoplay.into(),
            bot_delay: None,
            ..hour_for_everything()
        };
        for (next, timeouts) in [("slow", 1), ("jana", 0)] {
            let new = NewTable::preset("two", 2).with_player(1, "slow").with_player(2, "slower").timed(timing.clone());
            let table = new.starting(StartPolicy::WhenFull).create(world.a()).await.at(world.b());
            while public(&table.view().await).turn_seat != 1 {
                table.play_first().await;
            }
            table.time_runs_out().await;
            table.free(1).await;
            table.seat_player(1, next).await;
            table.close().await;
            let mut books = Consumer::of(world.a(), "books", 60).await;
            let result = books.next().await;
            let v1::ResultSeat { player_id, timeouts: passed, bot_actions, left, .. } = &result.seats[0];
            assert_eq!((player_id.as_str(), *passed, *left), (next, timeouts, false));
            assert!(*bot_actions >= 1, "what was played for the seat stays its own");
            assert!(books.acknowledge(&result).await);
        }
    }

    async fn a_player_who_left_is_named_until_another_takes_his_place(world: &World) {
        for replaced in [false, true] {
            let timing = v1::Timing { timeout_policy: v1::TimeoutPolicy::Nothing.into(), ..hour_for_everything() };
            let new = NewTable::preset("two", 2).with_player(1, "anna").with_player(2, "petr").timed(timing);
            let table = new.starting(StartPolicy::WhenFull).create(world.a()).await.at(world.b());
            table.free(2).await;
            if replaced {
                table.seat_player(2, "jana").await;
            }
            table.close().await;
            let mut books = Consumer::of(world.a(), "books", 60).await;
            let result = books.next().await;
            let named: Vec<_> = result.seats.iter().map(|seat| (seat.player_id.as_str(), seat.left)).collect();
            assert_eq!(named, [("anna", false), if replaced { ("jana", false) } else { ("petr", true) }]);
            assert!(books.acknowledge(&result).await);
        }
    }
}

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

//! Until when a table waits, as views and updates tell it.

use tests::timing::{deadline, waits};
use tests::v1::{self, event::Fact};
use tests::views::{facts, public};
use tests::{NewTable, World, duration, hours, ms, on_each_store};

use crate::moves::{after, from_now_on, play_any, slow_turns};

const HOUR: i64 = 60 * 60 * 1_000;

on_each_store! {
    async fn a_table_without_clocks_has_no_deadline(world: &World) {
        let table = NewTable::two().start(world.a()).await.at(world.b());
        assert_eq!(deadline(&table.view().await), None);
        let timing = public(&table.view().await).timing.clone().expect("clocks, resolved");
        let zero = Some(duration(0));
        let resolved = v1::Timing {
            turn_timeout: zero,
            timeout_policy: v1::TimeoutPolicy::Autoplay.into(),
            away_after: Some(3),
            bot_delay: zero,
            between_deals: zero,
            join_timeout: zero,
            join_timeout_policy: v1::JoinTimeoutPolicy::Close.into(),
            idle_timeout: zero,
            bot_level: "steady".into(),
        };
        assert_eq!(timing, resolved);
    }

    async fn every_play_gives_the_next_seat_its_whole_time(world: &World) {
        let table = NewTable::classic().timed(slow_turns()).start(world.a()).await.at(world.b());
        let mut watch = from_now_on(&table).await;
        for seat in 1..=4 {
            let played = play_any(table.seat(seat)).await;
            let update = watch.update().await;
            assert_eq!((update.revision, waits(&update)), (played.revision, Some(HOUR)));
            let view = played.view.unwrap();
            assert_eq!(deadline(&view), deadline(after(&update)), "the answer and the watch tell the same");
            let left = public(&view).remaining_duration.unwrap();
            assert!((0..=HOUR / 1_000).contains(&left.seconds), "{left:?}");
        }
    }

    async fn what_is_none_of_the_movers_business_leaves_his_deadline_as_it_is(world: &World) {
        let table = NewTable::two().timed(slow_turns()).start(world.a()).await.at(world.b());
        let before = table.view().await;
        let until = deadline(&before);
        assert!(until.is_some());

        table.seat(2).leave().await.unwrap();
        assert_eq!(deadline(&table.view().await), until, "after another seat was left");
        let joined = table.platform.join_table(table.join_request(2, "anna")).await.unwrap();
        assert_eq!(deadline(&joined.view.unwrap()), until, "after another player came");
        table.revoke(2).await;
        assert_eq!(deadline(&table.view().await), until, "after a token was revoked");
        table.seat(1).join().await.unwrap();
        let now = table.view().await;
        assert_eq!(deadline(&now), until, "after the mover said here again");
        assert_eq!(public(&now).turn_revision, public(&before).turn_revision);
    }

    async fn who_joins_gives_nobody_more_time_to_join(world: &World) {
        let timing = v1::Timing { join_timeout: Some(hours(1)), ..v1::Timing::default() };
        let new = NewTable::two().with_open_seats().timed(timing);
        let table = new.create(world.a()).await.at(world.b());
        let mut watch = table.history().await;
        let created = watch.update().await;
        assert_eq!(waits(&created), Some(HOUR));

        let joining = v1::JoinTableRequest { entropy: vec![7; 32].into(), ..table.join_request(2, "anna") };
        table.platform.join_table(joining).await.unwrap();
        let joined = watch.update().await;
        assert!(facts(&joined).iter().any(|fact| matches!(fact, Fact::EntropyGiven(_))));
        assert_eq!(deadline(after(&joined)), deadline(after(&created)));
        table.platform.join_table(table.join_request(1, "eva")).await.unwrap();
        let started = watch.update().await;
        assert_eq!((public(after(&started)).turn_seat, waits(&started)), (1, None), "turns take what they take");
    }

    async fn the_platform_sets_the_time_that_is_left(world: &World) {
        let table = NewTable::two().timed(slow_turns()).start(world.a()).await.at(world.b());
        let mut watch = from_now_on(&table).await;
        for remaining in [hours(2), hours(7 * 24), hours(1)] {
            let extended = table.extend(remaining).await;
            let update = watch.update().await;
            let until = ms(update.time.as_ref()) + remaining.seconds * 1_000;
            let [Fact::DeadlineExtended(fact)] = facts(&update)[..] else { panic!("{:?}", update.events) };
            assert_eq!(ms(fact.deadline_time.as_ref()), until);
            assert_eq!(deadline(after(&update)), Some(until));
            assert_eq!(deadline(&extended.view.unwrap()), Some(until));
        }
    }
}

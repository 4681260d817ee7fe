//! The table after the table: what goes on there, however the one before ended.

use tests::life::hour_for_everything;
use tests::v1::{self, CloseCause, StartPolicy, TablePhase};
use tests::views::public;
use tests::{NewTable, Seat, Table, World, hours, on_each_store};

/// How a table can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Finished,
    Forfeited,
    ClosedInPlay,
    ClosedBeforeTheStart,
    NotStarted,
    Expired,
}

const ENDINGS: [Ending; 6] = [
    Ending::Finished,
    Ending::Forfeited,
    Ending::ClosedInPlay,
    Ending::ClosedBeforeTheStart,
    Ending::NotStarted,
    Ending::Expired,
];

/// Everything in the request is other than what it would be if nothing were asked for.
fn with_everything() -> NewTable {
    let mut new = NewTable::preset("pagat", 4).changed(|rules| rules.last_trick_bonus = Some(20)).to(1);
    new.request.external_ref = "cup/round-3".into();
    new.request.labels =
        [("cup".to_owned(), "spring".to_owned()), ("round".to_owned(), "3".to_owned())].into();
    new.with_bots(&[2, 4]).pausing_between_deals().timed(v1::Timing {
        away_after: Some(7),
        turn_timeout: Some(hours(2)),
        timeout_policy: v1::TimeoutPolicy::Autoplay.into(),
        ..hour_for_everything()
    })
}

/// A table that has ended so.
async fn ended(world: &World, ending: Ending) -> Table {
    let mut new = with_everything();
    let timing = new.request.timing.as_mut().unwrap();
    match ending {
        Ending::ClosedBeforeTheStart => {}
        Ending::NotStarted => timing.join_timeout = Some(hours(1)),
        Ending::Expired => (timing.join_timeout, timing.idle_timeout) = (None, Some(hours(1))),
        _ => new = new.starting(StartPolicy::WhenFull),
    }
    let table = new.create(world.a()).await.at(world.b());
    match ending {
        Ending::Finished => {
            while public(&table.view().await).phase() != TablePhase::Finished {
                let view = table.view().await;
                match public(&view).phase() {
                    TablePhase::BetweenDeals => {
                        let request = table.next_deal_request(public(&view).revision);
                        drop(world.a().start_next_deal(request).await.unwrap());
                    }
                    _ => drop(table.play_first().await),
                }
            }
        }
        Ending::Forfeited => drop(world.b().forfeit_seat(table.forfeit_request(2)).await.unwrap()),
        Ending::ClosedInPlay | Ending::ClosedBeforeTheStart => drop(table.close().await),
        Ending::NotStarted | Ending::Expired => drop(table.time_runs_out().await),
    }
    table
}

/// What of a table goes on to the next one, as its platform sees it.
fn lasting(view: &v1::TableView) -> v1::PublicTable {
    let table = public(view);
    let seats = table.seats.iter().map(|seat| v1::SeatInfo { ready: false, away: false, ..seat.clone() });
    v1::PublicTable {
        rules: table.rules.clone(),
        seats: seats.collect(),
        between_deals: table.between_deals,
        spectators: table.spectators,
        external_ref: table.external_ref.clone(),
        labels: table.labels.clone(),
        timing: table.timing.clone(),
        ..v1::PublicTable::default()
    }
}

/// The rematch as the platform asks for it, with the holders of its seats.
async fn rematch(table: &Table) -> (Table, v1::CreateRematchResponse) {
    let answer = table.platform.create_rematch(table.rematch_request()).await.expect("a rematch");
    let name = public(answer.view.as_ref().expect("a view")).name.clone();
    let seats = answer.seat_tokens.iter().map(|token| Seat::new(&table.platform, &name, token)).collect();
    (Table { platform: table.platform.clone(), name, seats }, answer)
}

fn holders(table: &Table) -> Vec<i32> {
    table.seats.iter().map(|seat| seat.number).collect()
}

on_each_store! {
    async fn everything_goes_on_at_the_next_table_however_the_one_before_ended(world: &World) {
        for ending in ENDINGS {
            let old = ended(world, ending).await;
            let before = old.view().await;
            let cause = match ending {
                Ending::Finished => CloseCause::Unspecified,
                Ending::Forfeited => CloseCause::Forfeited,
                Ending::ClosedInPlay | Ending::ClosedBeforeTheStart => CloseCause::Platform,
                Ending::NotStarted => CloseCause::NotStarted,
                Ending::Expired => CloseCause::Expired,
            };
            assert_eq!(public(&before).close_cause(), cause, "{ending:?}");
            let (next, answer) = rematch(&old).await;
            let view = answer.view.unwrap();
            assert_eq!(lasting(&view), lasting(&before), "{ending:?}");
            assert_eq!(public(&view).external_ref, "cup/round-3");
            assert_eq!((holders(&next), public(&view).revision), (vec![1, 3], 1));
            assert_ne!(public(&view).commitment, public(&before).commitment, "chance of its own");

            // Whoever was named is asked to come; the bots are there.
            assert_eq!((public(&view).phase(), public(&view).start_policy()), (TablePhase::Open, StartPolicy::WhenReady));
            next.seat(1).join().await.unwrap();
            let started = next.at(world.a()).seat(3).join().await.unwrap().view.unwrap();
            assert_eq!(public(&started).phase(), TablePhase::Playing, "{ending:?}");
        }
    }

    async fn a_manual_table_is_followed_by_one(world: &World) {
        let old = with_everything().starting(StartPolicy::Manual).create(world.a()).await.at(world.b());
        old.close().await;
        let (next, answer) = rematch(&old).await;
        assert_eq!(public(&answer.view.unwrap()).start_policy(), StartPolicy::Manual);
        for seat in &next.seats {
            seat.join().await.unwrap();
        }
        assert_eq!(public(&next.view().await).phase(), TablePhase::Open);
        assert_eq!(public(&next.seat(3).start().await.unwrap().view.unwrap()).phase(), TablePhase::Playing);
    }

    async fn who_has_the_seat_at_the_end_has_it_at_the_next_table(world: &World) {
        let table = NewTable::classic().timed(hour_for_everything()).start(world.a()).await.at(world.b());
        // Seat 1 is taken over by a person, seat 2 by a bot, seat 3 by nobody, and seat 4 was revoked.
        for seat in 1..=3 {
            table.seat(seat).leave().await.unwrap();
        }
        table.seat_player(1, "eva").await;
        world.a().add_bot(table.add_bot_request(2)).await.unwrap();
        table.revoke(4).await;
        table.close().await;

        let (next, answer) = rematch(&table).await;
        let view = answer.view.unwrap();
        let who: Vec<(&str, &str, bool)> = public(&view)
            .seats
            .iter()
            .map(|seat| (seat.player_id.as_str(), seat.bot_level.as_str(), seat.open))
            .collect();
        assert_eq!(who, [("eva", "", false), ("", "steady", false), ("", "", true), ("p4", "", false)]);
        assert_eq!(holders(&next), [1, 4]);
        next.seat_player(0, "ida").await;
        for seat in &next.seats {
            seat.join().await.unwrap();
        }
        assert_eq!(public(&next.view().await).phase(), TablePhase::Playing);
    }

    async fn a_rematch_of_bots_alone_starts_at_once_and_may_have_one_of_its_own(world: &World) {
        let new = NewTable::two().with_bots(&[1, 2]).timed(hour_for_everything());
        let mut table = new.create(world.a()).await.at(world.b());
        let mut names = vec![table.name.clone()];
        for _ in 0..3 {
            table.close().await;
            let (next, answer) = rematch(&table).await;
            assert_eq!(public(&answer.view.unwrap()).phase(), TablePhase::Playing);
            assert_eq!(public(&table.view().await).rematch, next.name);
            assert!(!names.contains(&next.name));
            names.push(next.name.clone());
            table = next;
        }
    }
}

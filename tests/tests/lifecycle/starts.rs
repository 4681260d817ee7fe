//! When a match starts: by itself, when everybody is there, or by a call.

use tests::v1::{self, Actor, StartPolicy, TablePhase, event::Fact};
use tests::views::{facts, game, hand, public};
use tests::{NewTable, World, hours, on_each_store};

use crate::refused::refused;

/// An hour for a bot's move: it does not play while a test looks.
fn slow_bots() -> v1::Timing {
    v1::Timing { bot_delay: Some(hours(1)), ..v1::Timing::default() }
}

/// Whether an update dealt a deal.
fn dealt(update: Option<&v1::Update>) -> bool {
    update.is_some_and(|update| facts(update).iter().any(|fact| matches!(fact, Fact::Dealt(_))))
}

/// The seats whose players have said that they are here, or where a bot is.
fn ready(view: &v1::TableView) -> Vec<i32> {
    public(view).seats.iter().filter(|seat| seat.ready).map(|seat| seat.seat).collect()
}

fn phase(view: Option<&v1::TableView>) -> TablePhase {
    public(view.expect("a view")).phase()
}

on_each_store! {
    async fn four_bots_start_with_the_call_that_creates_them(world: &World) {
        for policy in [StartPolicy::Unspecified, StartPolicy::WhenFull, StartPolicy::WhenReady] {
            let new = NewTable::classic().with_bots(&[1, 2, 3, 4]).timed(slow_bots()).starting(policy);
            let created = world.a().create_table(new.request).await.unwrap();
            assert_eq!((created.revision, phase(created.view.as_ref())), (1, TablePhase::Playing), "{policy:?}");
            assert!(dealt(created.update.as_ref()) && created.seat_tokens.is_empty());
            assert_eq!(ready(&created.view.unwrap()), [1, 2, 3, 4]);
        }
    }

    async fn players_and_bots_start_with_the_call_that_names_them(world: &World) {
        let new = NewTable::classic().with_bots(&[2, 4]).timed(slow_bots()).starting(StartPolicy::WhenFull);
        let table = new.create(world.a()).await.at(world.b());
        let view = table.view().await;
        assert_eq!((public(&view).revision, public(&view).phase(), ready(&view)), (1, TablePhase::Playing, vec![2, 4]));
        // Nobody needs to say "here": the tokens of the answer play.
        let leader = table.seat(1);
        let card = tests::views::legal(&leader.view().await, 1).remove(0);
        leader.play(&card).await.expect("a play of one who was never asked whether he is here");
        assert!(!hand(&table.seat(3).view().await, 3).is_empty());
        let here = table.seat(3).join().await.unwrap().update.unwrap();
        assert_eq!(facts(&here), [&Fact::SeatReady(v1::SeatReady { seat: 3 })]);
    }

    async fn the_last_seat_to_be_taken_starts_a_table_that_waits_to_be_full(world: &World) {
        let open = NewTable::classic().with_open(&[2, 3]).timed(slow_bots()).starting(StartPolicy::WhenFull);
        let table = open.clone().create(world.a()).await.at(world.b());
        let joined = table.platform.join_table(table.join_request(3, "eva")).await.unwrap();
        assert_eq!((dealt(joined.update.as_ref()), phase(joined.view.as_ref())), (false, TablePhase::Open));
        refused(table.seat(1).start().await, "NOT_STARTED");
        let last = world.a().add_bot(table.add_bot_request(0)).await.unwrap();
        assert_eq!((dealt(last.update.as_ref()), phase(last.view.as_ref())), (true, TablePhase::Playing));

        let request = v1::CreateTableRequest { request_id: tests::request_id(), ..open.request };
        let created = world.a().create_table(request).await.unwrap();
        let name = public(created.view.as_ref().unwrap()).name.clone();
        let table = tests::Table { platform: world.b().clone(), name, seats: Vec::new() };
        world.a().add_bot(table.add_bot_request(3)).await.unwrap();
        let last = table.platform.join_table(table.join_request(0, "eva")).await.unwrap();
        assert!(dealt(last.update.as_ref()) && !hand(&last.view.unwrap(), 2).is_empty());
    }

    async fn named_players_are_waited_for_until_the_last_is_here(world: &World) {
        for policy in [StartPolicy::Unspecified, StartPolicy::WhenReady] {
            let new = NewTable::classic().with_bots(&[4]).timed(slow_bots()).starting(policy);
            let table = new.create(world.a()).await.at(world.b());
            assert_eq!(public(&table.view().await).start_policy(), StartPolicy::WhenReady);
            for seat in [3, 1] {
                let here = table.seat(seat).join().await.unwrap();
                assert_eq!((dealt(here.update.as_ref()), phase(here.view.as_ref())), (false, TablePhase::Open));
            }
            assert_eq!(table.at(world.a()).seat(3).join().await.unwrap().update, None, "he is here already");
            assert_eq!(ready(&table.view().await), [1, 3, 4]);
            let last = table.at(world.a()).seat(2).join().await.unwrap();
            assert_eq!((dealt(last.update.as_ref()), phase(last.view.as_ref())), (true, TablePhase::Playing));
        }
    }

    async fn whom_the_platform_seats_is_here(world: &World) {
        let new = NewTable::two().with_open(&[2]).starting(StartPolicy::WhenReady);
        let table = new.create(world.a()).await.at(world.b());
        let eva = table.seat_player(2, "eva").await;
        assert_eq!((ready(&eva.view().await), phase(Some(&eva.view().await))), (vec![2], TablePhase::Open));
        // For the one whom it named at first it may say so as well.
        let here = table.platform.join_table(table.join_request(1, "")).await.unwrap();
        assert!(dealt(here.update.as_ref()));
        assert_eq!(here.seat_token.unwrap().seat, 1);
    }

    async fn a_manual_table_waits_for_the_call_though_everybody_is_here(world: &World) {
        let new = NewTable::classic().with_bots(&[3]).timed(slow_bots()).starting(StartPolicy::Manual);
        for by_platform in [true, false] {
            let mut new = new.clone();
            new.request.request_id = tests::request_id();
            let table = new.create(world.a()).await.at(world.b());
            for seat in [1, 2, 4] {
                table.seat(seat).join().await.unwrap();
            }
            let view = table.view().await;
            assert_eq!((public(&view).phase(), ready(&view)), (TablePhase::Open, vec![1, 2, 3, 4]));
            let client = if by_platform { world.a() } else { &table.seat(4).client };
            let request = table.start_request();
            let started = client.start_table(request.clone()).await.unwrap();
            let again = client.start_table(request).await.unwrap();
            assert_eq!((again.replayed, again.revision), (true, started.revision));
            let update = started.update.unwrap();
            assert!(dealt(Some(&update)), "{:?}", update.events);
            let starter = if by_platform { (Actor::Platform, 0) } else { (Actor::Player, 4) };
            assert_eq!((update.actor(), update.seat), starter, "who called is told");
            refused(table.seat(1).start().await, "ALREADY_STARTED");
        }
    }

    async fn a_call_starts_any_table_whose_seats_are_taken(world: &World) {
        let table = NewTable::two().starting(StartPolicy::WhenReady).create(world.a()).await.at(world.b());
        let started = table.seat(2).start().await.expect("nobody has said that he is here");
        assert_eq!(phase(started.view.as_ref()), TablePhase::Playing);
        assert_eq!(ready(&table.view().await), [0; 0]);
        assert_eq!(game(&table.view().await).deal, 1);
    }
}

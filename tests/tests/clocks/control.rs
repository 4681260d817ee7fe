//! What a platform decides about a running table, and that a repeat of it changes nothing.

use tests::v1::{CloseCause, TablePhase};
use tests::views::public;
use tests::{NewTable, World, hours, on_each_store, reason};

use crate::moves::slow_turns;

on_each_store! {
    async fn a_pause_and_its_end_happen_once(world: &World) {
        let table = NewTable::two().timed(slow_turns()).start(world.a()).await.at(world.b());
        let request = table.pause_request();
        let paused = world.a().pause_table(request.clone()).await.unwrap();
        let again = world.b().pause_table(request).await.unwrap();
        assert_eq!((again.replayed, again.revision), (true, paused.revision));
        assert_eq!(table.pause().await.update, None, "it is paused already");
        let request = table.resume_request();
        let resumed = world.a().resume_table(request.clone()).await.unwrap();
        assert_eq!(resumed.revision, paused.revision + 1);
        let again = world.b().resume_table(request).await.unwrap();
        assert_eq!((again.replayed, again.revision), (true, resumed.revision));
        assert_eq!(table.resume().await.update, None, "it goes on already");
    }

    async fn bots_take_open_seats_and_give_them_back(world: &World) {
        let table = NewTable::two().with_open(&[2]).create(world.a()).await.at(world.b());
        let taken = world.b().add_bot(table.add_bot_request(1)).await.unwrap_err();
        assert_eq!(reason(&taken), "SEAT_TAKEN");
        let request = table.add_bot_request(0);
        let added = world.a().add_bot(request.clone()).await.unwrap();
        assert_eq!(public(added.view.as_ref().unwrap()).seats[1].bot_level, "steady");
        assert!(world.b().add_bot(request).await.unwrap().replayed);
        let full = world.b().add_bot(table.add_bot_request(0)).await.unwrap_err();
        assert_eq!(reason(&full), "TABLE_FULL");
        let removed = world.b().remove_bot(table.remove_bot_request(2)).await.unwrap();
        assert!(public(removed.view.as_ref().unwrap()).seats[1].open);
        assert_eq!(world.a().remove_bot(table.remove_bot_request(2)).await.unwrap().update, None);
    }

    async fn a_forfeit_ends_the_match_once(world: &World) {
        let table = NewTable::classic().start(world.a()).await.at(world.b());
        let nothing = world.a().extend_deadline(table.extend_request(hours(1))).await.unwrap_err();
        assert_eq!(reason(&nothing), "NOT_STARTED");
        let request = table.forfeit_request(2);
        let ended = world.a().forfeit_seat(request.clone()).await.unwrap();
        let view = ended.view.as_ref().map(public).unwrap();
        assert_eq!((view.phase(), view.close_cause()), (TablePhase::Closed, CloseCause::Forfeited));
        assert_eq!(view.winner_seats, [1, 3]);
        let again = world.b().forfeit_seat(request).await.unwrap();
        assert_eq!((again.replayed, again.revision), (true, ended.revision));
        let answers = [
            world.b().forfeit_seat(table.forfeit_request(1)).await.map(drop),
            world.b().pause_table(table.pause_request()).await.map(drop),
            world.b().resume_table(table.resume_request()).await.map(drop),
            world.b().add_bot(table.add_bot_request(1)).await.map(drop),
            world.b().remove_bot(table.remove_bot_request(1)).await.map(drop),
            world.b().extend_deadline(table.extend_request(hours(1))).await.map(drop),
        ];
        assert!(answers.into_iter().all(|answer| reason(&answer.unwrap_err()) == "TABLE_ENDED"));
    }
}

//! What `expected_revision` lets through, and what it stops.

use futures_util::future::join;
use tests::views::{game, public};
use tests::{World, metadata, on_each_store, reason, refusal};
use tonic::{Code, Status};

use crate::deals::{TRICK, assert_no_card_is_doubled, deal};

/// Asserts that a status is ABORTED / `STALE_REVISION` and says both numbers, in the details and in the refusal.
fn assert_stale(status: &Status, revision: i64, turn_revision: i64) {
    assert_eq!((status.code(), reason(status).as_str()), (Code::Aborted, "STALE_REVISION"));
    let told = metadata(status);
    assert_eq!(told["revision"], revision.to_string());
    assert_eq!(told["turnRevision"], turn_revision.to_string());
    let refusal = refusal(status);
    assert_eq!((refusal.revision, refusal.turn_revision), (revision, turn_revision));
}

on_each_store! {
    async fn one_card_sent_twice_under_two_ids_is_played_once(world: &World) {
        let table = deal().start(world.a()).await;
        let seat = table.seat(1);
        let before = table.revision().await;
        // On one connection, the second sent before the first is answered.
        let (first, second) = join(seat.play_at(before, "8h"), seat.play_at(before, "8h")).await;
        let refused = match (first, second) {
            (Ok(_), Err(status)) | (Err(status), Ok(_)) => status,
            other => panic!("not exactly one effect: {other:?}"),
        };
        assert_stale(&refused, before + 1, before + 1);
        assert_eq!(table.revision().await, before + 1);
        assert_no_card_is_doubled(&table).await;
    }

    async fn a_played_card_sent_again_under_new_ids_is_refused(world: &World) {
        let table = deal().start(world.a()).await;
        let before = table.revision().await;
        table.play(&["1:8h"]).await;
        for n in 0..4 {
            let seat = table.seat(1).at(world.door(n));
            assert_stale(&seat.play_at(before, "8h").await.unwrap_err(), before + 1, before + 1);
            let refused = seat.play_at(before + 1, "8h").await.unwrap_err();
            assert_eq!((refused.code(), reason(&refused).as_str()), (Code::FailedPrecondition, "NOT_YOUR_TURN"));
        }
        assert_eq!(table.revision().await, before + 1);
        assert_no_card_is_doubled(&table).await;
    }

    async fn a_card_out_of_turn_is_refused_and_never_played_later(world: &World) {
        let table = deal().start(world.a()).await;
        let before = table.revision().await;
        let early = table.seat(2).at(world.b()).play_at(before, "10c").await.unwrap_err();
        assert_eq!((early.code(), reason(&early).as_str()), (Code::FailedPrecondition, "NOT_YOUR_TURN"));
        assert!(refusal(&early).legal_actions.is_empty());
        table.play(&["1:8h"]).await;
        let view = table.view_of(&[2]).await;
        assert_eq!((public(&view).revision, public(&view).turn_seat), (before + 1, 2));
        assert_eq!(game(&view).trick.len(), 1, "nothing but the lead lies there");
        table.play(&["2:Jc"]).await;
        assert_eq!(table.revision().await, before + 2);
    }

    async fn a_bystanders_leave_and_join_do_not_refuse_the_movers_card(world: &World) {
        let table = deal().start(world.a()).await;
        let seen = public(&table.seat(1).view().await).revision;
        table.seat(3).at(world.b()).leave().await.unwrap();
        world.b().join_table(table.join_request(3, "newcomer")).await.unwrap();
        assert!(table.revision().await > seen);
        let played = table.seat(1).play_at(seen, "8h").await.expect("a card that is still good");
        let view = played.view.unwrap();
        assert_eq!(public(&view).seats[2].player_id, "newcomer");
        assert_eq!(public(&view).turn_revision, played.revision);
    }

    async fn a_card_decided_on_an_old_view_is_refused_with_both_numbers(world: &World) {
        let table = deal().start(world.a()).await;
        let old = table.revision().await;
        table.play(&TRICK).await;
        table.seat(1).leave().await.unwrap();
        // Seat 3 leads now; what it decided before the trick is not what it would decide now.
        for door in [world.a(), world.b()] {
            for seen in [1, old, old + 3] {
                assert_stale(&table.seat(3).at(door).play_at(seen, "Ah").await.unwrap_err(), old + 5, old + 4);
            }
        }
        table.seat(3).play_at(old + 4, "Ah").await.expect("the view of the trick's end is good enough");
    }

    async fn a_revision_that_the_table_has_not_reached_is_refused(world: &World) {
        let table = deal().start(world.a()).await;
        let now = table.revision().await;
        for door in [world.a(), world.b()] {
            assert_stale(&table.seat(1).at(door).play_at(now + 1, "8h").await.unwrap_err(), now, now);
        }
    }

    async fn a_door_that_has_not_seen_the_newest_update_judges_on_it_all_the_same(world: &World) {
        let table = deal().start(world.a()).await;
        let before = table.revision().await;
        // The second door remembers the table as it is now, the first one plays on.
        table.seat(2).at(world.b()).play_at(before, "10c").await.unwrap_err();
        table.play(&["1:8h"]).await;
        let played = table.seat(2).at(world.b()).play_at(before + 1, "10c").await.expect("the newest state was read");
        assert_eq!(played.revision, before + 2);
        // And the other way round, with a card that the first door, which still sees seat 2's turn, takes for good.
        let late = table.seat(2).play_at(before + 1, "Jc").await.unwrap_err();
        assert_stale(&late, before + 2, before + 2);
    }
}

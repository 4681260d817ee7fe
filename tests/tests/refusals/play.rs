//! What a table refuses to one who plays: another's turn, another's card, an old view.

use tests::v1::{self, ErrorReason as Reason};
use tests::views::{hand, playable, public};
use tests::{NewTable, Table, World, card, on_each_store, refusal};
use tonic::Status;

use crate::law::{number, refused_at};

fn deal() -> NewTable {
    NewTable::classic().deal(&["8h Kd 9c As", "10c 9d 7s Qc", "8d Jc Ks Ad", "Ah Kh Kc Js"], "7d Jd")
}

/// Both numbers, in the words of machines and in the refusal.
fn window(status: &Status, turn_revision: i64, revision: i64) {
    assert_eq!(number(status, "turnRevision"), turn_revision);
    assert_eq!(number(status, "revision"), revision);
    let refusal = refusal(status);
    assert_eq!((refusal.turn_revision, refusal.revision), (turn_revision, revision));
    assert!(status.message().contains(&format!("{turn_revision} to {revision}")), "{status:?}");
}

async fn standing(table: &Table) -> (i64, i64) {
    let view = table.view().await;
    (public(&view).turn_revision, public(&view).revision)
}

on_each_store! {
    async fn it_is_another_seats_turn(world: &World) {
        let table = deal().start(world.a()).await;
        let elsewhere = table.at(world.b());
        let revision = table.revision().await;
        for (seat, card) in [(2, "10c"), (3, "8d"), (4, "Ah")] {
            let status = refused_at(&table, Reason::NotYourTurn, elsewhere.seat(seat).play_at(revision, card)).await;
            let refusal = refusal(&status);
            assert_eq!(refusal.card, Some(tests::card(card)));
            assert_eq!((refusal.legal_actions, refusal.rule), (vec![], 0));
        }
        // What was refused is not kept for later.
        let played = table.play(&["1:8h"]).await;
        assert_eq!(public(played.view.as_ref().unwrap()).turn_seat, 2);
        assert_eq!(hand(&table.view_of(&[2]).await, 2), "10c Qc 9d 7s");
        table.play(&["2:10c"]).await;
    }

    async fn the_card_is_not_in_the_hand(world: &World) {
        let table = deal().start(world.a()).await;
        table.play(&["1:8h", "2:10c", "3:8d", "4:Js"]).await;
        let seat = table.at(world.b()).seat(3).clone();
        let revision = table.revision().await;
        let legal = playable(&seat.view().await, 3);
        let mut said = None;
        // In another hand, drawn by another, in the stock, and played: by another and by the seat itself.
        for text in ["9d", "Ah", "Jd", "Qs", "8h", "8d"] {
            let status = refused_at(&table, Reason::CardNotInHand, seat.play_at(revision, text)).await;
            let mut refusal = refusal(&status);
            assert_eq!(refusal.card.take(), Some(card(text)));
            assert_eq!(playable_of(&refusal), legal);
            let now = (status.message().to_owned(), refusal);
            assert_eq!(*said.get_or_insert_with(|| now.clone()), now, "the place of {text} shows");
        }
        let mut strange = seat.card_request(revision, "7c");
        for (rank, suit) in [(v1::Rank::Two, v1::Suit::Clubs), (v1::Rank::Six, v1::Suit::Spades)] {
            strange.card = Some(v1::Card { rank: rank.into(), suit: suit.into() });
            let status = refused_at(&table, Reason::CardNotInHand, seat.client.play_card(strange.clone())).await;
            assert_eq!(Some(status.message()), said.as_ref().map(|(message, _)| message.as_str()));
        }
    }

    async fn a_card_is_played_once(world: &World) {
        let table = deal().start(world.a()).await;
        let seat = table.seat(1);
        let revision = table.revision().await;
        let (first, second) = (seat.card_request(revision, "8h"), seat.card_request(revision, "8h"));
        let elsewhere = table.at(world.b()).seat(1).client.clone();
        let (first, second) = tokio::join!(seat.client.play_card(first), elsewhere.play_card(second));
        let (taken, refused) = if first.is_ok() { (first, second) } else { (second, first) };
        assert_eq!(taken.unwrap().revision, revision + 1);
        crate::law::refused(refused, Reason::StaleRevision);
        let view = table.view_of(&[1]).await;
        assert_eq!((hand(&view, 1).as_str(), public(&view).revision), ("9c Kd As", revision + 1));
        // Decided on the newest view it is still gone.
        let status = refused_at(&table, Reason::NotYourTurn, seat.play("8h")).await;
        assert_eq!(refusal(&status).card, Some(card("8h")));
    }

    async fn a_view_that_is_too_old_or_not_yet_there(world: &World) {
        let table = deal().start(world.a()).await;
        table.play(&["1:8h"]).await;
        table.seat(4).leave().await.unwrap();
        let (turn_revision, revision) = standing(&table).await;
        assert_eq!(revision, turn_revision + 1, "a leaving changes nobody's turn");
        for door in [world.a(), world.b()] {
            let seat = table.at(door).seat(2).clone();
            for expected in [1, turn_revision - 1, revision + 1, i64::MAX] {
                let status = refused_at(&table, Reason::StaleRevision, seat.play_at(expected, "10c")).await;
                window(&status, turn_revision, revision);
            }
        }
        let status = refused_at(&table, Reason::StaleRevision, table.seat(1).play_at(1, "8h")).await;
        window(&status, turn_revision, revision);
        table.seat(2).play_at(turn_revision, "10c").await.unwrap();
    }

    async fn a_deal_decided_on_an_old_view(world: &World) {
        let table = NewTable::two()
            .pausing_between_deals()
            .deal(&["10c 10d 10h 10s", "Ac Ad Ah As"], "")
            .start(world.a())
            .await;
        table.play(&["1:10c", "2:Ac", "1:10d", "2:Ad", "1:10h", "2:Ah"]).await;
        let (turn_revision, revision) = standing(&table).await;
        let next = |expected_revision| v1::StartNextDealRequest {
            name: table.name.clone(),
            request_id: tests::request_id(),
            expected_revision,
            seat: 0,
        };
        for expected in [turn_revision - 1, revision + 1] {
            for client in [world.b(), &table.seat(2).client] {
                let call = client.start_next_deal(next(expected));
                let status = refused_at(&table, Reason::StaleRevision, call).await;
                window(&status, turn_revision, revision);
            }
        }
        world.b().start_next_deal(next(revision)).await.unwrap();
    }

    async fn a_reader_who_is_ahead(world: &World) {
        let table = deal().start(world.a()).await;
        let (turn_revision, revision) = standing(&table).await;
        let name = || table.name.clone();
        let ahead = Some(revision + 1);
        let get = v1::GetTableRequest { name: name(), min_revision: ahead, seats: vec![] };
        let legal = v1::ListLegalActionsRequest { name: name(), seat: 1, min_revision: ahead };
        let score = v1::GetScoreRequest { name: name(), min_revision: ahead };
        for status in [
            refused_at(&table, Reason::StaleRevision, world.b().get_table(get.clone())).await,
            refused_at(&table, Reason::StaleRevision, world.b().list_legal_actions(legal)).await,
            refused_at(&table, Reason::StaleRevision, world.b().get_score(score)).await,
        ] {
            assert_eq!(number(&status, "turnRevision"), turn_revision);
            assert_eq!(number(&status, "revision"), revision);
        }
        table.play(&["1:8h"]).await;
        world.b().get_table(get).await.unwrap();
    }
}

/// The cards that a refusal says may be played.
fn playable_of(refusal: &v1::Refusal) -> Vec<v1::Card> {
    let seat = v1::SeatView { seat: 3, legal_actions: refusal.legal_actions.clone(), hand: None };
    playable(&v1::TableView { table: None, seats: vec![seat] }, 3)
}

//! A refusal does not tell where a card is.

use tests::{World, on_each_store, reason, refusal, v1};
use tonic::Code;

use crate::deals::{TRICK, deal};

on_each_store! {
    async fn every_card_that_is_not_in_the_hand_gets_the_same_answer(world: &World) {
        let table = deal().start(world.a()).await;
        table.play(&TRICK).await;
        table.play(&["3:9d"]).await;
        // Seat 4's turn. Hands of the others, top and bottom of the stock, taken cards, its own taken card, the lead.
        let elsewhere = ["Kd", "7h", "Ah", "7c", "Ac", "8h", "10c", "Qc", "9d"];
        let revision = table.revision().await;
        let mut answers = Vec::new();
        for (n, card) in elsewhere.into_iter().enumerate() {
            let status = table.seat(4).at(world.door(n)).play_at(revision, card).await.unwrap_err();
            let refusal = refusal(&status);
            assert_eq!(refusal.card, Some(tests::card(card)));
            assert_eq!(refusal.legal_actions.len(), 4);
            let masked = v1::Refusal { card: None, ..refusal };
            answers.push((status.code(), reason(&status), status.message().to_owned(), masked));
        }
        assert_eq!((answers[0].0, answers[0].1.as_str()), (Code::FailedPrecondition, "CARD_NOT_IN_HAND"));
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
        assert_eq!(table.revision().await, revision);
    }

    async fn a_card_of_no_pack_gets_the_same_answer_as_one_of_another_hand(world: &World) {
        let table = deal().start(world.a()).await;
        let seat = table.seat(1);
        let revision = table.revision().await;
        let strange = v1::Card { rank: v1::Rank::Two.into(), suit: v1::Suit::Hearts.into() };
        let request = v1::PlayCardRequest { card: Some(strange), ..seat.card_request(revision, "8h") };
        let outside = seat.client.play_card(request).await.unwrap_err();
        let elsewhere = seat.play_at(revision, "10c").await.unwrap_err();
        assert_eq!((outside.code(), outside.message()), (elsewhere.code(), elsewhere.message()));
        assert_eq!(reason(&outside), "CARD_NOT_IN_HAND");
    }

    async fn a_card_for_another_seat_is_refused_whatever_the_card(world: &World) {
        let table = deal().start(world.a()).await;
        let seat = table.seat(2);
        let revision = table.revision().await;
        for (n, card) in ["8h", "10c", "7d"].into_iter().enumerate() {
            let request = v1::PlayCardRequest { seat: 1, ..seat.card_request(revision, card) };
            let status = seat.at(world.door(n)).client.play_card(request).await.unwrap_err();
            assert_eq!((status.code(), reason(&status).as_str()), (Code::PermissionDenied, "SEAT_FORBIDDEN"));
        }
        assert_eq!(table.revision().await, revision);
    }
}

//! Calls whose outcome their caller never learned: sent again with the same id they happen once.

use std::time::Duration;

use tests::errors::retry_delay;
use tests::views::{game, hand, public};
use tests::{Redis, Seat, Server, World, on_each_store, reason, v1, within};
use tonic::Code;

use crate::deals::{PLAYS, TRICK, assert_no_card_is_doubled, deal, next_play};

on_each_store! {
    async fn a_card_whose_sender_hung_up_is_played_whole_or_not_at_all(world: &World) {
        let table = deal().start(world.a()).await;
        let before = table.revision().await;
        for n in 0..PLAYS {
            let (seat, request) = next_play(&table).await;
            let hurried = table.seat(seat).at(world.door(n)).client;
            // Dropped at some moment of its life, later with every play.
            let moment = Duration::from_micros(150 * u64::try_from(n).unwrap());
            let _ = tokio::time::timeout(moment, hurried.play_card(request.clone())).await;
            let patient = table.seat(seat).at(world.door(n + 1)).client;
            let played = patient.play_card(request).await.expect("the same request again");
            assert_eq!(played.revision, before + 1 + i64::try_from(n).unwrap());
        }
        assert_eq!(game(&table.view().await).deal, 2);
        assert_no_card_is_doubled(&table).await;
    }

    async fn the_card_that_ended_the_match_is_answered_again(world: &World) {
        let table = deal().to(1).start(world.a()).await;
        let mut last = None;
        for _ in 0..PLAYS {
            let (seat, request) = next_play(&table).await;
            let played = table.seat(seat).client.play_card(request.clone()).await.expect("a legal play");
            last = Some((seat, request, played));
        }
        let (seat, request, played) = last.unwrap();
        let again = table.seat(seat).at(world.b()).client.play_card(request).await.unwrap();
        assert_eq!((again.replayed, again.revision, again.update), (true, played.revision, played.update));
        assert!(public(again.view.as_ref().unwrap()).turn_seat == 0);
    }

    async fn a_leave_is_answered_again_though_its_token_is_no_longer_accepted(world: &World) {
        let table = deal().start(world.a()).await;
        let request = v1::LeaveTableRequest {
            name: table.name.clone(),
            request_id: tests::request_id(),
            seat: 0,
        };
        let left = table.seat(3).client.leave_table(request.clone()).await.unwrap();
        for door in [world.a(), world.b()] {
            let again = table.seat(3).at(door).client.leave_table(request.clone()).await;
            let again = again.expect("the answer that the caller may have missed");
            assert_eq!((again.replayed, again.revision), (true, left.revision));
        }
        let refused = table.seat(3).leave().await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused).as_str()), (Code::Unauthenticated, "TOKEN_INVALID"));
    }

    async fn a_repeat_at_a_door_that_was_overtaken_answers_the_current_view(world: &World) {
        let table = deal().start(world.a()).await;
        let seat = table.seat(1).at(world.b());
        let request = seat.card_request(table.revision().await, "8h");
        let played = seat.client.play_card(request.clone()).await.unwrap();
        table.play(&TRICK[1..]).await;
        let again = seat.client.play_card(request).await.unwrap();
        assert_eq!((again.replayed, again.revision), (true, played.revision));
        let current = seat.view().await;
        assert_eq!(public(again.view.as_ref().unwrap()).revision, public(&current).revision);
        assert_eq!(again.view, Some(current));
    }
}

/// The store stops answering in the middle of a commit; the caller's own deadline is over before it goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_sent_into_a_frozen_store_is_played_once_when_it_thaws() {
    let world = World::redis().await;
    let table = deal().start(world.a()).await;
    let before = table.revision().await;
    let seat = table.seat(1);
    let request = seat.card_request(before, "8h");
    world.its_redis().freeze();
    let hurried = seat.client.with_deadline(Duration::from_millis(400));
    let status = hurried.play_card(request.clone()).await.unwrap_err();
    world.its_redis().thaw();
    // CANCELLED is the client library's word where its own timer was first.
    assert!(matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled), "{status:?}");
    for door in [world.b(), world.a()] {
        let played = seat.at(door).client.play_card(request.clone()).await.expect("the same request again");
        assert_eq!(played.revision, before + 1);
    }
    assert_eq!(table.revision().await, before + 1);
    assert_no_card_is_doubled(&table).await;
    world.stop().await;
}

/// Sends a card, and the same again after the pause that is asked for, until the server knows what became of it.
async fn sent_until_it_is_known(seat: &Seat, request: v1::PlayCardRequest) -> v1::PlayCardResponse {
    loop {
        match seat.client.play_card(request.clone()).await {
            Ok(played) => return played,
            Err(status) => {
                assert_eq!(
                    (status.code(), reason(&status).as_str()),
                    (Code::Unavailable, "STORE_UNAVAILABLE")
                );
                tokio::time::sleep(retry_delay(&status).expect("a pause")).await;
            }
        }
    }
}

/// The store dies, and comes back with everything that was acknowledged: a call in between waits for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_restarts_brings_back_every_acknowledged_card() {
    let mut redis = Redis::start_durable();
    let server = Server::redis(&redis).await;
    let table = deal().start(&server.platform().await).await;
    table.play(&TRICK[..3]).await;
    let before = table.view_of(&[1, 2, 3, 4]).await;
    redis.kill();
    let seat = table.seat(4).clone();
    let request = seat.card_request(public(&before).revision, "Qc");
    let waiting = tokio::spawn(async move { sent_until_it_is_known(&seat, request).await });
    redis.launch();
    let answer = within("a card played into an outage", waiting).await.unwrap();
    assert_eq!(answer.revision, public(&before).revision + 1);
    let after = table.view_of(&[1, 2, 3, 4]).await;
    assert_eq!(hand(&after, 2), "Jc Qd Ad 7h", "hands and stock are what they were");
    assert_eq!(game(&after).stock_count, 12);
    server.stop().await;
}

//! Repeats of a request: one effect, one answer.

use futures_util::future::join_all;
use tests::views::{hand, public};
use tests::{Client, NewTable, Seat, World, on_each_store, reason, request_id, v1, violations};
use tonic::Code;

use crate::deals::{TRICK, deal};

/// So many sends of one request at the same time, half of them at each door.
const SENDS: usize = 20;

/// Sends one request many times at once.
async fn sends<T>(doors: [Client; 2], send: impl AsyncFn(&Client) -> Result<T, tonic::Status>) -> Vec<T> {
    let all = (0..SENDS).map(|n| send(&doors[n % 2]));
    join_all(all).await.into_iter().map(|answer| answer.expect("an answer")).collect()
}

/// Asserts that the answers are one answer, first given and else repeated.
fn assert_equal_but_for_replayed<T: Clone + PartialEq + std::fmt::Debug>(
    answers: &[T],
    replayed: fn(&mut T) -> &mut bool,
) {
    let mut answers = answers.to_vec();
    let first_answers = answers.iter_mut().map(|answer| std::mem::replace(replayed(answer), false));
    assert_eq!(first_answers.filter(|replayed| !replayed).count(), 1, "not exactly one effect");
    for answer in &answers {
        assert_eq!(*answer, answers[0]);
    }
}

fn doors(world: &World, seat: &Seat) -> [Client; 2] {
    [seat.at(world.a()).client, seat.at(world.b()).client]
}

on_each_store! {
    async fn twenty_sends_of_one_card_have_one_effect_and_equal_answers(world: &World) {
        let table = deal().start(world.a()).await;
        let seat = table.seat(1);
        let before = table.revision().await;
        let request = seat.card_request(before, "8h");
        let answers = sends(doors(world, seat), async |door| door.play_card(request.clone()).await).await;
        assert_equal_but_for_replayed(&answers, |answer| &mut answer.replayed);
        assert_eq!(answers[0].revision, before + 1);
        assert_eq!(table.revision().await, before + 1);
        assert_eq!(hand(&seat.view().await, 1), "9c Kd As");
    }

    async fn a_repeat_answers_its_own_update_and_the_current_view(world: &World) {
        let table = deal().start(world.a()).await;
        let seat = table.seat(1);
        let before = table.revision().await;
        let request = seat.card_request(before, "8h");
        let first = seat.client.play_card(request.clone()).await.unwrap();
        table.play(&TRICK[1..]).await;
        for door in doors(world, seat) {
            let again = door.play_card(request.clone()).await.unwrap();
            assert!(again.replayed);
            assert_eq!((again.revision, &again.update), (first.revision, &first.update));
            assert_eq!(public(again.view.as_ref().unwrap()).revision, before + 4);
        }
        assert_eq!(table.revision().await, before + 4);
    }

    async fn the_same_id_sent_by_another_seat_is_that_seats_own_request(world: &World) {
        let table = deal().start(world.a()).await;
        let before = table.revision().await;
        let led = table.seat(1).card_request(before, "8h");
        table.seat(1).client.play_card(led.clone()).await.unwrap();
        let second = table.seat(2).at(world.b());
        let follows = v1::PlayCardRequest { request_id: led.request_id, ..second.card_request(before + 1, "10c") };
        let played = second.client.play_card(follows.clone()).await.unwrap();
        assert_eq!((played.replayed, played.revision), (false, before + 2));
        let again = second.client.play_card(follows).await.unwrap();
        assert_eq!((again.replayed, again.revision), (true, before + 2));
    }

    async fn the_platform_and_the_holder_send_the_same_request_for_a_seat(world: &World) {
        let table = deal().start(world.a()).await;
        let request = table.seat(1).card_request(table.revision().await, "8h");
        let first = table.seat(1).client.play_card(request.clone()).await.unwrap();
        let again = world.b().play_card(v1::PlayCardRequest { seat: 1, ..request }).await.unwrap();
        assert_eq!((again.replayed, again.revision), (true, first.revision));
    }

    async fn the_same_id_with_other_content_is_refused(world: &World) {
        let table = deal().start(world.a()).await;
        let seat = table.seat(1);
        let request = seat.card_request(table.revision().await, "8h");
        let played = seat.client.play_card(request.clone()).await.unwrap();
        for door in doors(world, seat) {
            let other = v1::PlayCardRequest { request_id: request.request_id.clone(), ..seat.card_request(played.revision, "Kd") };
            let leaving = v1::LeaveTableRequest { name: table.name.clone(), request_id: request.request_id.clone(), seat: 0 };
            for refused in [door.play_card(other).await.unwrap_err(), door.leave_table(leaving).await.unwrap_err()] {
                assert_eq!((refused.code(), reason(&refused).as_str()), (Code::InvalidArgument, "REQUEST_ID_REUSED"));
                assert_eq!(violations(&refused)[0].0, "request_id");
            }
        }
        assert_eq!(table.revision().await, played.revision);
    }

    async fn the_same_card_decided_on_another_view_is_the_same_request(world: &World) {
        let table = deal().start(world.a()).await;
        let seat = table.seat(1);
        let request = seat.card_request(table.revision().await, "8h");
        let played = seat.client.play_card(request.clone()).await.unwrap();
        let again = v1::PlayCardRequest { expected_revision: played.revision, ..request };
        assert!(seat.at(world.b()).client.play_card(again).await.unwrap().replayed);
    }

    async fn a_refused_request_is_judged_anew(world: &World) {
        let table = deal().start(world.a()).await;
        let before = table.revision().await;
        let early = table.seat(2).card_request(before, "10c");
        let refused = table.seat(2).client.play_card(early.clone()).await.unwrap_err();
        assert_eq!(reason(&refused), "NOT_YOUR_TURN");
        table.play(&["1:8h"]).await;
        let now = v1::PlayCardRequest { expected_revision: before + 1, ..early };
        let played = table.seat(2).at(world.b()).client.play_card(now).await.unwrap();
        assert_eq!((played.replayed, played.revision), (false, before + 2));
    }

    async fn a_seats_last_eight_requests_are_remembered(world: &World) {
        let table = deal().create(world.a()).await;
        let seat = table.seat(1);
        let request = |byte: u8| v1::JoinTableRequest {
            name: table.name.clone(),
            request_id: request_id(),
            entropy: vec![byte].into(),
            ..v1::JoinTableRequest::default()
        };
        let requests: Vec<_> = (1..=9).map(request).collect();
        for request in &requests[..8] {
            assert!(!seat.client.join_table(request.clone()).await.unwrap().replayed);
        }
        let again = seat.client.join_table(requests[0].clone()).await.unwrap();
        assert_eq!((again.replayed, again.revision), (true, 2));
        seat.client.join_table(requests[8].clone()).await.unwrap();
        let forgotten = seat.at(world.b()).client.join_table(requests[0].clone()).await.unwrap();
        assert_eq!((forgotten.replayed, forgotten.revision), (false, 11));
    }

    async fn twenty_sends_of_one_creation_make_one_table_with_one_set_of_tokens(world: &World) {
        let request = v1::CreateTableRequest { external_ref: "one-of-twenty".to_owned(), ..deal().request };
        let doors = [world.a().clone(), world.b().clone()];
        let answers = sends(doors, async |door| door.create_table(request.clone()).await).await;
        assert_equal_but_for_replayed(&answers, |answer| &mut answer.replayed);
        assert_eq!(answers[0].seat_tokens.len(), 4);
        let listing = v1::ListTablesRequest { external_ref: request.external_ref.clone(), ..v1::ListTablesRequest::default() };
        assert_eq!(world.b().list_tables(listing).await.unwrap().tables.len(), 1);
        let name = &public(answers[0].view.as_ref().unwrap()).name;
        for token in &answers[0].seat_tokens {
            Seat::new(world.b(), name, token).join().await.expect("a token that is good at both doors");
        }
    }

    async fn a_creation_with_the_same_id_and_other_content_is_refused(world: &World) {
        let request = deal().request;
        world.a().create_table(request.clone()).await.unwrap();
        let other = v1::CreateTableRequest { external_ref: "other".to_owned(), ..request };
        let refused = world.b().create_table(other).await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused).as_str()), (Code::InvalidArgument, "REQUEST_ID_REUSED"));
    }

    async fn a_repeated_join_answers_the_same_seat_and_token(world: &World) {
        let table = NewTable::classic().with_open_seats().create(world.a()).await;
        let request = table.join_request(0, "anna");
        let first = world.a().join_table(request.clone()).await.unwrap();
        let token = first.seat_token.clone().unwrap();
        let others = table.join_request(0, "bela");
        world.b().join_table(others).await.unwrap();
        let again = world.b().join_table(request).await.unwrap();
        assert_eq!((again.replayed, again.revision), (true, first.revision));
        assert_eq!((again.update, again.seat_token), (first.update, Some(token)));
        // Without the id of the first call he meets the seat that he has.
        let anew = world.b().join_table(table.join_request(0, "anna")).await.unwrap();
        assert_eq!((anew.replayed, anew.update, anew.seat_token.unwrap().seat), (false, None, 1));
    }
}

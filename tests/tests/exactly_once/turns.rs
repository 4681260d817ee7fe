//! Ends of tricks and exchanges of hands happen exactly once, as cards do.

use futures_util::future::join_all;
use tests::views::{facts, game, hand, public};
use tests::{
    Client, NewTable, Process, Redis, Seat, Table, World, on_each_store, reason, refusal, v1, violations,
};
use tonic::{Code, Status};
use v1::event::Fact;

/// How often a race is run.
const ROUNDS: usize = 10;
/// So many sends of one request at the same time, half of them at each door.
const SENDS: usize = 20;
/// The hands of the deal that begins with an exchange; seat 3 leads it.
const HANDS: [&str; 4] = ["Jc Qc Kc Ac", "Jd Qd Kd Ad", "Jh Qh Kh Ah", "Js Qs Ks As"];

/// Seat 1 has led to a full round, and may go on with `9d` or end the trick.
async fn full_round(door: &Client) -> Table {
    let table = NewTable::preset("pagat", 4).deal(&["9c 9d 7c Ac", "Kc", "Qc", "Jc"], "").start(door).await;
    table.play(&["1:9c", "2:Kc", "3:Qc", "4:Jc"]).await;
    table
}

/// The second deal of a match: seat 3 is to answer whether it exchanges hands with seat 1.
async fn exchange(door: &Client) -> Table {
    let first = ["10c 8c 8d 8h", "9c", "9d", "9h"];
    let short = |rules: &mut v1::SedmaRules| rules.stop_at_points = Some(10);
    let new = NewTable::preset("cervena", 4).changed(short).deal(&first, "").dealt_by(2, &HANDS, "");
    let table = new.start(door).await;
    table.play(&["1:10c", "2:9c", "3:9d", "4:9h"]).await;
    table
}

fn doors(world: &World, seat: &Seat) -> [Client; 2] {
    [seat.at(world.a()).client, seat.at(world.b()).client]
}

/// A request id that was used for something else.
fn assert_reused(status: &Status) {
    assert_eq!((status.code(), reason(status).as_str()), (Code::InvalidArgument, "REQUEST_ID_REUSED"));
    assert_eq!(violations(status)[0].0, "request_id");
}

/// A decision on a view that is too old.
fn assert_stale(status: &Status, turn_revision: i64) {
    assert_eq!((status.code(), reason(status).as_str()), (Code::Aborted, "STALE_REVISION"), "{status:?}");
    assert_eq!(refusal(status).turn_revision, turn_revision);
}

/// The facts of a table's updates after a revision.
async fn facts_after(table: &Table, revision: i64) -> Vec<Fact> {
    let mut watch = table.seat(1).watch_after(revision, &[]).await;
    watch.heartbeat().await;
    let updates = watch.updates_to(table.revision().await).await;
    updates.iter().flat_map(facts).cloned().collect()
}

on_each_store! {
    async fn twenty_sends_of_one_end_take_the_trick_once(world: &World) {
        let table = full_round(world.a()).await;
        let seat = table.seat(1);
        let before = table.revision().await;
        let request = seat.end_request(before);
        let doors = doors(world, seat);
        let sends = (0..SENDS).map(|n| doors[n % 2].end_trick(request.clone()));
        let answers: Vec<_> = join_all(sends).await.into_iter().map(|answer| answer.expect("an answer")).collect();
        assert_eq!(answers.iter().filter(|answer| !answer.replayed).count(), 1, "not exactly one effect");
        for answer in &answers {
            assert_eq!((answer.revision, &answer.update, &answer.view), (before + 1, &answers[0].update, &answers[0].view));
        }
        let taken = facts_after(&table, before).await;
        assert_eq!(taken.iter().filter(|fact| matches!(fact, Fact::TrickWon(_))).count(), 1);
        assert_eq!(table.revision().await, before + 1);
    }

    async fn twenty_sends_of_one_exchange_swap_hands_once(world: &World) {
        let table = exchange(world.a()).await;
        let seat = table.seat(3);
        let before = table.revision().await;
        let request = seat.exchange_request(before, true);
        let doors = doors(world, seat);
        let sends = (0..SENDS).map(|n| doors[n % 2].exchange_hands(request.clone()));
        let answers: Vec<_> = join_all(sends).await.into_iter().map(|answer| answer.expect("an answer")).collect();
        assert_eq!(answers.iter().filter(|answer| !answer.replayed).count(), 1, "not exactly one effect");
        for answer in &answers {
            assert_eq!((answer.revision, &answer.update, &answer.view), (before + 1, &answers[0].update, &answers[0].view));
        }
        let view = table.view_of(&[1, 2, 3, 4]).await;
        assert_eq!([1, 2, 3, 4].map(|seat| hand(&view, seat)), [HANDS[2], HANDS[1], HANDS[0], HANDS[3]]);
        assert_eq!(public(&view).revision, before + 1);
    }

    async fn a_repeat_answers_its_own_update_and_the_current_view(world: &World) {
        let table = full_round(world.a()).await;
        let seat = table.seat(1);
        let request = seat.end_request(table.revision().await);
        let first = seat.client.end_trick(request.clone()).await.unwrap();
        table.play(&["1:Ac", "2:7d"]).await;
        for door in doors(world, seat) {
            let again = door.end_trick(request.clone()).await.unwrap();
            assert_eq!((again.replayed, again.revision, &again.update), (true, first.revision, &first.update));
            assert_eq!(public(again.view.as_ref().unwrap()).revision, first.revision + 2);
        }
        let table = exchange(world.a()).await;
        let seat = table.seat(3);
        let request = seat.exchange_request(table.revision().await, false);
        let first = seat.client.exchange_hands(request.clone()).await.unwrap();
        table.play(&["3:Jh"]).await;
        for door in doors(world, seat) {
            let again = door.exchange_hands(request.clone()).await.unwrap();
            assert_eq!((again.replayed, again.revision, &again.update), (true, first.revision, &first.update));
            assert_eq!(public(again.view.as_ref().unwrap()).revision, first.revision + 1);
        }
    }

    async fn the_same_id_for_another_answer_or_action_is_refused(world: &World) {
        let table = exchange(world.a()).await;
        let seat = table.seat(3);
        let request = seat.exchange_request(table.revision().await, true);
        let done = seat.client.exchange_hands(request.clone()).await.unwrap();
        let id = request.request_id.clone();
        for door in doors(world, seat) {
            let other = v1::ExchangeHandsRequest { exchange: false, ..request.clone() };
            assert_reused(&door.exchange_hands(other).await.unwrap_err());
            let card = v1::PlayCardRequest { request_id: id.clone(), ..seat.card_request(done.revision, "Jc") };
            assert_reused(&door.play_card(card).await.unwrap_err());
            let end = v1::EndTrickRequest { request_id: id.clone(), ..seat.end_request(done.revision) };
            assert_reused(&door.end_trick(end).await.unwrap_err());
        }
        assert_eq!(table.revision().await, done.revision);
    }

    async fn the_same_id_for_a_card_and_the_stocks_top_or_an_announcement_is_refused(world: &World) {
        for (preset, used, other) in [
            ("ristikontra", "stock", "Kc"),
            ("ristikontra", "Kc", "stock"),
            ("marias_sedma", "Kc!", "Kc"),
            ("marias_sedma", "Kc", "Kc!"),
        ] {
            let table = NewTable::preset(preset, 4).deal(&["Kc Qc"], "").start(world.a()).await;
            let seat = table.seat(1);
            let request = seat.card_request(table.revision().await, used);
            let played = seat.client.play_card(request.clone()).await.unwrap();
            let id = request.request_id.clone();
            let other = v1::PlayCardRequest { request_id: id, ..seat.card_request(played.revision, other) };
            for door in doors(world, seat) {
                assert_reused(&door.play_card(other.clone()).await.unwrap_err());
                assert!(door.play_card(request.clone()).await.unwrap().replayed);
            }
            assert_eq!(table.revision().await, played.revision);
        }
    }

    async fn what_was_decided_on_an_old_view_is_refused(world: &World) {
        let table = full_round(world.a()).await;
        let now = table.revision().await;
        for door in doors(world, table.seat(1)) {
            for expected in [1, now - 1, now + 1] {
                assert_stale(&door.end_trick(table.seat(1).end_request(expected)).await.unwrap_err(), now);
            }
        }
        let table = exchange(world.a()).await;
        let now = table.revision().await;
        for door in doors(world, table.seat(3)) {
            for expected in [1, now - 1, now + 1] {
                let status = door.exchange_hands(table.seat(3).exchange_request(expected, true)).await.unwrap_err();
                assert_stale(&status, now);
            }
        }
        // A bystander's leaving makes no decision stale.
        table.seat(2).leave().await.unwrap();
        let seat = table.seat(3).at(world.b());
        seat.client.exchange_hands(seat.exchange_request(now, true)).await.unwrap();
    }

    // The leader's two hands on two replicas: one ends the trick, the other goes on with it.
    async fn of_an_end_and_a_continuation_one_wins(world: &World) {
        for round in 0..ROUNDS {
            let table = full_round(world.a()).await;
            let before = table.revision().await;
            let (ending, going) = (table.seat(1).at(world.door(round)), table.seat(1).at(world.door(round + 1)));
            let (ended, went_on) = tokio::join!(
                ending.client.end_trick(ending.end_request(before)),
                going.client.play_card(going.card_request(before, "9d")),
            );
            assert!(ended.is_ok() != went_on.is_ok(), "{ended:?} {went_on:?}");
            let view = table.view().await;
            assert_eq!(public(&view).revision, before + 1);
            if let Err(status) = &went_on {
                assert_stale(status, before + 1);
                assert_eq!((game(&view).trick.len(), public(&view).turn_seat), (0, 1));
            }
            if let Err(status) = &ended {
                assert_stale(status, before + 1);
                assert_eq!((game(&view).trick.len(), public(&view).turn_seat), (5, 2));
            }
        }
    }

    // The leader's two answers: hands are swapped or they are not.
    async fn of_two_answers_to_the_exchange_one_counts(world: &World) {
        for round in 0..ROUNDS {
            let table = exchange(world.a()).await;
            let before = table.revision().await;
            let (yes, no) = (table.seat(3).at(world.door(round)), table.seat(3).at(world.door(round + 1)));
            let (yes, no) = tokio::join!(
                yes.client.exchange_hands(yes.exchange_request(before, true)),
                no.client.exchange_hands(no.exchange_request(before, false)),
            );
            assert!(yes.is_ok() != no.is_ok(), "{yes:?} {no:?}");
            let kept = if no.is_ok() { HANDS[2] } else { HANDS[0] };
            assert_eq!(hand(&table.view_of(&[3]).await, 3), kept);
            assert_stale(&yes.err().or(no.err()).unwrap(), before + 1);
        }
    }
}

/// Between an exchange and the lead after it, and between a round and the trick's end, the process that took the action
/// is killed. The other one has the same hands, answers the repeat, and takes the next action.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_killed_between_an_exchange_and_the_lead_takes_nothing_with_it() {
    let redis = Redis::start();
    let (dying, living) = (Process::redis(&redis).await, Process::redis(&redis).await);
    let table = exchange(&dying.platform().await).await;
    let seat = table.seat(3);
    let request = seat.exchange_request(table.revision().await, true);
    let swapped = seat.client.exchange_hands(request.clone()).await.unwrap();
    let before = table.view_of(&[1, 2, 3, 4]).await;
    dying.kill_9().await;

    let table = table.at(&living.platform().await);
    assert_eq!(table.view_of(&[1, 2, 3, 4]).await, before);
    assert_eq!([1, 2, 3, 4].map(|seat| hand(&before, seat)), [HANDS[2], HANDS[1], HANDS[0], HANDS[3]]);
    let again = table.seat(3).client.exchange_hands(request).await.unwrap();
    assert_eq!((again.replayed, again.revision, again.update), (true, swapped.revision, swapped.update));
    let refused = table.seat(3).exchange(true).await.unwrap_err();
    assert_eq!(reason(&refused), "ILLEGAL_ACTION", "hands are exchanged once");
    table.play(&["3:Jc", "4:Js"]).await;
    assert_eq!(table.revision().await, swapped.revision + 2);
    living.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_killed_after_the_end_of_a_trick_has_taken_it_once() {
    let redis = Redis::start();
    let (dying, living) = (Process::redis(&redis).await, Process::redis(&redis).await);
    let table = full_round(&dying.platform().await).await;
    let request = table.seat(1).end_request(table.revision().await);
    let ended = table.seat(1).client.end_trick(request.clone()).await.unwrap();
    let before = table.view_of(&[1, 2, 3, 4]).await;
    dying.kill_9().await;

    let table = table.at(&living.platform().await);
    assert_eq!(table.view_of(&[1, 2, 3, 4]).await, before);
    let again = table.seat(1).client.end_trick(request).await.unwrap();
    assert_eq!((again.replayed, again.revision, again.update), (true, ended.revision, ended.update));
    assert_eq!(reason(&table.seat(1).end_trick().await.unwrap_err()), "ILLEGAL_ACTION");
    table.play(&["1:Ac"]).await;
    living.terminate().await;
}

//! Who gets a seat, and who gets none.

use futures_util::future::{join, join_all};
use tests::views::{game, public};
use tests::{Client, NewTable, Table, World, hours, reason, request_id, v1};
use tonic::{Code, Status};
use v1::event::Fact;

use crate::ledger::{audited, count};
use crate::moves::{from_now_on, slow_turns, time_runs_out};
use crate::plays::in_a_crowd;
use crate::scale::{of, tell};

/// Who wants the one seat.
const CROWD: usize = 50;

fn seat_of(joined: &v1::JoinTableResponse) -> i32 {
    joined.seat_token.as_ref().expect("a token").seat
}

/// The seats that a player has.
async fn held(table: &Table, player: &str) -> Vec<i32> {
    let view = table.view().await;
    public(&view).seats.iter().filter(|seat| seat.player_id == player).map(|seat| seat.seat).collect()
}

/// One seat of four is free; the crowd asks for it, or for any.
async fn rush(world: &World, doors: &[Client], asked: i32) -> Vec<Result<v1::JoinTableResponse, Status>> {
    let table = NewTable::classic().with_open_seats().create(world.a()).await;
    for n in 1..=3 {
        world.b().join_table(table.join_request(n, &format!("sitting-{n}"))).await.expect("a free seat");
    }
    let crowd = doors.iter().enumerate();
    let answers =
        join_all(crowd.map(|(n, door)| door.join_table(table.join_request(asked, &format!("player-{n}")))));
    let answers = answers.await;
    let view = table.view().await;
    let last = answers.iter().position(Result::is_ok).expect("somebody who gets the seat");
    let players: Vec<&str> = public(&view).seats.iter().map(|seat| seat.player_id.as_str()).collect();
    assert_eq!(players, ["sitting-1", "sitting-2", "sitting-3", &format!("player-{last}")]);
    let history = audited(&table, world.b()).await;
    assert_eq!(count(&history, |fact| matches!(fact, Fact::SeatTaken(_))), 4);
    assert_eq!(count(&history, |fact| matches!(fact, Fact::Dealt(_))), 1);
    answers
}

/// A place was kept before a check that took its time, and whoever had it was counted only after it.
/// <https://github.com/colyseus/colyseus/issues/678>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d01_fifty_want_one_seat_and_one_gets_it() {
    let world = World::redis().await;
    let doors = join_all((0..CROWD).map(|n| world.servers()[n % 2].platform())).await;
    let rounds = of(6, 200);
    for round in 0..rounds {
        let (asked, code, why) = if round % 2 == 0 {
            (0, Code::FailedPrecondition, "TABLE_FULL")
        } else {
            (4, Code::AlreadyExists, "SEAT_TAKEN")
        };
        let answers = rush(&world, &doors, asked).await;
        let refused: Vec<Status> = answers.iter().filter_map(|answer| answer.clone().err()).collect();
        assert_eq!(refused.len(), CROWD - 1, "one gets the seat");
        assert!(refused.iter().all(|status| status.code() == code && reason(status) == why), "{refused:?}");
        if round == 0 {
            let elsewhere = NewTable::classic().with_open_seats().create(world.b()).await;
            let losers = answers.iter().enumerate().filter(|(_, answer)| answer.is_err()).take(4);
            for (n, _) in losers {
                let joining = elsewhere.join_request(0, &format!("player-{n}"));
                doors[n].join_table(joining).await.expect("a seat at another table");
            }
            assert_eq!(game(&elsewhere.view().await).deal, 1);
        }
    }
    tell("D01", &format!("{rounds} times {CROWD} wanted one seat, and one got it"));
    drop(doors);
    world.stop().await;
}

/// Who left and came back at once had two seats. <https://github.com/phase-rs/phase/issues/1701>
/// <https://github.com/cozuya/secret-hitler/issues/23> <https://github.com/ThePandemoniumInstitute/botc-release/issues/65>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d10_one_person_has_one_seat_however_he_asks() {
    let world = World::redis().await;
    for round in 0..of(8, 100) {
        let table = NewTable::classic().with_open_seats().create(world.a()).await;
        let join_at = |door: usize, seat| world.door(door).join_table(table.join_request(seat, "anna"));
        let (first, third) = join(join_at(round, 1), join_at(round + 1, 3)).await;
        let seat = seat_of(&first.unwrap());
        assert_eq!((seat_of(&third.unwrap()), held(&table, "anna").await), (seat, vec![seat]));

        // He leaves and is back at once, with the calls in their order, and then all of them at the same moment.
        let leaving = || v1::LeaveTableRequest { name: table.name.clone(), request_id: request_id(), seat };
        world.door(round).leave_table(leaving()).await.unwrap();
        let back = join_at(round + 1, 3).await.unwrap();
        let again = join_at(round, 1).await.unwrap();
        assert_eq!((seat_of(&back), seat_of(&again), again.update), (3, 3, None), "it is his already");
        assert_eq!(held(&table, "anna").await, [3]);

        let leaving = v1::LeaveTableRequest { seat: 3, ..leaving() };
        let leaves = in_a_crowd(async || world.door(round + 1).leave_table(leaving.clone()).await);
        let asks = async |door: usize, seat| {
            let request = table.join_request(seat, "anna");
            in_a_crowd(async || world.door(door).join_table(request.clone()).await).await
        };
        let (left, second, fourth) = tokio::join!(leaves, asks(round, 2), asks(round + 1, 4));
        left.expect("a seat that is given back");
        let told = [seat_of(&second.unwrap()), seat_of(&fourth.unwrap())];
        let seats = held(&table, "anna").await;
        assert!(seats.len() <= 1 && seats.iter().all(|seat| told.contains(seat)), "{seats:?} of {told:?}");
    }
    world.stop().await;
}

/// A table with somebody of each kind: who is here, who is still awaited, a bot, and who is away while a bot takes its
/// time to play for him.
async fn every_kind(world: &World) -> Table {
    let timing = v1::Timing {
        away_after: Some(1),
        bot_delay: Some(hours(1)),
        join_timeout: Some(hours(1)),
        join_timeout_policy: v1::JoinTimeoutPolicy::FillWithBots.into(),
        ..slow_turns()
    };
    let new = NewTable::classic().with_bots(&[3]).timed(timing);
    let table = new.create(world.a()).await;
    for seat in [1, 2] {
        table.seat(seat).join().await.unwrap();
    }
    // Seat 4's player does not come, and the match begins without him; then seat 1's lets a turn pass.
    time_runs_out(&table, &mut from_now_on(&table).await).await;
    time_runs_out(&table, &mut from_now_on(&table).await).await;
    table
}

/// A view that does not change with the time.
async fn standing(table: &Table) -> v1::TableView {
    let mut view = table.view_of(&[1, 2, 3, 4]).await;
    view.table.as_mut().unwrap().remaining_duration = None;
    view
}

/// Somebody was told that he had a seat, and it was another's.
/// <https://github.com/TamaraSovcikova/Sedma/commit/020c13d4f41eb1b2f5ab89912fbc1f499078309c>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d13_who_asks_for_a_taken_seat_gets_none_and_its_holder_does_not_notice() {
    let world = World::redis().await;
    let awaited = NewTable::classic().with_open(&[4]).create(world.a()).await;
    awaited.seat(1).join().await.unwrap();
    let playing = every_kind(&world).await;
    let away: Vec<bool> = public(&playing.view().await).seats.iter().map(|seat| seat.away).collect();
    assert_eq!(away, [true, false, false, true]);

    for (table, seats) in [(&awaited, 1..=3), (&playing, 1..=4)] {
        for seat in seats {
            let before = standing(table).await;
            for door in [world.a(), world.b()] {
                let refused = door.join_table(table.join_request(seat, "stranger")).await.unwrap_err();
                assert_eq!(
                    (refused.code(), reason(&refused).as_str()),
                    (Code::AlreadyExists, "SEAT_TAKEN"),
                    "seat {seat}"
                );
            }
            assert_eq!(standing(table).await, before);
        }
        for holder in &table.seats {
            holder.at(world.b()).view().await;
        }
        assert!(held(table, "stranger").await.is_empty());
    }
    let back = playing.seat(1).at(world.b()).join().await.expect("whose seat it is");
    assert_eq!(seat_of(&back), 1);
    world.stop().await;
}

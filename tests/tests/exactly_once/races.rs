//! Callers who want something at the same moment.

use futures_util::future::{join, join_all};
use tests::views::{facts, game, public};
use tests::{Client, NewTable, Table, Watch, World, on_each_store, reason, v1};
use tonic::{Code, Status};
use v1::event::Fact;

use crate::deals::deal;

/// How often a race is run.
const ROUNDS: usize = 10;

/// The whole history up to a revision, as a spectator sees it.
async fn history(table: &Table) -> Vec<v1::Update> {
    let request = v1::WatchTableRequest {
        name: table.name.clone(),
        after_revision: Some(0),
        ..v1::WatchTableRequest::default()
    };
    let mut watch: Watch = table.platform.watch_table(request).await.expect("a watch");
    watch.updates_to(table.revision().await).await
}

/// How many facts of a history are of this kind.
fn count(history: &[v1::Update], kind: fn(&Fact) -> bool) -> usize {
    history.iter().flat_map(facts).filter(|fact| kind(fact)).count()
}

/// Sends a join until the answer is not CONTENTION, whose meaning is: send the same request again.
async fn join_in_a_crowd(
    door: &Client,
    request: v1::JoinTableRequest,
) -> Result<v1::JoinTableResponse, Status> {
    loop {
        match door.join_table(request.clone()).await {
            Err(status) if status.code() == Code::Aborted && reason(&status) == "CONTENTION" => {}
            answer => return answer,
        }
    }
}

on_each_store! {
    async fn of_four_who_race_for_one_seat_one_gets_it(world: &World) {
        for round in 0..ROUNDS {
            let table = NewTable::classic().with_open_seats().create(world.a()).await;
            let racing = (0..4).map(|n| world.door(n).join_table(table.join_request(2, &format!("player-{round}-{n}"))));
            let (seated, refused): (Vec<_>, Vec<_>) = join_all(racing).await.into_iter().partition(Result::is_ok);
            assert_eq!((seated.len(), refused.len()), (1, 3));
            for status in refused.into_iter().filter_map(Result::err) {
                assert_eq!((status.code(), reason(&status).as_str()), (Code::AlreadyExists, "SEAT_TAKEN"));
            }
            let winner = seated.into_iter().find_map(Result::ok).unwrap();
            let view = table.view().await;
            let taken: Vec<_> = public(&view).seats.iter().filter(|seat| seat.taken).collect();
            assert_eq!(taken.len(), 1);
            assert_eq!(public(winner.view.as_ref().unwrap()).seats[1].player_id, taken[0].player_id);
        }
    }

    async fn four_who_race_for_any_seat_all_get_one(world: &World) {
        for _ in 0..ROUNDS {
            let table = NewTable::classic().with_open_seats().create(world.a()).await;
            let racing = (0..4).map(|n| join_in_a_crowd(world.door(n), table.join_request(0, &format!("player-{n}"))));
            let answers: Vec<_> = join_all(racing).await.into_iter().map(|answer| answer.expect("a seat")).collect();
            let mut seats: Vec<i32> = answers.iter().map(|answer| answer.seat_token.as_ref().unwrap().seat).collect();
            seats.sort_unstable();
            assert_eq!(seats, [1, 2, 3, 4]);
            let history = history(&table).await;
            assert_eq!(count(&history, |fact| matches!(fact, Fact::SeatTaken(_))), 4);
            assert_eq!(count(&history, |fact| matches!(fact, Fact::Dealt(_))), 1, "the full table started once");
        }
    }

    async fn one_player_who_races_for_two_seats_gets_one(world: &World) {
        for _ in 0..ROUNDS {
            let table = NewTable::classic().with_open_seats().create(world.a()).await;
            let racing = (0..2_usize).map(|n| {
                let seat = if n == 0 { 1 } else { 3 };
                world.door(n).join_table(table.join_request(seat, "anna"))
            });
            let answers: Vec<_> = join_all(racing).await.into_iter().map(|answer| answer.expect("a seat")).collect();
            let seats: Vec<i32> = answers.iter().map(|answer| answer.seat_token.as_ref().unwrap().seat).collect();
            assert_eq!(seats[0], seats[1]);
            let view = table.view().await;
            assert_eq!(public(&view).seats.iter().filter(|seat| seat.taken).count(), 1);
        }
    }

    async fn four_who_start_at_once_deal_once(world: &World) {
        let table = deal().starting(v1::StartPolicy::Manual).start(world.a()).await;
        let seats: Vec<_> = (1..).zip(0..4).map(|(seat, n)| table.seat(seat).at(world.door(n))).collect();
        let answers = join_all(seats.iter().map(tests::Seat::start)).await;
        let (started, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!((started.len(), refused.len()), (1, 3));
        for status in refused.into_iter().filter_map(Result::err) {
            assert_eq!((status.code(), reason(&status).as_str()), (Code::FailedPrecondition, "ALREADY_STARTED"));
        }
        let history = history(&table).await;
        assert_eq!(count(&history, |fact| matches!(fact, Fact::Dealt(_))), 1);
        let view = table.view().await;
        assert_eq!((game(&view).hand_counts.as_slice(), game(&view).stock_count), ([4, 4, 4, 4].as_slice(), 16));
    }

    async fn a_start_that_races_with_the_fourth_join_deals_once_or_is_refused(world: &World) {
        for _ in 0..ROUNDS {
            let table = NewTable::classic().with_open_seats().starting(v1::StartPolicy::Manual).create(world.a()).await;
            for n in 1..=3 {
                world.a().join_table(table.join_request(n, &format!("player-{n}"))).await.unwrap();
            }
            let first = table.issue(1).await;
            let fourth = world.b().join_table(table.join_request(0, "player-4"));
            let (joined, started) = join(fourth, first.start()).await;
            joined.expect("the fourth joins whatever happens");
            if let Err(status) = started {
                assert_eq!((status.code(), reason(&status).as_str()), (Code::FailedPrecondition, "NOT_STARTED"));
                first.start().await.expect("a full table starts");
            }
            let history = history(&table).await;
            assert_eq!(count(&history, |fact| matches!(fact, Fact::Dealt(_))), 1);
        }
    }

    async fn a_leave_and_a_play_at_the_same_moment_both_happen(world: &World) {
        for _ in 0..ROUNDS {
            let table = deal().start(world.a()).await;
            let before = table.revision().await;
            let leaver = table.seat(3).at(world.b());
            let (played, left) = join(table.seat(1).play_at(before, "8h"), leaver.leave()).await;
            played.expect("a card that nobody else's leaving refuses");
            left.expect("a seat that is given back");
            let view = table.view().await;
            assert_eq!(public(&view).revision, before + 2);
            assert_eq!((game(&view).trick.len(), public(&view).seats[2].taken), (1, false));
        }
    }
}

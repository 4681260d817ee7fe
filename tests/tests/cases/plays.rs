//! Two who act at the same moment, and one who acts twice.

use futures_util::future::{join, join_all};
use tests::errors::retry_delay;
use tests::views::{facts, game, hand, public};
use tests::{NewTable, Seat, Table, World, reason, refusal, request_id, v1, within};
use tonic::{Code, Status};
use v1::event::Fact;

use crate::deals::{TRICK, deal};
use crate::ledger::{audited, count};
use crate::scale::{of, tell};

/// How often one card is sent.
const SENDS: usize = 20;

/// Sends the same request again as long as the answer is CONTENTION, whose meaning that is.
pub(crate) async fn in_a_crowd<T>(send: impl AsyncFn() -> Result<T, Status>) -> Result<T, Status> {
    let sending = async {
        loop {
            match send().await {
                Err(status) if status.code() == Code::Aborted && reason(&status) == "CONTENTION" => {
                    assert!(retry_delay(&status).is_some(), "{status:?}");
                }
                answer => return answer,
            }
        }
    };
    within("an answer in a crowd", sending).await
}

/// Sends a card until it is played. Where too much happens meanwhile, the refusal says where the table is by then.
async fn played(seat: &Seat, request: &v1::PlayCardRequest) -> (v1::PlayCardResponse, usize) {
    for refusals in 0.. {
        match seat.client.play_card(request.clone()).await {
            Ok(answer) => return (answer, refusals),
            Err(status) => {
                assert_eq!(reason(&status), "CONTENTION", "{status:?}");
                let told = refusal(&status);
                assert!(told.turn_revision <= request.expected_revision, "{told:?}");
                assert!(told.revision > request.expected_revision, "{told:?}");
            }
        }
    }
    unreachable!("a table where there is no end to what happens beside a turn")
}

/// A card was refused for something that somebody else had done meanwhile, and its player was not told.
/// <https://github.com/boardgameio/boardgame.io/issues/828>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d04_what_others_do_at_the_same_moment_kills_no_card() {
    let world = World::redis().await;
    let mut crowded = 0;
    for round in 0..of(8, 200) {
        let table = deal().start(world.a()).await;
        let before = table.revision().await;
        let elsewhere = table.at(world.door(round + 1));
        let mover = table.seat(1).at(world.door(round));
        let request = mover.card_request(before, "8h");
        let spectator = async {
            let spectator = elsewhere.spectator().await;
            let watching =
                v1::WatchTableRequest { name: table.name.clone(), ..v1::WatchTableRequest::default() };
            spectator.watch_table(watching).await.expect("a spectator's watch").snapshot().await;
        };
        let bot_for_a_player = async {
            let leaving =
                v1::LeaveTableRequest { name: table.name.clone(), request_id: request_id(), seat: 3 };
            in_a_crowd(async || elsewhere.platform.leave_table(leaving.clone()).await).await.unwrap();
            let bot = elsewhere.add_bot_request(3);
            in_a_crowd(async || elsewhere.platform.add_bot(bot.clone()).await).await.unwrap();
        };
        let revoking = v1::RevokeSeatRequest { name: table.name.clone(), request_id: request_id(), seat: 2 };
        let revoked = in_a_crowd(async || elsewhere.platform.revoke_seat(revoking.clone()).await);
        let here = elsewhere.seat(4).join();
        let ((answer, refusals), (), (), revoked, here) =
            tokio::join!(played(&mover, &request), spectator, bot_for_a_player, revoked, here);
        revoked.expect("a revoked seat");
        here.expect("whose seat it is");
        crowded += refusals;

        let played = Fact::CardPlayed(v1::CardPlayed {
            seat: 1,
            card: Some(tests::card("8h")),
            ..v1::CardPlayed::default()
        });
        assert!(facts(answer.update.as_ref().unwrap()).contains(&&played));
        let history = audited(&table, world.b()).await;
        assert_eq!(count(&history, |fact| *fact == played), 1);
        for kind in [
            |fact: &Fact| matches!(fact, Fact::SeatLeft(_)),
            |fact: &Fact| matches!(fact, Fact::BotSeated(_)),
            |fact: &Fact| matches!(fact, Fact::SeatRevoked(_)),
        ] {
            assert_eq!(count(&history, kind), 1);
        }
    }
    tell("D04", &format!("{crowded} times a card was told to come again"));
    world.stop().await;
}

/// Sends the same card so many times at once, half of them at each door: one request, or one each.
async fn sent_at_once(
    world: &World,
    seat: &Seat,
    revision: i64,
    text: &str,
    one: bool,
) -> Vec<Result<v1::PlayCardResponse, Status>> {
    let request = seat.card_request(revision, text);
    let sending = (0..SENDS).map(|n| {
        let id = if one { request.request_id.clone() } else { request_id() };
        let request = v1::PlayCardRequest { request_id: id, ..request.clone() };
        let seat = seat.at(world.door(n));
        async move { seat.client.play_card(request).await }
    });
    join_all(sending).await
}

fn all_refused(answers: Vec<Result<v1::PlayCardResponse, Status>>, code: Code, why: &str) {
    for answer in answers {
        let status = answer.expect_err("a card that is not played");
        assert_eq!((status.code(), reason(&status).as_str()), (code, why), "{status:?}");
    }
}

/// A second click did it again. <https://github.com/mtgred/netrunner/issues/1150>
/// <https://github.com/mtgred/netrunner/issues/5213> <https://github.com/byucs340ta/Fall2018/issues/87>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d05_a_card_that_is_sent_twenty_times_is_played_once() {
    let world = World::redis().await;
    for _ in 0..of(4, 50) {
        let table = deal().start(world.a()).await;
        let before = table.revision().await;
        let seat = table.seat(1);
        let answers = sent_at_once(&world, seat, before, "8h", true).await;
        let answers: Vec<_> = answers.into_iter().map(|answer| answer.expect("one answer for all")).collect();
        for answer in &answers {
            assert_eq!((answer.revision, &answer.update), (before + 1, &answers[0].update));
        }
        assert_eq!(answers.iter().filter(|answer| !answer.replayed).count(), 1);

        // New requests for the card that lies there: decided on the old turn, on the new one, and on one of his own.
        let late = sent_at_once(&world, seat, before, "8h", false).await;
        all_refused(late, Code::Aborted, "STALE_REVISION");
        let other = sent_at_once(&world, seat, before + 1, "8h", false).await;
        all_refused(other, Code::FailedPrecondition, "NOT_YOUR_TURN");
        let own = table.play(&[&TRICK[1..], &["3:9d", "4:Jd"]].concat()).await.revision;
        let own = sent_at_once(&world, seat, own, "8h", false).await;
        all_refused(own, Code::FailedPrecondition, "CARD_NOT_IN_HAND");

        assert_eq!(table.revision().await, before + 6);
        let history = audited(&table, world.b()).await;
        assert_eq!(count(&history, |fact| matches!(fact, Fact::CardPlayed(_))), 6);
    }
    world.stop().await;
}

/// Sixteen cards in hands, sixteen in the stock, and one deal.
async fn dealt_once(table: &Table, world: &World) {
    let view = table.view_of(&[1, 2, 3, 4]).await;
    assert_eq!((game(&view).hand_counts.as_slice(), game(&view).stock_count), ([4; 4].as_slice(), 16));
    for seat in 1..=4 {
        assert_eq!(hand(&view, seat).split_whitespace().count(), 4);
    }
    let history = audited(table, world.b()).await;
    assert_eq!(count(&history, |fact| matches!(fact, Fact::Dealt(_))), 1);
}

/// Two clicks dealt the pack twice, for whether it was dealt was asked before and not together with it.
/// <https://github.com/OWASP/cornucopia/issues/2502>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d06_four_who_start_at_once_deal_one_pack() {
    let world = World::redis().await;
    for _ in 0..of(6, 100) {
        let table = NewTable::classic().starting(v1::StartPolicy::Manual).start(world.a()).await;
        let seats: Vec<Seat> = (1..).zip(0..4).map(|(seat, n)| table.seat(seat).at(world.door(n))).collect();
        let answers = join_all(seats.iter().map(Seat::start)).await;
        let refused: Vec<Status> = answers.into_iter().filter_map(Result::err).collect();
        assert_eq!(refused.len(), 3);
        for status in refused {
            assert_eq!(
                (status.code(), reason(&status).as_str()),
                (Code::FailedPrecondition, "ALREADY_STARTED")
            );
        }
        dealt_once(&table, &world).await;
    }
    world.stop().await;
}

/// The same where one starts while the last one joins. <https://github.com/OWASP/cornucopia/issues/2502>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d06_who_starts_while_the_fourth_joins_deals_one_pack_or_is_refused() {
    let world = World::redis().await;
    for round in 0..of(6, 100) {
        let new = NewTable::classic().with_open_seats().starting(v1::StartPolicy::Manual);
        let table = new.create(world.a()).await;
        for n in 1..=3 {
            world.a().join_table(table.join_request(n, &format!("player-{n}"))).await.unwrap();
        }
        let first = table.issue(1).await;
        let fourth = world.door(round).join_table(table.join_request(0, "player-4"));
        let starting = first.at(world.door(round + 1));
        let (joined, started) = join(fourth, starting.start()).await;
        joined.expect("the fourth joins whatever happens");
        if let Err(status) = started {
            assert_eq!((status.code(), reason(&status).as_str()), (Code::FailedPrecondition, "NOT_STARTED"));
            first.start().await.expect("a full table starts");
        }
        dealt_once(&table, &world).await;
    }
    world.stop().await;
}

/// Of two who wrote at once one was lost. <https://github.com/dgurkaynak/slack-poker-planner/issues/31>
/// <https://github.com/flutter-team-archive/io_flip/pull/241>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d15_one_leaves_while_another_plays_and_both_happen() {
    let world = World::redis().await;
    for round in 0..of(8, 200) {
        let table = deal().start(world.a()).await;
        let before = table.revision().await;
        let (mover, leaver) = (table.seat(1).at(world.door(round)), table.seat(2).at(world.door(round + 1)));
        let (played, left) = join(mover.play_at(before, "8h"), leaver.leave()).await;
        let (played, left) = (played.expect("a card"), left.expect("a seat that is given back"));
        let revisions = [played.revision.min(left.revision), played.revision.max(left.revision)];
        assert_eq!(revisions, [before + 1, before + 2]);
        let view = table.view().await;
        assert_eq!((game(&view).trick.len(), public(&view).seats[1].taken), (1, false));
        audited(&table, world.b()).await;
    }
    world.stop().await;
}

/// The same where all of them join. <https://github.com/dgurkaynak/slack-poker-planner/issues/31>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d15_four_who_join_at_once_all_sit_where_they_asked_to() {
    let world = World::redis().await;
    for round in 0..of(8, 200) {
        let table = NewTable::classic().with_open_seats().create(world.a()).await;
        let joining = (1..=4).zip(round..).map(|(seat, n)| {
            let request = table.join_request(seat, &format!("player-{seat}"));
            let door = world.door(n);
            async move { in_a_crowd(async || door.join_table(request.clone()).await).await }
        });
        for joined in join_all(joining).await {
            joined.expect("a seat that nobody else asked for");
        }
        let view = table.view().await;
        let players: Vec<&str> = public(&view).seats.iter().map(|seat| seat.player_id.as_str()).collect();
        assert_eq!(players, ["player-1", "player-2", "player-3", "player-4"]);
        dealt_once(&table, &world).await;
    }
    world.stop().await;
}

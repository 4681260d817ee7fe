//! Who has a seat: players who leave and come, bots, tokens that are no longer good.

use tests::life::hour_for_everything;
use tests::timing::deadline;
use tests::v1::{
    self, Actor, CloseCause, PlannedEndReason, StartPolicy, TablePhase, TimeoutPolicy, event::Fact,
};
use tests::views::{facts, game, hand, legal, public};
use tests::{Client, NewTable, Seat, Table, World, ms, on_each_store, request_id};

use crate::refused::refused;

/// What a seat has at least before a bot plays for who went away.
const A_MOMENT: i64 = 1_000;

fn with_policy(policy: TimeoutPolicy) -> v1::Timing {
    v1::Timing { timeout_policy: policy.into(), ..hour_for_everything() }
}

/// A bot plays at once, but for who went away.
fn autoplay() -> v1::Timing {
    v1::Timing { away_after: Some(1), bot_delay: None, ..with_policy(TimeoutPolicy::Autoplay) }
}

/// Two hands; seat 1 leads.
fn two(timing: v1::Timing) -> NewTable {
    NewTable::two().deal(&["7c 8c 9c Jc", "8d 9d Jd Qd"], "Kd Kc").timed(timing)
}

/// A seat as everybody sees it.
fn info(view: &v1::TableView, seat: usize) -> &v1::SeatInfo {
    &public(view).seats[seat - 1]
}

/// Who has which seat, as everybody sees it: a player, a bot, or nobody.
fn who(view: &v1::TableView) -> Vec<String> {
    let seats = public(view).seats.iter();
    seats
        .map(|seat| {
            let bot = !seat.bot_level.is_empty();
            let player = !seat.player_id.is_empty();
            assert!(!(bot && player), "a bot beside a player: {seat:?}");
            assert_eq!((seat.taken, seat.open), (bot || player, !bot && !player), "{seat:?}");
            if bot { "a bot".to_owned() } else { seat.player_id.clone() }
        })
        .collect()
}

/// A token that is no longer good, for reading and for acting.
async fn worthless(holder: &Seat) {
    refused(holder.join().await, "TOKEN_INVALID");
    refused(holder.legal_actions().await, "TOKEN_INVALID");
    refused(holder.play_at(1, "7c").await, "TOKEN_INVALID");
    refused(holder.leave().await, "TOKEN_INVALID");
    let get = v1::GetTableRequest { name: holder.table.clone(), ..v1::GetTableRequest::default() };
    refused(holder.client.get_table(get).await, "TOKEN_INVALID");
    let watch = v1::WatchTableRequest { name: holder.table.clone(), ..v1::WatchTableRequest::default() };
    refused(holder.client.watch_table(watch).await, "TOKEN_INVALID");
}

/// The seat's player is away: he let his turn pass.
async fn goes_away(table: &Table, seat: i32) {
    let other = 3 - seat;
    table.play_until(|table| table.turn_seat == seat).await;
    let update = table.time_runs_out().await;
    let away = Fact::AwayChanged(v1::AwayChanged { seat, away: true });
    assert!(facts(&update).contains(&&away), "{:?}", update.events);
    assert!(!info(&table.view().await, usize::try_from(other).unwrap()).away);
}

/// The same table, whose seat 1 has another holder.
fn held_by(table: &Table, holder: &Seat) -> Table {
    let mut seats = table.seats.clone();
    seats.retain(|seat| seat.number != holder.number);
    seats.push(holder.clone());
    Table { seats, ..table.clone() }
}

on_each_store! {
    async fn a_seat_that_is_left_before_the_start_is_anybodys(world: &World) {
        let table = NewTable::two().create(world.a()).await.at(world.b());
        table.seat(1).join_with(&[7; 32]).await.unwrap();
        let left = table.at(world.a()).seat(1).leave().await.unwrap();
        assert_eq!(facts(&left.update.unwrap()), [&Fact::SeatLeft(v1::SeatLeft { seat: 1 })]);
        assert_eq!((who(&left.view.unwrap()), table.free(1).await.update), (vec![String::new(), "p2".into()], None));
        worthless(table.seat(1)).await;
        let invalid = v1::IssueSeatTokenRequest { name: table.name.clone(), seat: 1 };
        refused(world.b().issue_seat_token(invalid).await, "INVALID_FIELD");

        // He may come again, and leave again for somebody else; what he handed in went with him.
        let again = table.seat_player(0, "p1").await;
        assert_eq!((again.number, info(&again.view().await, 1).has_entropy), (1, false));
        worthless(table.seat(1)).await;
        again.leave().await.unwrap();
        let eva = table.seat_player(1, "eva").await;
        worthless(&again).await;
        table.seat(2).join().await.unwrap();
        let view = eva.view().await;
        assert_eq!((public(&view).phase(), who(&view)), (TablePhase::Playing, vec!["eva".into(), "p2".into()]));
        assert!(!hand(&view, 1).is_empty());
    }

    async fn a_bot_plays_on_for_who_left_but_not_at_once(world: &World) {
        let table = two(autoplay()).start(world.a()).await.at(world.b());
        let mut watch = table.history_after(table.revision().await).await;
        table.at(world.a()).seat(1).leave().await.unwrap();
        let left = watch.update().await;
        assert_eq!(tests::timing::waits(&left), Some(A_MOMENT));

        let played = watch.update().await;
        assert_eq!((played.actor(), played.seat), (Actor::Bot, 1));
        assert!(ms(played.time.as_ref()) >= ms(left.time.as_ref()) + A_MOMENT, "{left:?} {played:?}");
        let view = table.view().await;
        assert_eq!((public(&view).turn_seat, who(&view)), (2, vec![String::new(), "p2".into()]));
        table.seat(2).play("8d").await.expect("the other goes on");
    }

    async fn a_table_waits_for_who_left_where_nothing_shall_happen(world: &World) {
        let table = two(hour_for_everything()).start(world.a()).await.at(world.b());
        assert!(deadline(&table.view().await).is_some());
        let left = table.at(world.a()).seat(1).leave().await.unwrap();
        let view = left.view.unwrap();
        assert_eq!((public(&view).turn_seat, deadline(&view)), (1, None), "nobody is waited for");
        let nothing = world.b().extend_deadline(table.extend_request(tests::hours(1))).await;
        refused(nothing, "NOT_STARTED");

        // The platform still sees the hand and may play it.
        let listed = table.legal_for(1).await.unwrap();
        let words: Vec<String> = listed.legal_actions.iter().map(tests::views::word).collect();
        assert_eq!((listed.turn_seat, words.join(" ")), (1, "7c 8c 9c Jc".into()));
        refused(table.seat(2).play("8d").await, "NOT_YOUR_TURN");
        table.play_for_all(&["1:7c"]).await;
        table.seat(2).play("8d").await.unwrap();

        // It waits for the next turn as well, until somebody has the seat: then his time runs.
        assert_eq!(deadline(&table.view().await), None);
        let eva = table.seat_player(1, "eva").await;
        let view = eva.view().await;
        assert_eq!((public(&view).turn_seat, deadline(&view).is_some()), (1, true));
        eva.play("8c").await.unwrap();
    }

    async fn who_leaves_forfeits_a_match_that_has_begun_and_no_other(world: &World) {
        let new = || NewTable::classic().timed(with_policy(TimeoutPolicy::Forfeit));
        let open = new().create(world.a()).await.at(world.b());
        let left = open.seat(2).leave().await.unwrap().view.unwrap();
        assert_eq!((public(&left).phase(), who(&left)[1].as_str()), (TablePhase::Open, ""));

        // Between two deals the match goes on: who leaves then loses it, and his partner with him.
        let table = new().pausing_between_deals().to(20).start(world.a()).await.at(world.b());
        table.play_until(|table| table.phase() == TablePhase::BetweenDeals).await;
        let request = v1::LeaveTableRequest { seat: 0, ..table.leave_request(2) };
        let left = table.seat(2).client.leave_table(request.clone()).await.unwrap();
        let view = public(left.view.as_ref().unwrap()).clone();
        assert_eq!((view.phase(), view.close_cause()), (TablePhase::Closed, CloseCause::Forfeited));
        assert_eq!(view.winner_seats, [1, 3]);
        // He keeps his seat at the ended table: his token is good for reading, and the repeat finds itself.
        let again = table.at(world.a()).seat(2).client.leave_table(request).await.unwrap();
        assert_eq!((again.replayed, again.revision), (true, left.revision));
        assert_eq!(public(&table.seat(2).view().await).close_cause(), CloseCause::Forfeited);
    }

    async fn another_player_takes_a_seat_over_in_play_with_its_hand(world: &World) {
        let table = two(hour_for_everything()).start(world.a()).await.at(world.b());
        let old = table.at(world.a()).seat(1).clone();
        let before = old.view().await;
        let mut watch = old.watch().await;
        assert_eq!(hand(&watch.snapshot().await, 1), "7c 8c 9c Jc");
        refused(table.platform.join_table(table.join_request(1, "eva")).await, "SEAT_TAKEN");

        table.free(1).await;
        let eva = table.seat_player(1, "eva").await;
        assert_eq!(watch.planned_end().await, PlannedEndReason::Token);
        worthless(&old).await;
        worthless(table.seat(1)).await;
        let view = eva.view().await;
        assert_eq!((hand(&view, 1), legal(&view, 1)), (hand(&before, 1), legal(&before, 1)));
        assert_eq!((who(&view), info(&view, 1).ready), (vec!["eva".into(), "p2".into()], true));
        refused(eva.play_at(public(&before).revision, "8c").await, "STALE_REVISION");
        eva.play("8c").await.expect("the new holder's play");
        assert_eq!(hand(&eva.view().await, 1), "7c 9c Jc");
    }

    async fn a_bot_takes_the_seat_of_who_is_away_or_has_left_and_of_nobody_else(world: &World) {
        let table = two(autoplay()).start(world.a()).await.at(world.b());
        let taken = refused(world.a().add_bot(table.add_bot_request(2)).await, "SEAT_TAKEN");
        assert!(taken.message().contains("Seat 2"), "{taken:?}");
        let full = refused(world.a().add_bot(table.add_bot_request(0)).await, "TABLE_FULL");
        assert!(full.message().contains("away"), "{full:?}");

        goes_away(&table, 1).await;
        refused(world.b().add_bot(table.add_bot_request(2)).await, "SEAT_TAKEN");
        let mut watch = table.at(world.a()).seat(1).watch().await;
        watch.snapshot().await;
        let added = world.b().add_bot(table.add_bot_request(1)).await.unwrap();
        assert_eq!(who(&added.view.unwrap()), ["a bot", "p2"]);
        assert_eq!(watch.planned_end().await, PlannedEndReason::Token);
        worthless(table.seat(1)).await;
        assert_eq!(world.a().add_bot(table.add_bot_request(1)).await.unwrap().update, None, "it is there already");

        // The bot has the seat of the one who left as well; nobody plays against nobody.
        table.seat(2).leave().await.unwrap();
        let added = world.b().add_bot(table.add_bot_request(0)).await.unwrap();
        assert_eq!(who(&added.view.unwrap()), ["a bot", "a bot"]);
        let over = |update: &v1::Update| public(update.after.as_ref().unwrap()).phase() == TablePhase::BetweenDeals;
        let updates = table.history_after(added.revision).await.until(over).await;
        assert!(updates.iter().all(|update| update.actor() == Actor::Bot), "they play the deal to its end");
    }

    async fn a_person_takes_over_from_a_bot_in_play(world: &World) {
        let table = two(hour_for_everything()).with_bots(&[2]).start(world.a()).await.at(world.b());
        let taken = world.a().join_table(table.join_request(2, "eva")).await;
        refused(taken, "SEAT_TAKEN");
        refused(world.a().join_table(table.join_request(0, "eva")).await, "TABLE_FULL");
        let before = hand(&table.view_of(&[2]).await, 2);
        table.seat(1).play("7c").await.unwrap();
        let removed = world.a().remove_bot(table.remove_bot_request(2)).await.unwrap();
        assert_eq!(who(&removed.view.unwrap()), ["p1", ""]);
        let eva = table.seat_player(0, "eva").await;
        let view = eva.view().await;
        assert_eq!((eva.number, who(&view), hand(&view, 2)), (2, vec!["p1".into(), "eva".into()], before));
        refused(world.a().add_bot(table.add_bot_request(2)).await, "SEAT_TAKEN");
        assert_eq!(world.a().remove_bot(table.remove_bot_request(2)).await.unwrap().update, None, "no bot is there");
        eva.play("8d").await.unwrap();
        assert_eq!(game(&table.view().await).last_trick.as_ref().map(|trick| trick.plays.len()), Some(2));
    }

    async fn who_is_given_a_new_token_has_the_same_hand(world: &World) {
        let table = two(hour_for_everything()).start(world.a()).await.at(world.b());
        let old = table.at(world.a()).seat(1).clone();
        let before = old.view().await;
        let mut watch = old.watch().await;
        watch.snapshot().await;
        table.revoke(1).await;
        assert_eq!(watch.planned_end().await, PlannedEndReason::Token);
        worthless(&old).await;
        let again = table.issue(1).await;
        let view = again.view().await;
        assert_eq!((hand(&view, 1), legal(&view, 1), who(&view)), (hand(&before, 1), legal(&before, 1), who(&before)));
        assert_eq!(deadline(&view), deadline(&before), "it was none of the clock's business");
        // What he decided before is as good as it was: nobody else has moved.
        again.play_at(public(&before).revision, "7c").await.unwrap();
    }

    async fn coming_back_is_safe_in_every_phase_that_is_not_the_end(world: &World) {
        let timing = v1::Timing { between_deals: None, ..autoplay() };
        let table = two(timing).pausing_between_deals().starting(StartPolicy::Manual).create(world.a()).await;
        let table = table.at(world.b());
        for phase in [TablePhase::Open, TablePhase::Playing, TablePhase::BetweenDeals] {
            match phase {
                TablePhase::Playing => drop(table.platform.start_table(table.start_request()).await.unwrap()),
                _ => table.play_until(|table| table.phase() == phase).await,
            }
            comes_back(&table, world.a()).await;
            table.pause().await;
            comes_back(&table, world.a()).await;
            table.resume().await;
            assert_eq!(public(&table.view().await).phase(), phase);
        }
        let revision = table.revision().await;
        world.b().start_next_deal(table.next_deal_request(revision)).await.unwrap();
        for seat in [1, 2] {
            goes_away(&table, seat).await;
            let back = table.seat(seat).join().await.unwrap();
            assert_eq!(facts(&back.update.unwrap()), [&Fact::AwayChanged(v1::AwayChanged { seat, away: false })]);
            comes_back(&table, world.a()).await;
        }
        table.close().await;
        refused(table.seat(1).join().await, "TABLE_ENDED");
    }

    async fn a_seat_that_was_given_up_is_played_on_with_what_it_had(world: &World) {
        let table = two(hour_for_everything()).start(world.a()).await.at(world.b());
        table.play(&["1:7c", "2:9d"]).await;
        let hands = table.view_of(&[1, 2]).await;
        // Everybody goes and others come; the deal goes on as it stood.
        for (seat, player) in [(1, "eva"), (2, "ida")] {
            table.seat(seat).leave().await.unwrap();
            let newcomer = table.at(world.a()).seat_player(seat, player).await;
            assert_eq!(hand(&newcomer.view().await, seat), hand(&hands, seat));
            let table = held_by(&table, &newcomer);
            assert_eq!(game(&table.view().await), game(&hands));
        }
        assert_eq!(who(&table.view().await), ["eva", "ida"]);
    }
}

/// Each holder says "here" twice, at either door: he has his seat, the newest view and a good token, and the second
/// time nothing was to be written.
async fn comes_back(table: &Table, other_door: &Client) {
    for holder in &table.seats {
        let first = holder.join().await.unwrap();
        let again = holder.at(other_door).join().await.unwrap();
        assert_eq!((again.revision, &again.update), (first.revision, &None));
        let view = again.view.unwrap();
        assert_eq!(public(&view).revision, table.revision().await, "it is the newest view");
        let seat = info(&view, usize::try_from(holder.number).unwrap());
        assert_eq!(seat.player_id, format!("p{}", holder.number));
        assert!(seat.ready && seat.taken && !seat.away && !seat.open, "{seat:?}");
        let token = again.seat_token.unwrap();
        assert_eq!(token.seat, holder.number);
        let same = Seat::new(&table.platform, &table.name, &token);
        assert_eq!(hand(&same.view().await, holder.number), hand(&view, holder.number));

        // The same request again is a repeat of itself, also where it wrote nothing.
        let request = v1::JoinTableRequest {
            name: table.name.clone(),
            request_id: request_id(),
            ..v1::JoinTableRequest::default()
        };
        let once = holder.client.join_table(request.clone()).await.unwrap();
        let twice = holder.at(other_door).client.join_table(request).await.unwrap();
        assert_eq!((once.revision, twice.revision), (first.revision, first.revision));
    }
}

//! Failures that others reported of their card games, tried on tables here: who sits where, who begins, how things end.

use tests::views::{facts, game, hand, legal, public};
use tests::{Client, NewTable, Seat, Table, reason, v1};
use v1::event::Fact;

use crate::round::play_round;
use crate::script::{may, told};

/// A deal ends with the first trick that has a ten or an ace in it.
fn short(rules: &mut v1::SedmaRules) {
    rules.stop_at_points = Some(10);
}

/// Seats players in this order; the match starts with the last of them.
async fn seated(client: &Client, new: NewTable, order: &[i32]) -> Table {
    let open = new.with_open_seats().create(client).await;
    let mut seats = Vec::new();
    for seat in order {
        let joined = client.join_table(open.join_request(*seat, &format!("p{seat}"))).await.unwrap();
        seats.push(Seat::new(client, &open.name, joined.seat_token.as_ref().unwrap()));
    }
    Table { seats, ..open }
}

/// One `DealEnded` was told; nobody is to act, and whoever acts nevertheless is refused.
async fn assert_ended_once(table: &Table, answer: &v1::PlayCardResponse) {
    let told = facts(answer.update.as_ref().unwrap());
    assert_eq!(told.iter().filter(|fact| matches!(fact, Fact::DealEnded(_))).count(), 1, "{told:?}");
    let view = table.view().await;
    assert_eq!((public(&view).phase(), public(&view).turn_seat), (v1::TablePhase::BetweenDeals, 0));
    for seat in &table.seats {
        let own = seat.view().await;
        assert_eq!(legal(&own, seat.number), ["next"]);
        let held = hand(&own, seat.number);
        for word in held.split_whitespace().chain(["end", "7c"]) {
            let status = seat.act(word).await.unwrap_err();
            assert_eq!(
                (status.code(), reason(&status).as_str()),
                (tonic::Code::FailedPrecondition, "NOT_STARTED")
            );
        }
    }
    assert_eq!(table.revision().await, answer.revision);
}

/// Dealer and leader of the running deal.
async fn begins(table: &Table) -> (i32, i32) {
    let view = table.view().await;
    assert_eq!(public(&view).turn_seat, game(&view).leader_seat);
    (game(&view).dealer_seat, game(&view).leader_seat)
}

on_a_server! {
    /// The lead always went back to whoever had entered the room first, for winners were looked up by the order of
    /// joining. <https://github.com/Oliboy50/coinche/issues/33>
    async fn seats_play_in_their_order_however_they_were_taken(client: &Client) {
        for order in [[4, 2, 1, 3], [3, 1, 4, 2], [2, 3, 4, 1]] {
            let hands = ["8h 8d Jc Jd", "7c Jh Js Kc", "Kd Ks Kh Ah", "8s Ac Ad As"];
            let table = seated(client, NewTable::preset("pagat", 4).deal(&hands, ""), &order).await;
            table.play(&["1:8h", "2:7c", "3:Kd"]).await;
            let last = table.play(&["4:8s"]).await;
            assert_eq!((told(&last), may(&table, 1).await.as_str()), (vec!["1 may go on".to_owned()], "8d end"));
            let last = table.play(&["1:end"]).await;
            assert_eq!(told(&last), ["4 takes 4 cards with 0 points", "4 draws first of 4"], "{order:?}");
            assert_eq!(public(&table.view().await).turn_seat, 4, "{order:?}");
        }
    }

    /// One player was in two teams after somebody had left and another had come.
    /// <https://github.com/CruceGameDevel/CruceGame/pull/240>
    async fn every_player_is_on_one_side(client: &Client) {
        let hands = ["10c", "9c", "9d", "9h"];
        let new = NewTable::preset("pagat", 4).changed(short).pausing_between_deals().deal(&hands, "");
        let open = new.with_open_seats().create(client).await;
        let mut seats = Vec::new();
        for (seat, player) in [(1, "anna"), (2, "bela"), (3, "cyril")] {
            let joined = client.join_table(open.join_request(seat, player)).await.unwrap();
            seats.push(Seat::new(client, &open.name, joined.seat_token.as_ref().unwrap()));
        }
        seats[1].leave().await.unwrap();
        seats.remove(1);
        for (seat, player) in [(2, "dora"), (0, "emil")] {
            let joined = client.join_table(open.join_request(seat, player)).await.unwrap();
            seats.push(Seat::new(client, &open.name, joined.seat_token.as_ref().unwrap()));
        }
        let table = Table { seats, ..open };
        let mut watch = table.seat(3).watch().await;
        let snapshot = watch.snapshot().await;
        let players = |view: &v1::TableView| -> Vec<String> {
            public(view).seats.iter().map(|seat| seat.player_id.clone()).collect()
        };
        assert_eq!(players(&snapshot), ["anna", "dora", "cyril", "emil"]);
        let (last, _) = play_round(&table, 1, "10c 9c 9d 9h").await;
        let ended = facts(last.update.as_ref().unwrap()).into_iter().find_map(|fact| match fact {
            Fact::DealEnded(ended) => Some(ended.clone()),
            _ => None,
        }).unwrap();
        let request = v1::GetScoreRequest { name: table.name.clone(), min_revision: None };
        let score = client.get_score(request).await.unwrap();
        let pairs = [vec![1, 3], vec![2, 4]];
        assert_eq!(ended.sides.iter().map(|side| side.seats.clone()).collect::<Vec<_>>(), pairs);
        for sides in [&ended.totals, &score.sides, &game(&snapshot).sides, &game(&table.view().await).sides] {
            assert_eq!(sides.iter().map(|side| side.seats.clone()).collect::<Vec<_>>(), pairs);
        }
    }

    /// A game never ended when its last action was not the usual one. <https://github.com/trolley813/OpenFool/issues/32>
    async fn a_deal_ends_with_the_leaders_end_of_the_trick(client: &Client) {
        let hands = ["10c 10d 8d 8h", "9c", "9d", "9h"];
        let new = NewTable::preset("pagat", 4).changed(short).pausing_between_deals().deal(&hands, "");
        let table = new.start(client).await;
        let round = table.play(&["1:10c", "2:9c", "3:9d", "4:9h"]).await;
        assert_eq!(told(&round), ["1 may go on"], "the deal is not over while the trick is not");
        let last = table.play(&["1:end"]).await;
        assert_eq!(told(&last), ["1 takes 4 cards with 10 points", "Win 13:10+1 24:0"]);
        assert_ended_once(&table, &last).await;
    }

    /// The same where the leader has nothing to go on with. <https://github.com/trolley813/OpenFool/issues/32>
    async fn a_deal_ends_where_no_card_goes_on(client: &Client) {
        let hands = ["10c 8c 8d 8h", "9c", "9d", "9h"];
        let new = NewTable::preset("pagat", 4).changed(short).pausing_between_deals().deal(&hands, "");
        let table = new.start(client).await;
        let last = table.play(&["1:10c", "2:9c", "3:9d", "4:9h"]).await;
        assert_eq!(told(&last), ["1 takes 4 cards with 10 points", "Win 13:10+1 24:0"]);
        assert_ended_once(&table, &last).await;
    }

    /// The same where the last card is a seven, which in other tricks lets the next player go on.
    /// <https://github.com/trolley813/OpenFool/issues/32>
    async fn a_deal_ends_with_a_seven_as_its_last_card(client: &Client) {
        let all_dealt = |rules: &mut v1::SedmaRules| {
            rules.pack = Some(v1::PackKind::P24WithSevens.into());
            rules.hand_size = Some(8);
        };
        let hands = ["Jc Jd Qc Qd Kc Kd Ac 7c", "Ad Ah 10d 10h Js Qs 7d 7s", "As 10s Ks Kh Jh Qh 7h 10c"];
        let new = NewTable::preset("pagat", 3).changed(all_dealt).pausing_between_deals().deal(&hands, "");
        let table = new.start(client).await;
        for cards in ["Jc Ad As", "Jd Ah 10s", "Qc 10d Ks", "Qd 10h Kh", "Kc Js Jh", "Kd Qs Qh"] {
            let (_, told) = play_round(&table, 1, cards).await;
            assert!(told[0].starts_with("1 takes 3 cards"), "{told:?}");
        }
        play_round(&table, 1, "Ac 7d 7h").await;
        let (last, told) = play_round(&table, 3, "10c 7c 7s").await;
        assert_eq!(told, ["2 takes 3 cards with 10 points", "Win 1:60+1 2:20 3:10"]);
        assert_ended_once(&table, &last).await;
    }

    /// Who acted first was not brought up to date after a trick or a deal.
    /// <https://github.com/bupticybee/AlphaNLHoldem/issues/9> <https://github.com/dominicprice/endplay/issues/58>
    async fn the_deal_passes_to_the_next_seat_whoever_won(client: &Client) {
        for preset in ["zsirozas", "sedmice", "septica"] {
            let points = |rules: &mut v1::SedmaRules| rules.stop_at_points = Some(1);
            let new = NewTable::preset(preset, 4).changed(points).to(100);
            let table = new
                .deal(&["10c", "9c", "9d", "9h"], "")
                .deal(&["9h", "10c", "9c", "10d"], "")
                .deal(&["9d", "9h", "10c", "7c"], "")
                .start(client)
                .await;
            assert_eq!(begins(&table).await, (4, 1), "{preset}");
            play_round(&table, 1, "10c 9c 9d 9h").await;
            assert_eq!(begins(&table).await, (1, 2), "{preset}: the dealer's side had lost");
            play_round(&table, 2, "10c 9c 10d 9h").await;
            assert_eq!(begins(&table).await, (2, 3), "{preset}: it had lost again");
            play_round(&table, 3, "10c 7c 9d 9h").await;
            assert_eq!(begins(&table).await, (3, 4), "{preset}: it had won");
        }
    }

    /// The same where losers deal: the dealer's partner after a loss, the next seat after a win.
    /// <https://github.com/dominicprice/endplay/issues/58>
    async fn losers_deal_so_that_a_winner_leads(client: &Client) {
        let new = NewTable::preset("pagat", 4).changed(short).to(100);
        let table = new
            .dealt_by(4, &["10c", "9c", "9d", "9h"], "")
            .dealt_by(2, &["9d", "9h", "10c", "7c"], "")
            .dealt_by(3, &["9h", "9c", "9d", "10c"], "")
            .start(client)
            .await;
        assert_eq!(begins(&table).await, (4, 1));
        play_round(&table, 1, "10c 9c 9d 9h").await;
        assert_eq!(begins(&table).await, (2, 3), "the dealer lost: the partner deals");
        play_round(&table, 3, "10c 7c 9d 9h").await;
        assert_eq!(begins(&table).await, (3, 4), "the dealer won: the deal passes on");
        play_round(&table, 4, "10c 9h 9c 9d").await;
        assert_eq!(begins(&table).await, (1, 2), "the dealer lost: the partner deals");
    }

    /// Hands, last card and the counter of rounds of a game that was broken off were found in the next one.
    /// <https://github.com/TamaraSovcikova/Sedma/commit/3d2e56cfce6c1056235a95c8087892d322502434>
    async fn a_match_that_was_broken_off_leaves_nothing_behind(client: &Client) {
        let hands = ["9c 9d 8d 8h", "7c 10c Jc Jd", "Kc Kd Kh Ks", "Qc Qd Qh Qs"];
        let old = NewTable::preset("pagat", 4).deal(&hands, "").start(client).await;
        old.play(&["1:9c", "2:10c", "3:Kc", "4:Qc", "1:9d", "2:7c"]).await;
        old.close().await;

        let made = old.seat(1).rematch().await.unwrap();
        let name = public(made.view.as_ref().unwrap()).name.clone();
        let mut seats = Vec::new();
        for number in 1..=4 {
            let token = old.seat(number).rematch().await.unwrap().seat_tokens[0].clone();
            seats.push(Seat::new(client, &name, &token));
        }
        let table = Table { platform: client.clone(), name, seats };
        for seat in &table.seats {
            seat.join().await.unwrap();
        }
        let view = table.view_of(&[1, 2, 3, 4]).await;
        let state = game(&view);
        assert_eq!((state.deal, state.trick.len(), state.abeyance_count, state.stock_count), (1, 0, 0, 16));
        assert_eq!((&state.last_trick, &state.last_deal, state.hand_counts.as_slice()), (&None, &None, [4; 4].as_slice()));
        assert!(state.sides.iter().all(|side| (side.points, side.tricks, side.game_points) == (0, 0, 0)));
        let mut dealt: Vec<String> =
            (1..=4).flat_map(|seat| hand(&view, seat).split(' ').map(str::to_owned).collect::<Vec<_>>()).collect();
        dealt.sort_unstable();
        dealt.dedup();
        assert_eq!(dealt.len(), 16, "sixteen cards, each once");
        let leader = public(&view).turn_seat;
        assert_eq!(may(&table, leader).await, hand(&view, leader), "the first lead is free");
        assert_eq!(public(&old.view().await).phase(), v1::TablePhase::Closed);
    }
}

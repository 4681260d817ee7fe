//! Failures that others reported of their card games, tried on deals here: who takes, who draws, who is paid.

use tests::deals::AN_ACE_AT_LAST;
use tests::views::{facts, game, public};
use tests::{Client, NewTable, Table, cards, v1};
use v1::event::Fact;

use crate::deals::{BLANK_FIRST_TRICK, EVERY_TRICK, FORTY_FIFTY};
use crate::pairs::pairs;
use crate::round::{dealt_for, play_round};
use crate::script::{judged, outcome, rules, settled_from};

/// Plays tricks to the end of their deal; answers the table and the last action's answer. After each trick its taker is
/// to lead.
async fn played(client: &Client, preset: &str, first: i32, tricks: &[&str]) -> (Table, v1::PlayCardResponse) {
    let (plays, said) = settled_from(client, first, rules(preset, 4), tricks).await;
    let new = dealt_for(NewTable::preset(preset, 4).pausing_between_deals(), first, &plays, &said.tricks);
    let table = new.start(client).await;
    let (mut leader, mut last) = (first, None);
    for (cards, taken) in tricks.iter().zip(&said.tricks) {
        let (answer, told) = play_round(&table, leader, cards).await;
        assert!(told[0].starts_with(&format!("{} takes 4 cards", taken.winner_seat)), "{cards}: {told:?}");
        leader = taken.winner_seat;
        let view = answer.view.as_ref().unwrap();
        let running = public(view).phase() == v1::TablePhase::Playing;
        assert_eq!(public(view).turn_seat, if running { leader } else { 0 }, "{cards}");
        last = Some(answer);
    }
    (table, last.unwrap())
}

fn ended(answer: &v1::PlayCardResponse) -> v1::DealEnded {
    let told = facts(answer.update.as_ref().unwrap()).into_iter();
    let ended: Vec<_> = told
        .filter_map(|fact| match fact {
            Fact::DealEnded(ended) => Some(ended.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(ended.len(), 1, "a deal ends once");
    ended[0].clone()
}

on_a_server! {
    /// A side that had taken everything got nothing, for its cards were looked for in the other side's pile.
    /// <https://github.com/TamaraSovcikova/Sedma/commit/020c13d4f41eb1b2f5ab89912fbc1f499078309c>
    async fn both_sides_are_paid_alike(client: &Client) {
        for preset in ["classic", "pagat", "sedmice"] {
            for (tricks, first, second) in [
                (&EVERY_TRICK, "SweepCards 13:90+3 24:0", "SweepCards 13:0 24:90+3"),
                (&BLANK_FIRST_TRICK, "SweepPoints 13:90+2 24:0", "SweepPoints 13:0 24:90+2"),
                (&FORTY_FIFTY, "Win 13:40 24:50+1", "Win 13:50+1 24:40"),
            ] {
                for (leader, sides) in [(1, first), (2, second)] {
                    let (_, said) = settled_from(client, leader, rules(preset, 4), tricks).await;
                    assert_eq!(outcome(said.tier(), &said.sides), sides, "{preset}");
                    let (_, last) = played(client, preset, leader, tricks).await;
                    let told = ended(&last);
                    assert_eq!(outcome(told.tier(), &told.sides), sides, "{preset}");
                    let paid: Vec<i32> = told.totals.iter().map(|side| side.game_points).collect();
                    assert_eq!(paid, told.sides.iter().map(|side| side.game_points).collect::<Vec<_>>());
                }
            }
        }
    }

    /// An announced winner was not the one that the cards made.
    /// <https://github.com/UNIZAR-30226-2025-01/guignote-backend/issues/39>
    async fn the_announced_winner_is_the_one_of_the_cards(client: &Client) {
        for (preset, seats) in pairs().filter(|(_, seats)| *seats == 4) {
            let nobody_matched = judged(client, rules(preset, 4), "Ah 10h Kh Qh").await;
            let full = if preset == "ristikontra" { 28 } else if preset == "septica" { 2 } else { 20 };
            assert_eq!((nobody_matched.winner_seat, nobody_matched.points), (1, full), "{preset} {seats}");
            let passed_on = judged(client, rules(preset, 4), "8c 8d 7c 8h").await;
            assert_eq!((passed_on.winner_seat, passed_on.points), (4, 0), "{preset} {seats}");
        }
    }

    /// The last trick went to the other side, because tricks were only counted when the next one began.
    /// <https://github.com/lorserker/ben/issues/9> <https://github.com/lorserker/ben/issues/105>
    async fn the_last_trick_is_its_takers(client: &Client) {
        for preset in ["classic", "pagat", "sedmice"] {
            let (table, last) = played(client, preset, 1, &AN_ACE_AT_LAST).await;
            let told = ended(&last);
            assert_eq!(outcome(told.tier(), &told.sides), "Win 13:70+1 24:20", "{preset}");
            assert_eq!((told.last_trick_bonus, told.last_trick_seat), (10, 2));
            let request = v1::GetScoreRequest { name: table.name.clone(), min_revision: None };
            let score = client.get_score(request).await.unwrap();
            assert_eq!((score.revision, &score.deals[0].sides), (last.revision, &told.sides));
            let mut watch = table.seat(4).watch_after(last.revision - 1, &[]).await;
            watch.heartbeat().await;
            let update = watch.update().await;
            let answer = v1::PlayCardResponse { update: Some(update.clone()), ..v1::PlayCardResponse::default() };
            assert_eq!((update.revision, ended(&answer)), (last.revision, told));
            assert_eq!(update.after, Some(table.seat(4).view().await));
        }
    }

    /// Hands were filled up in the order of the next trick's roles, so that another player got the last cards.
    /// <https://github.com/cajax/durakengine/issues/24>
    async fn the_winner_of_the_trick_draws_the_last_cards_first(client: &Client) {
        let small = |rules: &mut v1::SedmaRules| {
            rules.pack = Some(v1::PackKind::P24WithSevens.into());
            rules.hand_size = Some(8);
        };
        let hands = ["Jc Jd Jh 10c Kc Kd Kh Ks", "Qc Qd Qh 10d Qs Js Ac Ad"];
        let new = NewTable::preset("pagat", 2).changed(small).deal(&hands, "7c 7d 7h 7s 10h 10s Ah As");
        let table = new.start(client).await;
        for cards in ["Jc Qc", "Jd Qd", "Jh Qh"] {
            play_round(&table, 1, cards).await;
        }
        assert_eq!(game(&table.view().await).stock_count, 2);
        let before = table.revision().await;
        let (_, told) = play_round(&table, 1, "10c 10d").await;
        assert_eq!(told, ["2 takes 2 cards with 20 points", "2 draws first of 2"]);
        for (seat, own) in [(1, "As"), (2, "Ah")] {
            let mut watch = table.seat(seat).watch_after(before, &[]).await;
            watch.heartbeat().await;
            let updates = watch.updates_to(table.revision().await).await;
            let seen: Vec<_> = updates.iter().flat_map(facts).filter_map(|fact| match fact {
                Fact::OwnCardsDrawn(drawn) => Some((drawn.seat, drawn.cards.clone())),
                _ => None,
            }).collect();
            assert_eq!(seen, [(seat, cards(own))]);
            let after = updates.last().unwrap().after.as_ref().unwrap();
            assert_eq!((game(after).stock_count, game(after).hand_counts.as_slice()), (0, [8, 8].as_slice()));
        }
    }

    /// A wild card that was led was taken for something else than its own rank.
    /// <https://github.com/OWASP/cornucopia/issues/1350>
    async fn a_led_seven_is_a_seven(client: &Client) {
        let free = ["ristikontra", "lusti_kartln"];
        for (preset, _) in pairs().filter(|(preset, seats)| *seats == 4 && !free.contains(preset)) {
            for (cards, winner) in [("7h 8c 7s Ac", 3), ("7h 8c 9c 8d", 1)] {
                assert_eq!(judged(client, rules(preset, 4), cards).await.winner_seat, winner, "{preset}: {cards}");
                // Nobody holds another card that could match, which some rules would have him play.
                let others = ["Jc Jd Jh", "Qc Qd Qh", "Kc Kd Kh", "10c 10d 10h"];
                let hands: Vec<String> =
                    cards.split(' ').zip(others).map(|(card, others)| format!("{card} {others}")).collect();
                let hands: Vec<&str> = hands.iter().map(String::as_str).collect();
                let table = NewTable::preset(preset, 4).deal(&hands, "").start(client).await;
                let (answer, told) = play_round(&table, 1, cards).await;
                assert!(told[0].starts_with(&format!("{winner} takes 4 cards")), "{preset}: {told:?}");
                assert_eq!(public(answer.view.as_ref().unwrap()).turn_seat, winner);
            }
        }
    }
}

//! Hola: 52 cards, twos and sevens wild, and fights.

use sedma_rules::{Card, Preset, Seat, next_dealer, score_deal};

use crate::chance::rules;
use crate::transcript::{Table, cards, seat, table};

fn one_round(plays: [&str; 4]) -> Table {
    table(Preset::Hola, 4).deal(&plays, "").plays(&plays.join(" ")).happens(&["round"]).act("end")
}

#[test]
fn example_49_twos_and_sevens_are_wild() {
    one_round(["9c", "9d", "2c", "8c"]).happens(&["trick 3 points 0 cards 4", "draw 3 cards 4"]);
    one_round(["2c", "7c", "5c", "5d"]).happens(&["trick 2 points 0 cards 4", "draw 2 cards 4"]);
    one_round(["7c", "2c", "Ac", "Kc"]).happens(&["trick 2 points 10 cards 4", "draw 2 cards 4"]);
}

#[test]
fn example_50_the_winner_of_a_fight_takes_what_lies_in_abeyance() {
    let table = table(Preset::Hola, 4)
        .deal(&["9c Ac Qc Qd", "7c Kc", "8c Ad", "10c 3c"], "")
        .plays("9c 7c 8c 10c")
        .happens(&["round"])
        .may("play Qc, play Ac, play Qd, end")
        .plays("Ac")
        .happens(&["aside"]);
    assert_eq!(table.game.view(&table.rules, sedma_rules::SeatSet::EMPTY).abeyance, 4);
    table
        .plays("Kc Ad 3c")
        .happens(&["round"])
        .turn(1)
        .act("end")
        .happens(&["trick 3 points 30 cards 8", "draw 3 cards 8"])
        .hand_counts(&[4, 4, 4, 4]);
}

#[test]
fn example_51_without_a_card_there_is_no_fight() {
    table(Preset::Hola, 2)
        .deal(&["3c 4c 5c 6c", "Jc Qc Kc Ac"], "")
        .plays("3c Jc | 4c Qc | 5c Kc | 6c Ac")
        .happens(&["trick 1 points 10 cards 8", "draw 1 cards 8"]);
}

#[test]
fn example_52_every_trick_is_170_and_the_dealer_deals_again() {
    let rules = rules(Preset::Hola, 4);
    let leads = cards("2c 2d 2h 2s 7c 7d 7h 7s 3c 3d 3h 3s 4c");
    let mut rest: Vec<Card> = rules.pack().iter().filter(|card| !leads.contains(card)).collect();
    rest.sort_by_key(|card| (card.rank(), card.suit()));
    let tricks: Vec<Vec<(Seat, Card, bool)>> = leads
        .iter()
        .zip(rest.chunks(3))
        .map(|(lead, others)| {
            Seat::ALL.into_iter().zip([&[*lead], others].concat()).map(|(s, c)| (s, c, false)).collect()
        })
        .collect();
    let result = score_deal(&rules, &tricks, None).unwrap();
    let expected =
        "raw_points bonus 10 last 1 side 13 points 90 tricks 13 game 170 side 24 points 0 tricks 0 game 0";
    assert_eq!(result.to_string(), expected);
    assert_eq!(next_dealer(&rules, seat(3), &result), seat(3));
    assert_eq!(next_dealer(&rules, seat(2), &result), seat(3));
}

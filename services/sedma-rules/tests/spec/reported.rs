//! Mistakes that other programs of this kind were reported for, played here; each with the address of its
//! report.

use sedma_rules::{Card, CardSet, Event, Fact, Match, Pack, Preset, RuleOptions, Seat, SeatSet};

use crate::chance::{Chance, play_deal, play_deals, rules};
use crate::transcript::{cards, table};

/// A wrong winner, and a lead that always came back to who had entered the room first. Seats are places at
/// the table here, so there is no order of joining that could count.
///
/// <https://github.com/Oliboy50/coinche/issues/33>
#[test]
fn the_last_equal_card_or_seven_wins_leads_and_draws_first() {
    table(Preset::Classic, 4)
        .deal(&["8h", "7c", "Ks", "8d"], "")
        .plays("8h 7c Ks 8d")
        .happens(&["trick 4 points 0 cards 4", "draw 4 cards 4"])
        .turn(4);
}

/// A winner that the cards couldn't justify.
///
/// <https://github.com/UNIZAR-30226-2025-01/guignote-backend/issues/39>
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
            let fat =
                trick.iter().filter(|(_, card)| card.starts_with('A') || card.starts_with("10")).count();
            assert_eq!((last.0, fat * 10), (*seat, usize::from(*points)), "{trick:?}");
            trick.clear();
            tricks += 1;
        }
        _ => {}
    });
    assert_eq!(tricks, 80_000);
}

/// The last trick was credited to the wrong side. Here seat 4 takes nothing but the last one, which has an
/// ace; result, event and view all say so.
///
/// <https://github.com/lorserker/ben/issues/9>
#[test]
fn the_last_trick_counts_for_who_takes_it() {
    let hands = ["7c 7d 7h 7s", "Jc Jd Jh Js", "Kc Kd Kh Ks", "Qc Qd Qh Qs"];
    let stock = "10c 9c 8d Ac 9d 10d 8h Ad 9h 10h Ah 10s 8s As 9s 8c";
    let table = table(Preset::Classic, 4)
        .deal(&hands, stock)
        .plays("7c Jc Kc Qc 7d Jd Kd Qd 7h Jh Kh Qh 7s Js Ks Qs")
        .plays("10c 9c 8d Ac 9d 10d 8h Ad 9h 10h Ah 10s")
        .plays("8s As 9s");
    let mut game = table.game.clone();
    let end = "end win bonus 10 last 4 side 13 points 70 tricks 7 game 1 side 24 points 20 tricks 1 game 0";
    let table = table.plays("8c").happens(&["trick 4 points 10 cards 4", end]).ended().standing(&[1, 0]);
    let side = SeatSet::of(&[Seat::Two, Seat::Four]);
    let mut events = Vec::new();
    for fact in ["play 4 8c", "trick 4 points 10 cards 4", end] {
        events.clear();
        game.events(&fact.parse().unwrap(), SeatSet::EMPTY, &mut events);
        game.evolve(&fact.parse().unwrap()).unwrap();
    }
    let [Event::DealEnded { result, totals }] = &events[..] else { panic!("{events:?}") };
    assert_eq!(result.sides.side_of(Seat::Two).map(|side| side.points), Some(20));
    let view = table.game.view(&table.rules, SeatSet::EMPTY);
    assert_eq!((view.sides[1].seats, view.sides[1].points), (side, 20));
    assert_eq!(totals, &view.sides, "who is told of the end and who looks afterwards see the same");
    assert_eq!(view.last_deal.as_ref(), Some(result));
}

/// Hands were filled up in the order of the new roles. With two cards left the winner draws the first of
/// them.
///
/// <https://github.com/cajax/durakengine/issues/24>
#[test]
fn with_a_stock_of_two_the_winner_draws_first_and_each_sees_his_own_card() {
    let rules = RuleOptions { stop_at_points: 0, ..Preset::Two.options(2) }.check().unwrap();
    let [ace, eight] = cards("Ah 8h")[..] else { unreachable!() };
    let mut seen = 0;
    for seed in 0..20 {
        let mut chance = Chance::seeded(seed);
        let shuffled = chance.pack(&rules);
        let rest = shuffled.cards().iter().copied().filter(|card| ![ace, eight].contains(card));
        let pack: Vec<Card> = rest.chain([ace, eight]).collect();
        play_deal(&rules, seed, Pack::new(&rules, &pack).unwrap(), |before, fact, after| {
            let stock = before.view(&rules, SeatSet::EMPTY).stock_count;
            let (2, Fact::Drawn { first: Seat::Two, cards: 2 }) = (stock, fact) else { return };
            let hand = |game: &Match, seat| game.view(&rules, SeatSet::of(&[seat])).hands[0].cards;
            assert_eq!(hand(after, Seat::Two).minus(hand(before, Seat::Two)), CardSet::from_iter([ace]));
            assert_eq!(hand(after, Seat::One).minus(hand(before, Seat::One)), CardSet::from_iter([eight]));
            let mut told = Vec::new();
            before.events(fact, SeatSet::of(&[Seat::One]), &mut told);
            let winner = Event::CardsDrawn { seat: Seat::Two, count: 1 };
            let loser = Event::CardsDrawn { seat: Seat::One, count: 1 };
            assert_eq!(told, [winner, loser, Event::OwnCardsDrawn { seat: Seat::One, cards: vec![eight] }]);
            seen += 1;
        });
    }
    assert!(seen > 0, "seat 2 takes the trick before the last two cards at least once");
}

/// A led wild card is nothing but its own rank.
///
/// <https://github.com/OWASP/cornucopia/issues/1350>
#[test]
fn a_led_seven_is_matched_by_sevens_only() {
    let trick = |plays: [&str; 4]| table(Preset::Classic, 4).deal(&plays, "").plays(&plays.join(" "));
    trick(["7h", "8c", "7s", "Ac"]).happens(&["trick 3 points 10 cards 4", "draw 3 cards 4"]).turn(3);
    trick(["7h", "8c", "9c", "8d"]).happens(&["trick 1 points 0 cards 4", "draw 1 cards 4"]).turn(1);
}

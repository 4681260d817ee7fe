//! Positions in which a sensible player knows what to do.
//!
//! Hands are named seat by seat from seat 1, who leads; plays follow in turn. What the stock holds does not
//! matter.

use sedma_bots::steady;
use sedma_rules::{Action, Card, Match, Pack, Preset, Rules, Seat, SeatSet};

use crate::play::dealt_by;

fn cards(names: &str) -> Vec<Card> {
    names.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

/// A pack that deals these hands, one card at a time; the cards that nobody named are the stock.
fn pack(rules: &Rules, hands: &[&str]) -> Pack {
    let hands: Vec<Vec<Card>> = hands.iter().map(|hand| cards(hand)).collect();
    let size = usize::from(rules.options().hand_size);
    assert!(hands.iter().all(|hand| hand.len() == size), "hands of {size}");
    let mut pack: Vec<Card> = (0..size).flat_map(|at| hands.iter().map(move |hand| hand[at])).collect();
    let stock: Vec<Card> =
        rules.canonical_pack().cards().iter().copied().filter(|card| !pack.contains(card)).collect();
    pack.extend(stock);
    Pack::new(rules, &pack).unwrap()
}

fn act(rules: &Rules, game: &mut Match, action: Action) {
    let mut facts = Vec::new();
    game.act(rules, game.turn().unwrap(), action, &mut facts).unwrap();
    for fact in &facts {
        game.evolve(fact).unwrap();
    }
}

fn decision(rules: &Rules, game: &Match) -> String {
    let seat = game.turn().unwrap();
    match steady(&game.view(rules, SeatSet::of(&[seat])), rules, seat).unwrap() {
        Action::Play { card, announce_marriage: false } => card.to_string(),
        Action::Play { card, announce_marriage: true } => format!("{card} announced"),
        Action::PlayFromStock => "unseen".to_owned(),
        Action::EndTrick => "end".to_owned(),
        Action::ExchangeHands(true) => "exchange".to_owned(),
        Action::ExchangeHands(false) => "keep".to_owned(),
    }
}

/// What a steady player does in the first deal after these plays.
fn after(preset: Preset, hands: &[&str], plays: &str) -> String {
    let rules = preset.options(u8::try_from(hands.len()).unwrap()).check().unwrap();
    let last = Seat::first(rules.seats()).next_back().unwrap();
    let mut game = dealt_by(&rules, &Match::new(&rules), last, pack(&rules, hands));
    for card in cards(plays) {
        act(&rules, &mut game, Action::Play { card, announce_marriage: false });
    }
    decision(&rules, &game)
}

#[test]
fn a_trick_with_points_is_taken_with_the_led_rank_before_a_seven() {
    let hands = ["9c 8c Jc Qc", "Ac 8d Jd Qd", "Kc Jh Qh 8h", "7s 9s Js Qs"];
    assert_eq!(after(Preset::Classic, &hands, "9c Ac Kc"), "9s");
}

#[test]
fn a_trick_with_points_is_taken_with_a_seven_where_nothing_else_takes_it() {
    let hands = ["9c 8c Jc Qc", "9d 8d Jd Qd", "Ac Jh Qh 8h", "7s Ks Js Qs"];
    let taken = ["9c 8c Jc Qc", "10d 8d Jd Qd", "Ac Jh Qh 8h", "7s Ks Js Qs"];
    assert_eq!(after(Preset::Classic, &taken, "9c 10d Ac"), "7s");
    // The partner has it already.
    assert_ne!(after(Preset::Classic, &hands, "9c 9d Ac"), "7s");
}

#[test]
fn a_worthless_trick_is_not_worth_a_seven() {
    let hands = ["9c 8c Jc Qc", "Kd 8d Jd Qd", "Kc Jh Qh 8h", "7s Ks Js Qs"];
    assert_ne!(after(Preset::Classic, &hands, "9c Kd Kc"), "7s");
}

#[test]
fn a_partner_who_is_sure_of_the_trick_gets_points() {
    let hands = ["9c 8c Jc Qc", "9d 8d Jd Qd", "Kc Jh Qh 8h", "As Ks Js Qs"];
    assert_eq!(after(Preset::Classic, &hands, "9c 9d Kc"), "As");
}

#[test]
fn opponents_get_no_points_where_that_can_be_helped() {
    let hands = ["9c 8c Jc Qc", "Kd 8d Jd Qd", "9h Jh Qh 8h", "As 10s Ks Ad"];
    assert_eq!(after(Preset::Classic, &hands, "9c Kd 9h"), "Ks");
}

#[test]
fn aces_and_tens_are_not_led_where_something_else_can_be() {
    let hands = ["As 10s 7s 8s", "Kd 8d Jd Qd", "9h Jh Qh 8h", "9s 10c Ks Ad"];
    assert_eq!(after(Preset::Classic, &hands, ""), "8s");
}

#[test]
fn a_leader_goes_on_for_points_that_an_opponent_would_take() {
    let hands = ["9c 9s Jc Qc", "9d 8d Jd Qd", "Kc Jh Qh 8h", "As Ks Js Qs"];
    assert_eq!(after(Preset::Pagat, &hands, "9c 9d Kc As"), "9s");
}

#[test]
fn a_leader_ends_a_trick_that_his_side_has() {
    let hands = ["9c 9s Jc Qc", "Ad 8d Jd Qd", "9h Jh Qh 8h", "10s Ks Js Qs"];
    assert_eq!(after(Preset::Pagat, &hands, "9c Ad 9h 10s"), "end");
}

#[test]
fn a_fourth_card_of_one_rank_burns_the_trick_and_wins_the_deal() {
    let hands = ["9c 8c Jc Qc", "9d 8d Jd Qd", "9h Jh Qh 8h", "9s 10s Js Qs"];
    assert_eq!(after(Preset::Cervena, &hands, "9c 9d 9h"), "9s");
}

#[test]
fn a_marriage_is_announced() {
    let hands = ["Kh Qh 8c Jc", "9d 8d Jd Qd", "9h Jh 10h 8h", "9s 10s Js Qs"];
    assert!(after(Preset::MariasSedma, &hands, "").ends_with("h announced"));
}

#[test]
fn a_fight_takes_back_points_that_lie_in_abeyance() {
    let hands = ["9c 2s 7c 7d", "9d 8d Jd Qd", "Ac Jh Qh 8h", "10h Ks Js Qs"];
    assert_ne!(after(Preset::Hola, &hands, "9c 9d Ac 10h"), "end");
}

#[test]
fn whoever_helps_against_a_soloist_that_everybody_knows_gives_his_partner_points() {
    // Seat 1 led the red king: he is alone, and seat 2 has taken the trick with a king.
    let hands = ["Kh 8c Jc Qc", "Kd 8s Jd Qd", "As Jh Qh 8h"];
    assert_eq!(after(Preset::ThreeRedKing, &hands, "Kh Kd"), "As");
}

#[test]
fn a_poor_hand_is_exchanged_and_a_good_one_is_kept() {
    let rules = Preset::Cervena.options(4).check().unwrap();
    let first = ["9c 8c Jc Qc", "9d 8d Jd Qd", "Kc Jh Qh 8h", "As Ks Js Qs"];
    let mut game = dealt_by(&rules, &Match::new(&rules), Seat::Four, pack(&rules, &first));
    while game.turn().is_some() {
        let action = game.legal_actions(&rules, game.turn().unwrap()).iter().next().unwrap();
        act(&rules, &mut game, action);
    }
    // Whoever leads the second deal, all hands are equally poor or equally good.
    let poor = ["9c 8c Jc Qc", "9d 8d Jd Qd", "Kc Jh Qh 8h", "9s Ks Js Qs"];
    let good = ["7c 8c Jc Qc", "7d 8d Jd Qd", "7h Jh Qh 8h", "7s Ks Js Qs"];
    let decides =
        |hands: &[&str]| decision(&rules, &dealt_by(&rules, &game, Seat::Four, pack(&rules, hands)));
    assert_eq!(decides(&poor), "exchange");
    assert_eq!(decides(&good), "keep");
}

//! Who deals next, and who has won a match.

use sedma_rules::{
    DealResult, DealerRotation, Fact, Preset, RuleOptions, Rules, Seat, SeatSet, Tie, match_winners,
    next_dealer,
};

use crate::chance::rules;
use crate::transcript::seat;

fn result(tier: &str, sides: &[(&str, u8, u8)]) -> DealResult {
    let sides: Vec<String> = sides
        .iter()
        .map(|(seats, points, game)| format!(" side {seats} points {points} tricks 4 game {game}"))
        .collect();
    match format!("end {tier} bonus 0 last -{}", sides.concat()).parse() {
        Ok(Fact::DealEnded(result)) => result,
        other => panic!("{other:?}"),
    }
}

fn after(rules: &Rules, dealer: u8, result: &DealResult) -> u8 {
    next_dealer(rules, seat(dealer), result).number()
}

fn rotating(preset: Preset, seats: u8, dealer_rotation: DealerRotation) -> Rules {
    RuleOptions { dealer_rotation, ..preset.options(seats) }.check().unwrap()
}

#[test]
fn the_deal_goes_round() {
    let won = result("win", &[("13", 50, 1), ("24", 40, 0)]);
    let rules = rules(Preset::Classic, 4);
    assert_eq!([1, 2, 3, 4].map(|dealer| after(&rules, dealer, &won)), [2, 3, 4, 1]);
}

#[test]
fn a_void_deal_is_dealt_again_by_the_same_dealer() {
    let void = result("void", &[("13", 40, 0), ("24", 40, 0)]);
    assert_eq!(after(&rules(Preset::Classic, 4), 3, &void), 3);
    let passes = RuleOptions { tie: Tie::NoScore, ..Preset::Classic.options(4) }.check().unwrap();
    assert_eq!(after(&passes, 3, &void), 4);
}

#[test]
fn losing_pairs_deal_so_that_a_winner_leads() {
    let rules = rules(Preset::Cervena, 4);
    let first_pair_won = result("win", &[("13", 50, 1), ("24", 40, 0)]);
    assert_eq!(after(&rules, 1, &first_pair_won), 2, "the dealing side won: the deal passes on");
    assert_eq!(after(&rules, 2, &first_pair_won), 4, "it lost: the dealer's partner deals");
    let mirrored = rotating(Preset::Cervena, 4, DealerRotation::WinnerDeals);
    assert_eq!(after(&mirrored, 1, &first_pair_won), 3);
    assert_eq!(after(&mirrored, 2, &first_pair_won), 3);
}

#[test]
fn with_two_the_loser_deals() {
    let first_won = result("win", &[("1", 50, 1), ("2", 40, 0)]);
    let rules = rules(Preset::Pagat, 2);
    assert_eq!([after(&rules, 1, &first_won), after(&rules, 2, &first_won)], [2, 2]);
}

#[test]
fn with_three_the_loser_before_a_winner_deals() {
    let red_king = rules(Preset::ThreeRedKing, 3);
    let soloist_won = result("win", &[("1", 50, 1), ("23", 40, 0)]);
    let soloist_lost = result("win", &[("1", 40, 0), ("23", 50, 1)]);
    for dealer in 1..=3 {
        assert_eq!(after(&red_king, dealer, &soloist_won), 3);
        assert_eq!(after(&red_king, dealer, &soloist_lost), 1);
    }
    let mirrored = rotating(Preset::ThreeRedKing, 3, DealerRotation::WinnerDeals);
    assert_eq!(after(&mirrored, 2, &soloist_won), 1);
    assert_eq!(after(&mirrored, 2, &soloist_lost), 3);
    let alone = rules(Preset::Pagat, 3);
    let shared = result("shared", &[("1", 40, 1), ("2", 40, 1), ("3", 10, 0)]);
    assert_eq!(after(&alone, 1, &shared), 3, "the one loser deals");
    let level = result("void", &[("1", 30, 0), ("2", 30, 0), ("3", 30, 0)]);
    assert_eq!(after(&alone, 1, &level), 2, "nobody lost: the deal passes on");
}

#[test]
fn the_hola_dealer_goes_on_with_more_than_half() {
    let rules = rules(Preset::Hola, 4);
    let fifty = result("raw_points", &[("13", 50, 50), ("24", 40, 40)]);
    assert_eq!([1, 2, 3, 4].map(|dealer| after(&rules, dealer, &fifty)), [1, 3, 3, 1]);
    let half = result("raw_points", &[("13", 40, 40), ("24", 40, 40)]);
    assert_eq!(after(&rules, 1, &half), 2, "half is not more than half");
}

#[test]
fn the_highest_score_at_the_target_wins_the_match() {
    let pairs = rules(Preset::Classic, 4);
    assert_eq!(match_winners(&pairs, &[3, 3]), None);
    assert_eq!(match_winners(&pairs, &[3, 5]), Some(SeatSet::of(&[Seat::Two, Seat::Four])));
    let alone = rules(Preset::Pagat, 3);
    assert_eq!(match_winners(&alone, &[5, 5, 4]), Some(SeatSet::of(&[Seat::One, Seat::Two])));
    let hola = rules(Preset::Hola, 4);
    assert_eq!(match_winners(&hola, &[210, 210]), None, "level above the target: another deal");
    assert_eq!(match_winners(&hola, &[210, 220]), Some(SeatSet::of(&[Seat::Two, Seat::Four])));
    let endless = RuleOptions { match_target: 0, ..Preset::Classic.options(4) }.check().unwrap();
    assert_eq!(match_winners(&endless, &[1000, 0]), None);
}

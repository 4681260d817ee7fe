//! How strong: against random players, with the same packs in every seating.

use std::cmp::Ordering;

use sedma_rules::{DealResult, Match, Partnership, Rules, Seat, SeatSet};

use crate::play::{Chance, dealt, every_game, name, play_deal};

/// Packs of each game; every one is played in each seating.
const PACKS: u32 = 1000;

/// What a steady side made of a pack, the seatings taken together.
struct Outcome {
    /// Deals won: a half where both sides made the same.
    won: f64,
    /// Game points more than the others had on average.
    ahead: f64,
}

/// The seats that play steadily, one seating after the other: a pair, or somebody alone.
fn seatings(rules: &Rules) -> Vec<SeatSet> {
    if rules.options().partnership == Partnership::FixedPairs {
        return rules.match_sides().iter().collect();
    }
    Seat::first(rules.seats()).map(|seat| SeatSet::of(&[seat])).collect()
}

fn game_points(result: &DealResult, seats: SeatSet) -> Vec<f64> {
    seats.iter().map(|seat| f64::from(result.sides.side_of(seat).unwrap().game_points)).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / f64::from(u32::try_from(values.len()).unwrap())
}

/// The mean, and how far from it the truth may be in 19 of 20 cases.
fn interval(values: &[f64]) -> (f64, f64) {
    let (middle, count) = (mean(values), f64::from(u32::try_from(values.len()).unwrap()));
    let variance = values.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / (count - 1.0);
    (middle, 1.96 * (variance / count).sqrt())
}

fn outcome(rules: &Rules, before: &Match, seed: u64) -> Outcome {
    let (mut won, mut ahead) = (Vec::new(), Vec::new());
    for steadily in seatings(rules) {
        let mut chance = Chance::seeded(seed);
        let mut game = dealt(rules, before, chance.pack(rules));
        let result = play_deal(rules, &mut game, steadily, &mut chance);
        let everybody = SeatSet::all(rules.seats());
        let others =
            game_points(&result, everybody.iter().filter(|seat| !steadily.contains(*seat)).collect());
        let (own, best) = (mean(&game_points(&result, steadily)), others.iter().copied().fold(0.0, f64::max));
        won.push(match own.total_cmp(&best) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        });
        ahead.push(own - mean(&others));
    }
    Outcome { won: mean(&won), ahead: mean(&ahead) }
}

#[test]
fn steady_play_is_better_than_chance_in_every_game() {
    println!("{:<18} {:>16} {:>24}", "game", "deals won, %", "game points a deal");
    for rules in every_game() {
        let mut chance = Chance::seeded(1);
        let mut first = dealt(&rules, &Match::new(&rules), chance.pack(&rules));
        // A second deal: in some games hands can be exchanged from then on.
        play_deal(&rules, &mut first, SeatSet::EMPTY, &mut chance);
        let outcomes: Vec<Outcome> =
            (0..PACKS).map(|pack| outcome(&rules, &first, u64::from(pack) * 7919 + 1)).collect();
        let (won, won_within) = interval(&outcomes.iter().map(|it| it.won * 100.0).collect::<Vec<_>>());
        let (ahead, within) = interval(&outcomes.iter().map(|it| it.ahead).collect::<Vec<_>>());
        println!("{:<18} {won:>9.1} ± {won_within:<4.1} {ahead:>+16.2} ± {within:<5.2}", name(&rules));
        assert!(ahead - within > 0.0, "{}: {ahead} ± {within} game points a deal", name(&rules));
        // Between two sides, even is half of the deals.
        let two_sides = rules.match_sides().as_slice().len() == 2;
        assert!(!two_sides || won - won_within > 50.0, "{}: {won} ± {won_within} %", name(&rules));
    }
}

//! How a deal ends, and what it adds to the match score.

use crate::fact::{DealResult, DealSides, DealTier, SideScore};
use crate::rules::{DealScore, Rules, SweepPointsRule, Tie, Tiers, WinRule};
use crate::scoring::tally::Tally;
use crate::seat::{Seat, SeatSet};

/// How a deal came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every card was played.
    PlayedOut {
        /// Who took the last trick.
        last: Seat,
    },
    /// A side reached the points that stop the deal.
    Stopped {
        /// Who took the trick that did it.
        by: Seat,
    },
    /// Four of a rank came together in this seat's hand.
    BurnedHand(Seat),
    /// This seat played the fourth card of a rank in a row.
    BurnedTrick(Seat),
}

/// The result of a deal.
pub(crate) fn settle(rules: &Rules, tally: &Tally, ending: Ending, soloist: Option<Seat>) -> DealResult {
    let last_trick_seat = match ending {
        Ending::PlayedOut { last } => Some(last),
        Ending::Stopped { by } if mutated!(BonusWhenStopped) => Some(by),
        _ => None,
    };
    let last_trick_bonus = last_trick_seat.map_or(0, |_| rules.options().last_trick_bonus);
    let bonus_of = |side: SeatSet| {
        if last_trick_seat.is_some_and(|last| side.contains(last)) { last_trick_bonus } else { 0 }
    };
    let sides = DealSides::scored(&rules.deal_sides(soloist), |side| SideScore {
        seats: side,
        points: tally.side_points(side).saturating_add(bonus_of(side)),
        tricks: tally.tricks(side),
        game_points: 0,
    });
    let mut result = DealResult { tier: DealTier::Void, sides, last_trick_bonus, last_trick_seat };
    result.tier = tier(rules, tally, &mut result.sides, ending);
    result
}

/// By what the deal was decided; gives the sides their game points.
fn tier(rules: &Rules, tally: &Tally, sides: &mut DealSides, ending: Ending) -> DealTier {
    let tiers = match rules.options().deal_score {
        DealScore::RawPoints { all_tricks_bonus } => return raw_points(sides, ending, all_tricks_bonus),
        DealScore::Tiers(tiers) => tiers,
    };
    match ending {
        Ending::BurnedHand(seat) => {
            award(sides, |side| side.seats.contains(seat), tiers.burned_hand);
            DealTier::BurnedHand
        }
        Ending::BurnedTrick(seat) => {
            award(sides, |side| side.seats.contains(seat), tiers.burned_trick);
            DealTier::BurnedTrick
        }
        Ending::Stopped { by } => {
            award(sides, |side| side.seats.contains(by), tiers.win);
            DealTier::Win
        }
        Ending::PlayedOut { last } => most_points(rules, tally, sides, tiers, last),
    }
}

fn award(sides: &mut DealSides, to: impl Fn(&SideScore) -> bool, game_points: u8) {
    for side in sides.as_mut_slice() {
        side.game_points = if to(side) { game_points } else { side.game_points };
    }
}

/// English rules for Hola: each side scores what it has, and more for every trick.
fn raw_points(sides: &mut DealSides, ending: Ending, all_tricks_bonus: u8) -> DealTier {
    let tricks: u32 = sides.iter().map(|side| u32::from(side.tricks)).sum();
    let played_out = matches!(ending, Ending::PlayedOut { .. });
    for side in sides.as_mut_slice() {
        let every_trick = played_out && u32::from(side.tricks) == tricks;
        side.game_points = side.points.saturating_add(if every_trick { all_tricks_bonus } else { 0 });
    }
    DealTier::RawPoints
}

/// The side with the most points wins, if it has enough; how thoroughly decides what it gets.
fn most_points(rules: &Rules, tally: &Tally, sides: &mut DealSides, tiers: Tiers, last: Seat) -> DealTier {
    let most = sides.iter().map(|side| side.points).max().unwrap_or(0);
    let enough = match rules.options().win_rule {
        WinRule::Majority => true,
        WinRule::Threshold(points) => most >= points,
    };
    let (mut level, mut top) = (0, SeatSet::EMPTY);
    for side in sides.iter() {
        let on_top = side.points == most;
        level += u8::from(on_top);
        top = if on_top { top.union(side.seats) } else { top };
    }
    if level > 1 {
        return level_on_top(rules.options().tie, sides, tiers, most, last);
    }
    if !enough {
        return DealTier::Void;
    }
    let (tier, game_points) = tier_of(rules, tally, tiers, top, last);
    award(sides, |side| side.seats == top, game_points);
    tier
}

/// Marriages make nobody's sweep and save nobody from one: cards, tricks and the last-trick bonus do.
fn tier_of(rules: &Rules, tally: &Tally, tiers: Tiers, winner: SeatSet, last: Seat) -> (DealTier, u8) {
    let others = winner.complement();
    let every_trick =
        tally.tricks(others) == 0 && (winner.contains(Seat::One) || !mutated!(SweepForFirstSideOnly));
    let every_point = match rules.options().sweep_points_rule {
        SweepPointsRule::AllCardPoints => {
            tally.card_points(winner) == rules.card_total()
                && (winner.contains(last) || !mutated!(SweepNeedsLastTrick))
        }
        SweepPointsRule::OpponentsZero => {
            let bonus = rules.options().last_trick_bonus > 0 && others.contains(last);
            tally.card_points(others) == 0 && !bonus
        }
    };
    if every_trick && tiers.sweep_cards > tiers.sweep_points {
        (DealTier::SweepCards, tiers.sweep_cards)
    } else if (every_point || every_trick) && tiers.sweep_points > tiers.win {
        (DealTier::SweepPoints, tiers.sweep_points)
    } else {
        (DealTier::Win, tiers.win)
    }
}

fn level_on_top(tie: Tie, sides: &mut DealSides, tiers: Tiers, most: u8, last: Seat) -> DealTier {
    match tie {
        Tie::VoidSameDealer | Tie::NoScore => DealTier::Void,
        Tie::LastTrickWinner => {
            let wins = |side: &SideScore| side.points == most && side.seats.contains(last);
            if !sides.iter().any(wins) {
                return DealTier::Void;
            }
            award(sides, wins, tiers.win);
            DealTier::Win
        }
        Tie::Share => {
            if sides.iter().all(|side| side.points == most) {
                return DealTier::Void;
            }
            award(sides, |side| side.points == most, tiers.win);
            DealTier::Shared
        }
    }
}

//! What holds of every result: points counted once, one tier, and what it is worth.

use sedma_rules::{
    CardPoints, CardSet, DealResult, DealScore, DealTier, Match, Partnership, Rules, SideScore,
    SweepPointsRule, Tie, Tiers, WinRule,
};

use crate::observer::{Observer, points_of};

/// Points, tricks, tier and game points are those that follow from what the observer saw.
pub(crate) fn settled_by_the_rules(rules: &Rules, observer: &Observer, result: &DealResult) {
    let played_out = observer.all_taken() == rules.pack();
    last_trick_counts_once(rules, observer, result, played_out);
    let mut all = 0;
    for side in &result.sides {
        all += counted(rules, observer, result, side);
    }
    if played_out {
        assert_eq!(all, u32::from(rules.card_total() + result.last_trick_bonus), "all points are given once");
    }
    if rules.options().partnership != Partnership::SecretSoloist {
        assert_eq!(result.sides.len(), rules.match_sides().as_slice().len());
    }
    match rules.options().deal_score {
        DealScore::RawPoints { all_tricks_bonus } => raw_points(result, all_tricks_bonus),
        DealScore::Tiers(tiers) => one_tier(rules, observer, tiers, result, played_out),
    }
}

fn last_trick_counts_once(rules: &Rules, observer: &Observer, result: &DealResult, played_out: bool) {
    let last = if played_out { observer.last_winner } else { None };
    assert_eq!(result.last_trick_seat, last, "only a deal that is played out has a last trick");
    let bonus = if played_out { rules.options().last_trick_bonus } else { 0 };
    assert_eq!(result.last_trick_bonus, bonus);
}

/// What a side has without its marriages.
fn counted(rules: &Rules, observer: &Observer, result: &DealResult, side: &SideScore) -> u32 {
    let taken = side.seats.iter().fold(CardSet::EMPTY, |all, seat| all.union(*observer.taken.get(seat)));
    let marriages: u32 = side.seats.iter().map(|seat| *observer.marriages.get(seat)).sum();
    let tricks: u32 = side.seats.iter().map(|seat| *observer.tricks.get(seat)).sum();
    let last = result.last_trick_seat.is_some_and(|seat| side.seats.contains(seat));
    let points = points_of(rules, taken) + if last { u32::from(result.last_trick_bonus) } else { 0 };
    assert_eq!((u32::from(side.points), u32::from(side.tricks)), (points + marriages, tricks));
    if rules.options().card_points == CardPoints::AceTen10 {
        assert!(side.points.is_multiple_of(10), "{result}");
    }
    points
}

fn raw_points(result: &DealResult, all_tricks_bonus: u8) {
    assert_eq!(result.tier, DealTier::RawPoints);
    for side in &result.sides {
        let others: u8 = result.sides.iter().filter(|it| it.seats != side.seats).map(|it| it.tricks).sum();
        let bonus = if others == 0 { all_tricks_bonus } else { 0 };
        assert_eq!(side.game_points, side.points + bonus);
    }
}

/// Who scores, scores what the one tier is worth.
fn one_tier(rules: &Rules, observer: &Observer, tiers: Tiers, result: &DealResult, played_out: bool) {
    let scoring: Vec<&SideScore> = result.sides.iter().filter(|side| side.game_points > 0).collect();
    let worth = match result.tier {
        DealTier::Void => 0,
        DealTier::Win | DealTier::Shared => tiers.win,
        DealTier::SweepPoints => tiers.sweep_points,
        DealTier::SweepCards => tiers.sweep_cards,
        DealTier::BurnedHand => tiers.burned_hand,
        DealTier::BurnedTrick => tiers.burned_trick,
        DealTier::RawPoints => panic!("{result}"),
    };
    assert!(scoring.iter().all(|side| side.game_points == worth), "{result}");
    let most = result.sides.iter().map(|side| side.points).max().unwrap();
    let level = result.sides.iter().filter(|side| side.points == most).count();
    match result.tier {
        DealTier::Void => {
            assert!(scoring.is_empty() && level > 1, "{result}");
            assert!(rules.options().tie != Tie::Share || level == result.sides.len(), "{result}");
        }
        DealTier::Shared => {
            assert_eq!((rules.options().tie, scoring.len()), (Tie::Share, level));
            assert!(level > 1 && level < result.sides.len(), "{result}");
        }
        DealTier::BurnedHand | DealTier::BurnedTrick => assert_eq!(scoring.len(), 1),
        _ if played_out => {
            one_winner(rules, result, scoring[0]);
            sweep(rules, observer, tiers, result, scoring[0]);
        }
        _ => stopped(rules, result, scoring[0]),
    }
    two_sides_tie_only_at_an_even_share(rules, result, played_out);
}

fn one_winner(rules: &Rules, result: &DealResult, winner: &SideScore) {
    let last_trick_decided = rules.options().tie == Tie::LastTrickWinner
        && result.last_trick_seat.is_some_and(|seat| winner.seats.contains(seat));
    let enough = if last_trick_decided { winner.points } else { winner.points - 1 };
    let mut others = result.sides.iter().filter(|side| side.seats != winner.seats);
    assert!(others.all(|side| side.points <= enough), "{result}");
    if let WinRule::Threshold(points) = rules.options().win_rule {
        assert!(winner.points >= points, "{result}");
    }
}

/// A deal that is stopped is worth one tier, whatever was taken.
fn stopped(rules: &Rules, result: &DealResult, winner: &SideScore) {
    let stop = rules.options().stop_at_points;
    assert!(stop > 0 && winner.points >= stop, "{result}");
    assert!(result.sides.iter().all(|side| side.seats == winner.seats || side.points < stop), "{result}");
    assert_eq!(result.tier, DealTier::Win);
}

/// Every trick is every point as well, and the higher of the two tiers is given, once.
fn sweep(rules: &Rules, observer: &Observer, tiers: Tiers, result: &DealResult, winner: &SideScore) {
    let others = || result.sides.iter().filter(|side| side.seats != winner.seats);
    let every_trick = others().all(|side| side.tricks == 0);
    let taken = winner.seats.iter().fold(CardSet::EMPTY, |all, seat| all.union(*observer.taken.get(seat)));
    let all_cards = points_of(rules, taken) == u32::from(rules.card_total());
    let every_point = match rules.options().sweep_points_rule {
        SweepPointsRule::AllCardPoints => all_cards,
        SweepPointsRule::OpponentsZero => {
            let last = result.last_trick_seat.is_some_and(|seat| winner.seats.contains(seat));
            all_cards && (last || result.last_trick_bonus == 0)
        }
    };
    assert!(!every_trick || every_point, "{result}");
    let expected = match (every_trick, every_point) {
        (true, _) if tiers.sweep_cards > tiers.sweep_points => DealTier::SweepCards,
        (_, true) if tiers.sweep_points > tiers.win => DealTier::SweepPoints,
        _ => DealTier::Win,
    };
    assert_eq!(result.tier, expected, "{result}");
}

/// An odd number of tens can't be halved; 80, 120 and 8 points can.
fn two_sides_tie_only_at_an_even_share(rules: &Rules, result: &DealResult, played_out: bool) {
    let unit = if rules.options().card_points == CardPoints::AceTen10 { 10 } else { 1 };
    let total = u32::from(rules.card_total() + rules.options().last_trick_bonus) / unit;
    if result.sides.len() == 2 && played_out && !total.is_multiple_of(2) {
        assert_ne!(result.sides.as_slice()[0].points, result.sides.as_slice()[1].points);
    }
}

pub(crate) fn scores_rise_by_the_result(before: &Match, after: &Match, result: &DealResult) {
    for ((side, old), (_, new)) in before.standing().zip(after.standing()) {
        let seat = side.iter().next().unwrap();
        assert_eq!(new - old, u16::from(result.sides.side_of(seat).unwrap().game_points));
    }
}

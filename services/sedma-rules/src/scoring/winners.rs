//! When a match is won.

use crate::rules::{DealScore, Rules};
use crate::seat::SeatSet;

/// Who has won a match with these game points, in the order of the rules' match sides; `None` while it goes
/// on.
///
/// The highest score at or above the target wins. Players who are level on top all win; where points are
/// scored as they are taken, another deal is played instead.
pub fn match_winners(rules: &Rules, game_points: &[u16]) -> Option<SeatSet> {
    let target = rules.options().match_target;
    let most = game_points.iter().copied().max().unwrap_or(0);
    if target == 0 || most < target || (mutated!(TargetMustBePassed) && most == target) {
        return None;
    }
    let top = || rules.match_sides().iter().zip(game_points).filter(|(_, points)| **points == most);
    let plays_on = matches!(rules.options().deal_score, DealScore::RawPoints { .. }) && top().count() > 1;
    if plays_on {
        return None;
    }
    Some(top().fold(SeatSet::EMPTY, |all, (side, _)| all.union(side)))
}

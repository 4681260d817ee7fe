//! Scores.

use sedma_proto::v1;
use sedma_rules::{DealResult, DealTier, SideScore, SideView};

use super::{seat, seats};

/// How a deal ended.
pub(crate) fn tier(tier: DealTier) -> v1::DealTier {
    match tier {
        DealTier::Void => v1::DealTier::Void,
        DealTier::Win => v1::DealTier::Win,
        DealTier::SweepPoints => v1::DealTier::SweepPoints,
        DealTier::SweepCards => v1::DealTier::SweepCards,
        DealTier::BurnedHand => v1::DealTier::BurnedHand,
        DealTier::BurnedTrick => v1::DealTier::BurnedTrick,
        DealTier::Shared => v1::DealTier::Shared,
        DealTier::RawPoints => v1::DealTier::RawPoints,
    }
}

/// A side's score in one deal.
pub(crate) fn side_score(side: &SideScore) -> v1::SideScore {
    v1::SideScore {
        seats: seats(side.seats),
        points: side.points.into(),
        tricks: side.tricks.into(),
        game_points: side.game_points.into(),
    }
}

/// A side's standing in the match.
pub(crate) fn side_standing(side: &SideView) -> v1::SideStanding {
    v1::SideStanding {
        seats: seats(side.seats),
        points: side.points.into(),
        tricks: side.tricks.into(),
        game_points: side.game_points.into(),
    }
}

/// A whole deal's score.
pub(crate) fn deal_score(deal: u16, result: &DealResult) -> v1::DealScore {
    v1::DealScore {
        deal: deal.into(),
        tier: tier(result.tier).into(),
        sides: result.sides.iter().map(side_score).collect(),
        last_trick_bonus: result.last_trick_bonus.into(),
        last_trick_seat: result.last_trick_seat.map_or(0, seat),
    }
}

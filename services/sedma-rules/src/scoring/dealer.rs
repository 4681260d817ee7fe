//! Who deals next.

use crate::fact::{DealResult, DealTier};
use crate::rules::{DealerRotation, Rules, Tie};
use crate::seat::{Seat, SeatSet};

/// Who deals after this result.
pub fn next_dealer(rules: &Rules, dealer: Seat, result: &DealResult) -> Seat {
    let seats = rules.seats();
    if result.tier == DealTier::Void && rules.options().tie == Tie::VoidSameDealer {
        return dealer;
    }
    let next = dealer.next(seats);
    let winners = winners(result);
    match rules.options().dealer_rotation {
        DealerRotation::Next => next,
        DealerRotation::LoserDeals if mutated!(LoserDoesNotDeal) => next,
        // One rule for all tables. For pairs it says: if the dealing side lost, its other player deals, else
        // the next seat does; for two, the loser; for three with two losers, the one seated before the
        // winner.
        DealerRotation::LoserDeals => {
            let loses = |seat: &Seat| !winners.contains(*seat) && winners.contains(seat.next(seats));
            next.round(seats).find(loses).unwrap_or(next)
        }
        DealerRotation::WinnerDeals => {
            let wins = |seat: &Seat| winners.contains(*seat) && !winners.contains(seat.next(seats));
            next.round(seats).find(wins).unwrap_or(next)
        }
        DealerRotation::KeepOnMajority => {
            let all: u16 = result.sides.iter().map(|side| u16::from(side.points)).sum();
            let own = result.sides.side_of(dealer).map_or(0, |side| u16::from(side.points));
            let keeps = own * 2 > all || (mutated!(KeepsDealWithForty) && own >= 40);
            if keeps { dealer } else { next }
        }
    }
}

/// The seats that won the deal: those who score, or where everybody scores his points, those with the most.
fn winners(result: &DealResult) -> SeatSet {
    let most = result.sides.iter().map(|side| side.game_points).max().unwrap_or(0);
    let wins = |game_points: u8| match result.tier {
        DealTier::RawPoints => game_points == most,
        _ => game_points > 0,
    };
    result
        .sides
        .iter()
        .filter(|side| wins(side.game_points))
        .fold(SeatSet::EMPTY, |all, side| all.union(side.seats))
}

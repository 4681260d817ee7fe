//! What can be seen in a playthrough: in its text, or in the results that were told in it.

use sedma_rules::{DealResult, DealTier, Seat, SideScore};

use crate::telling::Telling;

/// The lines of tricks.
pub(crate) fn tricks(told: &Telling) -> impl Iterator<Item = &str> {
    told.text.lines().filter(|line| line.contains(" leads ") && line.contains(" -> "))
}

/// What stands under a trick, about what bound a player or what he chose.
pub(crate) fn notes(told: &Telling, what: &str) -> bool {
    told.text.lines().any(|line| line.starts_with("  ") && line.contains(what))
}

pub(crate) fn from_30(told: &Telling) -> bool {
    told.text.contains("cards each from 30")
}

/// Whether a card is in the packs.
pub(crate) fn names(told: &Telling, card: &str) -> bool {
    told.text.lines().any(|line| line.starts_with("pack ") && line.split(' ').any(|word| word == card))
}

/// Whether a wild card of this rank took a trick of another rank.
pub(crate) fn wild(told: &Telling, rank: &str) -> bool {
    "cdhs".chars().any(|suit| told.text.contains(&format!(" by wild {rank}{suit}")))
}

/// A led seven to which no other was played, in one round, is its leader's, whatever fell on it.
pub(crate) fn led_seven_is_a_seven(told: &Telling) -> bool {
    tricks(told).any(|trick| {
        let (played, taken) = trick.split_once(" -> ").unwrap();
        let (leader, cards) = played.split_once(" leads ").unwrap();
        let only_the_first =
            cards.starts_with('7') && cards.matches('7').count() == 1 && !cards.contains('|');
        only_the_first && taken.starts_with(leader)
    })
}

/// The seats of `1 goes on while 3 wins`, of every such note.
fn going_on(told: &Telling) -> impl Iterator<Item = (u8, u8)> {
    told.text.lines().filter_map(|line| {
        let (leader, rest) = line.trim_start().split_once(' ')?;
        let winner = rest.strip_prefix("goes on while ").or_else(|| rest.strip_prefix("fights while "))?;
        Some((leader.parse().ok()?, winner.strip_suffix(" wins")?.parse().ok()?))
    })
}

pub(crate) fn leader_goes_on_though_he_wins(told: &Telling) -> bool {
    going_on(told).any(|(leader, winner)| leader == winner)
}

pub(crate) fn leader_goes_on_though_his_partner_wins(told: &Telling) -> bool {
    going_on(told).any(|(leader, winner)| leader.abs_diff(winner) == 2)
}

/// In every trick after which anybody draws, its winner does first.
pub(crate) fn winner_draws_first(told: &Telling) -> bool {
    let mut draws =
        tricks(told).filter_map(|trick| trick.split_once(" -> ")?.1.split_once("; drawn ")).peekable();
    draws.peek().is_some() && draws.all(|(taken, drawn)| taken.split(' ').next() == drawn.split(' ').next())
}

pub(crate) fn has_tier(told: &Telling, tier: DealTier) -> bool {
    told.results.iter().any(|result| result.tier == tier)
}

/// Whether a deal ended so and gave this much.
pub(crate) fn scores(told: &Telling, tier: DealTier, game_points: u8) -> bool {
    let most = |result: &DealResult| result.sides.iter().map(|side| side.game_points).max();
    told.results.iter().any(|result| result.tier == tier && most(result) == Some(game_points))
}

/// Points that were enough to win a deal.
pub(crate) fn winners(told: &Telling) -> impl Iterator<Item = u8> {
    let by_points = |result: &&DealResult| {
        [DealTier::Win, DealTier::SweepPoints, DealTier::SweepCards].contains(&result.tier)
    };
    told.results.iter().filter(by_points).filter_map(|result| winner(result).map(|side| side.points))
}

fn winner(result: &DealResult) -> Option<&SideScore> {
    result.sides.iter().find(|side| side.game_points > 0)
}

/// Whether a deal ended before its last card without burning.
pub(crate) fn stopped(told: &Telling) -> bool {
    told.results.iter().any(|result| result.tier == DealTier::Win && result.last_trick_seat.is_none())
}

/// Whether every deal that was played out gave so many points.
pub(crate) fn deals_give(told: &Telling, points: u8) -> bool {
    let mut played_out = told.results.iter().filter(|result| result.last_trick_seat.is_some());
    played_out.all(|result| result.sides.iter().map(|side| side.points).sum::<u8>() == points)
}

/// A sweep of the points by a side that had so many, though it did not take every trick; the one with 80 of
/// 90 lost the last.
pub(crate) fn sweeps_with(told: &Telling, points: u8) -> bool {
    told.results.iter().any(|result| {
        result.tier == DealTier::SweepPoints
            && result.last_trick_bonus == 10
            && winner(result).is_some_and(|side| side.points == points)
            && result.sides.iter().all(|side| side.tricks > 0)
    })
}

/// Whether the match ended with the deal that brought somebody to the target, and not before.
pub(crate) fn won_at(told: &Telling, target: u16) -> bool {
    let scores = told.game.standing().map(|(side, score)| {
        let last = told.results.last().and_then(|result| result.sides.side_of(side.iter().next()?));
        (score, score - last.map_or(0, |side| u16::from(side.game_points)))
    });
    let (mut reached, mut below) = (false, true);
    for (score, before) in scores {
        reached |= score >= target;
        below &= before < target;
    }
    reached && below && told.text.ends_with(" won the match\n")
}

/// Deals in which every side had so many points.
pub(crate) fn level(told: &Telling, points: u8) -> impl Iterator<Item = &DealResult> {
    told.results.iter().filter(move |result| result.sides.iter().all(|side| side.points == points))
}

/// Whether the one against two won a deal that was played out, or lost one.
pub(crate) fn soloist_scores(told: &Telling, wins: bool) -> bool {
    told.results
        .iter()
        .filter(|result| result.last_trick_seat.is_some())
        .any(|result| result.sides.iter().any(|side| side.seats.len() == 1 && (side.game_points > 0) == wins))
}

/// Each dealer with the next one and the number of seats.
pub(crate) fn dealers(told: &Telling) -> impl Iterator<Item = (Seat, Seat, u8)> {
    told.dealers.windows(2).map(|pair| (pair[0], pair[1], told.rules.seats()))
}

/// Once the dealer's partner deals, for their side lost, and once the next seat does, for it won.
pub(crate) fn a_loser_deals(told: &Telling) -> bool {
    let partner = dealers(told).any(|(dealer, next, seats)| seats == 4 && next == dealer.after(2, seats));
    partner && dealers(told).any(|(dealer, next, seats)| next == dealer.next(seats))
}

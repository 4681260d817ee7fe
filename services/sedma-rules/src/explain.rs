//! Why a trick or a deal came out as it did, in sentences for a person.

use crate::card::Card;
use crate::fact::{DealResult, DealTier, SideScore};
use crate::rules::{DealScore, Rules, SweepPointsRule, Tie, WinRule};
use crate::scoring::{PlayReason, TrickScore};
use crate::seat::{Seat, SeatSet};

/// What each play of a trick did, one phrase a play, as in `matches the led 10d`.
pub fn explain_plays(plays: &[(Seat, Card, bool)], score: &TrickScore) -> Vec<String> {
    let mut led: Option<Card> = None;
    let phrases = plays.iter().zip(&score.reasons).map(|(&(_, card, _), reason)| {
        let before = led;
        let led_card = *led.get_or_insert(card);
        match reason {
            PlayReason::Led => {
                led = Some(card);
                before.map_or_else(
                    || "leads".to_owned(),
                    |_| "leads anew; what lay on the table is in abeyance".to_owned(),
                )
            }
            PlayReason::SameRank => format!("matches the led {led_card}"),
            PlayReason::Wild => format!("is wild and matches the led {led_card}"),
            PlayReason::NoMatch => format!("does not match the led {led_card}"),
        }
    });
    phrases.collect()
}

/// Who takes a trick and why.
pub fn explain_trick(plays: &[(Seat, Card, bool)], score: &TrickScore) -> String {
    if let Some(seat) = score.burned_by {
        return format!(
            "The first four cards are of one rank: the trick burns, and seat {seat} wins the deal."
        );
    }
    let last = |which: fn(PlayReason) -> bool| {
        let at = score.reasons.iter().rposition(|reason| which(*reason)).unwrap_or(0);
        plays.get(at).map(|play| (at, play.1))
    };
    let lead = last(|reason| reason == PlayReason::Led);
    let taking = last(|reason| reason != PlayReason::NoMatch);
    let (Some((_, lead)), Some((at, card))) = (lead, taking) else { return String::new() };
    let (number, winner) = (at + 1, score.winner);
    let why = match score.reasons.get(at) {
        Some(PlayReason::Wild) => {
            format!(
                "Play {number}, the {card} of seat {winner}, is wild and the last to match the led {lead}"
            )
        }
        Some(PlayReason::SameRank) => {
            format!("Play {number}, the {card} of seat {winner}, is the last to match the led {lead}")
        }
        _ => format!("Nobody matched the {lead} that seat {winner} led"),
    };
    let worth = points(score.points);
    let bonus = match score.last_trick_bonus {
        0 => String::new(),
        bonus => format!(" The last trick brings {bonus} more."),
    };
    let marriage = match (score.marriage_points, plays.first()) {
        (points @ 1.., Some((leader, ..))) => format!(" The marriage brought seat {leader} {points} points."),
        _ => String::new(),
    };
    format!("{why}, so seat {winner} takes the trick with {worth} in its cards.{bonus}{marriage}")
}

/// What a deal was worth to whom and why.
pub fn explain_deal(rules: &Rules, result: &DealResult) -> String {
    let made = |side: &SideScore| {
        let tricks = if side.tricks == 1 { "1 trick".to_owned() } else { format!("{} tricks", side.tricks) };
        format!("{} made {} in {tricks}", seats(side.seats), points(side.points))
    };
    let counted = list(result.sides.iter().map(made));
    let bonus = match result.last_trick_seat {
        Some(seat) if result.last_trick_bonus > 0 => {
            format!(", {} of them for the last trick of seat {seat}", result.last_trick_bonus)
        }
        _ => String::new(),
    };
    format!("{}{bonus}. {}", capital(&counted), decided(rules, result))
}

fn decided(rules: &Rules, result: &DealResult) -> String {
    let options = rules.options();
    let scoring: Vec<&SideScore> = result.sides.iter().filter(|side| side.game_points > 0).collect();
    let winner = scoring.first().map_or_else(String::new, |side| capital(&seats(side.seats)));
    let worth = scoring.first().map_or(0, |side| side.game_points);
    let get = verb(scoring.first().map(|side| side.seats), "gets", "get");
    let win = verb(scoring.first().map(|side| side.seats), "wins", "win");
    let most = result.sides.iter().map(|side| side.points).max().unwrap_or(0);
    let level = result.sides.iter().filter(|side| side.points == most).count() > 1;
    match result.tier {
        DealTier::Win if level => {
            format!("The sides are level, so the last trick decides: {winner} {get} {worth}.")
        }
        DealTier::Win if result.last_trick_seat.is_none() => format!(
            "{winner} reached {} points, which ends the deal at once, and {get} {worth}.",
            options.stop_at_points
        ),
        DealTier::Win => match options.win_rule {
            WinRule::Majority => format!("{winner} {win} with the most points and {get} {worth}."),
            WinRule::Threshold(points) => {
                format!("{winner} {win} with at least {points} points and {get} {worth}.")
            }
        },
        DealTier::SweepPoints => match options.sweep_points_rule {
            SweepPointsRule::AllCardPoints => {
                format!("{winner} took all {} points of the cards and {get} {worth}.", rules.card_total())
            }
            SweepPointsRule::OpponentsZero => format!("The others have no point: {winner} {get} {worth}."),
        },
        DealTier::SweepCards => format!("{winner} took every trick and {get} {worth}."),
        DealTier::BurnedHand => {
            format!("Four cards of a rank in one hand ended the deal: {winner} {get} {worth}.")
        }
        DealTier::BurnedTrick => {
            format!("Four cards of a rank began a trick and ended the deal: {winner} {get} {worth}.")
        }
        DealTier::Shared => {
            let level = list(scoring.iter().map(|side| seats(side.seats)));
            format!("{} are level on top and get {worth} each.", capital(&level))
        }
        DealTier::Void if options.tie == Tie::VoidSameDealer => {
            "Nobody wins: the deal is void and the same dealer deals again.".to_owned()
        }
        DealTier::Void => "The sides are level and nobody scores.".to_owned(),
        DealTier::RawPoints => raw(rules, result),
    }
}

fn raw(rules: &Rules, result: &DealResult) -> String {
    let swept = result.sides.iter().find(|side| side.game_points > side.points);
    match (swept, rules.options().deal_score) {
        (Some(side), DealScore::RawPoints { all_tricks_bonus }) => format!(
            "Each side scores its points, and {} {all_tricks_bonus} more for every trick.",
            seats(side.seats)
        ),
        _ => "Each side scores its points.".to_owned(),
    }
}

fn verb(of: Option<SeatSet>, one: &'static str, several: &'static str) -> &'static str {
    if of.is_some_and(|seats| seats.iter().count() > 1) { several } else { one }
}

fn points(points: u8) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

/// `seat 2`, or `seats 1 and 3`.
fn seats(seats: SeatSet) -> String {
    let many = if seats.iter().count() > 1 { "s" } else { "" };
    format!("seat{many} {}", list(seats.iter().map(|seat| seat.to_string())))
}

/// `a`, `a and b`, `a, b and c`.
fn list(parts: impl Iterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.collect();
    let Some(last) = parts.pop() else { return String::new() };
    if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

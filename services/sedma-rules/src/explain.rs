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
    let (Some(lead), Some((at, card))) = (lead, taking) else { return String::new() };
    let first = lead.1;
    let (number, winner) = (at + 1, score.winner);
    let why = match score.reasons.get(at) {
        Some(PlayReason::Wild) => {
            format!(
                "Play {number}, the {card} of seat {winner}, is wild and the last to match the led {first}"
            )
        }
        Some(PlayReason::SameRank) => {
            format!("Play {number}, the {card} of seat {winner}, is the last to match the led {first}")
        }
        _ => format!("Nobody matched the {first} that seat {winner} led"),
    };
    let abeyance = if lead.0 > 0 { ", what lay in abeyance included" } else { "" };
    let worth = format!("{} in its cards{abeyance}", points(score.points));
    let bonus = match score.last_trick_bonus {
        0 => String::new(),
        bonus => format!(" Being the last trick it counts {bonus} points more."),
    };
    let marriage = match (score.marriage_points, plays.first()) {
        (points @ 1.., Some((leader, ..))) => {
            format!(" The marriage adds {points} points for seat {leader}.")
        }
        _ => String::new(),
    };
    format!("{why}, so seat {winner} takes the trick with {worth}.{bonus}{marriage}")
}

/// What a deal was worth to whom and why.
pub fn explain_deal(rules: &Rules, result: &DealResult) -> String {
    let made = |side: &SideScore| {
        let tricks = match side.tricks {
            0 => "no trick".to_owned(),
            1 => "1 trick".to_owned(),
            tricks => format!("{tricks} tricks"),
        };
        format!("{} made {} in {tricks}", seats(side.seats), points(side.points))
    };
    let counted = list(result.sides.iter().map(made));
    let bonus = match result.last_trick_seat {
        Some(seat) if result.last_trick_bonus > 0 => {
            format!(
                " The last trick, taken by seat {seat}, counted {} of these points.",
                result.last_trick_bonus
            )
        }
        _ => String::new(),
    };
    format!("{}.{bonus} {}", capital(&counted), decided(rules, result))
}

fn decided(rules: &Rules, result: &DealResult) -> String {
    let options = rules.options();
    let scoring: Vec<&SideScore> = result.sides.iter().filter(|side| side.game_points > 0).collect();
    let won = scoring.first().map_or(SeatSet::EMPTY, |side| side.seats);
    let winner = seats(won);
    let worth = game_points(scoring.first().map_or(0, |side| side.game_points));
    let gets = format!("{} {worth}", verb(won, "gets", "get"));
    let most = result.sides.iter().map(|side| side.points).max().unwrap_or(0);
    let level = result.sides.iter().filter(|side| side.points == most).count() > 1;
    let sentence = match result.tier {
        DealTier::Win if level => {
            format!("the sides are level, so the last trick decides, and {winner} {gets}")
        }
        DealTier::Win if result.last_trick_seat.is_none() => {
            format!(
                "{winner} reached {} points, which ends the deal at once, and {gets}",
                options.stop_at_points
            )
        }
        DealTier::Win => {
            let by = match options.win_rule {
                WinRule::Majority => "the most points".to_owned(),
                WinRule::Threshold(points) => format!("at least {points} points"),
            };
            format!("{winner} {} with {by} and {gets}", verb(won, "wins", "win"))
        }
        DealTier::SweepPoints => match options.sweep_points_rule {
            SweepPointsRule::AllCardPoints => {
                format!("{winner} took all {} points of the cards and {gets}", rules.card_total())
            }
            SweepPointsRule::OpponentsZero => format!("{winner} left the others without a point and {gets}"),
        },
        DealTier::SweepCards => format!("{winner} took every trick and {gets}"),
        DealTier::BurnedHand => {
            format!(
                "four cards of a rank came together in one hand, which ends the deal, and {winner} {gets}"
            )
        }
        DealTier::BurnedTrick => {
            format!("four cards of a rank began a trick, which ends the deal, and {winner} {gets}")
        }
        DealTier::Shared => {
            let level = list(scoring.iter().map(|side| seats(side.seats)));
            format!("{level} are level on top and get {worth} each")
        }
        DealTier::Void if options.tie == Tie::VoidSameDealer => {
            "nobody wins, so the deal is void and the same dealer deals again".to_owned()
        }
        DealTier::Void => "the sides are level and nobody scores".to_owned(),
        DealTier::RawPoints => raw(rules, result),
    };
    format!("{}.", capital(&sentence))
}

fn raw(rules: &Rules, result: &DealResult) -> String {
    let swept = result.sides.iter().find(|side| side.game_points > side.points);
    match (swept, rules.options().deal_score) {
        (Some(side), DealScore::RawPoints { all_tricks_bonus }) => format!(
            "each side scores its points; every trick earns {} another {all_tricks_bonus}",
            seats(side.seats)
        ),
        _ => "each side scores its points".to_owned(),
    }
}

fn verb(of: SeatSet, one: &'static str, several: &'static str) -> &'static str {
    if of.iter().count() > 1 { several } else { one }
}

fn points(points: u8) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

fn game_points(points: u8) -> String {
    if points == 1 { "1 game point".to_owned() } else { format!("{points} game points") }
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

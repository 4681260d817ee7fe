//! What a deal is worth, and how the match goes on and ends.

use std::fmt::Write as _;

use crate::rules::choices::{
    BurnedHand, CardPoints, Continuation, DealScore, DealerRotation, Partnership, SweepPointsRule, Tie,
    Tiers, WinRule,
};
use crate::rules::options::RuleOptions;
use crate::rules::resolved::Rules;

/// `1 point`, `20 points`.
pub(super) fn points(points: u16) -> String {
    format!("{points} {}", if points == 1 { "point" } else { "points" })
}

/// Who scores for himself.
fn side(options: &RuleOptions) -> &'static str {
    match options.partnership {
        Partnership::FixedPairs | Partnership::SecretSoloist => "side",
        Partnership::Individual => "player",
    }
}

pub(super) fn the_deal(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    let mut text = vec![card_points(options), total(rules)];
    if options.stop_at_points > 0 {
        text.push(stop(options));
    }
    match options.deal_score {
        DealScore::RawPoints { all_tricks_bonus } => text.push(raw(options, all_tricks_bonus)),
        DealScore::Tiers(tiers) => {
            text.push(winner(options));
            text.extend(nobody(rules));
            text.extend(level(rules, tiers));
            text.push(worth(rules, tiers));
            text.extend(burned(options, tiers));
        }
    }
    text
}

fn card_points(options: &RuleOptions) -> String {
    match options.card_points {
        CardPoints::AceTen10 => "Aces and tens count 10 each, other cards nothing.",
        CardPoints::AceTen1 => "Aces and tens count 1 each, other cards nothing.",
        CardPoints::AceTenFull => {
            "Aces count 11, tens 10, kings 4, queens 3 and jacks 2, other cards nothing."
        }
    }
    .to_owned()
}

fn total(rules: &Rules) -> String {
    let options = rules.options();
    let cards = u16::from(rules.card_total());
    let besides = if options.marriages { ", besides marriages" } else { "" };
    match u16::from(options.last_trick_bonus) {
        0 => format!("The last trick counts nothing by itself. That is {cards} in all{besides}."),
        bonus => format!("The last trick counts {bonus} more. That is {} in all{besides}.", cards + bonus),
    }
}

fn stop(options: &RuleOptions) -> String {
    let side = side(options);
    let stop = options.stop_at_points;
    match options.deal_score {
        DealScore::Tiers(tiers) => format!(
            "As soon as a {side} has {stop} points after taking a trick, the deal ends; that {side} wins it and scores \
             {}, and nobody gets points for a last trick.",
            tiers.win
        ),
        DealScore::RawPoints { .. } => format!(
            "As soon as a {side} has {stop} points after taking a trick, the deal ends, and nobody gets points for a last \
             trick."
        ),
    }
}

fn raw(options: &RuleOptions, all_tricks_bonus: u8) -> String {
    let (side, own) = match side(options) {
        "side" => ("side", "its"),
        player => (player, "his"),
    };
    let whoever = if side == "side" { "a side that" } else { "whoever" };
    let every_trick = match all_tricks_bonus {
        0 => String::new(),
        bonus if options.stop_at_points > 0 => {
            format!("; if the deal is played out, {whoever} took every trick adds {bonus} more")
        }
        bonus => format!("; {whoever} took every trick adds {bonus} more"),
    };
    format!("Each {side} adds {own} points to {own} score{every_trick}.")
}

fn winner(options: &RuleOptions) -> String {
    let side = side(options);
    let played_out =
        if options.stop_at_points > 0 { "A deal that is played out is won by" } else { "The deal is won by" };
    match options.win_rule {
        WinRule::Majority => format!("{played_out} the {side} with the most points."),
        WinRule::Threshold(points) => format!("{played_out} the {side} with at least {points} points."),
    }
}

/// Where the points can be shared so that nobody reaches the threshold, without being level.
fn nobody(rules: &Rules) -> Option<String> {
    let options = rules.options();
    let WinRule::Threshold(points) = options.win_rule else { return None };
    let missed = two_share(rules)
        .is_none_or(|mut shares| shares.any(|(one, other)| one != other && one.max(other) < points.into()));
    let again = if options.tie == Tie::VoidSameDealer { ", and the same dealer deals again" } else { "" };
    // Several who are level on top are for the next sentence.
    let alone =
        if two_share(rules).is_none() { "Where one alone is on top with less" } else { "Without one" };
    missed.then(|| format!("{alone}, nobody scores{again}."))
}

/// Where points can be level at all.
fn level(rules: &Rules, tiers: Tiers) -> Option<String> {
    let options = rules.options();
    let possible = two_share(rules).is_none_or(|mut shares| shares.any(|(one, other)| one == other));
    let who = match options.seats {
        2 => "If both are level,",
        _ if two_share(rules).is_some() => "If both sides are level,",
        _ => "If players are level on top,",
    };
    let share = format!("each of them scores {}; if all are level, nobody does.", tiers.win);
    let what = match options.tie {
        Tie::VoidSameDealer => "nobody scores and the same dealer deals again.",
        Tie::LastTrickWinner if two_share(rules).is_some() => "the one that took the last trick wins.",
        Tie::LastTrickWinner => "the one of them that took the last trick wins; if none did, nobody scores.",
        Tie::Share if two_share(rules).is_some() => "nobody scores.",
        Tie::Share => share.as_str(),
        Tie::NoScore => "nobody scores, and the deal passes on.",
    };
    possible.then(|| format!("{who} {what}"))
}

/// Every way in which two sides can share the card points, the bonus with the first of them; `None` where more
/// sides share. Marriages come in twenties, so they make no sides level that could not be without.
fn two_share(rules: &Rules) -> Option<impl Iterator<Item = (u16, u16)>> {
    let options = rules.options();
    let two = options.partnership != Partnership::Individual || options.seats == 2;
    let unit = if options.card_points == CardPoints::AceTen10 { 10 } else { 1 };
    let (cards, bonus) = (u16::from(rules.card_total()), u16::from(options.last_trick_bonus));
    two.then(|| (0..=cards).step_by(unit).map(move |first| (first + bonus, cards - first)))
}

/// Only what counts more than the tier below is told.
fn worth(rules: &Rules, tiers: Tiers) -> String {
    let options = rules.options();
    let mut text = format!("A won deal is worth {}", tiers.win);
    if !stops_before_a_sweep(rules) {
        if tiers.sweep_points > tiers.win {
            let how = match options.sweep_points_rule {
                SweepPointsRule::AllCardPoints => format!("with all {} card points", rules.card_total()),
                SweepPointsRule::OpponentsZero if options.last_trick_bonus > 0 => {
                    "if the others have no points, not even for the last trick".to_owned()
                }
                SweepPointsRule::OpponentsZero => "if the others have no card points".to_owned(),
            };
            let _ = write!(text, ", or {} {how}", tiers.sweep_points);
        }
        if tiers.sweep_cards > tiers.sweep_points {
            let _ = write!(text, ", or {} with every trick", tiers.sweep_cards);
        }
        if options.marriages && tiers.sweep_cards > tiers.win {
            text.push_str("; marriages neither make nor prevent these");
        }
    }
    text.push('.');
    text
}

/// Whether whoever could sweep has stopped the deal before its last trick: no trick of one round has more than
/// the dearest cards of the pack.
fn stops_before_a_sweep(rules: &Rules) -> bool {
    let options = rules.options();
    let dearest = rules.pack().iter().map(|card| rules.value(card)).max().unwrap_or(0);
    let last_trick = u16::from(options.seats) * u16::from(dearest);
    let stop = u16::from(options.stop_at_points);
    let one_round = options.continuation == Continuation::None;
    stop > 0 && one_round && u16::from(rules.card_total()) >= stop + last_trick
}

fn burned(options: &RuleOptions, tiers: Tiers) -> Option<String> {
    let Tiers { burned_hand, burned_trick, .. } = tiers;
    match (options.burned_hand != BurnedHand::Off, options.burned_trick) {
        (true, true) => {
            Some(format!("A burned hand is worth {burned_hand} instead, a burned trick {burned_trick}."))
        }
        (true, false) => Some(format!("A burned hand is worth {burned_hand} instead.")),
        (false, true) => Some(format!("A burned trick is worth {burned_trick} instead.")),
        (false, false) => None,
    }
}

pub(super) fn the_match(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    let mut text = Vec::new();
    if options.partnership == Partnership::SecretSoloist {
        text.push(
            "Each player has a score of his own: whoever was on the winning side adds what the deal is worth."
                .to_owned(),
        );
    }
    text.push(dealer(options));
    text.push(target(options));
    text
}

fn dealer(options: &RuleOptions) -> String {
    let pairs = options.partnership == Partnership::FixedPairs;
    match (options.dealer_rotation, options.seats) {
        (DealerRotation::Next, _) => "The next seat deals the next deal.",
        (DealerRotation::LoserDeals, 2) => "The loser deals the next deal, so that the winner leads.",
        (DealerRotation::WinnerDeals, 2) => "The winner deals the next deal, so that the loser leads.",
        (DealerRotation::LoserDeals, _) if pairs => {
            "If the dealer's side lost, his partner deals the next deal; if it won, the next seat does: so a winner \
             leads."
        }
        (DealerRotation::WinnerDeals, _) if pairs => {
            "If the dealer's side won, his partner deals the next deal; if it lost, the next seat does: so a loser \
             leads."
        }
        (DealerRotation::LoserDeals, _) => {
            "The next deal is dealt by a loser who sits just before a winner, so that a winner leads; if nobody won, by \
             the next seat."
        }
        (DealerRotation::WinnerDeals, _) => {
            "The next deal is dealt by a winner who sits just before a loser, so that a loser leads; if nobody won, by \
             the next seat."
        }
        (DealerRotation::KeepOnMajority, _) if side(options) == "player" => {
            "The dealer deals again if he has more than half of the points; otherwise the next seat does."
        }
        (DealerRotation::KeepOnMajority, _) => {
            "The dealer deals again if his side has more than half of the points; otherwise the next seat does."
        }
    }
    .to_owned()
}

fn target(options: &RuleOptions) -> String {
    let side = if options.partnership == Partnership::FixedPairs { "side" } else { "player" };
    let level = match (options.deal_score, options.partnership) {
        (DealScore::RawPoints { .. }, _) => " If they are level on top, another deal is played.",
        (_, Partnership::FixedPairs) => "",
        _ if options.tie == Tie::Share || options.partnership == Partnership::SecretSoloist => {
            " Players who are level on top win together."
        }
        _ => "",
    };
    match options.match_target {
        0 => "Scores add up, and the match has no target: it goes on until the table is closed.".to_owned(),
        target => format!(
            "Scores add up. The match ends with the deal after which a {side} has a score of {target} or more, and \
             the highest score wins.{level}"
        ),
    }
}

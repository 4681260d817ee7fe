//! Rules in words that a player can learn from, made of the options, so that they can't drift from what is played.

use std::fmt::Write as _;

use crate::rules::choices::{
    BurnedHand, CardPoints, Continuation, ContinuationCondition, DealScore, DealerRotation, DrawTiming,
    ForcedMatch, Partnership, SweepPointsRule, Tie, WinRule,
};
use crate::rules::options::RuleOptions;
use crate::rules::resolved::Rules;

/// The rules in plain English, one sentence after the other, without line breaks.
pub fn rule_text(rules: &Rules) -> String {
    let options = rules.options();
    [
        cards(rules),
        trick(options),
        going_on(options),
        drawing(options),
        burning(options),
        scoring(rules),
        matches(options),
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
    .collect::<Vec<_>>()
    .join(" ")
}

fn cards(rules: &Rules) -> String {
    let options = rules.options();
    let sides = match options.partnership {
        Partnership::FixedPairs => "in fixed pairs, 1 and 3 against 2 and 4",
        Partnership::Individual => "each alone",
        Partnership::SecretSoloist => {
            "where whoever gets the soloist's king plays alone against the other two"
        }
    };
    let count = rules.canonical_pack().cards().len();
    format!("{} play {sides}, with {count} cards and {} in each hand.", options.seats, options.hand_size)
}

fn trick(options: &RuleOptions) -> String {
    let mut wild: Vec<String> = options.wild_ranks.iter().map(|rank| format!("every {rank}")).collect();
    wild.extend(options.wild_cards.iter().map(|card| card.to_string()));
    let matching = if wild.is_empty() {
        "A card matches if it has the rank of the first card of the trick; no card is wild.".to_owned()
    } else {
        format!(
            "A card matches if it has the rank of the first card of the trick, or is wild ({}); a wild card that is led \
             is just its own rank.",
            wild.join(", ")
        )
    };
    let bound = match options.forced_match {
        ForcedMatch::Off => "Any card may be played.",
        ForcedMatch::AfterTwoEqual => {
            "Any card may be played, but if the two players before you in the round played one rank and you hold it, you \
             must play it."
        }
        ForcedMatch::MustMatchIfAble => "Who can match must.",
    };
    format!(
        "{matching} {bound} The last card that matches takes the trick; if none does, the leader takes it."
    )
}

fn going_on(options: &RuleOptions) -> String {
    let when = match options.continuation_condition {
        ContinuationCondition::Always => "After a round",
        ContinuationCondition::SomeoneMatched => "After a round in which somebody else matched",
        ContinuationCondition::OpponentWinning => "After a round that an opponent is winning",
    };
    match options.continuation {
        Continuation::None => "A trick is one round.".to_owned(),
        Continuation::SameRankOrWild => {
            format!("{when} the leader may end the trick or go on with a card of the led rank or a wild one.")
        }
        Continuation::AbeyanceNewLead => {
            format!("{when} the leader may fight: he leads any card to a new trick, whose winner takes both.")
        }
    }
}

fn drawing(options: &RuleOptions) -> String {
    let when = match options.draw_timing {
        DrawTiming::AfterTrick => "After the trick hands are filled up one card at a time, the winner first.",
        DrawTiming::AfterEachPlay => "Each player draws right after his play.",
    };
    let blind = if options.blind_stock_play { " The stock's top card may be played unseen." } else { "" };
    format!("{when}{blind} The winner leads the next trick.")
}

fn burning(options: &RuleOptions) -> String {
    let hand = match options.burned_hand {
        BurnedHand::Off => "",
        BurnedHand::OnDraw => "Who draws to four cards of a rank has burned the deal and wins it.",
        BurnedHand::OnDealOrDraw => {
            "Who is dealt or draws to four cards of a rank has burned the deal and wins it."
        }
    };
    let trick = if options.burned_trick {
        " Four cards of one rank as the first four of a trick burn it too, for the fourth player."
    } else {
        ""
    };
    format!("{hand}{trick}").trim().to_owned()
}

fn scoring(rules: &Rules) -> String {
    let options = rules.options();
    let mut text = match options.card_points {
        CardPoints::AceTen10 => "Aces and tens count 10".to_owned(),
        CardPoints::AceTen1 => "Aces and tens count 1".to_owned(),
        CardPoints::AceTenFull => "Aces count 11, tens 10, kings 4, queens 3, jacks 2".to_owned(),
    };
    if options.last_trick_bonus > 0 {
        let _ = write!(text, ", the last trick {}", options.last_trick_bonus);
    }
    text.push_str(". ");
    let _ = match options.win_rule {
        WinRule::Majority => write!(text, "Most points win the deal."),
        WinRule::Threshold(points) => write!(text, "{points} points win the deal."),
    };
    if options.stop_at_points > 0 {
        let _ = write!(
            text,
            " A side that has {} when it takes a trick wins at once, without the points for the last trick.",
            options.stop_at_points
        );
    }
    text
}

fn matches(options: &RuleOptions) -> String {
    let mut text = match options.deal_score {
        DealScore::RawPoints { all_tricks_bonus } => {
            format!("Each side scores its points, and {all_tricks_bonus} more for every trick.")
        }
        DealScore::Tiers(tiers) => {
            let points = match options.sweep_points_rule {
                SweepPointsRule::AllCardPoints => "with all card points",
                SweepPointsRule::OpponentsZero => "if the others have no points",
            };
            format!(
                "A won deal counts {}, {points} {}, with every trick {}.",
                tiers.win, tiers.sweep_points, tiers.sweep_cards
            )
        }
    };
    text.push(' ');
    text.push_str(match options.tie {
        Tie::VoidSameDealer => "A level deal is void and dealt again by the same dealer.",
        Tie::LastTrickWinner => "Level points go to the side of the last trick.",
        Tie::Share => "Players who are level on top score 1 each; if all are, nobody does.",
        Tie::NoScore => "A level deal counts for nobody.",
    });
    text.push(' ');
    text.push_str(match options.dealer_rotation {
        DealerRotation::Next => "The deal passes to the next seat, and the seat after the dealer leads.",
        DealerRotation::LoserDeals => "A loser deals, so that a winner leads.",
        DealerRotation::WinnerDeals => "A winner deals, so that a loser leads.",
        DealerRotation::KeepOnMajority => {
            "The dealer deals again if his side took more than half of the points."
        }
    });
    let _ = match options.match_target {
        0 => write!(text, " The match has no target."),
        target => write!(text, " {target} game points win the match."),
    };
    text
}

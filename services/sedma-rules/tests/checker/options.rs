//! The engine's options by the names and values that the rules are written down with.

use sedma_rules::{
    BurnedHand, Card, CardPoints, CardSet, Continuation, ContinuationCondition, DealScore, DealerRotation,
    Direction, DrawTiming, ForcedMatch, ForcedMatchScope, PackKind, Partnership, Rank, RankSet, RuleOptions,
    SoloistCard, Suit, SweepPointsRule, Tie, Tiers, WinRule,
};

/// Changes one option.
pub(crate) fn set(options: &mut RuleOptions, option: &str, value: &str) {
    match option {
        "hand_size" => options.hand_size = value.parse().unwrap(),
        "wild_ranks" => options.wild_ranks = ranks(value),
        "wild_cards" => {
            options.wild_cards = CardSet::EMPTY;
            value.split(' ').for_each(|card| options.wild_cards.insert(card.parse::<Card>().unwrap()));
        }
        "blind_stock_play" => options.blind_stock_play = yes(value),
        "max_same_rank_leads" => options.max_same_rank_leads = value.parse().unwrap(),
        "burned_trick" => options.burned_trick = yes(value),
        "partner_calls" => options.partner_calls = yes(value),
        "partner_exchange" => options.partner_exchange = yes(value),
        "last_trick_bonus" => options.last_trick_bonus = value.parse().unwrap(),
        "marriages" => options.marriages = yes(value),
        "marriage_forty_suit" => options.marriage_forty_suit = value.parse::<Suit>().ok(),
        "win_rule" => {
            options.win_rule = value.parse().map_or(WinRule::Majority, WinRule::Threshold);
        }
        "stop_at_points" => options.stop_at_points = value.parse().unwrap(),
        "deal_score" => options.deal_score = deal_score(value),
        "match_target" => options.match_target = value.parse().unwrap(),
        _ => choose(options, option, value).unwrap_or_else(|| panic!("{option} has no value {value}")),
    }
}

/// Changes an option that is a choice among named values.
fn choose(options: &mut RuleOptions, option: &str, value: &str) -> Option<()> {
    match option {
        "pack" => options.pack = PackKind::from_name(value)?,
        "partnership" => options.partnership = Partnership::from_name(value)?,
        "direction" => options.direction = Direction::from_name(value)?,
        "soloist_card" => options.soloist_card = SoloistCard::from_name(value)?,
        "continuation" => options.continuation = Continuation::from_name(value)?,
        "continuation_condition" => {
            options.continuation_condition = ContinuationCondition::from_name(value)?;
        }
        "draw_timing" => options.draw_timing = DrawTiming::from_name(value)?,
        "burned_hand" => options.burned_hand = BurnedHand::from_name(value)?,
        "forced_match" => options.forced_match = ForcedMatch::from_name(value)?,
        "forced_match_scope" => options.forced_match_scope = ForcedMatchScope::from_name(value)?,
        "card_points" => options.card_points = CardPoints::from_name(value)?,
        "sweep_points_rule" => options.sweep_points_rule = SweepPointsRule::from_name(value)?,
        "tie" => options.tie = Tie::from_name(value)?,
        "dealer_rotation" => options.dealer_rotation = DealerRotation::from_name(value)?,
        _ => return None,
    }
    Some(())
}

fn yes(value: &str) -> bool {
    value == "yes"
}

/// Ranks by their first characters, as in `27`.
fn ranks(text: &str) -> RankSet {
    let ranks: Vec<Rank> = text.chars().map(|rank| rank.to_string().parse().unwrap()).collect();
    RankSet::of(&ranks)
}

/// Reads `1/2/3/4/1` or `raw 80`.
fn deal_score(text: &str) -> DealScore {
    if let Some(bonus) = text.strip_prefix("raw ") {
        return DealScore::RawPoints { all_tricks_bonus: bonus.parse().unwrap() };
    }
    let worth: Vec<u8> = text.split('/').map(|worth| worth.parse().unwrap()).collect();
    let [win, sweep_points, sweep_cards, burned_hand, burned_trick] = worth[..] else {
        panic!("{text} does not name five categories");
    };
    DealScore::Tiers(Tiers { win, sweep_points, sweep_cards, burned_hand, burned_trick })
}

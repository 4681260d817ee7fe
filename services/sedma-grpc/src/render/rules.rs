//! Rules and presets.

use sedma_proto::v1;
use sedma_proto::v1::sedma_rules::DealScore as WireScore;
use sedma_rules::{DealScore, Preset, RuleOptions, Rules, WinRule};

use super::cards;
use crate::choices::Choice;

/// Rules with every option resolved.
pub(crate) fn rules(rules: &Rules) -> v1::GameRules {
    let game = v1::game_rules::Game::Sedma(options(rules.options()));
    v1::GameRules { game: Some(game), custom: rules.is_custom() }
}

fn options(options: &RuleOptions) -> v1::SedmaRules {
    v1::SedmaRules {
        preset: options.preset.name().to_owned(),
        seats: Some(options.seats.into()),
        match_target: Some(options.match_target.into()),
        stop_at_points: Some(options.stop_at_points.into()),
        last_trick_bonus: Some(options.last_trick_bonus.into()),
        win_threshold: Some(match options.win_rule {
            WinRule::Majority => 0,
            WinRule::Threshold(points) => points.into(),
        }),
        tie: Some(options.tie.to_wire()),
        pack: Some(options.pack.to_wire()),
        partnership: Some(options.partnership.to_wire()),
        soloist_card: Some(options.soloist_card.to_wire()),
        direction: Some(options.direction.to_wire()),
        hand_size: Some(options.hand_size.into()),
        wild_ranks: Some(v1::RankList { ranks: options.wild_ranks.iter().map(Choice::to_wire).collect() }),
        wild_cards: Some(v1::CardList { cards: cards(options.all_wild_cards().iter()) }),
        wild_led: Some(options.wild_led.to_wire()),
        continuation: Some(options.continuation.to_wire()),
        continuation_condition: Some(options.continuation_condition.to_wire()),
        draw_timing: Some(options.draw_timing.to_wire()),
        draw_order: Some(options.draw_order.to_wire()),
        blind_stock_play: Some(options.blind_stock_play),
        max_same_rank_leads: Some(options.max_same_rank_leads.into()),
        burned_hand: Some(options.burned_hand.to_wire()),
        burned_trick: Some(options.burned_trick),
        forced_match: Some(options.forced_match.to_wire()),
        forced_match_scope: Some(options.forced_match_scope.to_wire()),
        partner_exchange: Some(options.partner_exchange),
        card_points: Some(options.card_points.to_wire()),
        marriages: Some(options.marriages),
        marriage_forty: Some(v1::MarriageForty {
            suit: options.marriage_forty_suit.map_or(0, Choice::to_wire),
        }),
        deal_score: Some(match options.deal_score {
            DealScore::Tiers(tiers) => WireScore::Tiers(v1::DealTiers {
                win: tiers.win.into(),
                sweep_points: tiers.sweep_points.into(),
                sweep_cards: tiers.sweep_cards.into(),
                burned_hand: tiers.burned_hand.into(),
                burned_trick: tiers.burned_trick.into(),
            }),
            DealScore::RawPoints { all_tricks_bonus } => {
                WireScore::RawPoints(v1::RawPoints { all_tricks_bonus: all_tricks_bonus.into() })
            }
        }),
        sweep_points_rule: Some(options.sweep_points_rule.to_wire()),
        dealer_rotation: Some(options.dealer_rotation.to_wire()),
        partner_calls: Some(options.partner_calls),
    }
}

/// A preset for a number of seats; `None` where it is not played by so many.
pub(crate) fn preset(preset: Preset, seats: u8) -> Option<v1::Preset> {
    let resolved = preset.options(seats).check().ok()?;
    let mut counts: Vec<i32> = preset.seat_counts().iter().map(|count| i32::from(*count)).collect();
    counts.sort_unstable();
    Some(v1::Preset {
        name: preset.name().to_owned(),
        rules: Some(rules(&resolved)),
        seat_counts: counts,
        source: preset.source().to_owned(),
        text: sedma_rules::rule_text(&resolved),
    })
}

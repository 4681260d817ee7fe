//! Rules and presets.

use sedma_proto::v1;
use sedma_rules::{Preset, Rules, Tie, WinRule};

/// Rules with every option that the contract has resolved.
pub(crate) fn rules(rules: &Rules) -> v1::GameRules {
    let options = rules.options();
    let tie = match options.tie {
        Tie::VoidSameDealer => v1::TieRule::VoidSameDealer,
        Tie::LastTrickWinner => v1::TieRule::LastTrickWinner,
        Tie::NoScore => v1::TieRule::NoScore,
        // Of presets that this contract does not offer yet.
        Tie::Share => v1::TieRule::Unspecified,
    };
    let sedma = v1::SedmaRules {
        preset: options.preset.name().to_owned(),
        seats: Some(options.seats.into()),
        match_target: Some(options.match_target.into()),
        stop_at_points: Some(options.stop_at_points.into()),
        last_trick_bonus: Some(options.last_trick_bonus.into()),
        win_threshold: Some(match options.win_rule {
            WinRule::Majority => 0,
            WinRule::Threshold(points) => points.into(),
        }),
        tie: Some(tie.into()),
    };
    v1::GameRules { game: Some(v1::game_rules::Game::Sedma(sedma)) }
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

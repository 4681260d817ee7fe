//! Rules: a preset with overrides.

use sedma_proto::v1;
use sedma_rules::{Preset, RuleOptions, Rules, Tie, WinRule};
use sedma_table::{FieldViolation, Reason, Refusal};

use super::create::unknown;

/// The presets that this release offers: those whose every action has a method. The engine knows more.
pub(crate) const OFFERED: [Preset; 2] = [Preset::Classic, Preset::Two];
/// Most game points a match may be played to.
const MAX_MATCH_TARGET: i32 = 1_000;
/// Most points an option of a deal may name.
const MAX_POINTS: i32 = 170;

/// The rules of a game; absent ones are `classic`.
pub(crate) fn game_rules(field: &str, rules: Option<&v1::GameRules>) -> Result<Rules, Refusal> {
    match rules.map(|rules| rules.game.as_ref()) {
        None => sedma_rules(&format!("{field}.sedma"), None),
        Some(Some(v1::game_rules::Game::Sedma(sedma))) => sedma_rules(&format!("{field}.sedma"), Some(sedma)),
        // A newer client's game, or none: never some other game instead.
        Some(None) => Err(Refusal::field(field, "it names no game that this server knows; set `sedma`")),
    }
}

/// Rules of the Sedma family; absent ones are `classic`.
pub(crate) fn sedma_rules(field: &str, rules: Option<&v1::SedmaRules>) -> Result<Rules, Refusal> {
    let default = v1::SedmaRules::default();
    let options = options(field, rules.unwrap_or(&default))?;
    options.check().map_err(|error| {
        let text = error.to_string();
        let option = text.split([':', ' ']).next().unwrap_or("preset").to_owned();
        rules_invalid(&format!("{field}.{option}"), text)
    })
}

/// A preset on offer by its name; `classic` where there is none.
pub(crate) fn preset(field: &str, name: &str) -> Result<Preset, Refusal> {
    if name.is_empty() {
        return Ok(Preset::Classic);
    }
    OFFERED.into_iter().find(|preset| preset.name() == name).ok_or_else(|| {
        let known: Vec<&str> = OFFERED.iter().map(|preset| preset.name()).collect();
        rules_invalid(field, format!("there is no such preset; there are {}", known.join(", ")))
    })
}

/// Options that make no rules.
pub(crate) fn rules_invalid(field: &str, description: String) -> Refusal {
    let mut refusal = Refusal::new(
        Reason::RulesInvalid,
        format!("These are no rules: {description}; ask ValidateRules or ListPresets."),
    );
    refusal.fields = vec![FieldViolation { field: field.to_owned(), description }];
    refusal
}

fn options(field: &str, asked: &v1::SedmaRules) -> Result<RuleOptions, Refusal> {
    let preset = preset(&format!("{field}.preset"), &asked.preset)?;
    let path = |option: &str| format!("{field}.{option}");
    let seats = match asked.seats {
        None => preset.default_seats(),
        Some(seats) => number(&path("seats"), seats, 4)?,
    };
    let mut options = preset.options(seats);
    if let Some(target) = asked.match_target {
        if !(0..=MAX_MATCH_TARGET).contains(&target) {
            return Err(Refusal::field(path("match_target"), format!("it must be 0 to {MAX_MATCH_TARGET}")));
        }
        options.match_target = u16::try_from(target).unwrap_or(0);
    }
    if let Some(points) = asked.stop_at_points {
        options.stop_at_points = number(&path("stop_at_points"), points, 90)?;
    }
    if let Some(points) = asked.last_trick_bonus {
        options.last_trick_bonus = number(&path("last_trick_bonus"), points, 90)?;
        if !options.last_trick_bonus.is_multiple_of(10) {
            return Err(Refusal::field(path("last_trick_bonus"), "it must be a multiple of 10"));
        }
    }
    if let Some(points) = asked.win_threshold {
        options.win_rule = match number(&path("win_threshold"), points, MAX_POINTS)? {
            0 => WinRule::Majority,
            points => WinRule::Threshold(points),
        };
    }
    if let Some(tie) = asked.tie {
        options.tie = tie_rule(&path("tie"), tie, options.tie)?;
    }
    Ok(options)
}

fn tie_rule(field: &str, number: i32, preset: Tie) -> Result<Tie, Refusal> {
    match v1::TieRule::try_from(number) {
        Ok(v1::TieRule::Unspecified) => Ok(preset),
        Ok(v1::TieRule::VoidSameDealer) => Ok(Tie::VoidSameDealer),
        Ok(v1::TieRule::LastTrickWinner) => Ok(Tie::LastTrickWinner),
        Ok(v1::TieRule::NoScore) => Ok(Tie::NoScore),
        Err(_) => Err(unknown(field, number)),
    }
}

/// A number from 0 to a most.
fn number(field: &str, value: i32, most: i32) -> Result<u8, Refusal> {
    if (0..=most).contains(&value)
        && let Ok(value) = u8::try_from(value)
    {
        return Ok(value);
    }
    Err(Refusal::field(field, format!("it must be 0 to {most}")))
}

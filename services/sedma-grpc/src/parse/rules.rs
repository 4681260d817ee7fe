//! Rules: a preset with overrides.

use sedma_proto::v1;
use sedma_rules::{Preset, RuleOptions, Rules, Tie, WinRule};
use sedma_table::{FieldViolation, Reason, Refusal};

use super::create::unknown;

/// Most game points a match may be played to.
const MAX_MATCH_TARGET: i32 = 1_000;
/// Most points an option of a deal may name.
const MAX_POINTS: i32 = 170;

/// The rules of a game; absent ones are `classic`.
pub(crate) fn game_rules(field: &str, rules: Option<&v1::GameRules>) -> Result<Rules, Refusal> {
    match rules.and_then(|rules| rules.game.as_ref()) {
        None => sedma_rules(&format!("{field}.sedma"), None),
        Some(v1::game_rules::Game::Sedma(sedma)) => sedma_rules(&format!("{field}.sedma"), Some(sedma)),
    }
}

/// Rules of the Sedma family; absent ones are `classic`.
pub(crate) fn sedma_rules(field: &str, rules: Option<&v1::SedmaRules>) -> Result<Rules, Refusal> {
    let default = v1::SedmaRules::default();
    let options = options(field, rules.unwrap_or(&default))?;
    options.check().map_err(|error| {
        let text = error.to_string();
        let option = text.split([':', ' ']).next().unwrap_or("preset").to_owned();
        refuse(vec![FieldViolation { field: format!("{field}.{option}"), description: text }])
    })
}

/// What is wrong with rules, if anything: for `ValidateRules`, which answers it instead of refusing.
pub(crate) fn rules_problems(rules: Option<&v1::GameRules>) -> Result<Rules, Vec<FieldViolation>> {
    game_rules("rules", rules).map_err(|refusal| refusal.fields)
}

fn refuse(fields: Vec<FieldViolation>) -> Refusal {
    let what = fields.first().map(|field| field.description.clone()).unwrap_or_default();
    let mut refusal = Refusal::new(
        Reason::RulesInvalid,
        format!("These are no rules: {what}; ask ValidateRules or ListPresets."),
    );
    refusal.fields = fields;
    refusal
}

fn options(field: &str, asked: &v1::SedmaRules) -> Result<RuleOptions, Refusal> {
    let preset = match asked.preset.as_str() {
        "" => Preset::Classic,
        name => Preset::from_name(name).ok_or_else(|| {
            let known: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
            let description = format!("there is no such preset; there are {}", known.join(", "));
            refuse(vec![FieldViolation { field: format!("{field}.preset"), description }])
        })?,
    };
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

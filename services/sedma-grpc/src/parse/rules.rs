//! Rules: a preset with overrides.

use sedma_proto::v1;
use sedma_rules::{Preset, Rules};
use sedma_table::{FieldViolation, Reason, Refusal};

use super::options::options;

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
    let asked = rules.unwrap_or(&default);
    options(field, asked)?.check().map_err(|error| {
        let text = error.to_string();
        let option = match text.split([':', ' ']).next().unwrap_or("preset") {
            "wild_ranks" if asked.wild_ranks.is_none() && asked.wild_cards.is_some() => "wild_cards",
            option => option,
        };
        rules_invalid(&format!("{field}.{option}"), text)
    })
}

/// A preset by its name; `classic` where there is none.
pub(crate) fn preset(field: &str, name: &str) -> Result<Preset, Refusal> {
    if name.is_empty() {
        return Ok(Preset::Classic);
    }
    Preset::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
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

//! `RulesService`.

use std::sync::Arc;

use sedma_proto::v1;
use sedma_rules::Preset;
use sedma_table::store::Store;
use sedma_table::{Failure, FieldViolation, Refusal};

use crate::call::Context;
use crate::service::Service;
use crate::{parse, render};

/// `ListPresets`.
pub(crate) async fn list_presets<S: Store>(
    _: Arc<Service<S>>,
    _: Context,
    _: v1::ListPresetsRequest,
) -> Result<v1::ListPresetsResponse, Failure> {
    let presets = Preset::ALL.iter().filter_map(|preset| render::preset(*preset, preset.default_seats()));
    Ok(v1::ListPresetsResponse { presets: presets.collect() })
}

/// `GetPreset`.
pub(crate) async fn get_preset<S: Store>(
    _: Arc<Service<S>>,
    _: Context,
    request: v1::GetPresetRequest,
) -> Result<v1::GetPresetResponse, Failure> {
    let preset = parse::preset("preset", &request.preset)?;
    let seats = match u8::try_from(request.seats) {
        Ok(0) => preset.default_seats(),
        Ok(seats) if preset.seat_counts().contains(&seats) => seats,
        Err(_) if request.seats < 0 => return Err(Refusal::field("seats", "it must not be negative").into()),
        _ => {
            return Err(
                parse::rules_invalid("seats", "this preset is not played by so many".to_owned()).into()
            );
        }
    };
    Ok(v1::GetPresetResponse { preset: render::preset(preset, seats) })
}

/// `ValidateRules`.
pub(crate) async fn validate_rules<S: Store>(
    _: Arc<Service<S>>,
    _: Context,
    request: v1::ValidateRulesRequest,
) -> Result<v1::ValidateRulesResponse, Failure> {
    let Some(asked) = &request.rules else { return Err(Refusal::field("rules", "it is required").into()) };
    match parse::game_rules("rules", Some(asked)) {
        Ok(rules) => Ok(v1::ValidateRulesResponse {
            valid: true,
            problems: Vec::new(),
            rules: Some(render::game_rules(&rules)),
            custom: rules.is_custom(),
            text: sedma_rules::rule_text(&rules),
        }),
        // Rules that don't hold together are what is asked about; rules of no game are no question.
        Err(refusal) if asked.game.is_some() => {
            let problems = refusal.fields.into_iter();
            let problem =
                |it: FieldViolation| v1::RulesProblem { field: it.field, description: it.description };
            Ok(v1::ValidateRulesResponse {
                valid: false,
                problems: problems.map(problem).collect(),
                rules: None,
                custom: false,
                text: String::new(),
            })
        }
        Err(refusal) => Err(refusal.into()),
    }
}

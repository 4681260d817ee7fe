//! `RulesService`.

use std::sync::Arc;

use sedma_proto::v1;
use sedma_rules::Preset;
use sedma_table::store::Store;
use sedma_table::{Failure, Refusal};

use crate::call::Context;
use crate::service::Service;
use crate::{parse, render};

/// `ListPresets`.
pub(crate) async fn list_presets<S: Store>(
    _: Arc<Service<S>>,
    _: Context,
    _: v1::ListPresetsRequest,
) -> Result<v1::ListPresetsResponse, Failure> {
    let presets =
        Preset::ALL.iter().filter_map(|preset| render::preset(*preset, preset.default_seats())).collect();
    Ok(v1::ListPresetsResponse { presets })
}

/// `GetPreset`.
pub(crate) async fn get_preset<S: Store>(
    _: Arc<Service<S>>,
    _: Context,
    request: v1::GetPresetRequest,
) -> Result<v1::GetPresetResponse, Failure> {
    let preset = Preset::from_name(&request.preset).ok_or_else(|| {
        let known: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
        Refusal::field("preset", format!("there is no such preset; there are {}", known.join(", ")))
    })?;
    let seats = match u8::try_from(request.seats) {
        Ok(0) => preset.default_seats(),
        Ok(seats) if preset.seat_counts().contains(&seats) => seats,
        _ => return Err(Refusal::field("seats", "this preset is not played by so many").into()),
    };
    Ok(v1::GetPresetResponse { preset: render::preset(preset, seats) })
}

/// `ValidateRules`.
pub(crate) async fn validate_rules<S: Store>(
    _: Arc<Service<S>>,
    _: Context,
    request: v1::ValidateRulesRequest,
) -> Result<v1::ValidateRulesResponse, Failure> {
    Ok(match parse::rules_problems(request.rules.as_ref()) {
        Ok(rules) => v1::ValidateRulesResponse {
            valid: true,
            problems: Vec::new(),
            rules: Some(render::game_rules(&rules)),
            custom: rules.is_custom(),
        },
        Err(problems) => v1::ValidateRulesResponse {
            valid: false,
            problems: problems
                .into_iter()
                .map(|problem| v1::RulesProblem { field: problem.field, description: problem.description })
                .collect(),
            rules: None,
            custom: false,
        },
    })
}

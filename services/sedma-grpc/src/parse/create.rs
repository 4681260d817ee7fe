//! What a new table is asked to be.

use std::collections::{BTreeMap, BTreeSet};

use sedma_proto::v1;
use sedma_rules::{Card, Pack, Rules};
use sedma_table::fairness::Link;
use sedma_table::limits::{
    MAX_EXTERNAL_REF_BYTES, MAX_LABEL_KEY_BYTES, MAX_LABEL_VALUE_BYTES, MAX_LABELS, MAX_SCRIPTED_PACKS,
};
use sedma_table::{BetweenDeals, NewTable, Occupant, Refusal, Results, Script, Spectators, StartPolicy};

use super::timing::{bot_level, duration_ms, timing};
use super::{card, game_rules, player, seat, text};

/// A new table, and the scripted root of its seeds, if there is one.
pub(crate) fn create_table(request: &v1::CreateTableRequest) -> Result<(NewTable, Option<Link>), Refusal> {
    let rules = game_rules("rules", request.rules.as_ref())?;
    text("external_ref", &request.external_ref, MAX_EXTERNAL_REF_BYTES)?;
    let seats = seats(&request.seats, &rules)?;
    let named = seats.iter().any(|seat| matches!(seat, Occupant::Player(_)));
    let (script, root) = match &request.script {
        None => (None, None),
        Some(asked) => {
            let (script, root) = script(asked, &rules)?;
            (Some(script), root)
        }
    };
    let new = NewTable {
        external_ref: request.external_ref.clone(),
        labels: labels(&request.labels)?,
        start: start(request.start_policy, named)?,
        between_deals: between_deals(request.between_deals)?,
        spectators: spectators(request)?,
        timing: timing(request.timing.as_ref())?,
        results: results(request.results)?,
        script,
        seats,
        rules,
    };
    Ok((new, root))
}

fn labels(labels: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Refusal> {
    if labels.len() > MAX_LABELS {
        return Err(Refusal::field(
            "labels",
            format!("there are {}; {MAX_LABELS} are allowed", labels.len()),
        ));
    }
    for (key, value) in labels {
        if key.is_empty() {
            return Err(Refusal::field("labels", "a label's key is empty"));
        }
        text("labels", key, MAX_LABEL_KEY_BYTES)?;
        text("labels", value, MAX_LABEL_VALUE_BYTES)?;
    }
    Ok(labels.clone())
}

fn seats(seats: &[v1::NewSeat], rules: &Rules) -> Result<Vec<Occupant>, Refusal> {
    if seats.is_empty() {
        return Ok(Vec::new());
    }
    if seats.len() != usize::from(rules.seats()) {
        let message =
            format!("there are {}; the rules have {} seats, or leave it empty", seats.len(), rules.seats());
        return Err(Refusal::field("seats", message));
    }
    let mut seen = BTreeSet::new();
    let mut occupants = Vec::new();
    for (i, new) in seats.iter().enumerate() {
        let prefix = format!("seats[{i}].");
        let named = player(&prefix, &new.player_id, &new.display_name)?;
        match &named {
            None if !new.display_name.is_empty() => {
                return Err(Refusal::field(format!("{prefix}player_id"), "a display name needs a player id"));
            }
            Some(player) if !seen.insert(player.player_id.clone()) => {
                return Err(Refusal::field(format!("{prefix}player_id"), "the same player has another seat"));
            }
            Some(_) if !new.bot_level.is_empty() => {
                return Err(Refusal::field(format!("{prefix}bot_level"), "the seat has a player already"));
            }
            _ => {}
        }
        occupants.push(match named {
            Some(player) => Occupant::Player(player),
            None if new.bot_level.is_empty() => Occupant::Open,
            None => Occupant::Bot(bot_level(&format!("{prefix}bot_level"), &new.bot_level)?),
        });
    }
    Ok(occupants)
}

fn start(number: i32, named: bool) -> Result<StartPolicy, Refusal> {
    match v1::StartPolicy::try_from(number) {
        Ok(v1::StartPolicy::Unspecified) if named => Ok(StartPolicy::WhenReady),
        Ok(v1::StartPolicy::Unspecified | v1::StartPolicy::WhenFull) => Ok(StartPolicy::WhenFull),
        Ok(v1::StartPolicy::WhenReady) => Ok(StartPolicy::WhenReady),
        Ok(v1::StartPolicy::Manual) => Ok(StartPolicy::Manual),
        Err(_) => Err(unknown("start_policy", number)),
    }
}

fn between_deals(number: i32) -> Result<BetweenDeals, Refusal> {
    match v1::BetweenDeals::try_from(number) {
        Ok(v1::BetweenDeals::Unspecified | v1::BetweenDeals::AtOnce) => Ok(BetweenDeals::AtOnce),
        Ok(v1::BetweenDeals::Manual) => Ok(BetweenDeals::Manual),
        Err(_) => Err(unknown("between_deals", number)),
    }
}

fn spectators(request: &v1::CreateTableRequest) -> Result<Spectators, Refusal> {
    let delay_ms = duration_ms("spectator_delay", request.spectator_delay.as_ref())?;
    match v1::SpectatorPolicy::try_from(request.spectators) {
        Ok(v1::SpectatorPolicy::Allowed) => Ok(Spectators::Allowed { delay_ms }),
        Ok(_) if delay_ms > 0 => Err(Refusal::field("spectator_delay", "it needs spectators ALLOWED")),
        Ok(v1::SpectatorPolicy::Unspecified | v1::SpectatorPolicy::Forbidden) => Ok(Spectators::Forbidden),
        Err(_) => Err(unknown("spectators", request.spectators)),
    }
}

fn results(number: i32) -> Result<Results, Refusal> {
    match v1::ResultPolicy::try_from(number) {
        Ok(v1::ResultPolicy::Unspecified | v1::ResultPolicy::Keep) => Ok(Results::Keep),
        Ok(v1::ResultPolicy::None) => Ok(Results::None),
        Err(_) => Err(unknown("results", number)),
    }
}

/// An enum's number that this server does not know.
pub(super) fn unknown(field: &str, number: i32) -> Refusal {
    Refusal::field(field, format!("this server does not know the value {number}"))
}

fn script(asked: &v1::Script, rules: &Rules) -> Result<(Script, Option<Link>), Refusal> {
    let root = match asked.root.len() {
        0 => None,
        32 => <[u8; 32]>::try_from(asked.root.as_ref()).ok().map(Link::new),
        other => {
            return Err(Refusal::field("script.root", format!("it has {other} bytes; it takes 32, or none")));
        }
    };
    let field = "script.first_dealer_seat";
    let first_dealer = seat(field, asked.first_dealer_seat)?;
    if first_dealer.is_some_and(|seat| seat.number() > rules.seats()) {
        return Err(Refusal::field(field, format!("the rules have {} seats", rules.seats())));
    }
    if asked.packs.len() > MAX_SCRIPTED_PACKS {
        let message = format!("there are {}; {MAX_SCRIPTED_PACKS} are allowed", asked.packs.len());
        return Err(Refusal::field("script.packs", message));
    }
    let mut packs = Vec::new();
    for (i, pack) in asked.packs.iter().enumerate() {
        let field = format!("script.packs[{i}]");
        let cards: Vec<Card> = pack
            .cards
            .iter()
            .enumerate()
            .map(|(j, asked)| card(&format!("{field}.cards[{j}]"), Some(asked)))
            .collect::<Result<_, _>>()?;
        packs.push(Pack::new(rules, &cards).map_err(|error| Refusal::field(field, error.to_string()))?);
    }
    Ok((Script { first_dealer, packs }, root))
}

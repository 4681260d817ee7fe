//! Everything that must be refused: what the seat to act may not do, and whatever another seat asks for.

use std::collections::BTreeSet;

use sedma_rules::{Action, Card, CardSet, Match, Rules, Seat};

/// What the engine permits beside what is legal for the seat to act.
pub(crate) fn permitted_against(rules: &Rules, engine: &Match, legal: &BTreeSet<String>) -> Vec<String> {
    let mut permitted = Vec::new();
    for seat in Seat::first(rules.seats()) {
        let to_act = engine.turn() == Some(seat);
        let others = every_action().filter(|action| !(to_act && legal.contains(&action.to_string())));
        let wrong = others.filter(|action| !is_refused(rules, engine, seat, *action));
        permitted.extend(wrong.map(|action| format!("{seat} {action}")));
        if !to_act && !engine.legal_actions(rules, seat).is_empty() {
            permitted.push(format!("{seat} may act"));
        }
    }
    permitted
}

/// Whether the engine refuses, tells nothing, and says the same when it is only asked.
fn is_refused(rules: &Rules, engine: &Match, seat: Seat, action: Action) -> bool {
    let mut facts = Vec::new();
    let refused = engine.act(rules, seat, action, &mut facts).err();
    refused.is_some() && facts.is_empty() && engine.refusal(rules, seat, action) == refused
}

fn every_action() -> impl Iterator<Item = Action> {
    let plays = CardSet::FULL.iter().flat_map(|card: Card| {
        [false, true].map(|announce_marriage| Action::Play { card, announce_marriage })
    });
    let others =
        [Action::PlayFromStock, Action::EndTrick, Action::ExchangeHands(true), Action::ExchangeHands(false)];
    plays.chain(others)
}

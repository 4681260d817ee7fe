//! From views to messages. What comes in here has no hidden card in it: `view` and `events` of sedma-table are the only
//! way to get one of these types.

mod card;
mod event;
mod result;
mod rules;
mod score;
mod table;
mod timing;

use sedma_proto::v1;
use sedma_table::Refusal;

pub(crate) use card::{card, cards, legal_actions, rule, seat, seats};
pub(crate) use event::{History, update};
pub(crate) use result::{parse_result_id, result};
pub(crate) use rules::{preset, rules as game_rules};
pub(crate) use score::{deal_score, side_score, side_standing, tier};
pub(crate) use table::{Audience, phase, view};
pub(crate) use timing::Moment;

/// A refusal's details.
pub(crate) fn refusal(refusal: &Refusal, reason: v1::ErrorReason) -> v1::Refusal {
    v1::Refusal {
        reason: reason.into(),
        rule: refusal.rule.map_or(v1::BrokenRule::Unspecified, rule).into(),
        card: refusal.card.map(card),
        legal_actions: refusal.legal.as_deref().map(legal_actions).unwrap_or_default(),
        revision: refusal.standing.map_or(0, |standing| standing.revision),
        turn_revision: refusal.standing.map_or(0, |standing| standing.turn_revision),
    }
}

/// An instant from milliseconds since the Unix epoch.
pub(crate) fn timestamp(ms: i64) -> prost_types::Timestamp {
    let nanos = i32::try_from(ms.rem_euclid(1_000)).unwrap_or(0).saturating_mul(1_000_000);
    prost_types::Timestamp { seconds: ms.div_euclid(1_000), nanos }
}

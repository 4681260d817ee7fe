//! Rule sets: options as data, their presets, and the check that makes rules of them.

mod check;
mod choices;
mod constants;
mod listing;
mod options;
mod preset;
mod resolved;
mod text;

pub use check::RulesError;
pub use choices::{
    BurnedHand, CardPoints, Continuation, ContinuationCondition, DealScore, DealerRotation, Direction,
    DrawOrder, DrawTiming, ForcedMatch, ForcedMatchScope, PackKind, Partnership, SoloistCard,
    SweepPointsRule, Tie, Tiers, WildLed, WinRule,
};
pub use options::RuleOptions;
pub use preset::Preset;
pub use resolved::Rules;
pub use text::rule_text;

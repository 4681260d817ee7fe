//! Rules that no preset has.

use crate::amount::Amount;
use crate::case::Case;
use crate::custom_rows::{ALL, Row};
use crate::disagreement::Disagreement;
use crate::lockstep::play;
use crate::referee::Situation;

/// How many times the deals are played again to meet what they are meant to.
const MOST_RUNS: usize = 20;

/// Every preset with options changed.
#[cfg(feature = "mutants")]
pub(crate) fn cases() -> impl Iterator<Item = Case> {
    ALL.into_iter().flatten().map(case_of)
}

fn case_of(&(preset, seats, changes, _): &Row) -> Case {
    Case { preset, seats, changes: changes.to_vec() }
}

#[test]
fn the_engine_plays_custom_rules_as_the_referee_does() {
    let amount = Amount::asked_for();
    let mut missed = Vec::new();
    for row in ALL.into_iter().flatten() {
        let case = case_of(row);
        let unmet = play_until_met(&case, amount.custom_deals, row.3).unwrap();
        missed.extend(unmet.iter().map(|situation| format!("{case}: {situation:?}")));
        amount.tell(format_args!("{case}: {} deals", amount.custom_deals));
    }
    assert!(missed.is_empty(), "never met: {missed:#?}");
}

/// Plays the deals, and more of them while what they must come to is not met; tells what never was.
fn play_until_met(
    case: &Case,
    deals: usize,
    expected: &[Situation],
) -> Result<Vec<Situation>, Box<Disagreement>> {
    let mut missing = expected.to_vec();
    for run in 0..MOST_RUNS {
        let met = play(case, run, deals)?;
        missing.retain(|situation| !met.contains_key(situation));
        if missing.is_empty() {
            break;
        }
    }
    Ok(missing)
}

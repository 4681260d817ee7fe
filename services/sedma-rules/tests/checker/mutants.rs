//! The proof that the checker checks: faults put into the engine on purpose, each of which it must find.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sedma_rules::mutants::{Mutant, set};

use crate::amount::Amount;
use crate::case::Case;
use crate::custom;
use crate::disagreement::Disagreement;
use crate::lockstep::play;
use crate::tricks::judge;

#[test]
fn every_mutant_is_caught() {
    assert!(Mutant::ALL.len() >= 20, "there are too few faults to prove anything");
    let mut missed = Vec::new();
    for mutant in Mutant::ALL {
        set(Some(mutant));
        let caught = catch();
        set(None);
        match caught {
            Some(by) => println!("{mutant:?}: {by}"),
            None => missed.push(mutant),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

/// What the first rules say to which the engine and the referee differ.
fn catch() -> Option<String> {
    let amount = Amount::normal();
    let presets = Case::presets().find_map(|case| {
        let tricks = || judge(&case, amount.tricks);
        difference(&case, || play(&case, 0, amount.deals).map(|_| ())).or_else(|| difference(&case, tricks))
    });
    let custom = || {
        custom::cases().find_map(|case| difference(&case, || play(&case, 0, amount.custom_deals).map(|_| ())))
    };
    presets.or_else(custom)
}

/// Where the two differ. An engine that panics differs as well.
fn difference(case: &Case, compare: impl Fn() -> Result<(), Box<Disagreement>>) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(compare)) {
        Ok(Ok(())) => None,
        Ok(Err(disagreement)) => Some(disagreement.headline()),
        Err(_) => Some(format!("{case}: the engine panics")),
    }
}

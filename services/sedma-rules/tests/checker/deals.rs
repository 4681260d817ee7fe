//! The presets, deal by deal, and what the deals must have come to.

use crate::amount::Amount;
use crate::case::Case;
use crate::lockstep::play;

#[test]
fn the_engine_plays_every_preset_as_the_referee_does() {
    let amount = Amount::asked_for();
    let mut missed = Vec::new();
    for case in Case::presets() {
        let met = play(&case, 0, amount.deals).unwrap();
        let expected = case.referee().expected();
        let unmet = expected.into_iter().filter(|situation| !met.contains_key(situation));
        missed.extend(unmet.map(|situation| format!("{case}: {situation:?}")));
        amount.tell(format_args!("{case}: {} deals, {met:?}", amount.deals));
    }
    assert!(missed.is_empty(), "never met: {missed:#?}");
}

//! No worked example is left out.

use std::collections::BTreeSet;

use crate::deals::DEALS;
use crate::tricks::TRICKS;

/// How many worked examples the rules have; they have the same numbers in the tests of the rules' own crate.
const EXAMPLES: u8 = 58;
/// Everything that plays or scores them.
const TESTS: [&str; 6] = [
    include_str!("tricks.rs"),
    include_str!("deals.rs"),
    include_str!("continuing.rs"),
    include_str!("burning.rs"),
    include_str!("bound.rs"),
    include_str!("others.rs"),
];

/// The numbers in a test's name: `example_09_..`, `examples_30_and_34_..` or `examples_27_to_29_..`.
fn numbers(name: &str) -> Vec<u8> {
    let words: Vec<&str> = name.split('_').take(4).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u8>().ok());
    match (number(1), words.get(2), number(3)) {
        (Some(first), Some(&"to"), Some(last)) => (first..=last).collect(),
        (Some(first), Some(&"and"), Some(last)) => vec![first, last],
        (Some(first), ..) => vec![first],
        _ => vec![],
    }
}

#[test]
fn every_worked_example_is_scored_or_played() {
    let tests = TESTS.iter().flat_map(|source| source.split("async fn ").skip(1));
    let named = tests.filter(|name| name.starts_with("example")).flat_map(numbers);
    let listed = TRICKS.iter().map(|trick| trick.number).chain(DEALS.iter().map(|deal| deal.number));
    let all: BTreeSet<u8> = named.chain(listed).collect();
    assert_eq!(all, (1..=EXAMPLES).collect());
}

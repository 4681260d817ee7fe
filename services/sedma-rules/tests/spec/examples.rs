//! Every worked example of the rule book is a test named by its number.

use std::env;
use std::process::Command;

/// The names come from this binary itself, so a function that is no test doesn't count.
#[test]
fn each_of_the_58_worked_examples_is_a_test_of_its_number() {
    let listed = Command::new(env::current_exe().unwrap()).arg("--list").output().unwrap();
    let names = String::from_utf8(listed.stdout).unwrap();
    let numbers: Vec<u32> = names
        .lines()
        .filter_map(|line| {
            line.strip_suffix(": test")?.split_once("example_")?.1.split('_').next()?.parse().ok()
        })
        .collect();
    let missing: Vec<u32> = (1..=58).filter(|number| !numbers.contains(number)).collect();
    assert!(missing.is_empty(), "no test is named after these examples: {missing:?}");
    assert!(numbers.iter().all(|number| (1..=58).contains(number)), "{numbers:?}");
}

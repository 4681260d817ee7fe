//! `sedma rules`, as a person reads it, and `sedma demo` of everything that it lists.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "where a test can't go on, it fails"
)]

use std::process::{Command, Output};

use tests::process::binary;

fn sedma(arguments: &[&str]) -> Output {
    Command::new(binary("sedma")).args(arguments).env_clear().output().unwrap()
}

/// What a command that succeeds writes.
fn said(arguments: &[&str]) -> String {
    let output = sedma(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command complains of that fails.
fn complained(arguments: &[&str]) -> String {
    let output = sedma(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Every preset of the list with each number of seats that it is played with.
fn listed() -> Vec<(String, String)> {
    let list = said(&["rules"]);
    let rows = list.lines().skip(1).take_while(|line| !line.is_empty());
    rows.flat_map(|row| {
        let (preset, rest) = row.split_once(' ').unwrap();
        let (seats, _) = rest.trim_start().split_once("  ").unwrap();
        let pair = |seats: &str| (preset.to_owned(), seats.to_owned());
        seats.split(", ").map(pair).collect::<Vec<_>>()
    })
    .collect()
}

#[test]
fn every_preset_is_listed_and_explained() {
    let pairs = listed();
    assert_eq!(pairs.len(), 23, "{pairs:?}");
    for (preset, seats) in &pairs {
        let text = said(&["rules", preset, "--seats", seats]);
        assert!(text.starts_with(&format!("{preset}, {seats} seats\n")), "{text}");
        for part in ["\nOptions\n", "\nSource\n"] {
            assert!(text.contains(part), "{preset} for {seats} has no {part:?}");
        }
        let wide = text.lines().find(|line| line.chars().count() > 100);
        assert_eq!(wide, None, "{preset} for {seats}");
    }
    assert!(said(&["rules", "pagat"]).starts_with("pagat, 4 seats\n"), "the largest number of seats");
}

#[test]
fn what_is_not_there_is_answered_with_what_is() {
    let unknown = complained(&["rules", "whist"]);
    assert!(unknown.contains(r#"there is no preset "whist"; there are classic, two"#), "{unknown}");
    let seats = complained(&["rules", "pagat", "--seats", "5"]);
    assert!(seats.contains("pagat is not played by 5, but by 4, 3, 2"), "{seats}");
}

/// A server, a player at every seat and a spectator, for each of the 23: all of them see the same whole match.
#[test]
fn every_preset_is_played_to_its_end() {
    for (preset, seats) in listed() {
        let output = said(&["demo", "--quiet", "--preset", &preset, "--seats", &seats]);
        let report: serde_json::Value = serde_json::from_str(output.trim()).unwrap();
        assert_eq!(report["preset"], preset.as_str());
        let winners = report["winner_seats"].as_array().unwrap();
        assert!(!winners.is_empty(), "{report}");
        assert!(report["deals"].as_i64().unwrap() > 0 && report["tricks"].as_i64().unwrap() > 0, "{report}");
    }
}

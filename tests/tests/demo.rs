//! `sedma demo`, as a visitor runs it: a whole match, and one line of JSON at its end.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "where a test can't go on, it fails"
)]

use std::process::Command;

use serde_json::Value;
use tests::Redis;
use tests::process::binary;

/// Runs the demo; what it wrote, and its last line.
fn demo(flags: &[&str]) -> (String, Value) {
    let run = Command::new(binary("sedma")).arg("demo").args(flags).env_clear().output().unwrap();
    let output = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{output}{}", String::from_utf8_lossy(&run.stderr));
    let last = output.lines().last().expect("a last line");
    let report = serde_json::from_str(last).expect("a line of JSON");
    (output, report)
}

/// A classic match: every deal has 8 tricks and 90 points, and one side reaches 4.
fn is_a_classic_match(report: &Value, store: &str) {
    assert_eq!(report["preset"], "classic");
    assert_eq!(report["store"], store);
    let deals = report["deals"].as_i64().unwrap();
    assert_eq!(report["tricks"], 8 * deals);
    assert_eq!(report["points"], 90 * deals);
    // The creation, four who say "here", and 32 cards a deal.
    assert_eq!(report["updates"], 5 + 32 * deals);
    let points: Vec<i64> =
        report["game_points"].as_array().unwrap().iter().map(|of| of.as_i64().unwrap()).collect();
    let winners = if points[0] > points[1] { [1, 3] } else { [2, 4] };
    assert!(*points.iter().max().unwrap() >= 4, "{points:?}");
    assert_eq!(report["winner_seats"], serde_json::json!(winners));
}

#[test]
fn a_match_on_the_embedded_store_is_told_as_it_is_played() {
    let (output, report) = demo(&[]);
    is_a_classic_match(&report, "memory");
    let tricks = output.lines().filter(|line| line.trim_start().starts_with("trick")).count();
    assert_eq!(report["tricks"], tricks);
}

#[test]
fn a_match_on_redis() {
    let redis = Redis::start();
    let (_, report) = demo(&["--quiet", "--redis-url", &redis.url()]);
    is_a_classic_match(&report, "redis");
}

#[test]
fn a_match_for_two() {
    let (_, report) = demo(&["--quiet", "--preset", "two"]);
    assert_eq!(report["game_points"].as_array().unwrap().len(), 2);
    assert_eq!(report["winner_seats"].as_array().unwrap().len(), 1);
}

#[test]
fn rules_that_are_none_end_with_a_sentence() {
    let run = Command::new(binary("sedma")).args(["demo", "--preset", "whist"]).env_clear().output().unwrap();
    assert!(!run.status.success());
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("there is no such preset; there are classic, two"), "{said}");
}

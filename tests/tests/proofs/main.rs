//! What must hold for long and under pressure: clocks while replicas die and while everything stands still, watchers
//! that come back anywhere, and one that does not read; tables that are left.
//!
//! `cargo test` runs a slice of each that is the same every time; `make prove-clocks`, `prove-watch` and `prove-left` run
//! all of it and print the figures. No figure of time is asserted, they are for whoever reads them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod controls;
mod course;
mod figures;
mod left;
mod outages;
mod pace;
mod reconnects;
mod replicas;
mod slow_reader;
mod timers;
mod whole_history;

/// Whether a long proof runs: what its `make` target asks for.
fn proving(what: &str) -> bool {
    std::env::var_os(what).is_some_and(|value| value == "1")
}

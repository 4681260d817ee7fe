//! What was acknowledged stays, whatever breaks: wires, replicas, Redis.
//!
//! Clients play at tables with clocks while faults come one after the other, and write down what they asked for and what
//! they were told. In the end the checker holds that against each table's history. `cargo test` runs a slice that is the
//! same every time, `make prove-faults` all of it, and prints the figures.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

#[path = "../../support/cluster.rs"]
mod cluster;
use tests::redis;

mod aof;
mod campaign;
mod checked;
mod checker;
mod failover;
mod lost_basis;
#[cfg(feature = "mutants")]
mod mutants;
mod players;
mod proofs;
mod rewinds;
mod service;
mod story;

/// Whether the long proofs run.
fn proving() -> bool {
    std::env::var_os("PROVE_FAULTS").is_some_and(|value| value == "1")
}

//! Failures that others reported of their games, each tried here, under its number.
//!
//! `PROVE_CASES=1` runs them at the scale at which they were reported, and longer than anybody wants to wait each time.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod ledger;
mod scale;

mod back;
mod blips;
mod bots;
mod clocks;
mod coming_and_going;
mod coverage;
mod cut_off;
mod evicting;
mod full_speed;
mod full_store;
mod given_up;
mod last_action;
mod left_behind;
mod plays;
mod replicas;
mod restart;
mod seats;
mod silent_store;
mod skew;
mod slow_watch;
mod takeover;
mod turn_race;
mod versions;
use tests::calls;
use tests::collector;
use tests::known_deal as deals;
use tests::moves;

//! The rules, as a client sees them: worked examples and whole matches, each judged a second time by a few lines here.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod judge;
mod plan;

mod chance;
mod deals;
mod seating;
mod tricks;

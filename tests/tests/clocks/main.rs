//! What happens at tables without a call: bots play, turns are missed, pauses are over, tables expire. And what a
//! platform decides about it.
//!
//! No test waits for a time. A clock that shall run out is set to its last millisecond by `ExtendDeadline`, and what it
//! does is awaited by a watch; all other clocks have an hour. Instants are the store's, so they can be compared exactly.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod bots;
mod control;
mod deadlines;
mod replicas;
mod starts;
mod turns;
use tests::moves;

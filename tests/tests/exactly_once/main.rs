//! Every accepted action happens exactly once, in order, is never lost after it was acknowledged, and is told to every
//! watcher without gap or duplicate.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod drain;
mod oracle;
mod processes;
mod races;
mod rematch;
mod repeats;
mod resume;
mod revisions;
mod round_trips;
mod turns;
mod unknown;
mod watch_ends;
use tests::known_deal as deals;

//! Every reason for which a call can fail: its status and its details, and that nothing happens then.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod bystander;
mod forge;
mod law;

mod bytes;
mod clocks;
mod command_line;
mod contention;
mod coverage;
mod create_fields;
mod failures;
mod fields;
mod illegal;
mod limits;
mod options;
mod outages;
mod play;
mod read_fields;
mod rules;
mod tables;
mod tokens;
use tests::calls;

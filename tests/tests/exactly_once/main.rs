//! Every accepted action happens exactly once, in order, is never lost, and is shown to those who may see it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod smoke;

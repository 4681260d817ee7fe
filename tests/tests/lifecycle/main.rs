//! A table's life over the wire: what may be asked for in which phase, who has which seat, how matches start and go on
//! at other tables, and how a platform finds its tables.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod refused;

mod control_fields;
mod listing;
mod phases;
mod rematches;
mod seats;
mod starts;

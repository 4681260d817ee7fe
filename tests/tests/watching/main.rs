//! Who sees what of a table and when: several seats on one stream, spectators who see it late, pollers, a platform that
//! watches all its tables, and who is connected.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod all;
mod late;
mod late_doors;
mod life_of_streams;
mod polling;
mod presence;
mod seats;
mod sights;

//! How tables ended, as a platform's consumers are told: every end, at least once, until it was acknowledged.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod consumers;
mod endings;
mod late;
mod refused;
mod rewound;
mod seats;

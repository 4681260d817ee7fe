//! Nobody is shown, by any answer, a card that he may not know.
//!
//! A deal is played at random up to some action. For each viewer a second table is made in which every card that he has
//! not seen by then lies elsewhere, in another hand or in the stock, and the same actions are played there. Whatever
//! he can get must then be equal, byte for byte: what differs would tell him something about hidden cards.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod action;
mod answer;
mod ask;
mod chance;
mod compare;
mod controls;
mod deals;
mod gather;
mod mask;
mod permute;
mod plan;
mod seen;
mod story;
mod viewer;

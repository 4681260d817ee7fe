//! Nobody is shown, by any answer, a card that he may not know.
//!
//! A deal is played at random up to some action. For each viewer a second table is made in which every card that he has
//! not seen by then lies elsewhere, in another hand or in the stock, and the same actions are played there. Whatever
//! he can get must then be equal, byte for byte: what differs would tell him something about hidden cards.
//!
//! Some rules make hands speak: a leader who is asked whether he goes on has a card to go on with, and a hand that burns
//! has four of a kind. Where everybody was told so the cards move as far as it stays true. What that is follows from the
//! rules alone and is no server's answer, or a server could excuse what it betrays.

#![allow(
    clippy::large_futures,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail as tests do"
)]

mod action;
mod answer;
mod ask;
mod compare;
mod controls;
mod course;
mod deals;
mod games;
mod gather;
mod mask;
mod permute;
mod plan;
mod promise;
mod rules;
mod seen;
mod story;
mod tally;
mod turn;
mod viewer;

use tests::chance;

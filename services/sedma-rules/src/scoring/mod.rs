//! What tricks and deals are worth: in play, and for tricks and deals that somebody wrote down.

mod dealer;
mod given_deal;
mod given_trick;
mod settle;
mod tally;
mod winners;

pub use dealer::next_dealer;
pub use given_deal::{BurnedHandOf, score_deal};
pub use given_trick::{PlayReason, ScoreError, ScoreProblem, TrickScore, score_trick};
pub use settle::Ending;
pub(crate) use settle::settle;
pub use tally::Tally;
pub use winners::match_winners;

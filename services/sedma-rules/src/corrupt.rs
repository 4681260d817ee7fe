//! What is wrong with stored bytes, texts and facts.

use std::fmt;

/// Why stored bytes, a text or a fact make no state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Corrupt {
    /// Something is missing at the end.
    TooShort,
    /// Something is left over at the end.
    TooLong,
    /// A number or word that means nothing there.
    NoSuchValue,
    /// A card is in two places, or in none.
    Cards,
    /// Counts or turns contradict each other.
    Counts,
    /// The fact can't have happened in this state.
    OutOfPlace,
}

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Corrupt::TooShort => "something is missing at the end",
            Corrupt::TooLong => "something is left over at the end",
            Corrupt::NoSuchValue => "a value means nothing there",
            Corrupt::Cards => "a card is in two places, or in none",
            Corrupt::Counts => "counts or turns contradict each other",
            Corrupt::OutOfPlace => "the fact can't have happened in this state",
        })
    }
}

impl std::error::Error for Corrupt {}

//! Cards as the referee sees them: a rank, a suit and nothing more.

use std::fmt;

/// The rank of the ten, which two characters write.
const TEN: char = 'X';

/// A card. The rank is its first character, except for the ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Card {
    pub(crate) rank: char,
    pub(crate) suit: char,
}

impl Card {
    /// Reads `9c` or `10s`.
    pub(crate) fn read(text: &str) -> Card {
        let (rank, suit) = text.split_at(text.len() - 1);
        let rank = if rank == "10" { TEN } else { rank.parse().unwrap() };
        Card { rank, suit: suit.parse().unwrap() }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rank == TEN { write!(f, "10{}", self.suit) } else { write!(f, "{}{}", self.rank, self.suit) }
    }
}

/// The cards of a pack by its name, suit by suit.
pub(crate) fn pack_called(name: &str) -> Vec<Card> {
    let (ranks, without) = match name {
        "french32" => ("789XJQKA", &[][..]),
        "p30_minus_8_9" => ("789XJQKA", &["8d", "9d"][..]),
        "p30_minus_two_8" => ("789XJQKA", &["8c", "8d"][..]),
        "p24_with_sevens" => ("7XJQKA", &[][..]),
        "p24_without_sevens" => ("9XJQKA", &[][..]),
        "p52" => ("23456789XJQKA", &[][..]),
        _ => panic!("no pack is called {name}"),
    };
    let all = "cdhs".chars().flat_map(|suit| ranks.chars().map(move |rank| Card { rank, suit }));
    all.filter(|card| !without.contains(&card.to_string().as_str())).collect()
}

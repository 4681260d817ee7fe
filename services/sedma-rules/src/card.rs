//! Suits, ranks and cards of a French pack; the German names are the same cards.

use std::fmt;
use std::str::FromStr;

/// A suit. On German cards: acorns, bells, hearts, leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// Clubs, or acorns.
    Clubs = 1,
    /// Diamonds, or bells.
    Diamonds = 2,
    /// Hearts.
    Hearts = 3,
    /// Spades, or leaves.
    Spades = 4,
}

/// A rank. On German cards the jack is the under and the queen the over; the German deuce is the ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Rank {
    Two = 2,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

/// One of the 52 cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// A text that names no card, suit or rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACard;

impl Suit {
    /// Every suit, in canonical order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// The suit's letter: `c`, `d`, `h` or `s`.
    pub const fn letter(self) -> char {
        match self {
            Suit::Clubs => 'c',
            Suit::Diamonds => 'd',
            Suit::Hearts => 'h',
            Suit::Spades => 's',
        }
    }

    /// The suit's number, 1 to 4.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The suit of a number from 1 to 4.
    pub fn from_number(number: u8) -> Option<Suit> {
        Suit::ALL.into_iter().find(|suit| suit.number() == number)
    }
}

impl Rank {
    /// Every rank, in canonical order: two first, ace last.
    pub const ALL: [Rank; 13] = [
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
        Rank::Ace,
    ];

    /// The rank's number, 2 to 14. It is a name, not a value in play.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The rank of a number from 2 to 14.
    pub fn from_number(number: u8) -> Option<Rank> {
        Rank::ALL.into_iter().find(|rank| rank.number() == number)
    }

    const fn text(self) -> &'static str {
        match self {
            Rank::Two => "2",
            Rank::Three => "3",
            Rank::Four => "4",
            Rank::Five => "5",
            Rank::Six => "6",
            Rank::Seven => "7",
            Rank::Eight => "8",
            Rank::Nine => "9",
            Rank::Ten => "10",
            Rank::Jack => "J",
            Rank::Queen => "Q",
            Rank::King => "K",
            Rank::Ace => "A",
        }
    }
}

/// The rank of each card, by its index; as long as six bits reach, so that looking up needs no check.
const RANKS: [Rank; 64] = {
    let mut ranks = [Rank::Two; 64];
    let mut index = 0;
    while index < ranks.len() {
        ranks[index] = Rank::ALL[index % 13];
        index += 1;
    }
    ranks
};

impl Card {
    /// How many cards there are.
    pub const COUNT: usize = 52;

    /// The card of a rank and a suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card((suit as u8 - 1) * 13 + (rank as u8 - 2))
    }

    /// The card's rank.
    pub const fn rank(self) -> Rank {
        RANKS[self.0 as usize & 63]
    }

    /// The card that makes a marriage with this one: a king's queen, a queen's king.
    pub(crate) fn other_of_marriage(self) -> Option<Card> {
        match self.rank() {
            Rank::King => Some(Card::new(Rank::Queen, self.suit())),
            Rank::Queen => Some(Card::new(Rank::King, self.suit())),
            _ => None,
        }
    }

    /// The card's suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 / 13) as usize & 3]
    }

    /// The card's place in canonical order, 0 to 51: suits in order, in each the ranks from two to ace.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The card at a place in canonical order.
    pub const fn from_index(index: u8) -> Option<Card> {
        if index < 52 { Some(Card(index)) } else { None }
    }

    /// The card in the low six bits of a byte that was checked when it came in.
    #[inline]
    pub(crate) const fn from_low_bits(byte: u8) -> Card {
        Card(byte & 0x3f)
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank(), self.suit())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for NotACard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a card is a rank (2 to 10, J, Q, K, A) and a suit (c, d, h, s), as in 10h")
    }
}

impl std::error::Error for NotACard {}

impl FromStr for Suit {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Suit, NotACard> {
        let mut letters = text.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return Err(NotACard) };
        Suit::ALL.into_iter().find(|suit| suit.letter() == letter).ok_or(NotACard)
    }
}

impl FromStr for Rank {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Rank, NotACard> {
        Rank::ALL.into_iter().find(|rank| rank.text() == text).ok_or(NotACard)
    }
}

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Card, NotACard> {
        let at = text.char_indices().last().map_or(0, |(at, _)| at);
        let (rank, suit) = text.split_at(at);
        Ok(Card::new(rank.parse()?, suit.parse()?))
    }
}

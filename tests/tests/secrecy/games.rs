//! The games that are tried: every preset with every number of seats.

use std::fmt;

use tests::v1::{Card, Rank, Suit};
use tests::{NewTable, cards, v1};

/// A preset for a number of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Game {
    pub(crate) preset: &'static str,
    pub(crate) seats: i32,
    pack: Pack,
    /// How many times as many deals as of most games are tried.
    pub(crate) share: usize,
}

/// What is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pack {
    All,
    FromSeven,
    WithoutEightAndNine,
    WithoutTwoEights,
    WithoutEightsAndNines,
}

/// The usual game of four.
pub(crate) const CLASSIC: Game = game("classic", 4, Pack::FromSeven, 2);
/// The usual game of two.
pub(crate) const TWO: Game = game("two", 2, Pack::FromSeven, 2);
/// A game where nobody is to know who plays alone.
pub(crate) const RED_KING: Game = game("three_red_king", 3, Pack::WithoutEightAndNine, 3);
/// A game where partners may exchange hands.
pub(crate) const CERVENA: Game = game("cervena", 4, Pack::FromSeven, 3);
/// A game where the stock's top card may be played, and each play is followed by a draw.
pub(crate) const RISTIKONTRA: Game = game("ristikontra", 4, Pack::All, 1);

/// Every game.
pub(crate) const GAMES: [Game; 23] = [
    CLASSIC,
    TWO,
    game("three_24", 3, Pack::WithoutEightsAndNines, 1),
    RED_KING,
    game("cervena", 2, Pack::FromSeven, 1),
    CERVENA,
    game("pagat", 2, Pack::FromSeven, 1),
    game("pagat", 3, Pack::WithoutEightAndNine, 1),
    game("pagat", 4, Pack::FromSeven, 1),
    game("marias_sedma", 4, Pack::FromSeven, 1),
    game("hola", 2, Pack::All, 1),
    game("hola", 4, Pack::All, 1),
    RISTIKONTRA,
    game("zsirozas", 2, Pack::FromSeven, 1),
    game("zsirozas", 4, Pack::FromSeven, 1),
    game("septica", 2, Pack::FromSeven, 1),
    game("septica", 3, Pack::WithoutTwoEights, 1),
    game("septica", 4, Pack::FromSeven, 1),
    game("sedmice", 2, Pack::FromSeven, 1),
    game("sedmice", 4, Pack::FromSeven, 1),
    game("lusti_kartln", 4, Pack::FromSeven, 1),
    game("schmierer", 2, Pack::FromSeven, 1),
    game("schmierer", 4, Pack::FromSeven, 1),
];

const fn game(preset: &'static str, seats: i32, pack: Pack, share: usize) -> Game {
    Game { preset, seats, pack, share }
}

impl Game {
    /// A new table of it.
    pub(crate) fn table(self) -> NewTable {
        let rules = v1::SedmaRules {
            preset: self.preset.to_owned(),
            seats: Some(self.seats),
            ..v1::SedmaRules::default()
        };
        // Nobody plays for who leaves: a bot's moves would come at some time of their own.
        let timeout_policy = v1::TimeoutPolicy::Nothing.into();
        NewTable::with_rules(rules, self.seats).timed(v1::Timing { timeout_policy, ..v1::Timing::default() })
    }

    /// Its pack in canonical order.
    pub(crate) fn pack(self) -> Vec<Card> {
        let is_in = |card: &Card| {
            let (rank, suit) = (card.rank(), card.suit());
            let low = card.rank < Rank::Seven.into();
            match self.pack {
                Pack::All => true,
                Pack::FromSeven => !low,
                Pack::WithoutEightAndNine => !low && (suit != Suit::Diamonds || !is_eight_or_nine(rank)),
                Pack::WithoutTwoEights => {
                    !low && (rank != Rank::Eight || matches!(suit, Suit::Hearts | Suit::Spades))
                }
                Pack::WithoutEightsAndNines => !low && !is_eight_or_nine(rank),
            }
        };
        cards::all().into_iter().filter(is_in).collect()
    }
}

fn is_eight_or_nine(rank: Rank) -> bool {
    matches!(rank, Rank::Eight | Rank::Nine)
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.preset, self.seats)
    }
}

//! Who played the two kings that can make a soloist.

use crate::card::{Card, Rank, Suit};
use crate::seat::Seat;

/// Who played the cards that make a soloist. Facts come without rules, so both are remembered in every deal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KingsPlayed {
    /// By [`SLOTS`]; who played the last other card means nothing.
    by: [Option<Seat>; 4],
}

const HEARTS: u8 = 0;
const LEAVES: u8 = 1;
const OTHER: u8 = 2;

/// Where it is kept who played a card. A king is seldom played and nobody can guess when: writing down every
/// card's player costs less than asking each time.
const SLOTS: [u8; 64] = {
    let mut slots = [OTHER; 64];
    slots[Card::new(Rank::King, Suit::Hearts).index() as usize] = HEARTS;
    slots[Card::new(Rank::King, Suit::Spades).index() as usize] = LEAVES;
    slots
};

impl KingsPlayed {
    pub(crate) const fn new(hearts: Option<Seat>, leaves: Option<Seat>) -> KingsPlayed {
        KingsPlayed { by: [hearts, leaves, None, None] }
    }

    #[inline]
    pub(crate) const fn played(&mut self, card: Card, seat: Seat) {
        self.by[SLOTS[card.index() as usize & 63] as usize & 3] = Some(seat);
    }

    pub(crate) const fn hearts(&self) -> Option<Seat> {
        self.by[HEARTS as usize]
    }

    pub(crate) const fn leaves(&self) -> Option<Seat> {
        self.by[LEAVES as usize]
    }
}

impl Eq for KingsPlayed {}

impl PartialEq for KingsPlayed {
    fn eq(&self, other: &KingsPlayed) -> bool {
        self.hearts() == other.hearts() && self.leaves() == other.leaves()
    }
}

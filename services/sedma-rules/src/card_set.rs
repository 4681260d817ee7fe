//! Sets of cards and of ranks, as bits.

use std::fmt;
use std::hint::select_unpredictable;

use crate::card::{Card, Rank};

/// A set of cards; its order is the canonical one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CardSet(u64);

/// A set of ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RankSet(u16);

/// Steps through a [`CardSet`] in canonical order.
#[derive(Clone, Debug)]
pub struct Cards(u64);

/// The four twos; shifted by a rank's distance from the two, the four cards of that rank.
const TWOS: u64 = 1 | 1 << 13 | 1 << 26 | 1 << 39;

/// For each card, by its index, those of its rank; as long as six bits reach, so that looking up needs no
/// check.
const SAME_RANK: [CardSet; 64] = {
    let mut sets = [CardSet::EMPTY; 64];
    let mut index = 0;
    while index < sets.len() {
        sets[index] = CardSet(TWOS << (index % 13));
        index += 1;
    }
    sets
};

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52 cards.
    pub const FULL: CardSet = CardSet((1 << Card::COUNT) - 1);

    /// The four cards of a rank.
    pub const fn of_rank(rank: Rank) -> CardSet {
        CardSet(TWOS << (rank as u8 - 2))
    }

    /// The four cards that share a card's printed rank, itself among them.
    #[inline]
    pub const fn same_rank(card: Card) -> CardSet {
        SAME_RANK[card.index() as usize & 63]
    }

    /// Whether the card is in the set.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Puts a card in.
    #[inline]
    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.index();
    }

    /// Takes a card out, if it is there.
    #[inline]
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.index());
    }

    /// How many cards there are.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "at most 52")]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether there is no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards in canonical order.
    pub const fn iter(self) -> Cards {
        Cards(self.0)
    }

    /// The card at a place, from 0, in canonical order.
    #[inline]
    pub fn nth(self, place: usize) -> Option<Card> {
        // Random play asks for random places of small hands: as many turns of a loop can't be guessed.
        let one = |bits: u64| bits & bits.wrapping_sub(1);
        let two = |bits| one(one(bits));
        let mut rest = select_unpredictable(place & 4 != 0, two(two(self.0)), self.0);
        rest = select_unpredictable(place & 2 != 0, two(rest), rest);
        rest = select_unpredictable(place & 1 != 0, one(rest), rest);
        for _ in 0..place / 8 {
            rest = two(two(two(two(rest))));
        }
        lowest(rest)
    }

    /// The card at the place that `draw` chooses: it is given the number of cards and answers a place below
    /// that. None if there is no card, or no such place.
    #[inline]
    pub fn choose(self, draw: impl FnOnce(u8) -> u8) -> Option<Card> {
        // Hands of four are the usual case, and random play does little else: no counting of bits.
        let drop_lowest = |bits: u64| bits & bits.wrapping_sub(1);
        let second = drop_lowest(self.0);
        let third = drop_lowest(second);
        let fourth = drop_lowest(third);
        if drop_lowest(fourth) != 0 {
            return self.nth(usize::from(draw(self.len())));
        }
        let len = match (fourth, third, second, self.0) {
            (1.., ..) => 4,
            (0, 1.., ..) => 3,
            (0, 0, 1.., _) => 2,
            (0, 0, 0, rest) => u8::from(rest != 0),
        };
        let place = draw(len);
        let even = select_unpredictable(place & 2 != 0, third, self.0);
        let odd = select_unpredictable(place & 2 != 0, fourth, second);
        let rest = select_unpredictable(place & 1 != 0, odd, even);
        if place < len { lowest(rest) } else { None }
    }

    /// The cards that are in either set.
    #[must_use]
    #[inline]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// The cards that are in both sets.
    #[must_use]
    #[inline]
    pub const fn common(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// The cards that are in this set and not in the other.
    #[must_use]
    #[inline]
    pub const fn minus(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// The set as bits: bit n is the card of index n.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of such bits, if none names what is no card.
    pub const fn from_bits(bits: u64) -> Option<CardSet> {
        if bits & !CardSet::FULL.0 == 0 { Some(CardSet(bits)) } else { None }
    }
}

impl RankSet {
    /// No rank.
    pub const EMPTY: RankSet = RankSet(0);

    /// The set of these ranks.
    pub const fn of(ranks: &[Rank]) -> RankSet {
        let mut bits = 0;
        let mut at = 0;
        while at < ranks.len() {
            bits |= 1 << ranks[at] as u8;
            at += 1;
        }
        RankSet(bits)
    }

    /// Whether the rank is in the set.
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 >> rank as u8 & 1 == 1
    }

    /// The ranks, two first.
    pub fn iter(self) -> impl Iterator<Item = Rank> {
        Rank::ALL.into_iter().filter(move |rank| self.contains(*rank))
    }

    /// Every card of these ranks.
    pub fn cards(self) -> CardSet {
        self.iter().fold(CardSet::EMPTY, |cards, rank| cards.union(CardSet::of_rank(rank)))
    }

    /// The set as bits: bit n is the rank of number n.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The set of such bits, if none names what is no rank.
    pub const fn from_bits(bits: u16) -> Option<RankSet> {
        if bits & !0x7ffc == 0 { Some(RankSet(bits)) } else { None }
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "at most 64")]
const fn lowest(bits: u64) -> Option<Card> {
    Card::from_index(bits.trailing_zeros() as u8)
}

impl Iterator for Cards {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        let card = lowest(self.0)?;
        self.0 &= self.0 - 1;
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Cards {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    fn into_iter(self) -> Cards {
        self.iter()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        let mut set = CardSet::EMPTY;
        for card in cards {
            set.insert(card);
        }
        set
    }
}

impl FromIterator<Rank> for RankSet {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> RankSet {
        RankSet(ranks.into_iter().fold(0, |bits, rank| bits | 1 << rank as u8))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Debug for RankSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

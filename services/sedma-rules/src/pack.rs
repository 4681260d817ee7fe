//! Packs: which cards a game is played with, and a shuffled pack of them.

use std::fmt;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::rules::Rules;

/// A permutation of a rule set's cards; the first one is the top, dealt first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pack {
    cards: [Card; Card::COUNT],
    len: u8,
    set: CardSet,
}

/// Why cards are no pack of a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackError {
    /// The pack has another number of cards.
    Length {
        /// How many cards the rules need.
        expected: u8,
        /// How many were given.
        given: usize,
    },
    /// This card is there twice.
    Twice(Card),
    /// The rules play without this card.
    NotInPack(Card),
}

/// What fills the places behind a short pack's last card, so that equal packs are equal bytes.
const FILLER: Card = Card::from_low_bits(0);

impl Pack {
    /// The most cards a pack has.
    pub const MAX_CARDS: usize = Card::COUNT;

    /// The pack of these cards, top first.
    pub fn new(rules: &Rules, cards: &[Card]) -> Result<Pack, PackError> {
        let wanted = rules.pack();
        if cards.len() != usize::from(wanted.len()) {
            return Err(PackError::Length { expected: wanted.len(), given: cards.len() });
        }
        if let Some(&stranger) = cards.iter().find(|card| !wanted.contains(**card)) {
            return Err(PackError::NotInPack(stranger));
        }
        Pack::of_distinct(cards)
    }

    /// The pack of these cards, whatever the rules: no card twice, at most 52.
    pub(crate) fn of_distinct(given: &[Card]) -> Result<Pack, PackError> {
        let mut pack = Pack { cards: [FILLER; Card::COUNT], len: 0, set: CardSet::EMPTY };
        for &card in given {
            if pack.set.contains(card) {
                return Err(PackError::Twice(card));
            }
            pack.set.insert(card);
            if let Some(slot) = pack.cards.get_mut(usize::from(pack.len)) {
                *slot = card;
            }
            pack.len += 1;
        }
        Ok(pack)
    }

    /// The cards of a set in canonical order.
    pub(crate) fn canonical(set: CardSet) -> Pack {
        let mut cards = [FILLER; Card::COUNT];
        for (slot, card) in cards.iter_mut().zip(set) {
            *slot = card;
        }
        Pack { cards, len: set.len(), set }
    }

    /// The cards, top first.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        self.cards.get(..usize::from(self.len)).unwrap_or(&[])
    }

    /// Every place, those behind the last card filled with one and the same card.
    pub(crate) const fn places(&self) -> &[Card; Card::COUNT] {
        &self.cards
    }

    /// Which cards are in it.
    #[inline]
    pub const fn set(&self) -> CardSet {
        self.set
    }

    /// Shuffles by Fisher and Yates: from the last place down to the second, `draw(bound)` chooses one of the
    /// places `0..bound` to change with the place `bound - 1`. A draw outside the bound counts as the last
    /// place.
    #[inline]
    pub fn shuffle(&mut self, mut draw: impl FnMut(u8) -> u8) {
        for last in (1..self.len).rev() {
            let chosen = draw(last + 1).min(last);
            self.cards.swap(usize::from(last), usize::from(chosen));
        }
    }
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackError::Length { expected, given } => write!(f, "the pack has {expected} cards, not {given}"),
            PackError::Twice(card) => write!(f, "{card} is in the pack twice"),
            PackError::NotInPack(card) => write!(f, "these rules play without {card}"),
        }
    }
}

impl std::error::Error for PackError {}

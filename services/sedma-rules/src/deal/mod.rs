//! One deal: its state, what may be done in it, and how it goes on.
//!
//! The state is small and plain, so that search can copy it: a deal in which any card of 52 can lie anywhere
//! takes 120 bytes. Stock and table share one row of 52 places, for a card on the table has left the stock.

mod act;
mod consistency;
mod evolve;
mod kings;
mod legal;
mod start;
mod trick;

pub(crate) use kings::KingsPlayed;
pub use start::NoDeal;
pub(crate) use trick::condition_holds;

use crate::card::Card;
use crate::card_set::CardSet;
use crate::scoring::Tally;
use crate::seat::{BySeat, Seat};

/// The state of one deal, hidden cards and all. Whoever holds one sees everything; what a player may see is
/// [`Match::view`](crate::Match::view).
#[derive(Clone, Copy, Debug, Eq)]
pub struct Deal {
    pub(crate) hands: BySeat<CardSet>,
    /// What lies on the table, from the front in the order of play; the stock from `stock_at` on, top first.
    /// What is left in the places between means nothing.
    pub(crate) places: [Place; Card::COUNT],
    pub(crate) tally: Tally,
    /// The deal's number in the match, from 1.
    pub(crate) number: u16,
    pub(crate) seats: u8,
    pub(crate) dealer: Seat,
    /// Who led to the trick, or is to lead.
    pub(crate) leader: Seat,
    /// Who is to act; nobody when the deal is over.
    pub(crate) turn: Option<Seat>,
    /// Whether the first card was led or the exchange answered.
    pub(crate) opened: bool,
    /// Cards on the table.
    pub(crate) table_len: u8,
    /// Where the running trick begins on the table; what lies before is in abeyance.
    pub(crate) trick_at: u8,
    /// Plays in the running round; 0 before a lead, the number of seats when the round is full.
    pub(crate) in_round: u8,
    /// Where the stock begins.
    pub(crate) stock_at: u8,
    /// Where it ends: the number of cards in the pack.
    pub(crate) stock_end: u8,
    pub(crate) leads: Leads,
    pub(crate) kings: KingsPlayed,
}

/// A card on the table, with how it came there; or a card of the stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Place(u8);

/// How often in a row a player has led one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Leads {
    /// Who, with the rank; `None` before the first lead.
    pub(crate) last: Option<Seat>,
    /// Which rank, by its number; 0 before the first lead.
    pub(crate) rank: u8,
    /// How many times.
    pub(crate) times: u8,
}

/// Where in a trick the deal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The first leader is to answer the exchange of hands.
    Exchange,
    /// A trick is to be led.
    Lead,
    /// A card is to follow.
    Follow,
    /// The round is full; the leader is to go on or to end the trick.
    Decide,
}

impl Place {
    pub(crate) const BLANK: Place = Place(0);
    const FROM_STOCK: u8 = 1 << 6;
    const ANNOUNCED: u8 = 1 << 7;

    pub(crate) const fn stock(card: Card) -> Place {
        Place(card.index())
    }

    #[inline]
    pub(crate) const fn played(card: Card, from_stock: bool, announced: bool) -> Place {
        let stock = if from_stock { Place::FROM_STOCK } else { 0 };
        let marriage = if announced { Place::ANNOUNCED } else { 0 };
        Place(card.index() | stock | marriage)
    }

    #[inline]
    pub(crate) const fn card(self) -> Card {
        Card::from_low_bits(self.0)
    }

    pub(crate) const fn is_from_stock(self) -> bool {
        self.0 & Place::FROM_STOCK != 0
    }

    pub(crate) const fn is_announced(self) -> bool {
        self.0 & Place::ANNOUNCED != 0
    }

    pub(crate) const fn byte(self) -> u8 {
        self.0
    }

    pub(crate) const fn from_byte(byte: u8) -> Option<Place> {
        if (byte & 0x3f) < 52 { Some(Place(byte)) } else { None }
    }
}

/// Equal is what plays on equally: places that mean nothing are not compared.
impl PartialEq for Deal {
    fn eq(&self, other: &Deal) -> bool {
        let plain = |deal: &Deal| {
            let Deal { hands, places: _, tally, number, seats, dealer, leader, turn, opened, .. } = *deal;
            let Deal { table_len, trick_at, in_round, stock_at, stock_end, leads, kings, .. } = *deal;
            let heads = (hands, tally, number, seats, dealer, leader, turn, opened);
            (heads, table_len, trick_at, in_round, stock_at, stock_end, leads, kings)
        };
        plain(self) == plain(other)
            && self.table_places() == other.table_places()
            && self.stock_places() == other.stock_places()
    }
}

impl Deal {
    /// The deal's number in the match, from 1.
    pub const fn number(&self) -> u16 {
        self.number
    }

    /// Who dealt.
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Who led to the running trick, or is to lead.
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// How many play.
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// Who is to act; nobody when the deal is over.
    #[inline]
    pub const fn turn(&self) -> Option<Seat> {
        self.turn
    }

    /// Whether the deal is over.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.turn.is_none()
    }

    /// A seat's hand.
    #[inline]
    pub const fn hand(&self, seat: Seat) -> CardSet {
        *self.hands.get(seat)
    }

    /// The stock, top first.
    pub fn stock(&self) -> impl ExactSizeIterator<Item = Card> {
        self.stock_places().iter().map(|place| place.card())
    }

    /// What was won so far.
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Everything on the table in the order of play, with who played it; what is in abeyance comes first.
    pub fn table(&self) -> impl ExactSizeIterator<Item = (Seat, Card)> {
        self.table_places()
            .iter()
            .enumerate()
            .map(|(at, place)| (self.leader.after(at, self.seats), place.card()))
    }

    #[inline]
    pub(crate) fn table_places(&self) -> &[Place] {
        self.places.get(..usize::from(self.table_len)).unwrap_or(&[])
    }

    #[inline]
    pub(crate) fn trick_places(&self) -> &[Place] {
        self.places.get(usize::from(self.trick_at)..usize::from(self.table_len)).unwrap_or(&[])
    }

    #[inline]
    pub(crate) fn stock_places(&self) -> &[Place] {
        self.places.get(usize::from(self.stock_at)..usize::from(self.stock_end)).unwrap_or(&[])
    }

    /// How many cards the stock has.
    #[inline]
    pub const fn stock_len(&self) -> u8 {
        self.stock_end.saturating_sub(self.stock_at)
    }
}

//! What each seat has won in a deal.

use crate::card::Suit;
use crate::seat::{BySeat, Seat, SeatSet};

/// What each seat has won in a deal so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Tally {
    /// Card points.
    pub(crate) cards: BySeat<u8>,
    /// Marriages and the last-trick bonus.
    pub(crate) extras: BySeat<u8>,
    /// Tricks.
    pub(crate) tricks: BySeat<u8>,
    /// Suits whose marriage was announced; bit 0 is clubs.
    pub(crate) announced: u8,
}

impl Tally {
    /// Card points of a side: what it has in its tricks.
    pub fn card_points(&self, side: SeatSet) -> u8 {
        sum(self.cards, side)
    }

    /// All points of a side: cards, marriages, and the last-trick bonus once the deal has ended.
    pub fn side_points(&self, side: SeatSet) -> u8 {
        self.card_points(side).saturating_add(sum(self.extras, side))
    }

    /// Tricks of a side.
    pub fn tricks(&self, side: SeatSet) -> u8 {
        sum(self.tricks, side)
    }

    #[inline]
    pub(crate) fn trick(&mut self, seat: Seat, points: u8) {
        add(&mut self.cards, seat, points);
        add(&mut self.tricks, seat, 1);
    }

    pub(crate) fn marriage(&mut self, seat: Seat, suit: Suit, points: u8) {
        add(&mut self.extras, seat, points);
        self.announced |= 1 << (suit.number() - 1);
    }

    pub(crate) fn bonus(&mut self, seat: Seat, points: u8) {
        add(&mut self.extras, seat, points);
    }

    pub(crate) fn is_announced(&self, suit: Suit) -> bool {
        self.announced >> (suit.number() - 1) & 1 == 1
    }
}

/// Reads and writes all four seats at once, as [`sum`] reads them: what was just written in parts is slow to
/// read as a whole.
#[inline]
fn add(to: &mut BySeat<u8>, seat: Seat, points: u8) {
    let lanes = u32::from_le_bytes(to.into_values());
    let lane = 8 * seat.index();
    let [before, ..] = (lanes >> lane).to_le_bytes();
    let more = u32::from(before.saturating_add(points) - before);
    *to = BySeat::new((lanes + (more << lane)).to_le_bytes());
}

/// For each set of seats, a byte of ones for each of its seats.
const LANES: [u32; 16] = {
    let mut lanes = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut seat = 0;
        while seat < 4 {
            if bits >> seat & 1 == 1 {
                lanes[bits] |= 0xff << (8 * seat);
            }
            seat += 1;
        }
        bits += 1;
    }
    lanes
};

/// Adds four bytes at once: this is asked for after each trick of some rules. That no sum passes 255 was
/// checked with the rules.
#[inline]
fn sum(of: BySeat<u8>, side: SeatSet) -> u8 {
    let lanes = u32::from_le_bytes(of.into_values()) & LANES[usize::from(side.bits() & 15)];
    let [.., sum] = lanes.wrapping_mul(0x0101_0101).to_le_bytes();
    sum
}

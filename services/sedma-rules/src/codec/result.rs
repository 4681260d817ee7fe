//! The binary form of a deal's result: tier, bonus, last-trick seat and number of sides in a byte each
//! nibble, then four bytes a side.

use crate::codec::{byte, high, low, nibbles, seat_number, seat_or_nobody, seat_set};
use crate::corrupt::Corrupt;
use crate::fact::{DealResult, DealSides, DealTier, SideScore};

impl DealResult {
    /// Appends: tier, bonus, last-trick seat | sides, then for each side its seats, points, tricks, game
    /// points.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let sides = u8::try_from(self.sides.len()).unwrap_or(4);
        out.extend([
            self.tier as u8,
            self.last_trick_bonus,
            nibbles(seat_number(self.last_trick_seat), sides),
        ]);
        for side in &self.sides {
            out.extend([side.seats.bits(), side.points, side.tricks, side.game_points]);
        }
    }

    pub(crate) fn decode(from: &mut &[u8]) -> Result<DealResult, Corrupt> {
        let tier = byte(from)?;
        let tier = DealTier::ALL.into_iter().find(|it| *it as u8 == tier).ok_or(Corrupt::NoSuchValue)?;
        let last_trick_bonus = byte(from)?;
        let last_and_sides = byte(from)?;
        let last_trick_seat = seat_or_nobody(low(last_and_sides))?;
        let mut sides = [SideScore::default(); 4];
        let named = sides.get_mut(..usize::from(high(last_and_sides))).ok_or(Corrupt::NoSuchValue)?;
        for side in named.iter_mut() {
            *side = SideScore {
                seats: seat_set(byte(from)?)?,
                points: byte(from)?,
                tricks: byte(from)?,
                game_points: byte(from)?,
            };
        }
        Ok(DealResult { tier, sides: DealSides::new(named), last_trick_bonus, last_trick_seat })
    }
}

//! Who scores together.

use crate::rules::Partnership;
use crate::seat::{Seat, SeatSet};

/// Up to four sides, in the order of their lowest seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sides {
    seats: [SeatSet; 4],
    len: u8,
}

impl Sides {
    /// These sides, ordered by their lowest seats; no more than four, empty ones left out.
    pub(crate) fn of(sides: &[SeatSet]) -> Sides {
        let mut ordered = Sides { seats: [SeatSet::EMPTY; 4], len: 0 };
        for seat in Seat::ALL {
            let begins_with = |side: &&SeatSet| side.iter().next() == Some(seat);
            if let (Some(&side), Some(slot)) =
                (sides.iter().find(begins_with), ordered.seats.get_mut(usize::from(ordered.len)))
            {
                *slot = side;
                ordered.len += 1;
            }
        }
        ordered
    }

    /// The sides of a match. A secret soloist's deal joins the others, but in the match everybody scores
    /// alone.
    pub(crate) fn of_match(partnership: Partnership, seats: u8) -> Sides {
        match partnership {
            Partnership::FixedPairs => {
                Sides::of(&[SeatSet::of(&[Seat::One, Seat::Three]), SeatSet::of(&[Seat::Two, Seat::Four])])
            }
            Partnership::Individual | Partnership::SecretSoloist => {
                let alone: Vec<SeatSet> = Seat::first(seats).map(|seat| SeatSet::of(&[seat])).collect();
                Sides::of(&alone)
            }
        }
    }

    /// The sides.
    pub fn as_slice(&self) -> &[SeatSet] {
        self.seats.get(..usize::from(self.len)).unwrap_or(&[])
    }

    /// The sides.
    pub fn iter(&self) -> impl Iterator<Item = SeatSet> {
        self.as_slice().iter().copied()
    }

    /// The side a seat is on.
    pub fn side_of(&self, seat: Seat) -> SeatSet {
        self.iter().find(|side| side.contains(seat)).unwrap_or(SeatSet::of(&[seat]))
    }
}

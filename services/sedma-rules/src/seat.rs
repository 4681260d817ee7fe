//! Seats, numbered from 1 in playing order, and what is kept for each of them.

use std::fmt;

/// A seat at the table. Numbers follow the playing order, whichever way the game goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Seat {
    One = 1,
    Two = 2,
    Three = 3,
    Four = 4,
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct SeatSet(u8);

/// One value for each of four seats; where fewer play, the rest keeps its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct BySeat<T>([T; 4]);

impl Seat {
    /// Every seat, in playing order.
    pub const ALL: [Seat; 4] = [Seat::One, Seat::Two, Seat::Three, Seat::Four];

    /// The seat of a number from 1 to 4.
    pub const fn new(number: u8) -> Option<Seat> {
        match number {
            1 => Some(Seat::One),
            2 => Some(Seat::Two),
            3 => Some(Seat::Three),
            4 => Some(Seat::Four),
            _ => None,
        }
    }

    /// The seat's number, from 1.
    #[inline]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The seat's place, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The seat that plays after this one where so many play.
    #[must_use]
    #[inline]
    pub const fn next(self, seats: u8) -> Seat {
        Seat::at(if self.number() < seats { self.index() + 1 } else { 0 })
    }

    /// The seat so many places further on where so many play.
    #[must_use]
    #[inline]
    pub const fn after(self, places: usize, seats: u8) -> Seat {
        let seats = seats as usize;
        let places = if places < seats || seats == 0 { places } else { places % seats };
        let place = self.index() + places;
        Seat::at(if place < seats { place } else { place.wrapping_sub(seats) })
    }

    /// The seat at a place from 0 to 3. Who plays next is asked for each card, at random places, and everything
    /// after it waits for the answer: it is reckoned, for a table in memory is slower and a branch is guessed
    /// wrong.
    #[inline]
    const fn at(place: usize) -> Seat {
        match place & 3 {
            0 => Seat::One,
            1 => Seat::Two,
            2 => Seat::Three,
            _ => Seat::Four,
        }
    }

    /// The seats of a table, in playing order.
    pub fn first(seats: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        Seat::ALL.into_iter().take(usize::from(seats))
    }

    /// The seats of a table in playing order, from this one on.
    pub fn round(self, seats: u8) -> impl Iterator<Item = Seat> {
        (0..usize::from(seats)).map(move |place| self.after(place, seats))
    }
}

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The set of these seats.
    pub const fn of(seats: &[Seat]) -> SeatSet {
        let mut bits = 0;
        let mut at = 0;
        while at < seats.len() {
            bits |= 1 << seats[at].index();
            at += 1;
        }
        SeatSet(bits)
    }

    /// Every seat of a table of so many.
    pub fn all(seats: u8) -> SeatSet {
        Seat::first(seats).collect()
    }

    /// Whether the seat is in the set.
    #[inline]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.index() & 1 == 1
    }

    /// Puts a seat in.
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.index();
    }

    /// Takes a seat out, if it is there.
    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.index());
    }

    /// How many seats there are.
    #[expect(clippy::cast_possible_truncation, reason = "at most 4")]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether there is no seat.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats of either set.
    #[must_use]
    pub const fn union(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }

    /// The seats, of all four, that are not in the set.
    #[must_use]
    pub const fn complement(self) -> SeatSet {
        SeatSet(!self.0 & 15)
    }

    /// The seats, lowest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Seat> {
        Seat::ALL.into_iter().filter(move |seat| self.contains(*seat))
    }

    /// The set as bits: bit 0 is seat 1.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set of such bits, if none names what is no seat.
    pub const fn from_bits(bits: u8) -> Option<SeatSet> {
        if bits < 16 { Some(SeatSet(bits)) } else { None }
    }
}

impl<T> BySeat<T> {
    /// The values for seats 1 to 4.
    pub const fn new(values: [T; 4]) -> BySeat<T> {
        BySeat(values)
    }

    /// The values for seats 1 to 4.
    pub(crate) fn into_values(self) -> [T; 4] {
        self.0
    }

    /// What is kept for a seat.
    #[inline]
    pub const fn get(&self, seat: Seat) -> &T {
        &self.0[seat.index() & 3]
    }

    /// What is kept for a seat, to change.
    #[inline]
    pub const fn get_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index() & 3]
    }

    /// The first so many seats with their values.
    pub fn iter(&self, seats: u8) -> impl Iterator<Item = (Seat, &T)> {
        Seat::first(seats).zip(&self.0)
    }

    /// Swaps the values of two seats.
    pub const fn swap(&mut self, one: Seat, other: Seat) {
        self.0.swap(one.index() & 3, other.index() & 3);
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::number)).finish()
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        let mut set = SeatSet::EMPTY;
        for seat in seats {
            set.insert(seat);
        }
        set
    }
}

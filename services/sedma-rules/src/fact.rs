//! What happened. Facts are stored; applying them judges nothing and needs no rules, so a rule that is mended
//! later changes no match that was played.

use std::fmt;

use crate::card::Card;
use crate::pack::Pack;
use crate::seat::{Seat, SeatSet};
use crate::sides::Sides;

/// One thing that happened in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A pack was dealt, one card at a time from the seat after the dealer; the rest is the stock.
    Dealt {
        /// The deal's number in the match, from 1.
        deal: u16,
        /// Who dealt.
        dealer: Seat,
        /// Who leads first.
        leader: Seat,
        /// Cards in each hand.
        hand_size: u8,
        /// The pack, top first.
        pack: Pack,
    },
    /// The first leader changed hands with his partner, or said no.
    HandsExchanged {
        /// The leader.
        seat: Seat,
        /// Whether hands were changed.
        exchanged: bool,
    },
    /// A card was played.
    CardPlayed {
        /// By whom.
        seat: Seat,
        /// Which card.
        card: Card,
        /// Whether it was the stock's top card, played unseen.
        from_stock: bool,
        /// What its announced marriage earned at once; 0 = none was announced. A multiple of ten.
        marriage_points: u8,
    },
    /// A round is full and the leader may go on; he is to act.
    RoundEnded,
    /// The leader fights: what lies on the table is in abeyance, and he leads to a new trick.
    TrickSetAside,
    /// All that lies on the table was taken.
    TrickWon {
        /// By whom; he leads next.
        seat: Seat,
        /// Its card points, without the last-trick bonus.
        points: u8,
        /// How many cards.
        cards: u8,
    },
    /// So many cards were drawn from the top of the stock, one at a time in playing order.
    Drawn {
        /// Who drew first.
        first: Seat,
        /// How many in all.
        cards: u8,
    },
    /// The deal ended.
    DealEnded(DealResult),
    /// The match ended.
    MatchEnded {
        /// Who won it.
        winners: SeatSet,
    },
}

/// How a deal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DealResult {
    /// By what it was decided.
    pub tier: DealTier,
    /// The deal's sides with what each made of it.
    pub sides: DealSides,
    /// The last-trick bonus, in the points of the side that earned it; 0 = none was awarded.
    pub last_trick_bonus: u8,
    /// Who took the last trick of a deal that was played to its last card.
    pub last_trick_seat: Option<Seat>,
}

/// What one side made of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct SideScore {
    /// The side's seats.
    pub seats: SeatSet,
    /// Card points, marriages and last-trick bonus.
    pub points: u8,
    /// Tricks taken.
    pub tricks: u8,
    /// What each member gets in the match score.
    pub game_points: u8,
}

/// The sides of a deal, by their lowest seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct DealSides {
    sides: [SideScore; 4],
    len: u8,
}

/// By what a deal was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum DealTier {
    /// Nobody scores.
    Void = 1,
    /// Most points.
    Win = 2,
    /// A sweep of the points ("bald").
    SweepPoints = 3,
    /// Every trick ("naked").
    SweepCards = 4,
    /// Four of a rank in one hand.
    BurnedHand = 5,
    /// Four of a rank as the first four cards of a trick.
    BurnedTrick = 6,
    /// Several sides level on top, each scoring.
    Shared = 7,
    /// Each side scores its points.
    RawPoints = 8,
}

impl DealTier {
    /// Every tier.
    pub const ALL: [DealTier; 8] = [
        DealTier::Void,
        DealTier::Win,
        DealTier::SweepPoints,
        DealTier::SweepCards,
        DealTier::BurnedHand,
        DealTier::BurnedTrick,
        DealTier::Shared,
        DealTier::RawPoints,
    ];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            DealTier::Void => "void",
            DealTier::Win => "win",
            DealTier::SweepPoints => "sweep_points",
            DealTier::SweepCards => "sweep_cards",
            DealTier::BurnedHand => "burned_hand",
            DealTier::BurnedTrick => "burned_trick",
            DealTier::Shared => "shared",
            DealTier::RawPoints => "raw_points",
        }
    }
}

impl fmt::Display for DealTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl DealSides {
    /// These sides; what goes beyond four is left out.
    pub fn new(sides: &[SideScore]) -> DealSides {
        let mut all = DealSides::default();
        for (slot, side) in all.sides.iter_mut().zip(sides) {
            *slot = *side;
            all.len += 1;
        }
        all
    }

    /// These sides with what each has scored.
    pub(crate) fn scored(sides: &Sides, score: impl Fn(SeatSet) -> SideScore) -> DealSides {
        let mut all = DealSides::default();
        for (slot, side) in all.sides.iter_mut().zip(sides.iter()) {
            *slot = score(side);
            all.len += 1;
        }
        all
    }

    /// The sides.
    pub fn as_slice(&self) -> &[SideScore] {
        self.sides.get(..usize::from(self.len)).unwrap_or(&[])
    }

    /// The sides, to change.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [SideScore] {
        self.sides.get_mut(..usize::from(self.len)).unwrap_or(&mut [])
    }

    /// The sides.
    pub fn iter(&self) -> std::slice::Iter<'_, SideScore> {
        self.as_slice().iter()
    }

    /// How many sides there are.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The side a seat was on.
    pub fn side_of(&self, seat: Seat) -> Option<&SideScore> {
        self.iter().find(|side| side.seats.contains(seat))
    }
}

impl<'a> IntoIterator for &'a DealSides {
    type Item = &'a SideScore;
    type IntoIter = std::slice::Iter<'a, SideScore>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

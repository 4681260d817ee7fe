//! What everybody was told that depends on cards which not everybody knows.

use tests::v1::Card;

/// Whether a hand held certain cards. Everybody was told, by what happened next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Promise {
    /// The places in the pack where the hand's cards lay.
    hand: Vec<usize>,
    held: Held,
    holds: bool,
}

/// What a hand held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// One of these cards, or several.
    AnyOf(Vec<Card>),
    /// Four cards of one rank, and the last of the hand is one of them.
    FourWithTheLast,
}

impl Promise {
    /// That a hand, the cards of which lay at these places of this pack, held these or did not.
    pub(crate) fn of(pack: &[Card], hand: &[usize], held: Held) -> Self {
        let mut promise = Self { hand: hand.to_vec(), held, holds: true };
        promise.holds = promise.is_kept_by(pack);
        promise
    }

    /// Whether the hand held them.
    pub(crate) fn holds(&self) -> bool {
        self.holds
    }

    /// Whether it is about burning.
    pub(crate) fn burns(&self) -> bool {
        self.holds && self.held == Held::FourWithTheLast
    }

    /// Whether everybody would have been told the same of a hand that came from these places of another pack.
    pub(crate) fn is_kept_by(&self, pack: &[Card]) -> bool {
        let mut cards = self.hand.iter().map(|place| pack[*place]);
        let holds = match &self.held {
            Held::AnyOf(wanted) => cards.any(|card| wanted.contains(&card)),
            Held::FourWithTheLast => {
                let last = cards.next_back();
                last.is_some_and(|last| cards.filter(|card| card.rank == last.rank).count() == 3)
            }
        };
        holds == self.holds
    }
}

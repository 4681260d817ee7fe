//! The referee's referee: who takes a trick, in as few lines as the rule has words.

use tests::v1::{self, Rank};

/// Seats in the order in which they play a trick that this one leads.
pub(crate) fn order(leader: i32, seats: i32) -> impl Iterator<Item = i32> {
    (0..seats).map(move |n| (leader - 1 + n) % seats + 1)
}

/// The place in the trick of the card that takes it: the last one that has the rank of the first, or is a seven.
pub(crate) fn taker(cards: &[v1::Card]) -> usize {
    let led = cards[0].rank();
    cards.iter().rposition(|card| card.rank() == led || card.rank() == Rank::Seven).unwrap_or(0)
}

/// Aces and tens are worth ten.
pub(crate) fn points(cards: &[v1::Card]) -> i32 {
    cards.iter().map(|card| if matches!(card.rank(), Rank::Ace | Rank::Ten) { 10 } else { 0 }).sum()
}

/// One trick, judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    /// Who played what, from the lead.
    pub(crate) plays: Vec<v1::Play>,
    /// Who takes it.
    pub(crate) winner: i32,
    /// What its cards are worth.
    pub(crate) points: i32,
}

/// Judges a trick that this seat leads.
pub(crate) fn judge(leader: i32, seats: i32, cards: &[v1::Card]) -> Judged {
    let order: Vec<i32> = order(leader, seats).collect();
    let play =
        |(seat, card): (&i32, &v1::Card)| v1::Play { seat: *seat, card: Some(*card), ..v1::Play::default() };
    let plays = order.iter().cycle().zip(cards).map(play).collect();
    Judged { plays, winner: order[taker(cards) % order.len()], points: points(cards) }
}

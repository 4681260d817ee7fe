//! Which cards of a hand may be played.

use super::book::{Book, Bound};
use super::card::Card;
use super::trick::{Play, Trick};

/// The cards that may follow in a round that is not full.
pub(crate) fn following(book: &Book, trick: &Trick, hand: &[Card]) -> Vec<Card> {
    let bound: Vec<Card> = hand.iter().copied().filter(|card| binds(book, trick, *card)).collect();
    if bound.is_empty() { hand.to_vec() } else { bound }
}

/// Whether holding the card binds a follower to it and its like.
fn binds(book: &Book, trick: &Trick, card: Card) -> bool {
    match book.bound {
        Bound::Never => false,
        Bound::MustMatch => book.matches(trick.lead().card, card),
        Bound::AfterTwoEqual => Some(card.rank) == rank_of_two_equal(trick.round(book)),
        Bound::AfterTwoEqualToTheLead => {
            let twice = rank_of_two_equal(trick.round(book));
            twice == Some(trick.lead().card.rank) && twice == Some(card.rank)
        }
    }
}

/// The printed rank that the last two plays of a round share.
fn rank_of_two_equal(round: &[Play]) -> Option<char> {
    let [.., one, other] = round else { return None };
    (one.card.rank == other.card.rank).then_some(other.card.rank)
}

/// The cards that may be led, after these leads of the deal (who led, and what). A rank that the seat has led
/// as often in a row as it may is refused, unless the seat has nothing else.
pub(crate) fn leading(book: &Book, leads: &[(usize, Card)], seat: usize, hand: &[Card]) -> Vec<Card> {
    let worn_out = |rank: char| {
        let most = book.leads_of_a_rank;
        let in_a_row = leads.iter().rev().take_while(|(by, led)| *by == seat && led.rank == rank).count();
        most > 0 && in_a_row >= most
    };
    let free: Vec<Card> = hand.iter().copied().filter(|card| !worn_out(card.rank)).collect();
    if free.is_empty() { hand.to_vec() } else { free }
}

/// Whether the card is king or queen, and the other of its suit is in the same hand.
pub(crate) fn has_marriage(hand: &[Card], card: Card) -> bool {
    let other = match card.rank {
        'K' => 'Q',
        'Q' => 'K',
        _ => return false,
    };
    hand.contains(&Card { rank: other, suit: card.suit })
}

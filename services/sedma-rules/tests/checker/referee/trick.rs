//! A trick: the cards from one lead on, however many rounds they fill.

use super::book::{Book, GoOnIf, GoingOn};
use super::card::Card;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Play {
    pub(crate) seat: usize,
    pub(crate) card: Card,
    pub(crate) blind: bool,
    /// What an announced marriage earned with it.
    pub(crate) marriage: u32,
}

/// The plays of a trick in order; there is at least the lead.
#[derive(Clone, Debug)]
pub(crate) struct Trick {
    pub(crate) plays: Vec<Play>,
}

impl Trick {
    pub(crate) fn led(lead: Play) -> Trick {
        Trick { plays: vec![lead] }
    }

    pub(crate) fn lead(&self) -> Play {
        self.plays[0]
    }

    /// The seat that played the last matching card, or the leader's if none did.
    pub(crate) fn winner(&self, book: &Book) -> usize {
        let matching = |play: &&Play| book.matches(self.lead().card, play.card);
        self.plays.iter().rfind(matching).map_or(self.lead().seat, |play| play.seat)
    }

    pub(crate) fn is_round_full(&self, book: &Book) -> bool {
        self.plays.len().is_multiple_of(book.seats)
    }

    /// The plays of the round that is being played, or of the one just filled.
    pub(crate) fn round(&self, book: &Book) -> &[Play] {
        let rounds_before = (self.plays.len() - 1) / book.seats;
        &self.plays[rounds_before * book.seats..]
    }

    /// Whether the first four plays, one after the other, share their printed rank, the last just played.
    pub(crate) fn is_burned(&self, book: &Book) -> bool {
        let equal = self.plays.iter().all(|play| play.card.rank == self.lead().card.rank);
        book.burned_trick && self.plays.len() == 4 && equal
    }

    /// Whether what happened in the full round lets its leader go on, if he has the cards.
    fn lets_leader_go_on(&self, book: &Book) -> bool {
        let lead = self.lead();
        match book.go_on_if {
            GoOnIf::Always => true,
            GoOnIf::SomeoneMatched => {
                let matched = |play: &Play| play.seat != lead.seat && book.matches(lead.card, play.card);
                self.round(book).iter().any(matched)
            }
            GoOnIf::OpponentWinning => !book.partners(lead.seat, self.winner(book)),
        }
    }

    /// The cards with which the leader of a full round may go on; without any the trick is over.
    pub(crate) fn going_on(&self, book: &Book, hand: &[Card]) -> Vec<Card> {
        let goes_on = |card: &Card| match book.going_on {
            GoingOn::Never => false,
            GoingOn::SameTrick => book.matches(self.lead().card, *card),
            GoingOn::NewTrick => true,
        };
        if self.lets_leader_go_on(book) { hand.iter().copied().filter(goes_on).collect() } else { Vec::new() }
    }
}

/// What tricks taken together count, and how many cards they have.
pub(crate) fn points_and_cards(book: &Book, tricks: &[Trick]) -> (u32, usize) {
    let plays = tricks.iter().flat_map(|trick| &trick.plays);
    (plays.clone().map(|play| book.value(play.card)).sum(), plays.count())
}

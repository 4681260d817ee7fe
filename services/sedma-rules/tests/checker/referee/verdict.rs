//! Single tricks: how they may be played, and who takes them.

use std::rc::Rc;

use super::book::{Book, GoingOn};
use super::card::Card;
use super::legal;
use super::trick::{Play, Trick, points_and_cards};

/// Who takes a trick, and what it brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) winner: usize,
    pub(crate) points: u32,
    pub(crate) last_trick_bonus: u32,
    pub(crate) marriage_points: u32,
    /// Of each play whether it led, matched or neither.
    pub(crate) reasons: Vec<&'static str>,
}

/// A trick that is played from hands of any size, up to its last round; the tricks of a fight are one.
pub(crate) struct WholeTrick {
    book: Rc<Book>,
    hands: Vec<Vec<Card>>,
    leader: usize,
    table: Vec<Trick>,
}

impl WholeTrick {
    pub(super) fn new(book: Rc<Book>, hands: &[Vec<String>], leader: usize) -> WholeTrick {
        let hands = hands.iter().map(|hand| hand.iter().map(|card| Card::read(card)).collect()).collect();
        WholeTrick { book, hands, leader, table: Vec::new() }
    }

    /// The seat to play, with the cards it may play; with a full round before it, it may also stop.
    pub(crate) fn choices(&self) -> Option<(usize, Vec<String>)> {
        let Some(trick) = self.table.last() else {
            return Some((self.leader, texts(&self.hands[self.leader - 1])));
        };
        let seat = self.book.seat_after(self.leader, trick.plays.len());
        let hand = &self.hands[seat - 1];
        let cards = match trick.is_round_full(&self.book) {
            _ if trick.is_burned(&self.book) => Vec::new(),
            true => trick.going_on(&self.book, hand),
            false => legal::following(&self.book, trick, hand),
        };
        (!cards.is_empty()).then(|| (seat, texts(&cards)))
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.table.last().is_some_and(|trick| trick.is_round_full(&self.book) || trick.is_burned(&self.book))
    }

    /// Whether the card leads to the trick that is being played, or matches it.
    pub(crate) fn matches(&self, card: &str) -> bool {
        let trick = self.table.last();
        trick.is_none_or(|trick| self.book.matches(trick.lead().card, Card::read(card)))
    }

    /// Whether a marriage may be announced with the card that is played next.
    pub(crate) fn may_announce(&self, card: &str) -> bool {
        self.book.marriages
            && self.table.is_empty()
            && legal::has_marriage(&self.hands[self.leader - 1], Card::read(card))
    }

    pub(crate) fn play(&mut self, seat: usize, card: &str, announce: bool) {
        let card = Card::read(card);
        self.hands[seat - 1].retain(|held| *held != card);
        let marriage = if announce { self.book.marriage_in(card.suit) } else { 0 };
        let play = Play { seat, card, blind: false, marriage };
        let fights = self.book.going_on == GoingOn::NewTrick;
        match self.table.last_mut() {
            Some(trick) if !(fights && trick.is_round_full(&self.book)) => trick.plays.push(play),
            _ => self.table.push(Trick::led(play)),
        }
    }

    /// Every play so far: seat, card, and whether a marriage was announced.
    pub(crate) fn plays(&self) -> Vec<(usize, String, bool)> {
        let plays = self.table.iter().flat_map(|trick| &trick.plays);
        plays.map(|play| (play.seat, play.card.to_string(), play.marriage > 0)).collect()
    }

    pub(crate) fn verdict(&self, last_trick: bool) -> Verdict {
        let reasons = self.table.iter().flat_map(|trick| {
            let matches = |play: &Play| self.book.matches(trick.lead().card, play.card);
            let follow = trick.plays[1..].iter().map(move |play| if matches(play) { "matches" } else { "-" });
            std::iter::once("leads").chain(follow)
        });
        let burned = self.table.last().is_some_and(|trick| trick.is_burned(&self.book));
        Verdict {
            winner: self.table.last().map_or(self.leader, |trick| trick.winner(&self.book)),
            points: points_and_cards(&self.book, &self.table).0,
            // None after a burned deal: it has no last trick.
            last_trick_bonus: if last_trick && !burned { self.book.last_trick } else { 0 },
            marriage_points: self.table.iter().flat_map(|trick| &trick.plays).map(|play| play.marriage).sum(),
            reasons: reasons.collect(),
        }
    }
}

fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

//! What a player may be told of a fact.

use crate::card::Card;
use crate::card_set::CardSet;
use crate::deal::Deal;
use crate::fact::{DealResult, Fact};
use crate::matchplay::Match;
use crate::seat::{Seat, SeatSet};
use crate::view::SideView;

/// A fact as some seats may be told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A pack was dealt.
    Dealt {
        /// The deal's number, from 1.
        deal: u16,
        /// Who dealt.
        dealer: Seat,
        /// Who leads first.
        leader: Seat,
        /// Cards in the stock.
        stock_count: u8,
        /// The viewers' own hands.
        own: Vec<(Seat, CardSet)>,
    },
    /// The first leader changed hands with his partner, or said no.
    HandsExchanged {
        /// The leader.
        seat: Seat,
        /// Whether hands were changed.
        exchanged: bool,
        /// The viewers' new hands, if theirs changed.
        own: Vec<(Seat, CardSet)>,
    },
    /// A card was played.
    CardPlayed {
        /// By whom.
        seat: Seat,
        /// Which card.
        card: Card,
        /// Whether it came unseen from the stock.
        from_stock: bool,
        /// What its announced marriage earned; 0 = none was announced.
        marriage_points: u8,
    },
    /// A round is full and its leader may go on.
    RoundEnded,
    /// The leader fights: what lies on the table is in abeyance.
    TrickSetAside,
    /// All that lies on the table was taken.
    TrickWon {
        /// By whom.
        seat: Seat,
        /// Its card points, without the last-trick bonus.
        points: u8,
        /// Its cards in the order of play.
        cards: Vec<Card>,
    },
    /// A seat drew from the stock. One event for each seat that drew, in the order of their first cards.
    CardsDrawn {
        /// Who drew.
        seat: Seat,
        /// How many cards.
        count: u8,
    },
    /// What a viewer drew, in order; follows his [`Event::CardsDrawn`].
    OwnCardsDrawn {
        /// The viewer.
        seat: Seat,
        /// The cards.
        cards: Vec<Card>,
    },
    /// The deal ended.
    DealEnded {
        /// How it came out.
        result: DealResult,
        /// The sides of the match after it, each with what it made of the deal for itself.
        totals: Vec<SideView>,
    },
    /// The match ended.
    MatchEnded {
        /// Who won it.
        winners: SeatSet,
    },
}

impl Match {
    /// What these viewers may be told of a fact that is about to be applied to this state.
    pub fn events(&self, fact: &Fact, viewers: SeatSet, out: &mut Vec<Event>) {
        match *fact {
            Fact::Dealt { deal, dealer, leader, hand_size, ref pack } => {
                let dealt = Deal::dealt(deal, self.seats, dealer, leader, hand_size, pack);
                let own = self.hands_of(&dealt, viewers);
                out.push(Event::Dealt { deal, dealer, leader, stock_count: dealt.stock_len(), own });
            }
            Fact::HandsExchanged { seat, exchanged } => {
                let own = self.exchanged_hands(fact, seat, exchanged, viewers);
                out.push(Event::HandsExchanged { seat, exchanged, own });
            }
            Fact::CardPlayed { seat, card, from_stock, marriage_points } => {
                out.push(Event::CardPlayed { seat, card, from_stock, marriage_points });
            }
            Fact::RoundEnded => out.push(Event::RoundEnded),
            Fact::TrickSetAside => out.push(Event::TrickSetAside),
            Fact::TrickWon { seat, points, .. } => {
                let table = self.deal.as_ref().map_or(&[][..], Deal::table_places);
                out.push(Event::TrickWon {
                    seat,
                    points,
                    cards: table.iter().map(|place| place.card()).collect(),
                });
            }
            Fact::Drawn { first, cards } => self.tell_draws(first, cards, viewers, out),
            Fact::DealEnded(result) => {
                out.push(Event::DealEnded { result, totals: self.sides_after(fact) });
            }
            Fact::MatchEnded { winners } => out.push(Event::MatchEnded { winners }),
        }
    }

    fn hands_of(&self, deal: &Deal, viewers: SeatSet) -> Vec<(Seat, CardSet)> {
        Seat::first(self.seats)
            .filter(|seat| viewers.contains(*seat))
            .map(|seat| (seat, deal.hand(seat)))
            .collect()
    }

    fn exchanged_hands(
        &self,
        fact: &Fact,
        leader: Seat,
        exchanged: bool,
        viewers: SeatSet,
    ) -> Vec<(Seat, CardSet)> {
        let (true, Some(mut deal)) = (exchanged, self.deal) else { return Vec::new() };
        deal.evolve(fact);
        let changed = [leader, leader.after(2, self.seats)];
        self.hands_of(&deal, viewers).into_iter().filter(|(seat, _)| changed.contains(seat)).collect()
    }

    fn tell_draws(&self, first: Seat, cards: u8, viewers: SeatSet, out: &mut Vec<Event>) {
        let stock = self.deal.as_ref().map_or(&[][..], Deal::stock_places);
        let drawn = stock.get(..usize::from(cards).min(stock.len())).unwrap_or(&[]);
        for (turn, seat) in first.round(self.seats).enumerate() {
            let own = drawn.iter().skip(turn).step_by(usize::from(self.seats)).map(|place| place.card());
            let cards: Vec<Card> = own.collect();
            if cards.is_empty() {
                continue;
            }
            out.push(Event::CardsDrawn { seat, count: u8::try_from(cards.len()).unwrap_or(u8::MAX) });
            if viewers.contains(seat) {
                out.push(Event::OwnCardsDrawn { seat, cards });
            }
        }
    }
}

//! What holds in every deal, and which facts one can take. For states and facts that come from outside.

use crate::card_set::CardSet;
use crate::corrupt::Corrupt;
use crate::deal::Deal;
use crate::fact::Fact;
use crate::matchplay::Match;
use crate::pack::Pack;
use crate::seat::Seat;

impl Deal {
    /// Whether the state holds together: no card in two places, hands even, counts and turn in step.
    pub(crate) fn check(&self) -> Result<(), Corrupt> {
        self.check_counts()?;
        let mut seen = CardSet::EMPTY;
        let hands = Seat::ALL.into_iter().flat_map(|seat| self.hand(seat).iter());
        let placed = self.table_places().iter().chain(self.stock_places()).map(|place| place.card());
        for card in hands.chain(placed) {
            if seen.contains(card) {
                return Err(Corrupt::Cards);
            }
            seen.insert(card);
        }
        let no_stranger =
            Seat::ALL.into_iter().all(|seat| seat.number() <= self.seats || self.hand(seat).is_empty());
        hold(no_stranger && seen.len() <= self.stock_end, Corrupt::Cards)
    }

    /// Every card that nobody has won yet: hands, table and stock.
    fn cards_in_play(&self) -> CardSet {
        let hands = Seat::ALL.into_iter().fold(CardSet::EMPTY, |all, seat| all.union(self.hand(seat)));
        let placed = self.table_places().iter().chain(self.stock_places()).map(|place| place.card());
        hands.union(placed.collect())
    }

    fn check_counts(&self) -> Result<(), Corrupt> {
        hold((2..=4).contains(&self.seats) && self.number >= 1, Corrupt::Counts)?;
        for seat in [self.dealer, self.leader] {
            hold(seat.number() <= self.seats, Corrupt::Counts)?;
        }
        let ordered = self.trick_at <= self.table_len
            && self.table_len <= self.stock_at
            && self.stock_at <= self.stock_end
            && usize::from(self.stock_end) <= Pack::MAX_CARDS;
        hold(ordered, Corrupt::Counts)?;
        let plays = self.table_len - self.trick_at;
        let in_round = plays.checked_sub(1).map_or(0, |before| before % self.seats + 1);
        let turn = self.leader.after(usize::from(in_round), self.seats);
        hold(self.in_round == in_round && self.turn.is_none_or(|it| it == turn), Corrupt::Counts)?;
        let lens = Seat::first(self.seats).map(|seat| self.hand(seat).len());
        let (most, least) = (lens.clone().max().unwrap_or(0), lens.min().unwrap_or(0));
        hold(most - least <= 1 || self.is_over(), Corrupt::Counts)
    }

    /// Whether a fact can happen here.
    pub(crate) fn admits(&self, fact: &Fact) -> Result<(), Corrupt> {
        let fits = match *fact {
            Fact::Dealt { .. } | Fact::MatchEnded { .. } => false,
            Fact::HandsExchanged { seat, .. } => {
                Some(seat) == self.turn && self.seats == 4 && self.table_len == 0
            }
            Fact::CardPlayed { seat, card, from_stock, .. } => {
                let top = self.stock_places().first().map(|place| place.card());
                let there = if from_stock { top == Some(card) } else { self.hand(seat).contains(card) };
                there && Some(seat) == self.turn
            }
            Fact::RoundEnded | Fact::TrickSetAside => self.in_round == self.seats,
            Fact::TrickWon { seat, cards, .. } => {
                cards > 0
                    && cards == self.table_len
                    && seat.number() <= self.seats
                    && self.in_round == self.seats
            }
            Fact::Drawn { first, cards } => cards <= self.stock_len() && first.number() <= self.seats,
            Fact::DealEnded(ref result) => {
                result.last_trick_seat.is_none_or(|seat| seat.number() <= self.seats)
            }
        };
        hold(fits, Corrupt::OutOfPlace)
    }
}

impl Match {
    /// Whether the state holds together: the deal does, and no card of the last trick is anywhere else.
    pub(crate) fn check(&self) -> Result<(), Corrupt> {
        let Some(deal) = &self.deal else {
            return hold(self.last_trick.is_none() && self.last_deal.is_none(), Corrupt::Counts);
        };
        deal.check()?;
        hold(deal.seats == self.seats, Corrupt::Counts)?;
        let Some(trick) = &self.last_trick else { return Ok(()) };
        let seats_fit = trick.leader.number() <= self.seats && trick.winner.number() <= self.seats;
        hold(seats_fit && !trick.places().is_empty(), Corrupt::Counts)?;
        let in_play = deal.cards_in_play();
        let taken: CardSet = trick.places().iter().map(|place| place.card()).collect();
        let apart = taken.common(in_play).is_empty() && taken.len() == trick.len;
        hold(apart && taken.len() + in_play.len() <= deal.stock_end, Corrupt::Cards)
    }
}

fn hold(holds: bool, otherwise: Corrupt) -> Result<(), Corrupt> {
    if holds { Ok(()) } else { Err(otherwise) }
}

//! How facts change the state. Nothing here asks whether a fact is allowed, and none can make it panic.

use crate::card::Card;
use crate::card_set::CardSet;
use crate::deal::{Deal, KingsPlayed, Leads, Place};
use crate::fact::{DealResult, Fact};
use crate::pack::Pack;
use crate::scoring::Tally;
use crate::seat::{BySeat, Seat};

impl Deal {
    /// The deal that a dealt pack makes.
    #[inline]
    pub(crate) fn dealt(
        number: u16,
        seats: u8,
        dealer: Seat,
        leader: Seat,
        hand_size: u8,
        pack: &Pack,
    ) -> Deal {
        let dealt = usize::from(seats) * usize::from(hand_size);
        let hands = dealt_hands(pack.places().get(..dealt).unwrap_or(&[]), dealer, seats);
        let cards = u8::try_from(pack.cards().len()).unwrap_or(0);
        Deal {
            hands,
            places: pack.places().map(Place::stock),
            tally: Tally::default(),
            number,
            seats,
            dealer,
            leader,
            turn: Some(leader),
            opened: false,
            table_len: 0,
            trick_at: 0,
            in_round: 0,
            stock_at: u8::try_from(dealt).unwrap_or(cards).min(cards),
            stock_end: cards,
            leads: Leads::default(),
            kings: KingsPlayed::default(),
        }
    }

    /// Applies a fact to the running deal. A pack that is dealt and the end of a match are the match's
    /// business.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "where the fact is known, all but its own line falls away")]
    pub(crate) fn evolve(&mut self, fact: &Fact) {
        match *fact {
            Fact::Dealt { .. } | Fact::MatchEnded { .. } => {}
            Fact::HandsExchanged { seat, exchanged } => self.hands_exchanged(seat, exchanged),
            Fact::CardPlayed { seat, card, from_stock, marriage_points } => {
                self.card_played(seat, card, from_stock, marriage_points);
            }
            Fact::RoundEnded => self.turn = Some(self.leader),
            Fact::TrickSetAside => {
                self.trick_at = self.table_len;
                self.in_round = 0;
                self.turn = Some(self.leader);
            }
            Fact::TrickWon { seat, points, .. } => self.trick_won(seat, points),
            Fact::Drawn { first, cards } => self.drawn(first, cards),
            Fact::DealEnded(ref result) => self.deal_ended(result),
        }
    }

    fn hands_exchanged(&mut self, seat: Seat, exchanged: bool) {
        self.opened = true;
        if exchanged {
            self.hands.swap(seat, seat.after(2, self.seats));
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the engine's innermost step; a call of its own costs a fifth")]
    fn card_played(&mut self, seat: Seat, card: Card, from_stock: bool, marriage_points: u8) {
        if from_stock {
            self.stock_at = self.stock_end.min(self.stock_at + 1);
        } else {
            self.hands.get_mut(seat).remove(card);
        }
        if self.in_round == 0 {
            self.led(seat, card);
        } else if self.in_round >= self.seats {
            self.in_round = 0;
        }
        if let Some(place) = self.places.get_mut(usize::from(self.table_len)) {
            *place = Place::played(card, from_stock, marriage_points > 0);
            self.table_len += 1;
        }
        self.in_round += 1;
        self.turn = Some(seat.next(self.seats));
        if marriage_points > 0 {
            self.tally.marriage(seat, card.suit(), marriage_points);
        }
        self.kings.played(card, seat);
    }

    #[inline]
    fn led(&mut self, seat: Seat, card: Card) {
        self.opened = true;
        let rank = card.rank().number();
        let same_rank = self.leads.rank == rank || mutated!(CountsLeadsOfAnyRank);
        let again = u8::from(self.leads.last == Some(seat)) * u8::from(same_rank);
        let times = (self.leads.times * again).saturating_add(1);
        self.leads = Leads { last: Some(seat), rank, times };
    }

    #[inline]
    fn trick_won(&mut self, seat: Seat, points: u8) {
        self.table_len = 0;
        self.trick_at = 0;
        self.in_round = 0;
        self.tally.trick(seat, points);
        self.leader = seat;
        self.turn = Some(seat);
    }

    #[inline]
    fn drawn(&mut self, first: Seat, cards: u8) {
        let cards = cards.min(self.stock_len());
        let end = self.stock_at + cards;
        let drawn = self.places.get(usize::from(self.stock_at)..usize::from(end)).unwrap_or(&[]);
        let mut seat = first;
        for place in drawn {
            self.hands.get_mut(seat).insert(place.card());
            seat = seat.next(self.seats);
        }
        self.stock_at = end;
    }

    fn deal_ended(&mut self, result: &DealResult) {
        self.turn = None;
        if let Some(seat) = result.last_trick_seat {
            self.tally.bonus(seat, result.last_trick_bonus);
        }
    }
}

/// The hands that so many cards make, dealt one at a time from the seat after the dealer on. Hand by hand, so
/// that each is put together in a register.
#[inline]
fn dealt_hands(cards: &[Card], dealer: Seat, seats: u8) -> BySeat<CardSet> {
    let first = dealer.next(seats).index();
    let seats = usize::from(seats);
    let hand = |seat: Seat| {
        let round = if seat.index() < first { seats } else { 0 };
        let dealt = cards.iter().skip(seat.index() + round - first).step_by(seats.max(1));
        if seat.index() < seats { dealt.copied().collect() } else { CardSet::EMPTY }
    };
    BySeat::new([hand(Seat::One), hand(Seat::Two), hand(Seat::Three), hand(Seat::Four)])
}

//! An accepted action and everything that follows from it.

use crate::action::{Action, Refused};
use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::deal::{Deal, Moment};
use crate::fact::Fact;
use crate::rules::{Continuation, Rules};
use crate::scoring::{Ending, settle};
use crate::seat::Seat;

/// A card that is about to be played.
#[derive(Clone, Copy)]
struct Played {
    seat: Seat,
    card: Card,
    from_stock: bool,
    marriage_points: u8,
}

impl Deal {
    /// Does what a seat asks for, and tells every fact in order, the end of the deal included. A refused
    /// action changes nothing and tells nothing.
    #[inline]
    pub fn apply(
        &mut self,
        rules: &Rules,
        seat: Seat,
        action: Action,
        tell: &mut impl FnMut(&Fact),
    ) -> Result<(), Refused> {
        if let Action::Play { card, announce_marriage } = action {
            return self.play_card(rules, seat, card, announce_marriage, tell);
        }
        if let Some(refused) = self.refusal(rules, seat, action) {
            return Err(refused);
        }
        match action {
            Action::Play { .. } => {}
            Action::PlayFromStock => {
                if let Some(card) = self.stock_places().first().map(|place| place.card()) {
                    self.play(rules, Played { seat, card, from_stock: true, marriage_points: 0 }, tell);
                }
            }
            Action::EndTrick => self.take_trick(rules, tell),
            Action::ExchangeHands(exchanged) => self.happen(&Fact::HandsExchanged { seat, exchanged }, tell),
        }
        Ok(())
    }

    /// [`Deal::apply`] for the action that nearly all of them are: the shortest way for search and
    /// simulation.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the engine's innermost step; a call of its own costs a fifth")]
    pub fn play_card(
        &mut self,
        rules: &Rules,
        seat: Seat,
        card: Card,
        announce_marriage: bool,
        tell: &mut impl FnMut(&Fact),
    ) -> Result<(), Refused> {
        if let Some(refused) = self.refused_play(rules, seat, card, announce_marriage) {
            return Err(refused);
        }
        let marriage_points = if announce_marriage { rules.options().marriage_value(card.suit()) } else { 0 };
        self.play(rules, Played { seat, card, from_stock: false, marriage_points }, tell);
        Ok(())
    }

    /// What happened changes the state first and is told then. Nothing else in this file changes the state.
    #[inline]
    fn happen(&mut self, fact: &Fact, tell: &mut impl FnMut(&Fact)) {
        self.evolve(fact);
        tell(fact);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the engine's innermost step; a call of its own costs a fifth")]
    fn play(&mut self, rules: &Rules, played: Played, tell: &mut impl FnMut(&Fact)) {
        let Played { seat, card, from_stock, marriage_points } = played;
        let fights = rules.options().continuation == Continuation::AbeyanceNewLead;
        if fights && self.moment(rules) == Moment::Decide {
            self.happen(&Fact::TrickSetAside, tell);
        }
        self.happen(&Fact::CardPlayed { seat, card, from_stock, marriage_points }, tell);
        if rules.looks_at_each_play() {
            self.look_at_play(rules, seat, from_stock, tell);
        }
        if self.in_round == self.seats && !self.is_over() {
            self.fill_round(rules, tell);
        }
    }

    /// What some rules have follow from a single play: the trick burns, which ends the deal before anything
    /// else; or the hand is filled up at once (a card from the stock left it full).
    fn look_at_play(&mut self, rules: &Rules, seat: Seat, from_stock: bool, tell: &mut impl FnMut(&Fact)) {
        if self.trick_is_burned(rules) {
            self.end(rules, Ending::BurnedTrick(seat), tell);
        } else if rules.draws_after_each_play() && (!from_stock || mutated!(BlindPlayDraws)) {
            self.draw(rules, seat, self.stock_len().min(1), tell);
        }
    }

    #[inline]
    fn fill_round(&mut self, rules: &Rules, tell: &mut impl FnMut(&Fact)) {
        if self.may_go_on(rules) {
            self.happen(&Fact::RoundEnded, tell);
        } else {
            self.take_trick(rules, tell);
        }
    }

    #[inline]
    fn take_trick(&mut self, rules: &Rules, tell: &mut impl FnMut(&Fact)) {
        let (seat, points) = self.weigh(rules);
        let taken = self.table_len;
        let leader = self.leader;
        self.happen(&Fact::TrickWon { seat, points, cards: taken }, tell);
        if self.hand(seat).is_empty() && self.stock_len() == 0 {
            self.end(rules, Ending::PlayedOut { last: seat }, tell);
        } else if self.reached_the_stop(rules, seat) {
            self.end(rules, Ending::Stopped { by: seat }, tell);
        } else if !rules.draws_after_each_play() && self.stock_len() > 0 {
            // While there is a stock, hands were full before the trick: they miss just what lay on the table.
            let first = if mutated!(LeaderDrawsFirst) { leader } else { seat };
            self.draw(rules, first, taken.min(self.stock_len()), tell);
        }
    }

    fn reached_the_stop(&self, rules: &Rules, seat: Seat) -> bool {
        let stop = rules.options().stop_at_points;
        stop > 0 && self.tally.side_points(rules.match_sides().side_of(seat)) >= stop
    }

    /// Draws so many cards one at a time, from `first` on in playing order, unless a hand burns before.
    #[inline]
    fn draw(&mut self, rules: &Rules, first: Seat, cards: u8, tell: &mut impl FnMut(&Fact)) {
        if rules.burns_hands()
            && let Some((drawn, seat)) = self.burning_draw(first, cards)
        {
            self.happen(&Fact::Drawn { first, cards: drawn }, tell);
            self.end(rules, Ending::BurnedHand(seat), tell);
            return;
        }
        if mutated!(WinnerFillsUpFirst) {
            for seat in first.round(self.seats) {
                let missing = rules.options().hand_size.saturating_sub(self.hand(seat).len());
                for _ in 0..missing.min(self.stock_len()) {
                    self.happen(&Fact::Drawn { first: seat, cards: 1 }, tell);
                }
            }
        } else if cards > 0 {
            self.happen(&Fact::Drawn { first, cards }, tell);
        }
    }

    /// The draw that gives somebody the fourth card of a rank: how many cards have been drawn by then, and
    /// who it is.
    fn burning_draw(&self, first: Seat, cards: u8) -> Option<(u8, Seat)> {
        let mut hands = self.hands;
        let mut seat = first;
        for (drawn, place) in (1..=cards).zip(self.stock_places()) {
            let hand = hands.get_mut(seat);
            hand.insert(place.card());
            if holds_four(*hand, place.card()) {
                return Some((if mutated!(BurnsAfterAllDrew) { cards } else { drawn }, seat));
            }
            seat = seat.next(self.seats);
        }
        None
    }

    /// The first seat from the leader on that was dealt four of a rank.
    pub(crate) fn burned_as_dealt(&self) -> Option<Seat> {
        let four = |seat: &Seat| {
            let hand = self.hand(*seat);
            hand.iter().any(|card| holds_four(hand, card))
        };
        self.leader.round(self.seats).find(four)
    }

    /// Who has played the soloist's card, as everybody saw.
    pub(crate) fn known_soloist(&self, rules: &Rules) -> Option<Seat> {
        match rules.soloist_card()?.suit() {
            Suit::Hearts if !mutated!(SoloistByWrongKing) => self.kings.hearts(),
            _ => self.kings.leaves(),
        }
    }

    /// Who has or had the soloist's card; nobody while it is in the stock.
    fn soloist(&self, rules: &Rules) -> Option<Seat> {
        let card = rules.soloist_card()?;
        let holds = |seat: &Seat| self.hand(*seat).contains(card);
        self.known_soloist(rules).or_else(|| Seat::first(self.seats).find(holds))
    }

    pub(crate) fn end(&mut self, rules: &Rules, ending: Ending, tell: &mut impl FnMut(&Fact)) {
        let ended = Fact::DealEnded(settle(rules, &self.tally, ending, self.soloist(rules)));
        self.happen(&ended, tell);
    }
}

fn holds_four(hand: CardSet, card: Card) -> bool {
    CardSet::same_rank(card).minus(hand).is_empty()
}

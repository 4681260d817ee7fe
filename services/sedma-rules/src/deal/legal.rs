//! What may be done, and which rule forbids the rest.

use crate::action::{Action, LegalActions, Refused, Rule};
use crate::card::{Card, Rank};
use crate::card_set::CardSet;
use crate::deal::{Deal, Moment};
use crate::rules::{Continuation, ForcedMatch, ForcedMatchScope, Rules};
use crate::seat::Seat;

/// The cards of a hand that the rules leave, and the rule that takes the rest away.
#[derive(Clone, Copy)]
struct Allowed {
    cards: CardSet,
    by: Rule,
}

impl Deal {
    /// What a seat may do now; nothing when it is not its turn.
    #[inline]
    pub fn legal_actions(&self, rules: &Rules, seat: Seat) -> LegalActions {
        if self.turn != Some(seat) {
            return LegalActions::NONE;
        }
        let hand = self.hand(seat);
        if rules.plays_only_from_hands() {
            return LegalActions { plays: hand, ..LegalActions::NONE };
        }
        let moment = self.moment(rules);
        if moment == Moment::Exchange {
            return LegalActions { exchange: true, ..LegalActions::NONE };
        }
        let plays = self.allowed(rules, moment, hand).cards;
        LegalActions {
            plays,
            marriages: self.announceable(rules, plays, hand),
            from_stock: rules.options().blind_stock_play && self.stock_len() > 0,
            end_trick: moment == Moment::Decide,
            exchange: false,
        }
    }

    /// Why an action would be refused; `None` when it would be accepted.
    pub fn refusal(&self, rules: &Rules, seat: Seat, action: Action) -> Option<Refused> {
        if let Action::Play { card, announce_marriage } = action {
            return self.refused_play(rules, seat, card, announce_marriage);
        }
        if let Some(refused) = self.refused_turn(seat) {
            return Some(refused);
        }
        match action {
            Action::Play { .. } => None,
            Action::PlayFromStock => self.refused_blind_play(rules),
            Action::EndTrick => forbidden_unless(self.moment(rules) == Moment::Decide, Rule::NoContinuation),
            Action::ExchangeHands(_) => {
                forbidden_unless(self.moment(rules) == Moment::Exchange, Rule::NoExchange)
            }
        }
    }

    #[inline]
    fn refused_turn(&self, seat: Seat) -> Option<Refused> {
        if self.turn == Some(seat) {
            return None;
        }
        Some(if self.is_over() { Refused::DealOver } else { Refused::NotYourTurn })
    }

    #[inline]
    pub(crate) fn refused_play(
        &self,
        rules: &Rules,
        seat: Seat,
        card: Card,
        announce: bool,
    ) -> Option<Refused> {
        if let Some(refused) = self.refused_turn(seat) {
            return Some(refused);
        }
        let hand = self.hand(seat);
        if !hand.contains(card) {
            return Some(Refused::CardNotInHand);
        }
        if !rules.is_free_play() {
            let allowed = self.allowed(rules, self.moment(rules), hand);
            if !allowed.cards.contains(card) {
                return Some(Refused::Illegal(allowed.by));
            }
        }
        if announce && !self.may_announce(rules, hand, card) {
            return Some(Refused::Illegal(Rule::NoMarriage));
        }
        None
    }

    fn refused_blind_play(&self, rules: &Rules) -> Option<Refused> {
        if self.moment(rules) == Moment::Exchange {
            return Some(Refused::Illegal(Rule::ExchangeFirst));
        }
        if !rules.options().blind_stock_play {
            return Some(Refused::Illegal(Rule::NoBlindPlay));
        }
        forbidden_unless(self.stock_len() > 0, Rule::StockEmpty)
    }

    pub(crate) fn moment(&self, rules: &Rules) -> Moment {
        let exchange = rules.options().partner_exchange
            && (self.number > 1 || mutated!(ExchangesInFirstDeal))
            && !self.opened;
        match self.in_round {
            0 if exchange => Moment::Exchange,
            0 => Moment::Lead,
            plays if plays >= self.seats => Moment::Decide,
            _ => Moment::Follow,
        }
    }

    fn allowed(&self, rules: &Rules, moment: Moment, hand: CardSet) -> Allowed {
        match moment {
            Moment::Exchange => Allowed { cards: CardSet::EMPTY, by: Rule::ExchangeFirst },
            Moment::Lead => self.allowed_leads(rules, hand),
            Moment::Decide => Allowed { cards: self.continuations(rules, hand), by: Rule::ContinuationMatch },
            Moment::Follow => self.allowed_followers(rules, hand),
        }
    }

    /// Finnish rules: nobody leads one rank more than three times in a row. Whoever has nothing else may.
    fn allowed_leads(&self, rules: &Rules, hand: CardSet) -> Allowed {
        let most = rules.options().max_same_rank_leads;
        let mut cards = hand;
        let used_up = most > 0 && self.leads.last == Some(self.leader) && self.leads.times >= most;
        if let (true, Some(rank)) = (used_up, Rank::from_number(self.leads.rank)) {
            let others = hand.minus(CardSet::of_rank(rank));
            if !others.is_empty() {
                cards = others;
            }
        }
        Allowed { cards, by: Rule::ThreeLeads }
    }

    fn allowed_followers(&self, rules: &Rules, hand: CardSet) -> Allowed {
        match rules.options().forced_match {
            ForcedMatch::Off => Allowed { cards: hand, by: Rule::MustMatch },
            ForcedMatch::AfterTwoEqual => {
                let bound = self.bound_by_two_equal(rules).common(hand);
                Allowed { cards: or_else(bound, hand), by: Rule::FollowForcedMatch }
            }
            ForcedMatch::MustMatchIfAble => {
                let matching = self.led_card().map_or(CardSet::EMPTY, |led| rules.matching(led));
                Allowed { cards: or_else(matching.common(hand), hand), by: Rule::MustMatch }
            }
        }
    }

    /// Czech rules, "povinnost": two equal cards in succession bind the next player to that rank. Only within
    /// one round, so the leader and the seat after him never are; printed ranks count, a seven is only a
    /// seven.
    fn bound_by_two_equal(&self, rules: &Rules) -> CardSet {
        if self.in_round < 2 && !mutated!(BoundAcrossRounds) {
            return CardSet::EMPTY;
        }
        let [.., one, two] = self.trick_places() else { return CardSet::EMPTY };
        let rank = CardSet::same_rank(two.card());
        let any_rank = rules.options().forced_match_scope == ForcedMatchScope::AnyRank;
        let in_scope = any_rank || self.led_card().is_some_and(|led| rank.contains(led));
        if in_scope && rank.contains(one.card()) { rank } else { CardSet::EMPTY }
    }

    /// The cards the leader may go on with after a full round.
    pub(crate) fn continuations(&self, rules: &Rules, hand: CardSet) -> CardSet {
        match rules.options().continuation {
            Continuation::None => CardSet::EMPTY,
            Continuation::SameRankOrWild => {
                self.led_card().map_or(CardSet::EMPTY, |led| rules.matching(led).common(hand))
            }
            Continuation::AbeyanceNewLead => hand,
        }
    }

    /// The plays that may announce a marriage.
    #[inline]
    fn announceable(&self, rules: &Rules, plays: CardSet, hand: CardSet) -> CardSet {
        // Asked for once, not card by card: most cards follow.
        if !rules.options().marriages || (!self.leads(rules) && !mutated!(AnnouncesWhenFollowing)) {
            return CardSet::EMPTY;
        }
        plays.iter().filter(|card| self.may_announce(rules, hand, *card)).collect()
    }

    /// Whether a card may announce its marriage: it is the first card of a trick, its partner is in the same
    /// hand, and the suit was not announced yet. A fight leads to a new trick.
    #[inline(never)] // seldom asked; inlined it costs every play a tenth
    fn may_announce(&self, rules: &Rules, hand: CardSet, card: Card) -> bool {
        let Some(other) = card.other_of_marriage() else { return false };
        rules.options().marriages
            && (self.leads(rules) || mutated!(AnnouncesWhenFollowing))
            && hand.contains(other)
            && !self.tally.is_announced(card.suit())
    }

    /// Whether the next card is the first of a trick.
    #[inline]
    fn leads(&self, rules: &Rules) -> bool {
        match self.moment(rules) {
            Moment::Lead => true,
            Moment::Decide => rules.options().continuation == Continuation::AbeyanceNewLead,
            Moment::Exchange | Moment::Follow => false,
        }
    }
}

fn or_else(cards: CardSet, hand: CardSet) -> CardSet {
    if cards.is_empty() { hand } else { cards }
}

fn forbidden_unless(holds: bool, rule: Rule) -> Option<Refused> {
    if holds { None } else { Some(Refused::Illegal(rule)) }
}

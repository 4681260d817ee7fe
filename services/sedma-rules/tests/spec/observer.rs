//! An observer who is told every fact of a deal and works out for himself where each card is, without asking
//! the engine.

use std::collections::VecDeque;

use sedma_rules::{
    BurnedHand, BySeat, Card, CardSet, Continuation, DealResult, DealTier, DrawTiming, Fact, Match, Rules,
    Seat, SeatSet,
};

/// What ends the deal at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Burned {
    Hand(Seat),
    Trick(Seat),
}

#[derive(Default)]
pub(crate) struct Observer {
    pub(crate) hands: BySeat<CardSet>,
    /// Top first.
    stock: VecDeque<Card>,
    pub(crate) table: Vec<(Seat, Card)>,
    /// Where the running trick begins on the table.
    trick_at: usize,
    pub(crate) taken: BySeat<CardSet>,
    pub(crate) tricks: BySeat<u32>,
    rounds: usize,
    pub(crate) marriages: BySeat<u32>,
    /// Who leads, or led to the running trick.
    leader: Option<Seat>,
    pub(crate) last_winner: Option<Seat>,
    pub(crate) burned: Option<Burned>,
    pub(crate) endings: usize,
}

impl Observer {
    pub(crate) fn see(&mut self, rules: &Rules, fact: &Fact) {
        let over = matches!(fact, Fact::DealEnded(_) | Fact::MatchEnded { .. });
        assert!(self.burned.is_none() || over, "{:?} ends the deal, not {fact}", self.burned);
        let seats = rules.seats();
        match fact {
            Fact::Dealt { dealer, leader, hand_size, pack, .. } => {
                assert_eq!(*leader, dealer.next(seats), "the seat after the dealer leads");
                self.leader = Some(*leader);
                self.stock = pack.cards().iter().copied().collect();
                for turn in 0..usize::from(*hand_size) * usize::from(seats) {
                    self.draw(leader.after(turn, seats));
                }
            }
            Fact::HandsExchanged { seat, exchanged } => {
                assert_eq!(
                    (Some(*seat), self.table.len()),
                    (self.leader, 0),
                    "the first leader, before he leads"
                );
                if *exchanged {
                    self.hands.swap(*seat, seat.after(2, seats));
                }
            }
            Fact::CardPlayed { seat, card, from_stock, marriage_points } => {
                self.played(rules, *seat, *card, *from_stock);
                *self.marriages.get_mut(*seat) += u32::from(*marriage_points);
            }
            Fact::RoundEnded => assert_ne!(rules.options().continuation, Continuation::None),
            Fact::TrickSetAside => self.trick_at = self.table.len(),
            Fact::TrickWon { seat, points, cards } => {
                assert_eq!(usize::from(*cards), self.table.len(), "the trick is all that lies on the table");
                self.trick_won(rules, *seat, u32::from(*points));
            }
            Fact::Drawn { first, cards } => self.drawn(rules, *first, usize::from(*cards)),
            Fact::DealEnded(result) => self.ended(rules, result),
            Fact::MatchEnded { .. } => assert_eq!(self.endings, 1, "a match ends with a deal"),
        }
    }

    fn draw(&mut self, seat: Seat) -> Card {
        let card = self.stock.pop_front().expect("there is a card to draw");
        self.hands.get_mut(seat).insert(card);
        card
    }

    fn played(&mut self, rules: &Rules, seat: Seat, card: Card, from_stock: bool) {
        let (seats, lying) = (usize::from(rules.seats()), self.table.len());
        assert_eq!(self.leader.map(|leader| leader.after(lying, rules.seats())), Some(seat), "in turn");
        if lying == 0 {
            self.even_at_a_lead(rules);
        }
        if lying == self.trick_at {
            assert!(lying == 0 || rules.options().continuation == Continuation::AbeyanceNewLead);
        } else if (lying - self.trick_at).is_multiple_of(seats) {
            assert_eq!(rules.options().continuation, Continuation::SameRankOrWild);
            assert!(self.matches(rules, card), "{seat} goes on with {card}");
        }
        if from_stock {
            assert!(rules.options().blind_stock_play);
            assert_eq!(self.stock.pop_front(), Some(card), "it is the top card of the stock");
        } else {
            assert!(self.hands.get(seat).contains(card), "{seat} has no {card} to play");
            self.hands.get_mut(seat).remove(card);
        }
        self.table.push((seat, card));
        self.rounds += usize::from(self.table.len().is_multiple_of(seats));
        let equal = self.table.iter().all(|play| play.1.rank() == self.table[0].1.rank());
        if rules.options().burned_trick && self.table.len() == 4 && equal {
            self.burned = Some(Burned::Trick(seat));
        }
    }

    fn even_at_a_lead(&self, rules: &Rules) {
        let mut lens = self.hands.iter(rules.seats()).map(|(_, hand)| hand.len());
        let first = lens.next();
        assert!(lens.all(|len| Some(len) == first), "hands are equal between tricks");
        assert!(self.stock.len().is_multiple_of(usize::from(rules.seats())), "the stock goes round evenly");
        let full = first == Some(rules.options().hand_size);
        assert!(full || self.stock.is_empty(), "hands are full while there is a stock");
    }

    fn trick_won(&mut self, rules: &Rules, winner: Seat, points: u32) {
        assert!(self.table.len().is_multiple_of(usize::from(rules.seats())), "a trick has full rounds");
        let lying: CardSet = self.table.iter().map(|play| play.1).collect();
        assert_eq!(points, points_of(rules, lying));
        assert_eq!(winner, self.wins(rules), "neither matched last nor led");
        *self.taken.get_mut(winner) = self.taken.get(winner).union(lying);
        *self.tricks.get_mut(winner) += 1;
        (self.leader, self.last_winner) = (Some(winner), Some(winner));
        self.table.clear();
        self.trick_at = 0;
    }

    /// The last card that matches the running trick's first one decides, or the leader.
    fn wins(&self, rules: &Rules) -> Seat {
        let trick = &self.table[self.trick_at..];
        trick.iter().rev().find(|play| self.matches(rules, play.1)).map_or(trick[0].0, |play| play.0)
    }

    fn matches(&self, rules: &Rules, card: Card) -> bool {
        card.rank() == self.table[self.trick_at].1.rank() || rules.wild().contains(card)
    }

    /// One card at a time, round and round, until a hand burns. After a trick that is the winner first.
    fn drawn(&mut self, rules: &Rules, first: Seat, cards: usize) {
        let burns = rules.options().burned_hand != BurnedHand::Off;
        if rules.options().draw_timing == DrawTiming::AfterTrick {
            assert_eq!(Some(first), self.last_winner, "the winner draws first");
        }
        for turn in 0..cards {
            assert_eq!(self.burned, None, "nobody draws after a hand has burned");
            let seat = first.after(turn, rules.seats());
            let card = self.draw(seat);
            if burns && CardSet::same_rank(card).minus(*self.hands.get(seat)).is_empty() {
                self.burned = Some(Burned::Hand(seat));
            }
        }
    }

    /// A deal is burned when the observer has seen it burn, and never else.
    fn ended(&mut self, rules: &Rules, result: &DealResult) {
        self.endings += 1;
        let (expected, by) = match self.burned {
            Some(Burned::Hand(seat)) => (Some(DealTier::BurnedHand), Some(seat)),
            Some(Burned::Trick(seat)) => (Some(DealTier::BurnedTrick), Some(seat)),
            None => (None, None),
        };
        let burned = [DealTier::BurnedHand, DealTier::BurnedTrick].contains(&result.tier);
        assert_eq!(burned.then_some(result.tier), expected);
        if let Some(seat) = by {
            assert!(result.sides.side_of(seat).is_some_and(|side| side.game_points > 0), "{result}");
        }
        if self.all_taken() == rules.pack() {
            let rounds = usize::from(rules.pack().len() / rules.seats());
            let tricks: u32 = self.tricks.iter(rules.seats()).map(|(_, tricks)| tricks).sum();
            assert_eq!(self.rounds, rounds, "each round takes a card of each seat");
            let each =
                rules.options().continuation != Continuation::None || usize::try_from(tricks) == Ok(rounds);
            assert!(each, "{tricks} tricks of one round each");
        }
    }

    pub(crate) fn all_taken(&self) -> CardSet {
        Seat::ALL.iter().fold(CardSet::EMPTY, |all, seat| all.union(*self.taken.get(*seat)))
    }

    /// The engine's own view has every card where the observer saw it go, and so each card of the pack is in
    /// one place.
    pub(crate) fn agrees(&self, rules: &Rules, game: &Match, fact: &Fact) {
        let view = game.view(rules, SeatSet::all(rules.seats()));
        for hand in &view.hands {
            assert_eq!(hand.cards, *self.hands.get(hand.seat), "{fact}");
            assert!(hand.legal.plays.minus(hand.cards).is_empty(), "only cards of the hand can be played");
        }
        assert_eq!(usize::from(view.stock_count), self.stock.len());
        assert!(view.trick.iter().map(|play| (play.seat, play.card)).eq(self.table.iter().copied()));
        let counts = &view.hand_counts;
        let (most, least) = (counts.iter().max().unwrap(), counts.iter().min().unwrap());
        assert!(most - least <= 1 || !game.deal_running(), "{counts:?}");
        self.has_each_card_once(rules);
    }

    fn has_each_card_once(&self, rules: &Rules) {
        let lying = self.stock.iter().copied().chain(self.table.iter().map(|play| play.1));
        let held =
            self.hands.iter(rules.seats()).chain(self.taken.iter(rules.seats())).flat_map(|(_, set)| *set);
        let (mut all, mut count) = (CardSet::EMPTY, 0);
        for card in lying.chain(held) {
            all.insert(card);
            count += 1;
        }
        assert_eq!((all, count), (rules.pack(), rules.pack().len()), "no card is lost and none there twice");
    }
}

pub(crate) fn points_of(rules: &Rules, cards: CardSet) -> u32 {
    cards.iter().map(|card| u32::from(rules.options().card_points.of(card.rank()))).sum()
}

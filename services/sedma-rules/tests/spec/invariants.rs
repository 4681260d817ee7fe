//! What holds in every state of every deal, whatever is played.

use std::collections::VecDeque;

use sedma_rules::{
    BySeat, Card, CardSet, Continuation, DealResult, DealTier, Fact, Match, Partnership, Preset, Rules, Seat,
    SeatSet,
};

use crate::chance::{every_preset, play_deals, rules};

#[test]
fn a_hundred_thousand_deals_of_classic() {
    keep_every_invariant(Preset::Classic, 4, 100_000);
}

#[test]
fn a_hundred_thousand_deals_of_two() {
    keep_every_invariant(Preset::Two, 2, 100_000);
}

#[test]
fn two_thousand_deals_of_every_preset() {
    for (preset, seats) in every_preset() {
        keep_every_invariant(preset, seats, 2_000);
    }
}

/// What an observer who sees every fact knows of a deal, without asking the engine.
#[derive(Default)]
struct Observer {
    hands: BySeat<CardSet>,
    /// Top first.
    stock: VecDeque<Card>,
    table: Vec<(Seat, Card)>,
    taken: BySeat<CardSet>,
    tricks: usize,
    marriages: BySeat<u32>,
}

fn keep_every_invariant(preset: Preset, seats: u8, deals: usize) {
    let rules = rules(preset, seats);
    let mut observer = Observer::default();
    let mut ends = 0;
    play_deals(&rules, 1, deals, |before, fact, after| {
        observer.see(&rules, fact);
        observer.agrees(&rules, after, fact);
        if let Fact::DealEnded(result) = fact {
            observer.counts(&rules, result);
            scores_only_rise(before, after, result);
            ends += 1;
        }
    });
    assert_eq!(ends, deals, "each deal ends once");
}

impl Observer {
    fn see(&mut self, rules: &Rules, fact: &Fact) {
        let seats = rules.seats();
        match fact {
            Fact::Dealt { dealer, leader, hand_size, pack, .. } => {
                assert_eq!(*leader, dealer.next(seats), "the seat after the dealer leads");
                *self = Observer { stock: pack.cards().iter().copied().collect(), ..Observer::default() };
                self.draw(*leader, usize::from(*hand_size) * usize::from(seats), seats);
            }
            Fact::CardPlayed { seat, card, from_stock, marriage_points } => {
                if self.table.is_empty() {
                    let mut lens = self.hands.iter(seats).map(|(_, hand)| hand.len());
                    let first = lens.next();
                    assert!(lens.all(|len| Some(len) == first), "hands are equal between tricks");
                    assert!(self.stock.len().is_multiple_of(usize::from(seats)));
                }
                if *from_stock {
                    assert_eq!(self.stock.pop_front(), Some(*card), "it is the top card of the stock");
                } else {
                    assert!(self.hands.get(*seat).contains(*card), "{seat} has no {card} to play");
                    self.hands.get_mut(*seat).remove(*card);
                }
                self.table.push((*seat, *card));
                *self.marriages.get_mut(*seat) += u32::from(*marriage_points);
            }
            Fact::TrickWon { seat, points, cards } => {
                assert_eq!(usize::from(*cards), self.table.len(), "the trick is all that lies on the table");
                assert!(cards.is_multiple_of(seats), "a trick has full rounds");
                let lying: CardSet = self.table.iter().map(|play| play.1).collect();
                assert_eq!(u32::from(*points), points_of(rules, lying));
                assert!(self.may_win(rules, *seat), "{seat} neither matched last nor led");
                *self.taken.get_mut(*seat) = self.taken.get(*seat).union(lying);
                self.table.clear();
                self.tricks += 1;
            }
            Fact::Drawn { first, cards } => self.draw(*first, usize::from(*cards), seats),
            Fact::HandsExchanged { seat, exchanged: true } => self.hands.swap(*seat, seat.after(2, seats)),
            _ => {}
        }
    }

    /// One card at a time, round and round.
    fn draw(&mut self, first: Seat, cards: usize, seats: u8) {
        for turn in 0..cards {
            let card = self.stock.pop_front().expect("there is a card to draw");
            self.hands.get_mut(first.after(turn, seats)).insert(card);
        }
    }

    /// The last card that matches the running trick's first one decides, or the leader.
    fn may_win(&self, rules: &Rules, winner: Seat) -> bool {
        let seats = usize::from(rules.seats());
        let fights = rules.options().continuation == Continuation::AbeyanceNewLead;
        let trick = if fights { &self.table[self.table.len() - seats..] } else { &self.table[..] };
        let led = trick[0].1;
        let matches = |card: Card| card.rank() == led.rank() || rules.wild().contains(card);
        trick.iter().rev().find(|play| matches(play.1)).map_or(trick[0].0, |play| play.0) == winner
    }

    /// The engine's own view has every card where the observer saw it go, so none is lost and none there
    /// twice.
    fn agrees(&self, rules: &Rules, game: &Match, fact: &Fact) {
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
    }

    /// Points and tricks of the result are those the observer counted.
    fn counts(&self, rules: &Rules, result: &DealResult) {
        let bonus = u32::from(rules.options().last_trick_bonus);
        let played_out = result.last_trick_seat.is_some();
        assert_eq!(u32::from(result.last_trick_bonus), if played_out { bonus } else { 0 });
        let mut all = 0;
        for side in &result.sides {
            let taken = side.seats.iter().fold(CardSet::EMPTY, |all, seat| all.union(*self.taken.get(seat)));
            let marriages: u32 = side.seats.iter().map(|seat| *self.marriages.get(seat)).sum();
            let last = result.last_trick_seat.is_some_and(|seat| side.seats.contains(seat));
            let points = points_of(rules, taken) + marriages + if last { bonus } else { 0 };
            assert_eq!(u32::from(side.points), points);
            all += u32::from(side.points) - marriages;
        }
        let tricks: usize = result.sides.iter().map(|side| usize::from(side.tricks)).sum();
        assert_eq!(tricks, self.tricks);
        if played_out {
            assert_eq!(all, u32::from(rules.card_total()) + bonus, "all points are given once");
            let taken = Seat::ALL.iter().fold(CardSet::EMPTY, |all, seat| all.union(*self.taken.get(*seat)));
            assert_eq!(taken, rules.pack());
        }
        one_tier_only(rules, result);
        if rules.options().partnership != Partnership::SecretSoloist {
            assert_eq!(result.sides.len(), rules.match_sides().as_slice().len());
        }
    }
}

fn points_of(rules: &Rules, cards: CardSet) -> u32 {
    cards.iter().map(|card| u32::from(rules.options().card_points.of(card.rank()))).sum()
}

fn one_tier_only(rules: &Rules, result: &DealResult) {
    let scoring = result.sides.iter().filter(|side| side.game_points > 0).count();
    match result.tier {
        DealTier::Void => assert_eq!(scoring, 0),
        DealTier::Shared => assert!(scoring >= 2 && scoring < result.sides.len()),
        DealTier::RawPoints => {}
        _ => assert_eq!(scoring, 1),
    }
    if result.tier == DealTier::SweepCards {
        let without_tricks = result.sides.iter().filter(|side| side.tricks == 0).count();
        assert_eq!(without_tricks + 1, result.sides.len(), "one side has every trick");
    }
    // 90 points in tens can't be halved; 80, 120 and 8 can.
    if rules.seats() != 3 && rules.card_total() == 80 && result.last_trick_bonus == 10 {
        assert_ne!(result.tier, DealTier::Void);
    }
}

fn scores_only_rise(before: &Match, after: &Match, result: &DealResult) {
    for ((side, old), (_, new)) in before.standing().zip(after.standing()) {
        let seat = side.iter().next().unwrap();
        assert_eq!(new - old, u16::from(result.sides.side_of(seat).unwrap().game_points));
    }
}

//! Who is likely to take a trick.

use sedma_rules::{BySeat, Card, CardSet, Continuation, Seat};

use crate::habits;
use crate::sight::Sight;

/// Rounds that are looked ahead after the running one, where the leader may go on.
const ROUNDS_AHEAD: usize = 2;

/// The trick as it would lie after the seat that looks has acted.
#[derive(Clone, Copy)]
pub(crate) struct Race {
    /// Its first card.
    pub(crate) led: Card,
    /// Who led it.
    pub(crate) leader: Seat,
    /// Who would take it.
    pub(crate) holder: Seat,
    /// The points in it.
    pub(crate) pot: f64,
    /// What is left in the hand of the seat that looks.
    pub(crate) left: CardSet,
    /// How many are still to play in this round.
    pub(crate) to_follow: usize,
}

impl Race {
    /// How likely each seat takes the trick in the end.
    pub(crate) fn chances(&self, sight: &Sight<'_>) -> BySeat<f64> {
        let seats = sight.rules.seats();
        let mut running = BySeat::new([0.0; 4]);
        *running.get_mut(self.holder) = 1.0;
        let mut seat = sight.me;
        for _ in 0..self.to_follow {
            seat = seat.next(seats);
            self.follow(sight, seat, 0, &mut running);
        }
        match sight.rules.options().continuation {
            Continuation::None => running,
            Continuation::AbeyanceNewLead => self.after_a_fight(sight, running),
            Continuation::SameRankOrWild => self.after_more_rounds(sight, running),
        }
    }

    /// The leader may lead to a new trick, which takes this one along.
    fn after_a_fight(&self, sight: &Sight<'_>, mut running: BySeat<f64>) -> BySeat<f64> {
        let cards = if self.leader == sight.me { self.left.len() } else { *sight.counts.get(self.leader) };
        if cards == 0 || self.pot < habits::SOME_POINTS {
            return running;
        }
        for seat in Seat::first(sight.rules.seats()).filter(|seat| !sight.together(self.leader, *seat)) {
            let moved = *running.get(seat) * habits::FIGHTS * habits::WINS_A_FIGHT;
            *running.get_mut(seat) -= moved;
            *running.get_mut(self.leader) += moved;
        }
        running
    }

    fn after_more_rounds(&self, sight: &Sight<'_>, mut running: BySeat<f64>) -> BySeat<f64> {
        let seats = sight.rules.seats();
        let mut ended = BySeat::new([0.0; 4]);
        for round in 1..=ROUNDS_AHEAD {
            self.go_on(sight, round, &mut running, &mut ended);
            for follower in self.leader.next(seats).round(seats).take(usize::from(seats).saturating_sub(1)) {
                self.follow(sight, follower, round, &mut running);
            }
        }
        for seat in Seat::first(seats) {
            *ended.get_mut(seat) += running.get(seat);
        }
        ended
    }

    /// A player takes the trick from whoever is not with him.
    fn follow(&self, sight: &Sight<'_>, seat: Seat, round: usize, running: &mut BySeat<f64>) {
        let takes = self.takes(sight, seat, round);
        for other in Seat::first(sight.rules.seats()).filter(|other| !sight.together(seat, *other)) {
            let moved = *running.get(other) * takes;
            *running.get_mut(other) -= moved;
            *running.get_mut(seat) += moved;
        }
    }

    /// The leader goes on where an opponent would take the trick, if he can; otherwise it ends.
    fn go_on(&self, sight: &Sight<'_>, round: usize, running: &mut BySeat<f64>, ended: &mut BySeat<f64>) {
        let takes = self.takes(sight, self.leader, round);
        let mut on = 0.0;
        for seat in Seat::first(sight.rules.seats()) {
            let chance = std::mem::take(running.get_mut(seat));
            let goes_on = if sight.together(self.leader, seat) { 0.0 } else { chance * takes };
            on += goes_on;
            *ended.get_mut(seat) += chance - goes_on;
        }
        *running.get_mut(self.leader) = on;
    }

    /// How likely a seat holds a card that takes the trick, and plays it.
    fn takes(&self, sight: &Sight<'_>, seat: Seat, round: usize) -> f64 {
        let wild = sight.rules.wild();
        let rank = CardSet::same_rank(self.led).minus(wild);
        // A led wild card is matched by nothing but wild cards.
        let with_rank = self.holds(sight, seat, rank, round) * self.eager(habits::TAKES_FOR_NOTHING);
        let with_wild = self.holds(sight, seat, wild, round) * self.eager(habits::WASTES_A_WILD);
        1.0 - (1.0 - with_rank) * (1.0 - with_wild)
    }

    fn eager(&self, for_nothing: f64) -> f64 {
        if self.pot >= habits::SOME_POINTS { habits::TAKES_POINTS } else { for_nothing }
    }

    /// How likely a seat holds one of these cards: known of the seat that looks, and of the others as if all
    /// cards that are still out were dealt to them anew.
    fn holds(&self, sight: &Sight<'_>, seat: Seat, cards: CardSet, round: usize) -> f64 {
        if seat == sight.me {
            let held = usize::from(self.left.common(cards).len());
            return if held >= round.max(1) { 1.0 } else { 0.0 };
        }
        let spent = u8::try_from(round).unwrap_or(u8::MAX);
        let count = sight.counts.get(seat).saturating_sub(spent);
        let (wanted, among) = (sight.out.how_many(sight.rules, cards), sight.out.cards);
        let none = (0..count).fold(1.0, |none, drawn| {
            let left = (among - f64::from(drawn)).max(1.0);
            none * (1.0 - wanted / left).max(0.0)
        });
        1.0 - none
    }
}

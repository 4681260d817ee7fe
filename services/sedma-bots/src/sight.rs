//! What a seat sees, as figures that the rules of thumb ask for.

use sedma_rules::{BySeat, Card, CardSet, LegalActions, MatchView, PlayView, Rules, Seat, SeatSet, Sides};

use crate::habits;
use crate::out::Out;

/// What a seat sees when it is to act.
pub(crate) struct Sight<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) me: Seat,
    pub(crate) hand: CardSet,
    pub(crate) legal: LegalActions,
    /// Cards of the pack that are neither in the hand nor on the table nor in the last trick.
    pub(crate) unseen: CardSet,
    /// Cards in each hand.
    pub(crate) counts: BySeat<u8>,
    pub(crate) stock: u8,
    /// Who led to the running trick, or is to lead.
    pub(crate) leader: Seat,
    /// The running trick, without what lies in abeyance.
    pub(crate) trick: &'a [PlayView],
    /// Points on the table, abeyance included.
    pub(crate) pot: f64,
    /// Who would take the trick now.
    pub(crate) holder: Seat,
    /// Who plays together in this deal, as far as the seat knows.
    pub(crate) sides: Sides,
    /// What a point in each seat's tricks means to the seat that looks: 1 in its own.
    stakes: BySeat<f64>,
    /// What is still out.
    pub(crate) out: Out,
    /// Points of a pack that holds 80, for each point of this one.
    scale: f64,
}

impl<'a> Sight<'a> {
    /// What the seat sees; `None` where the view does not show its hand or nothing can be done.
    pub(crate) fn of(view: &'a MatchView, rules: &'a Rules, me: Seat) -> Option<Sight<'a>> {
        let own = view.hands.iter().find(|hand| hand.seat == me).filter(|hand| !hand.legal.is_empty())?;
        let leader = view.leader.unwrap_or(me);
        let trick = view.trick.get(usize::from(view.abeyance)..).unwrap_or(&[]);
        let mut counts = BySeat::new([0; 4]);
        for (seat, count) in Seat::first(rules.seats()).zip(&view.hand_counts) {
            *counts.get_mut(seat) = *count;
        }
        let unseen = unseen(view, rules, own.cards);
        let holds_soloist = rules.soloist_card().is_some_and(|card| own.cards.contains(card));
        let soloist = view.soloist.or(holds_soloist.then_some(me));
        let sides = rules.deal_sides(soloist);
        let mut sight = Sight {
            rules,
            me,
            hand: own.cards,
            legal: own.legal,
            unseen,
            counts,
            stock: view.stock_count,
            leader,
            trick,
            pot: 0.0,
            holder: leader,
            sides,
            stakes: stakes(rules, &sides, me, soloist),
            out: Out::of(view, rules, own.cards, unseen),
            scale: 80.0 / f64::from(rules.card_total().max(1)),
        };
        sight.pot = view.trick.iter().map(|play| sight.points(play.card)).sum();
        sight.holder = sight.winning();
        Some(sight)
    }

    /// What a card counts.
    pub(crate) fn points(&self, card: Card) -> f64 {
        self.scaled(self.rules.value(card))
    }

    /// Points as this pack counts them, in those of a pack that holds 80.
    pub(crate) fn scaled(&self, points: u8) -> f64 {
        f64::from(points) * self.scale
    }

    /// What a point in a seat's tricks means to the seat that looks.
    pub(crate) fn stake(&self, seat: Seat) -> f64 {
        *self.stakes.get(seat)
    }

    /// Whether two seats play together.
    pub(crate) fn together(&self, one: Seat, other: Seat) -> bool {
        self.sides.side_of(one).contains(other)
    }

    /// The first card of the running trick.
    pub(crate) fn led(&self) -> Option<Card> {
        self.trick.first().map(|play| play.card)
    }

    /// How many are still to play in a round after the seat that looks has played.
    pub(crate) fn to_follow(&self, leads: bool) -> usize {
        let seats = usize::from(self.rules.seats());
        let played = if leads { 0 } else { self.trick.len().checked_rem(seats).unwrap_or(0) };
        seats.saturating_sub(played).saturating_sub(1)
    }

    /// Whether the round is full and the seat is to go on with its trick or to end it.
    pub(crate) fn is_to_decide(&self) -> bool {
        self.legal.end_trick
    }

    /// The last-trick bonus, if the trick takes every hand's last card.
    pub(crate) fn bonus(&self, left: CardSet) -> f64 {
        if left.is_empty() && self.stock == 0 {
            self.scaled(self.rules.options().last_trick_bonus)
        } else {
            0.0
        }
    }

    fn winning(&self) -> Seat {
        let Some(led) = self.led() else { return self.leader };
        let matching = self.rules.matching(led);
        let last = self.trick.iter().rfind(|play| matching.contains(play.card));
        last.map_or(self.leader, |play| play.seat)
    }
}

fn unseen(view: &MatchView, rules: &Rules, hand: CardSet) -> CardSet {
    let taken = view.last_trick.iter().flat_map(|trick| &trick.plays);
    let played: CardSet = view.trick.iter().chain(taken).map(|play| play.card).collect();
    rules.pack().minus(hand).minus(played)
}

fn stakes(rules: &Rules, sides: &Sides, me: Seat, soloist: Option<Seat>) -> BySeat<f64> {
    let mine: SeatSet = sides.side_of(me);
    let against = match (rules.soloist_card(), sides.as_slice().len()) {
        (_, ..=2) => -1.0,
        (Some(_), _) if soloist.is_none() => habits::PERHAPS_A_PARTNER,
        _ => habits::ONE_OF_SEVERAL,
    };
    let stake = |seat| if mine.contains(seat) { 1.0 } else { against };
    BySeat::new(Seat::ALL.map(stake))
}

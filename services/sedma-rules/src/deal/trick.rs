//! Who takes the trick, and whether its leader may go on.

use crate::card::{Card, Rank};
use crate::card_set::CardSet;
use crate::deal::Deal;
use crate::rules::{Continuation, ContinuationCondition, Rules};
use crate::seat::Seat;

impl Deal {
    /// The first card of the running trick: every later one is compared with it, never with the one winning
    /// so far.
    #[inline]
    pub(crate) fn led_card(&self) -> Option<Card> {
        self.trick_places().first().map(|place| place.card())
    }

    /// Who would take the trick now, and the card points on the table.
    ///
    /// The player of the last matching card takes it; with none, the leader. The led card matches itself, so
    /// whatever lies in abeyance before it is overruled by it.
    #[inline]
    pub(crate) fn weigh(&self, rules: &Rules) -> (Seat, u8) {
        let Some(led) = self.led_card() else { return (self.leader, 0) };
        let mut matching = rules.matching(led);
        if mutated!(OnlySevensWild) {
            let sevens = CardSet::of_rank(Rank::Seven).common(rules.wild());
            matching = CardSet::same_rank(led).union(sevens);
        }
        let (mut last, mut points) = (0, 0_u8);
        for (at, place) in self.table_places().iter().enumerate() {
            let card = place.card();
            last = if matching.contains(card) { at } else { last };
            points = points.wrapping_add(rules.value(card));
            if mutated!(ComparesWithPrevious) {
                matching = rules.matching(card);
            }
        }
        let in_trick = last.saturating_sub(usize::from(self.trick_at));
        (self.leader.after(in_trick, self.seats), points)
    }

    /// Whether the leader of the full round may go on: the rules let him, and he has a card for it.
    #[inline]
    pub(crate) fn may_go_on(&self, rules: &Rules) -> bool {
        if rules.options().continuation == Continuation::None {
            return false;
        }
        let has_card = !self.continuations(rules, self.hand(self.leader)).is_empty();
        has_card
            && condition_holds(rules, self.leader, || self.weigh(rules).0, || self.someone_matched(rules))
    }

    /// Whether anybody but the leader matched in the round that just ended.
    fn someone_matched(&self, rules: &Rules) -> bool {
        let Some(led) = self.led_card() else { return false };
        let others = usize::from(self.seats).saturating_sub(1);
        let others = if mutated!(GoesOnByWholeTrick) { self.trick_places().len() - 1 } else { others };
        let matching = rules.matching(led);
        self.trick_places().iter().rev().take(others).any(|place| matching.contains(place.card()))
    }

    /// Czech rules, "spálená hra": the first four cards of the trick have just turned out to be of one
    /// printed rank.
    #[inline]
    pub(crate) fn trick_is_burned(&self, rules: &Rules) -> bool {
        if !rules.options().burned_trick {
            return false;
        }
        let [first, rest @ ..] = self.trick_places() else { return false };
        let mut rank = CardSet::same_rank(first.card());
        if mutated!(WildBurnsTrick) {
            rank = rules.matching(first.card());
        }
        rest.len() == 3 && rest.iter().all(|place| rank.contains(place.card()))
    }
}

/// Whether the rules let the leader of a full round go on, whatever he holds: by who would take the trick, and
/// whether anybody else matched in the round.
#[inline]
pub(crate) fn condition_holds(
    rules: &Rules,
    leader: Seat,
    winner: impl FnOnce() -> Seat,
    someone_matched: impl FnOnce() -> bool,
) -> bool {
    match rules.options().continuation_condition {
        ContinuationCondition::Always => true,
        ContinuationCondition::SomeoneMatched => someone_matched(),
        ContinuationCondition::OpponentWinning => {
            let winner = winner();
            let own_side = rules.match_sides().side_of(leader);
            !own_side.contains(winner) || (mutated!(PartnerIsOpponent) && winner != leader)
        }
    }
}

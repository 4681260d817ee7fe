//! The same deals with other hidden cards.

use tests::v1::{Card, ScriptedPack};

use crate::chance::Chance;
use crate::course::Course;
use crate::seen::Seen;
use crate::viewer::Viewer;

/// How often a random order of all hidden cards is tried before they are changed one pair at a time.
const TRIES: usize = 3;
/// Pairs that are changed then, for each hidden card.
const CHANGES: usize = 4;

/// The packs with cards that the viewer has not seen in the place of other such cards: all of them, where that is
/// possible.
///
/// What was played has been seen by everybody, so it stays where it was dealt. The rest moves so that the same actions
/// are legal and everybody is told the same by them, as far as it depends on hidden cards by the rules.
pub(crate) fn unseen_elsewhere(
    packs: &[ScriptedPack],
    seen: &Seen,
    course: &Course,
    viewer: Viewer,
    chance: &mut Chance,
) -> Vec<ScriptedPack> {
    let permuted = (1..).zip(packs).map(|(number, pack)| {
        let deal = i32::try_from(number).expect("few deals");
        let is_hidden = |place: &usize| !seen.by(viewer, deal, pack.cards[*place]);
        let hidden = (0..pack.cards.len()).filter(is_hidden).collect();
        let moving = Moving { pack: &pack.cards, hidden, allows: &|cards| course.allows(number, cards) };
        let displaced = (0..TRIES).find_map(|_| moving.displaced(chance));
        let cards = displaced.unwrap_or_else(|| moving.changed(course, chance));
        ScriptedPack { cards }
    });
    permuted.collect()
}

/// One deal's pack of which cards are to move.
struct Moving<'a> {
    pack: &'a [Card],
    /// The places of the cards that may move.
    hidden: Vec<usize>,
    /// Whether a pack makes the same course possible.
    allows: &'a dyn Fn(&[Card]) -> bool,
}

impl Moving<'_> {
    /// Every hidden card in the place of another one, if that is allowed as it comes.
    fn displaced(&self, chance: &mut Chance) -> Option<Vec<Card>> {
        let mut moved: Vec<Card> = self.hidden.iter().map(|place| self.pack[*place]).collect();
        chance.displace(&mut moved);
        let mut cards = self.pack.to_vec();
        for (place, card) in self.hidden.iter().zip(moved) {
            cards[*place] = card;
        }
        (self.allows)(&cards).then_some(cards)
    }

    /// Changed one pair at a time, each as far as it is allowed; first the soloist's card for one that somebody else
    /// holds or that is in the stock.
    fn changed(&self, course: &Course, chance: &mut Chance) -> Vec<Card> {
        let mut cards = self.pack.to_vec();
        let mut movable = self.hidden.clone();
        let soloist = course.soloist_card();
        if let Some(at) = movable.iter().position(|place| soloist == Some(cards[*place])) {
            let from = movable.swap_remove(at);
            let is_elsewhere = |to: &usize| course.holder(self.pack[*to]) != course.holder(self.pack[from]);
            let mut others: Vec<usize> = movable.iter().copied().filter(is_elsewhere).collect();
            chance.shuffle(&mut others);
            let moved = others.into_iter().find(|to| self.change(&mut cards, from, *to));
            movable.push(from);
            movable.retain(|place| Some(*place) != moved);
        }
        if !movable.is_empty() {
            for _ in 0..CHANGES * movable.len() {
                self.change(&mut cards, *chance.pick(&movable), *chance.pick(&movable));
            }
        }
        cards
    }

    /// Changes the cards at two places, where that is allowed.
    fn change(&self, cards: &mut [Card], one: usize, other: usize) -> bool {
        cards.swap(one, other);
        let allowed = (self.allows)(cards);
        if !allowed {
            cards.swap(one, other);
        }
        allowed
    }
}

/// The packs with a card that the viewer has seen, of these, changed for one that he has not; `None` where there is no
/// such pair by which the same actions stay legal.
pub(crate) fn seen_elsewhere(
    packs: &[ScriptedPack],
    seen: &Seen,
    course: &Course,
    viewer: Viewer,
    of: &[Card],
) -> Option<Vec<ScriptedPack>> {
    let deal = seen.deal();
    let number = usize::try_from(deal).ok().filter(|number| *number > 0)?;
    let pack = &packs[number - 1].cards;
    let places = || 0..pack.len();
    let pairs = places().flat_map(|one| places().map(move |other| (one, other)));
    let pairs = pairs.filter(|(one, other)| of.contains(&pack[*one]) && !seen.by(viewer, deal, pack[*other]));
    let changed = pairs.map(|(one, other)| {
        let mut cards = pack.clone();
        cards.swap(one, other);
        cards
    });
    let cards = changed.into_iter().find(|cards| course.allows(number, cards))?;
    let mut packs = packs.to_vec();
    packs[number - 1].cards = cards;
    Some(packs)
}

/// What moved between two scripts, of which the first was played.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    /// Cards of the deals that were dealt.
    pub(crate) dealt: usize,
    /// Cards that changed hands in the running deal, or went from a hand to the stock or back.
    pub(crate) hands: usize,
    /// Whether the soloist's card was one of these.
    pub(crate) soloist: bool,
}

impl Moved {
    pub(crate) fn between(
        one: &[ScriptedPack],
        other: &[ScriptedPack],
        seen: &Seen,
        course: &Course,
    ) -> Self {
        let dealt = usize::try_from(seen.deal()).expect("a number");
        let moves =
            |deal: usize| one[deal].cards.iter().zip(&other[deal].cards).filter(|(was, is)| was != is);
        let elsewhere = |(was, is): &(&Card, &Card)| course.holder(**was) != course.holder(**is);
        let running: Vec<Card> = match dealt.checked_sub(1) {
            Some(running) => moves(running).filter(elsewhere).map(|(_, is)| *is).collect(),
            None => Vec::new(),
        };
        Self {
            dealt: (0..dealt).map(|deal| moves(deal).count()).sum(),
            hands: running.len(),
            soloist: course.soloist_card().is_some_and(|card| running.contains(&card)),
        }
    }
}

#[cfg(test)]
mod unit {
    use tests::{cards, v1};

    use super::{seen_elsewhere, unseen_elsewhere};
    use crate::chance::Chance;
    use crate::course::Course;
    use crate::rules::Rules;
    use crate::seen::Seen;
    use crate::viewer::Viewer;

    /// Two seats with two cards each; seat 1 has played one of them.
    fn a_deal() -> (Vec<v1::ScriptedPack>, Seen, Course) {
        let own = |seat, text| v1::SeatCards { seat, cards: cards(text) };
        let dealt =
            v1::Dealt { deal: 1, own: vec![own(1, "7c 8c"), own(2, "7d 8d")], ..v1::Dealt::default() };
        let played = v1::CardPlayed { seat: 1, card: cards("7c").pop(), ..v1::CardPlayed::default() };
        let packs = vec![v1::ScriptedPack { cards: cards("7c 7d 8c 8d 9c 9d") }];
        let rules = v1::SedmaRules { seats: Some(2), ..v1::SedmaRules::default() };
        let (mut seen, mut course) = (Seen::default(), Course::new(Rules(rules), &packs));
        for (revision, fact) in [(1, v1::event::Fact::Dealt(dealt)), (2, v1::event::Fact::CardPlayed(played))]
        {
            let events = vec![v1::Event { fact: Some(fact) }];
            let update = v1::Update { revision, events, ..v1::Update::default() };
            seen.follow(&update);
            course.follow(&update);
        }
        (packs, seen, course)
    }

    #[test]
    fn every_unseen_card_moves_and_no_other() {
        let (packs, seen, course) = a_deal();
        for (viewer, stays) in [
            (Viewer::Seat(1), [true, false, true, false, false, false]),
            (Viewer::Seat(2), [true, true, false, true, false, false]),
            (Viewer::Spectator, [true, false, false, false, false, false]),
        ] {
            let other = unseen_elsewhere(&packs, &seen, &course, viewer, &mut Chance::new(1, "a test"));
            let stayed: Vec<bool> = packs[0].cards.iter().zip(&other[0].cards).map(|(a, b)| a == b).collect();
            assert_eq!(stayed, stays, "{viewer}");
        }
    }

    #[test]
    fn a_held_card_moves_where_the_control_wants_it() {
        let (packs, seen, course) = a_deal();
        let held = course.hand(1);
        let other = seen_elsewhere(&packs, &seen, &course, Viewer::Seat(1), &held).unwrap();
        assert_eq!(other[0].cards, cards("7c 8c 7d 8d 9c 9d"));
    }
}

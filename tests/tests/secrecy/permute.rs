//! The same deals with other hidden cards.

use tests::v1::{Card, ScriptedPack};

use crate::chance::Chance;
use crate::seen::Seen;
use crate::viewer::Viewer;

/// The packs with every card that the viewer has not seen in the place of another such card.
///
/// What was played has been seen by everybody, so it stays where it was dealt, and the same actions are legal.
pub(crate) fn unseen_elsewhere(
    packs: &[ScriptedPack],
    seen: &Seen,
    viewer: Viewer,
    chance: &mut Chance,
) -> Vec<ScriptedPack> {
    let permuted = (1..).zip(packs).map(|(deal, pack)| {
        let hidden = |card: &Card| !seen.by(viewer, deal, *card);
        let mut moved: Vec<Card> = pack.cards.iter().copied().filter(hidden).collect();
        chance.displace(&mut moved);
        let mut moved = moved.into_iter();
        let next = |card: &Card| if hidden(card) { moved.next().expect("a card") } else { *card };
        ScriptedPack { cards: pack.cards.iter().map(next).collect() }
    });
    permuted.collect()
}

/// The packs with a card that the viewer has in his hand changed for one that he has not seen; `None` where there
/// is no such pair.
pub(crate) fn seen_elsewhere(packs: &[ScriptedPack], seen: &Seen, seat: i32) -> Option<Vec<ScriptedPack>> {
    let deal = seen.deal();
    let at = usize::try_from(deal - 1).ok()?;
    let place = |card: &Card| packs[at].cards.iter().position(|other| other == card);
    let held = place(seen.hand(seat).first()?)?;
    let hidden = packs[at].cards.iter().position(|card| !seen.by(Viewer::Seat(seat), deal, *card))?;
    let mut packs = packs.to_vec();
    packs[at].cards.swap(held, hidden);
    Some(packs)
}

#[cfg(test)]
mod unit {
    use tests::{cards, v1};

    use super::{seen_elsewhere, unseen_elsewhere};
    use crate::chance::Chance;
    use crate::seen::Seen;
    use crate::viewer::Viewer;

    /// Two seats with two cards each; seat 1 has played one of them.
    fn a_deal() -> (Vec<v1::ScriptedPack>, Seen) {
        let own = |seat, text| v1::SeatCards { seat, cards: cards(text) };
        let dealt =
            v1::Dealt { deal: 1, own: vec![own(1, "7c 8c"), own(2, "7d 8d")], ..v1::Dealt::default() };
        let played = v1::CardPlayed { seat: 1, card: cards("7c").pop(), ..v1::CardPlayed::default() };
        let mut seen = Seen::default();
        for (revision, fact) in [(1, v1::event::Fact::Dealt(dealt)), (2, v1::event::Fact::CardPlayed(played))]
        {
            let events = vec![v1::Event { fact: Some(fact) }];
            seen.follow(&v1::Update { revision, events, ..v1::Update::default() });
        }
        (vec![v1::ScriptedPack { cards: cards("7c 7d 8c 8d 9c 9d") }], seen)
    }

    #[test]
    fn every_unseen_card_moves_and_no_other() {
        let (packs, seen) = a_deal();
        for (viewer, stays) in [
            (Viewer::Seat(1), [true, false, true, false, false, false]),
            (Viewer::Seat(2), [true, true, false, true, false, false]),
            (Viewer::Spectator, [true, false, false, false, false, false]),
        ] {
            let other = unseen_elsewhere(&packs, &seen, viewer, &mut Chance::new(1, "a test"));
            let stayed: Vec<bool> = packs[0].cards.iter().zip(&other[0].cards).map(|(a, b)| a == b).collect();
            assert_eq!(stayed, stays, "{viewer}");
        }
    }

    #[test]
    fn a_held_card_moves_where_the_control_wants_it() {
        let (packs, seen) = a_deal();
        let other = seen_elsewhere(&packs, &seen, 1).unwrap();
        assert_eq!(other[0].cards, cards("7c 8c 7d 8d 9c 9d"));
    }
}

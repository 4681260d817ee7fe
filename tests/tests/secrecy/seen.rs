//! Who has seen which card, told by the updates of a watch from which nothing is hidden.

use tests::v1;
use tests::v1::event::Fact;
use tests::views::facts;

use crate::viewer::Viewer;

/// Somebody sees a card.
#[derive(Clone, Copy, Debug)]
struct Sighting {
    /// Since when.
    revision: i64,
    /// In which deal: the same card lies elsewhere in the next one.
    deal: i32,
    /// Which seat; `None`: everybody.
    seat: Option<i32>,
    card: v1::Card,
}

/// What was shown to whom in a match so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    sightings: Vec<Sighting>,
    /// The deal before each update and the one after it, from revision 1 on; 0 before the first deal.
    deals: Vec<[i32; 2]>,
}

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// An update, told with its events.
    Update(i64),
    /// The state at a revision.
    State(i64),
}

impl Seen {
    /// Takes the next update in, as one is told it who sees every hand.
    pub(crate) fn follow(&mut self, update: &v1::Update) {
        let revision = i64::try_from(self.deals.len()).expect("few updates") + 1;
        assert_eq!(update.revision, revision, "a gap or a duplicate");
        let before = self.deal();
        let mut deal = before;
        for fact in facts(update) {
            if let Fact::Dealt(dealt) = fact {
                deal = dealt.deal;
            }
            for (seat, card) in shown(fact) {
                self.sightings.push(Sighting { revision, deal, seat, card });
            }
        }
        self.deals.push([before, deal]);
    }

    /// The deal that runs, or the last one; 0 before the first.
    pub(crate) fn deal(&self) -> i32 {
        self.deals.last().map_or(0, |[_, after]| *after)
    }

    /// Whether a viewer has seen a card of a deal by now.
    pub(crate) fn by(&self, viewer: Viewer, deal: i32, card: v1::Card) -> bool {
        self.of(viewer).any(|seen| seen.deal == deal && seen.card == card)
    }

    /// Whether an answer about this may show this card to this viewer.
    pub(crate) fn may_show(&self, about: About, viewer: Viewer, card: v1::Card) -> bool {
        let (About::Update(revision) | About::State(revision)) = about;
        let [before, after] = self.deals[usize::try_from(revision).expect("a revision") - 1];
        let deals = match about {
            About::Update(_) => [before, after],
            About::State(_) => [after, after],
        };
        self.of(viewer)
            .any(|seen| seen.card == card && seen.revision <= revision && deals.contains(&seen.deal))
    }

    fn of(&self, viewer: Viewer) -> impl Iterator<Item = &Sighting> {
        self.sightings.iter().filter(move |seen| seen.seat.is_none() || seen.seat == viewer.seat())
    }
}

/// The cards that a fact shows, each with the seat that sees it, or `None` for everybody. Who has exchanged hands has
/// seen both: the one he gave away is his partner's.
fn shown(fact: &Fact) -> Vec<(Option<i32>, v1::Card)> {
    let to =
        |seat: i32, cards: &[v1::Card]| -> Vec<_> { cards.iter().map(|card| (Some(seat), *card)).collect() };
    match fact {
        Fact::Dealt(v1::Dealt { own, .. }) | Fact::HandsExchanged(v1::HandsExchanged { own, .. }) => {
            own.iter().flat_map(|own| to(own.seat, &own.cards)).collect()
        }
        Fact::OwnCardsDrawn(drawn) => to(drawn.seat, &drawn.cards),
        Fact::CardPlayed(played) => played.card.iter().map(|card| (None, *card)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod unit {
    use tests::v1::event::Fact;
    use tests::{card, cards, v1};

    use super::Seen;
    use crate::viewer::Viewer;

    fn told(revision: i64, facts: Vec<Fact>) -> v1::Update {
        let events = facts.into_iter().map(|fact| v1::Event { fact: Some(fact) }).collect();
        v1::Update { revision, events, ..v1::Update::default() }
    }

    #[test]
    fn partners_who_have_exchanged_know_both_hands_and_everybody_what_was_played_unseen() {
        let own = |seat, text| v1::SeatCards { seat, cards: cards(text) };
        let hands = vec![own(1, "7c"), own(2, "8c"), own(3, "9c"), own(4, "10c")];
        let dealt = v1::Dealt { deal: 1, own: hands, ..v1::Dealt::default() };
        let swapped = vec![own(1, "9c"), own(3, "7c")];
        let exchanged = v1::HandsExchanged { seat: 1, exchanged: true, own: swapped };
        let unseen =
            v1::CardPlayed { seat: 1, card: Some(card("2h")), from_stock: true, ..v1::CardPlayed::default() };
        let mut seen = Seen::default();
        seen.follow(&told(1, vec![Fact::Dealt(dealt)]));
        assert!(!seen.by(Viewer::Seat(3), 1, card("7c")));
        seen.follow(&told(2, vec![Fact::HandsExchanged(exchanged), Fact::CardPlayed(unseen)]));
        for (seat, knows) in [(1, true), (2, false), (3, true), (4, false)] {
            let viewer = Viewer::Seat(seat);
            let known = [card("7c"), card("9c"), card("2h")].map(|card| seen.by(viewer, 1, card));
            assert_eq!(known, [knows, knows, true], "{viewer}");
        }
        assert!(seen.by(Viewer::Spectator, 1, card("2h")));
    }
}

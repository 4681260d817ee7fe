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

    /// The cards in a seat's hand.
    pub(crate) fn hand(&self, seat: i32) -> Vec<v1::Card> {
        let deal = self.deal();
        let here = || self.sightings.iter().filter(|seen| seen.deal == deal);
        let played: Vec<_> = here().filter(|seen| seen.seat.is_none()).map(|seen| seen.card).collect();
        let had = here().filter(|seen| seen.seat == Some(seat)).map(|seen| seen.card);
        had.filter(|card| !played.contains(card)).collect()
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

/// The cards that a fact shows, each with the seat that sees it, or `None` for everybody.
fn shown(fact: &Fact) -> Vec<(Option<i32>, v1::Card)> {
    let to =
        |seat: i32, cards: &[v1::Card]| -> Vec<_> { cards.iter().map(|card| (Some(seat), *card)).collect() };
    match fact {
        Fact::Dealt(dealt) => dealt.own.iter().flat_map(|own| to(own.seat, &own.cards)).collect(),
        Fact::OwnCardsDrawn(drawn) => to(drawn.seat, &drawn.cards),
        Fact::CardPlayed(played) => played.card.iter().map(|card| (None, *card)).collect(),
        _ => Vec::new(),
    }
}

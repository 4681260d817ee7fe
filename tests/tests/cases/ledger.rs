//! What must be so after every update of a table with a pack of 32, whoever caused it.

use std::collections::BTreeSet;

use tests::views::{facts, game, hand, public};
use tests::{Client, Table, Watch, text, v1};
use v1::event::Fact;

use crate::moves::{after, turn};

/// Cards in the pack.
const CARDS: usize = 32;
/// Points of a deal that is played to its last card.
const POINTS: i32 = 90;

/// Follows a table's updates from the first one on, as who sees all hands. What was taken it counts by itself.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    last: Option<v1::Update>,
    taken: BTreeSet<String>,
    /// Cards played so far.
    pub(crate) plays: usize,
    /// Deals ended so far.
    pub(crate) deals: usize,
}

impl Ledger {
    /// Takes in the next update, and holds it against all before it.
    pub(crate) fn take(&mut self, update: v1::Update) {
        let last = self.last.as_ref();
        assert_eq!(update.revision, last.map_or(0, |last| last.revision) + 1, "a gap or a duplicate");
        assert_eq!(public(after(&update)).revision, update.revision, "the view is not the one after it");
        let mover = last.map_or(0, turn);
        let mut cards = 0;
        for fact in facts(&update) {
            match fact {
                Fact::CardPlayed(played) => {
                    assert_eq!((played.seat, update.seat), (mover, mover), "{:?}", update.events);
                    cards += 1;
                    self.plays += 1;
                }
                Fact::TurnMissed(missed) => assert_eq!((missed.seat, update.seat), (mover, mover)),
                Fact::TrickWon(won) => {
                    for card in &won.cards {
                        assert!(self.taken.insert(text([card])), "{} was taken twice", text([card]));
                    }
                }
                Fact::DealEnded(ended) => self.settle(ended),
                Fact::Dealt(_) => self.taken.clear(),
                _ => {}
            }
        }
        assert!(cards <= 1, "one update, {cards} cards: {:?}", update.events);
        self.count(after(&update));
        self.last = Some(update);
    }

    /// Every card is in one place.
    fn count(&self, view: &v1::TableView) {
        if public(view).phase() != v1::TablePhase::Playing {
            return;
        }
        let mut places: Vec<String> = self.taken.iter().cloned().collect();
        for seat in &public(view).seats {
            places.extend(hand(view, seat.seat).split_whitespace().map(str::to_owned));
        }
        places.extend(game(view).trick.iter().map(|play| text(&play.card)));
        let distinct: BTreeSet<&String> = places.iter().collect();
        assert_eq!(distinct.len(), places.len(), "a card is in two places: {places:?}");
        let stock = usize::try_from(game(view).stock_count).unwrap();
        assert_eq!(places.len() + stock, CARDS, "cards that nobody has: {places:?}");
    }

    fn settle(&mut self, ended: &v1::DealEnded) {
        self.deals += 1;
        if ended.last_trick_seat > 0 {
            assert_eq!(ended.sides.iter().map(|side| side.points).sum::<i32>(), POINTS, "{ended:?}");
            assert_eq!(self.taken.len(), CARDS);
        }
    }
}

/// Holds a whole history against what must be so; answers the ledger.
pub(crate) fn audit(updates: &[v1::Update]) -> Ledger {
    let mut ledger = Ledger::default();
    for update in updates {
        ledger.take(update.clone());
    }
    ledger
}

/// Watches a table from its first update on with all its hands, as the platform may.
pub(crate) async fn open_book(table: &Table, door: &Client) -> Watch {
    let seats = public(&table.view().await).seats.iter().map(|seat| seat.seat).collect();
    let request = v1::WatchTableRequest {
        name: table.name.clone(),
        after_revision: Some(0),
        seats,
        ..v1::WatchTableRequest::default()
    };
    let mut watch = door.watch_table(request).await.expect("a watch");
    watch.heartbeat().await;
    watch
}

/// The whole history up to now with all hands, held against what must be so.
pub(crate) async fn audited(table: &Table, door: &Client) -> Vec<v1::Update> {
    let revision = table.at(door).revision().await;
    let updates = open_book(table, door).await.updates_to(revision).await;
    audit(&updates);
    updates
}

/// How many facts of a history are such.
pub(crate) fn count(updates: &[v1::Update], kind: impl Fn(&Fact) -> bool) -> usize {
    updates.iter().flat_map(facts).filter(|fact| kind(fact)).count()
}

//! Deals as lists of tricks: the pack that makes them possible, and playing them.

use tests::v1::{self, event::Fact};
use tests::views::facts;
use tests::{Client, NewTable, Table, cards, text};

use crate::judge::{Judged, judge};

/// Cards in a full hand.
const HAND: usize = 4;

/// The tricks of a deal, from its first; seat 1 leads it, and whoever takes a trick leads the next.
pub(crate) struct Plan {
    seats: i32,
    tricks: Vec<Judged>,
    /// Cards of each seat in the order in which it plays them, and then those that it keeps.
    cards: Vec<Vec<v1::Card>>,
}

impl Plan {
    /// Each trick as the text of its cards, from the lead.
    pub(crate) fn new(seats: i32, tricks: &[&str]) -> Self {
        let mut plan = Self { seats, tricks: Vec::new(), cards: (0..seats).map(|_| Vec::new()).collect() };
        let mut leader = 1;
        for text in tricks {
            let judged = judge(leader, seats, &cards(text));
            for play in &judged.plays {
                plan.cards[index(play.seat)].push(play.card.unwrap());
            }
            leader = judged.winner;
            plan.tricks.push(judged);
        }
        plan
    }

    /// What the seats hold or draw beyond the cards that they play, in the order of drawing.
    pub(crate) fn keeping(mut self, kept: &[&str]) -> Self {
        for (own, kept) in self.cards.iter_mut().zip(kept) {
            own.extend(cards(kept));
        }
        self
    }

    /// The tricks, judged.
    pub(crate) fn tricks(&self) -> &[Judged] {
        &self.tricks
    }

    /// What `ScoringService` is asked about it.
    pub(crate) fn scored(&self) -> Vec<v1::ScoredTrick> {
        self.tricks.iter().map(|trick| v1::ScoredTrick { plays: trick.plays.clone() }).collect()
    }

    /// Deals it at a new table: every seat starts with the first cards that it plays, and draws the others in time.
    pub(crate) fn deal(&self, table: NewTable) -> NewTable {
        let hands: Vec<String> = self.cards.iter().map(|own| text(&own[..own.len().min(HAND)])).collect();
        let mut stock = Vec::new();
        for (done, trick) in self.tricks.iter().enumerate() {
            let drawing = crate::judge::order(trick.winner, self.seats);
            stock.extend(drawing.filter_map(|seat| self.cards[index(seat)].get(HAND + done).copied()));
        }
        let hands: Vec<&str> = hands.iter().map(String::as_str).collect();
        table.deal(&hands, &text(&stock))
    }

    /// Deals it, plays it to its last trick and checks what is told of each; answers the table and the last answer.
    pub(crate) async fn play(&self, table: NewTable, door: &Client) -> (Table, v1::PlayCardResponse) {
        let table = self.deal(table).start(door).await;
        let mut last = None;
        for (done, trick) in self.tricks.iter().enumerate() {
            for play in &trick.plays {
                let card = text([play.card.as_ref().unwrap()]);
                let answer = table.seat(play.seat).play(&card).await;
                last = Some(answer.unwrap_or_else(|status| panic!("trick {done}, {card}: {status:?}")));
            }
            took(last.as_ref().unwrap(), trick);
        }
        (table, last.expect("a plan with a trick"))
    }
}

/// Holds what an answer tells of the trick that it ends against the judge.
pub(crate) fn took(answer: &v1::PlayCardResponse, trick: &Judged) {
    let update = answer.update.as_ref().expect("an update");
    let taken = facts(update).into_iter().find_map(|fact| match fact {
        Fact::TrickWon(won) => Some(won.clone()),
        _ => None,
    });
    let taken = taken.unwrap_or_else(|| panic!("no trick was taken: {update:?}"));
    let cards: Vec<v1::Card> = trick.plays.iter().filter_map(|play| play.card).collect();
    assert_eq!((taken.seat, taken.points, taken.cards), (trick.winner, trick.points, cards));
}

/// Who drew, in the order of drawing.
pub(crate) fn drew(update: &v1::Update) -> Vec<i32> {
    let drawn = facts(update).into_iter().filter_map(|fact| match fact {
        Fact::CardsDrawn(drawn) => Some(vec![drawn.seat; usize::try_from(drawn.count).unwrap()]),
        _ => None,
    });
    drawn.flatten().collect()
}

/// How a deal ended, where an update ends one.
pub(crate) fn ended(update: &v1::Update) -> v1::DealEnded {
    let ended = facts(update).into_iter().find_map(|fact| match fact {
        Fact::DealEnded(ended) => Some(ended.clone()),
        _ => None,
    });
    ended.unwrap_or_else(|| panic!("no deal ended: {update:?}"))
}

fn index(seat: i32) -> usize {
    usize::try_from(seat - 1).expect("a seat from 1")
}

//! What is drawn for a deal before it begins.

use std::fmt;

use tests::v1::{Card, Rank};
use tests::{NewTable, request_id, v1};

use crate::action::Action;
use crate::chance::Chance;
use crate::games::Game;

/// A cut comes at most so many actions after the first deal.
const LATER: usize = 12;
/// Deals that are scripted; none goes on to one more.
pub(crate) const SCRIPTED: usize = 4;

/// Where a match is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// After so many plays and starts of deals.
    After(usize),
    /// After so many more, once the first deal has ended.
    AfterDeal(usize),
}

/// What is done at the cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Nothing.
    Open,
    /// A seat leaves.
    Left(i32),
    /// The platform makes a seat's token worthless.
    Revoked(i32),
    /// The platform closes the table.
    Closed,
    /// The same, and a seat or the platform (0) creates a rematch.
    Rematch(i32),
}

/// One deal that is tried.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) game: Game,
    pub(crate) number: usize,
    pub(crate) packs: Vec<v1::ScriptedPack>,
    /// What comes before the plays.
    pub(crate) joins: Vec<Action>,
    pub(crate) cut: Cut,
    pub(crate) ending: Ending,
    root: Vec<u8>,
    table: NewTable,
}

impl Plan {
    /// The plan of the deal with this number.
    pub(crate) fn new(game: Game, number: usize) -> Self {
        let chance = &mut Chance::new(number, &game.to_string());
        let mut table = game.table();
        table.request.external_ref = format!("{game} {number}");
        table.request.labels = [("round".to_owned(), "first".to_owned())].into();
        if chance.once_in(2) {
            table = table.pausing_between_deals();
        }
        if chance.once_in(5) {
            table = table.to(1);
        }
        let seat =
            |chance: &mut Chance, lowest: i32| *chance.pick(&(lowest..=game.seats).collect::<Vec<_>>());
        // Where everybody says "here" the match starts with that; else it starts at once, and one does so later.
        let mut joins: Vec<Action> = (1..=game.seats).map(|seat| join(seat, entropy(chance))).collect();
        if !chance.once_in(3) {
            table = table.starting(v1::StartPolicy::WhenFull);
            joins = vec![join(seat(chance, 1), Vec::new())];
        }
        let ending = match chance.below(12) {
            0 => Ending::Left(seat(chance, 1)),
            1 => Ending::Revoked(seat(chance, 1)),
            2 => Ending::Closed,
            3 => Ending::Rematch(seat(chance, 0)),
            _ => Ending::Open,
        };
        let cut = match chance.below(8) {
            0 => Cut::AfterDeal(0),
            1 | 2 => Cut::AfterDeal(chance.below(LATER)),
            _ => Cut::After(chance.below(game.pack().len() + 1)),
        };
        Self {
            game,
            number,
            packs: (0..SCRIPTED).map(|_| pack(game, chance)).collect(),
            joins,
            cut,
            ending,
            root: chance.bytes(32),
            table,
        }
    }

    /// The same, cut here.
    #[must_use]
    pub(crate) fn cut_at(self, cut: Cut) -> Self {
        Self { cut, ..self }
    }

    /// The request for a table with these packs and all else as planned.
    pub(crate) fn request(&self, packs: &[v1::ScriptedPack]) -> v1::CreateTableRequest {
        let script = v1::Script {
            root: self.root.clone().into(),
            first_dealer_seat: self.game.seats,
            packs: packs.to_vec(),
        };
        v1::CreateTableRequest {
            request_id: request_id(),
            script: Some(script),
            ..self.table.request.clone()
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, number, cut, ending, .. } = self;
        write!(f, "deal {number} of {game}, cut {cut:?}, then {ending:?}")
    }
}

/// Most packs bring cards together that seldom are: a seat's hand that may burn, or a marriage in the leader's.
fn pack(game: Game, chance: &mut Chance) -> v1::ScriptedPack {
    let mut cards = game.pack();
    chance.shuffle(&mut cards);
    let seats = usize::try_from(game.seats).expect("seats");
    if chance.once_in(2) {
        let rank = chance.pick(&cards).rank;
        let alike: Vec<Card> = cards.iter().copied().filter(|card| card.rank == rank).collect();
        let (seat, soon_drawn) = (chance.below(seats), 4 * seats + chance.below(seats));
        put(&mut cards, &alike, &[seat, seat + seats, seat + 2 * seats, soon_drawn]);
    }
    if chance.once_in(2) {
        let suit = chance.pick(&cards).suit;
        let royal = |card: &Card| card.suit == suit && matches!(card.rank(), Rank::Queen | Rank::King);
        let pair: Vec<Card> = cards.iter().copied().filter(royal).collect();
        put(&mut cards, &pair, &[0, seats]);
    }
    v1::ScriptedPack { cards }
}

/// Puts cards to these places, and what lay there to theirs.
fn put(pack: &mut [Card], cards: &[Card], places: &[usize]) {
    for (card, to) in cards.iter().zip(places) {
        let from = pack.iter().position(|other| other == card).expect("a card of the pack");
        pack.swap(from, *to);
    }
}

fn join(seat: i32, entropy: Vec<u8>) -> Action {
    Action::Join { seat, entropy }
}

/// Half of the seats hand in none.
fn entropy(chance: &mut Chance) -> Vec<u8> {
    if chance.once_in(2) { chance.bytes(16) } else { Vec::new() }
}

//! What is drawn for a deal before it begins.

use std::fmt;

use tests::{NewTable, cards, request_id, v1};

use crate::action::Action;
use crate::chance::Chance;

/// A game that is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game {
    /// Its preset.
    pub(crate) preset: &'static str,
    /// A new table of it.
    pub(crate) table: fn() -> NewTable,
    /// How many play it.
    pub(crate) seats: i32,
    /// A cut comes after at most so many actions: in the second deal of the match at the latest.
    pub(crate) longest: usize,
}

/// The game of four.
pub(crate) const CLASSIC: Game = Game { preset: "classic", table: NewTable::classic, seats: 4, longest: 44 };
/// The game of two, whose deals are shorter.
pub(crate) const TWO: Game = Game { preset: "two", table: NewTable::two, seats: 2, longest: 32 };

/// Deals that are scripted; none goes on to one more.
const SCRIPTED: usize = 3;

/// Where a match is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// After so many plays and starts of deals.
    After(usize),
    /// As soon as the first deal has ended.
    DealEnd,
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
        let chance = &mut Chance::new(number, game.preset);
        let mut table = (game.table)();
        table.request.external_ref = format!("{} {number}", game.preset);
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
        let cut = if chance.once_in(8) { Cut::DealEnd } else { Cut::After(chance.below(game.longest + 1)) };
        Self {
            game,
            number,
            packs: (0..SCRIPTED).map(|_| pack(chance)).collect(),
            joins,
            cut,
            ending,
            root: chance.bytes(32),
            table,
        }
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
        write!(f, "deal {number} of {}, cut {cut:?}, then {ending:?}", game.preset)
    }
}

fn pack(chance: &mut Chance) -> v1::ScriptedPack {
    let mut cards = cards::canonical();
    chance.shuffle(&mut cards);
    v1::ScriptedPack { cards }
}

fn join(seat: i32, entropy: Vec<u8>) -> Action {
    Action::Join { seat, entropy }
}

/// Half of the seats hand in none.
fn entropy(chance: &mut Chance) -> Vec<u8> {
    if chance.once_in(2) { chance.bytes(16) } else { Vec::new() }
}

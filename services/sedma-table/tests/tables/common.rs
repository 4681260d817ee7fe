//! A table as a transcript: commands in, facts or a reason out.

use std::collections::BTreeMap;

use sedma_rules::{Action, Card, Preset, Seat};
use sedma_table::decide::{Command, Decision, Joiner, decide, open};
use sedma_table::fairness::Link;
use sedma_table::{
    Actor, BetweenDeals, Edition, NewTable, Player, Reason, Refusal, Results, Spectators, StartPolicy, Table,
    TableFact, TableId, Tenant, Timing, Update, Viewer,
};

/// A table that is played by hand, with all its updates.
pub(crate) struct Played {
    pub(crate) table: Table,
    pub(crate) updates: Vec<Update>,
}

pub(crate) fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

pub(crate) fn player(name: &str) -> Player {
    Player { player_id: name.to_owned(), display_name: String::new() }
}

/// A table of a preset whose seats are open.
pub(crate) fn new_table(preset: Preset) -> NewTable {
    NewTable {
        external_ref: String::new(),
        labels: BTreeMap::new(),
        rules: preset.options(preset.default_seats()).check().expect("rules"),
        start: StartPolicy::WhenFull,
        between_deals: BetweenDeals::AtOnce,
        spectators: Spectators::Allowed { delay_ms: 0 },
        script: None,
        timing: Timing::NONE,
        results: Results::Keep,
        seats: Vec::new(),
    }
}

impl Played {
    pub(crate) fn create(new: &NewTable) -> Self {
        let tenant = Tenant::new("test").expect("a tenant");
        let setup = new.setup(TableId::from_bytes([3; 16]), tenant, Edition::NEWEST, Link::new([5; 32]));
        let facts = open(setup, &new.seats).expect("a table");
        let update = Update { actor: Actor::Platform, seat: None, facts, traceparent: None };
        Self { table: Table::open(&update).expect("the first update"), updates: vec![update] }
    }

    /// Makes a command happen; the facts that it became.
    pub(crate) fn accept(&mut self, command: &Command) -> Vec<TableFact> {
        self.happen(Actor::Player, None, command)
    }

    /// The same, by somebody for a seat.
    pub(crate) fn accept_by(&mut self, actor: Actor, seat: Seat, command: &Command) -> Vec<TableFact> {
        self.happen(actor, Some(seat), command)
    }

    fn happen(&mut self, actor: Actor, seat: Option<Seat>, command: &Command) -> Vec<TableFact> {
        match decide(&self.table, command).expect("accepted") {
            Decision::AlreadySo => Vec::new(),
            Decision::Happens { facts, .. } => {
                let update = Update { actor, seat, facts: facts.clone(), traceparent: None };
                self.table = self.table.evolve(&update).expect("its facts fit");
                self.updates.push(update);
                facts
            }
        }
    }

    /// A command that is refused; nothing changes by it.
    pub(crate) fn refuse(&self, command: &Command) -> Refusal {
        let refusal = decide(&self.table, command).expect_err("refused");
        assert_eq!(refusal.standing, Some(self.table.standing()), "every refusal says where the table stood");
        refusal
    }

    pub(crate) fn reason(&self, command: &Command) -> Reason {
        self.refuse(command).reason
    }

    /// Everybody takes a seat.
    pub(crate) fn fill(&mut self) {
        for number in 1..=self.table.setup().seats() {
            self.accept(&join(&format!("p{number}"), number));
        }
    }

    /// The seat to act plays its first legal card.
    pub(crate) fn play_one(&mut self) -> Vec<TableFact> {
        let (seat, card) = self.next_card().expect("somebody is to play");
        self.accept(&play(seat, card))
    }

    /// Who is to play, and the first card that may be played.
    pub(crate) fn next_card(&self) -> Option<(Seat, Card)> {
        let seat = self.table.view(Viewer::SPECTATOR).game.turn?;
        let view = self.table.view(Viewer::seat(seat));
        let card = view.game.hands.first()?.legal.plays.iter().next()?;
        Some((seat, card))
    }

    /// Folding the updates gives the very same state.
    pub(crate) fn replays(&self) {
        let (first, rest) = self.updates.split_first().expect("updates");
        let mut table = Table::open(first).expect("the first update");
        for update in rest {
            table = table.evolve(update).expect("the next update");
        }
        assert_eq!(table, self.table);
    }
}

pub(crate) fn join(name: &str, number: u8) -> Command {
    let joiner = Joiner::Platform { seat: Seat::new(number), player: Some(player(name)) };
    Command::Join { joiner, entropy: Vec::new() }
}

pub(crate) fn come_back(number: u8) -> Command {
    Command::Join { joiner: Joiner::Holder { seat: seat(number), player_id: None }, entropy: Vec::new() }
}

pub(crate) fn hand_in(number: u8, entropy: &[u8]) -> Command {
    let joiner = Joiner::Holder { seat: seat(number), player_id: None };
    Command::Join { joiner, entropy: entropy.to_vec() }
}

pub(crate) fn play(seat: Seat, card: Card) -> Command {
    Command::Act { seat, action: Action::Play { card, announce_marriage: false } }
}

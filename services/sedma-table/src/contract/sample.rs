//! Tables that play themselves: real states and real updates, the same for the same seed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use sedma_rules::{Action, Preset, RuleOptions, Seat};

use crate::clock::{Due, What};
use crate::decide::{self, Command, Decision, Joiner};
use crate::edition::Edition;
use crate::fairness::Link;
use crate::ids::{RequestId, RequestKey, TableId, Tenant};
use crate::ring::{Ring, RingEntry, Scope};
use crate::setup::{BetweenDeals, NewTable, Occupant, Player, Results, Script, Spectators, StartPolicy};
use crate::store::Snapshot;
use crate::table::{Phase, Table};
use crate::timing::{BotLevel, OnJoinTimeout, OnTimeout, Timing};
use crate::update::{Actor, Update};

/// One step of a table: its update and the snapshot after it.
pub type Step = (Arc<Update>, Arc<Snapshot>);

/// A source of repeatable chance (splitmix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The dice of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `bound`; 0 where that is none.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.roll() % bound).unwrap_or(0)
    }

    /// Whether something that happens once in `times` happens now.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Random bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.roll().to_le_bytes()[0])
    }
}

/// A table and whoever plays it: an iterator over its steps, the creation first, until the table has ended.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    dice: Dice,
    id: TableId,
    tenant: Tenant,
    new: NewTable,
    /// Whether seats are given up and taken again, tokens revoked and tables closed on the way.
    eventful: bool,
    edition: Edition,
    newest: Option<Arc<Snapshot>>,
}

impl SelfPlay {
    /// A plain classic table of four named players: one update per join, card, and deal after the first.
    pub fn plain(seed: u64, tenant: &str) -> Self {
        Self::by_rules(seed, tenant, Preset::Classic.options(4))
    }

    /// A plain table that plays by these rules.
    pub fn by_rules(seed: u64, tenant: &str, options: RuleOptions) -> Self {
        let seats = (1..=options.seats).map(|seat| Occupant::Player(player(seat, "Player"))).collect();
        Self::of(seed, tenant, options, seats)
    }

    /// The first of these tables, by their seeds, that is in a bucket.
    pub fn in_bucket(bucket: u8, seeds: Range<u64>, table: impl Fn(u64) -> Self) -> Self {
        seeds.map(table).find(|play| play.table().bucket() == bucket).expect("a seed")
    }

    /// A plain table whose match has no target: it goes on until the bound on updates ends it.
    pub fn endless(seed: u64, tenant: &str) -> Self {
        let options = RuleOptions { match_target: 0, ..Preset::Classic.options(4) };
        Self::by_rules(seed, tenant, options)
    }

    /// A plain table with these clocks whose seats all have bots, or all have named players.
    pub fn clocked(seed: u64, tenant: &str, timing: Timing, bots: Option<BotLevel>) -> Self {
        let mut play = Self::plain(seed, tenant);
        play.new.timing = timing;
        if let Some(level) = bots {
            play.new.seats.fill(Occupant::Bot(level));
        }
        play
    }

    /// Any table: its preset, setup and course come from the seed.
    pub fn eventful(seed: u64, tenant: &str) -> Self {
        let mut dice = Dice::new(seed ^ 0x5eed);
        let preset = Preset::ALL[dice.below(Preset::ALL.len())];
        let counts = preset.seat_counts();
        let seats = counts[dice.below(counts.len())];
        let occupants = (1..=seats).map(|seat| match dice.below(5) {
            0 | 1 => Occupant::Open,
            2 => Occupant::Bot(BotLevel::Steady),
            _ => Occupant::Player(player(seat, "Žofie")),
        });
        let occupants = occupants.collect();
        let mut play = Self::of(seed, tenant, preset.options(seats), occupants);
        play.eventful = true;
        let new = &mut play.new;
        new.external_ref = if dice.once_in(2) { "match-4711".to_owned() } else { String::new() };
        new.labels = (0..dice.below(9)).map(|i| (format!("label-{i}"), "v".repeat(i * 8))).collect();
        new.start = [StartPolicy::WhenFull, StartPolicy::WhenReady, StartPolicy::Manual][dice.below(3)];
        new.between_deals = [BetweenDeals::AtOnce, BetweenDeals::Manual][dice.below(2)];
        new.spectators = [
            Spectators::Forbidden,
            Spectators::Allowed { delay_ms: 0 },
            Spectators::Allowed { delay_ms: 30_000 },
        ][dice.below(3)];
        new.timing = timing(&mut dice);
        new.results = [Results::Keep, Results::Keep, Results::None][dice.below(3)];
        new.script = dice.once_in(4).then(|| Script {
            first_dealer: dice.once_in(2).then_some(Seat::One),
            packs: vec![new.rules.canonical_pack(); dice.below(3)],
        });
        play
    }

    /// The same table, whose end is not filed.
    #[must_use]
    pub fn without_result(mut self) -> Self {
        self.new.results = Results::None;
        self
    }

    /// The same table as a server of the first edition makes it.
    #[must_use]
    pub fn of_the_first_edition(mut self) -> Self {
        self.edition = Edition::First;
        self.new.results = Results::Keep;
        self
    }

    fn of(seed: u64, tenant: &str, options: RuleOptions, seats: Vec<Occupant>) -> Self {
        let mut dice = Dice::new(seed);
        let new = NewTable {
            external_ref: String::new(),
            labels: BTreeMap::new(),
            rules: options.check_stored().expect("options that hold together"),
            start: StartPolicy::WhenReady,
            between_deals: BetweenDeals::AtOnce,
            spectators: Spectators::Forbidden,
            timing: Timing::NONE,
            results: Results::Keep,
            script: None,
            seats,
        };
        let id = TableId::from_bytes(dice.bytes());
        let tenant = Tenant::new(tenant).expect("a tenant's name");
        Self { dice, id, tenant, new, eventful: false, edition: Edition::NEWEST, newest: None }
    }

    /// The table's id.
    pub fn table(&self) -> TableId {
        self.id
    }

    fn create(&mut self) -> Step {
        let setup = self.new.setup(self.id, self.tenant.clone(), self.edition, Link::new(self.dice.bytes()));
        let facts = decide::open(setup, &self.new.seats).expect("a new table opens");
        let update = Update { actor: Actor::Platform, seat: None, facts, traceparent: self.traceparent() };
        let table = Table::open(&update).expect("a first update folds");
        let mut ring = Ring::default();
        ring.push(Scope::Platform, RingEntry { key: self.request(), revision: 1 });
        (Arc::new(update), Arc::new(Snapshot { table, ring }))
    }

    fn request(&mut self) -> RequestKey {
        RequestKey::new(RequestId::from_bytes(self.dice.bytes()), &self.dice.bytes::<8>())
    }

    /// What calls are sent with: mostly the 55 characters that W3C asks for, sometimes something else, or nothing.
    fn traceparent(&mut self) -> Option<String> {
        if !self.eventful {
            return None;
        }
        match self.dice.below(4) {
            0 => None,
            1 => Some("00-not-a-trace".to_owned()),
            _ => {
                let (trace, parent) = (u128::from_be_bytes(self.dice.bytes()), self.dice.roll());
                Some(format!("00-{trace:032x}-{parent:016x}-01"))
            }
        }
    }

    /// What happens next at this table, and for which seat.
    fn command(&mut self, table: &Table) -> Option<(Option<Seat>, Command)> {
        if self.eventful && !table.is_ended() && self.dice.once_in(16) {
            return Some(self.incident(table));
        }
        // Somebody has waited for too long.
        if self.eventful && !table.is_ended() && self.dice.once_in(24) {
            return Some((None, Command::Fire { choice: self.choice(table) }));
        }
        if table.paused && !table.is_ended() {
            return Some((None, Command::Resume));
        }
        match table.phase {
            Phase::Open => Some(self.join(table)),
            Phase::Playing => {
                let (seat, action) = (table.game.turn()?, self.choice(table)?);
                Some((Some(seat), Command::Act { seat, action }))
            }
            Phase::BetweenDeals => Some((None, Command::StartNextDeal)),
            Phase::Finished | Phase::Closed if table.rematch.is_none() => {
                Some((None, Command::LinkRematch { table: TableId::from_bytes(self.dice.bytes()) }))
            }
            Phase::Finished | Phase::Closed => None,
        }
    }

    /// One of the legal actions of the seat to act.
    fn choice(&mut self, table: &Table) -> Option<Action> {
        let legal = table.game.legal_actions(&table.setup.rules, table.game.turn()?);
        legal.iter().nth(self.dice.below(legal.iter().count()))
    }

    /// Somebody who is not there yet comes; when all are there, the table is started.
    fn join(&mut self, table: &Table) -> (Option<Seat>, Command) {
        let entropy = if self.dice.once_in(2) { self.dice.bytes::<32>().to_vec() } else { Vec::new() };
        let missing = table.seats().find(|(_, state)| !state.here || state.is_open());
        let Some((seat, state)) = missing else { return (None, Command::Start) };
        let named = state.is_open().then(|| player(seat.number(), "Guest"));
        let joiner = Joiner::Platform { seat: Some(seat), player: named };
        (Some(seat), Command::Join { joiner, entropy })
    }

    /// Something that is none of the game.
    fn incident(&mut self, table: &Table) -> (Option<Seat>, Command) {
        let seats = usize::from(table.setup.seats());
        let seat = (1..=4).filter_map(Seat::new).nth(self.dice.below(seats)).unwrap_or(Seat::One);
        let held = table.seat(seat).is_some_and(|state| state.player.is_some());
        match self.dice.below(16) {
            0 => (None, Command::Close { reason: "The tournament — za deště — is off.".to_owned() }),
            1..=4 if held => (Some(seat), Command::Leave { seat }),
            5..=7 if !held => {
                let player = Some(player(seat.number(), "Substitute"));
                let joiner = Joiner::Platform { seat: Some(seat), player };
                (Some(seat), Command::Join { joiner, entropy: Vec::new() })
            }
            8 => (None, Command::AddBot { seat: Some(seat), level: BotLevel::Steady }),
            9 => (None, Command::RemoveBot { seat }),
            10 => (None, if table.paused { Command::Resume } else { Command::Pause }),
            11 => (None, Command::Extend { remaining_ms: 5_000 }),
            _ => (Some(seat), Command::Revoke { seat }),
        }
    }

    fn step(&mut self, before: &Snapshot) -> Option<Step> {
        let table = &before.table;
        loop {
            let (seat, command) = self.command(table)?;
            // A command that changes nothing, or comes too late, is none; the next throw is another.
            let Ok(Decision::Happens { facts, seat: meant }) = decide::decide(table, &command) else {
                continue;
            };
            let actor = match (&command, seat, table.due()) {
                (Command::Fire { .. }, _, Some(Due { what: What::Bot(..), .. })) => Actor::Bot,
                (Command::Fire { .. }, ..) => Actor::Timeout,
                (_, Some(_), _) => Actor::Player,
                _ => Actor::Platform,
            };
            let update = Update { actor, seat: meant.or(seat), facts, traceparent: self.traceparent() };
            let table = table.evolve(&update).expect("a decided update folds");
            let mut ring = before.ring.clone();
            let scope = seat.map_or(Scope::Platform, Scope::Seat);
            ring.push(scope, RingEntry { key: self.request(), revision: table.revision() });
            return Some((Arc::new(update), Arc::new(Snapshot { table, ring })));
        }
    }
}

/// Any clocks.
fn timing(dice: &mut Dice) -> Timing {
    let level = BotLevel::Steady;
    Timing {
        turn_timeout_ms: [0, 1_000, 30_000][dice.below(3)],
        on_timeout: [OnTimeout::Autoplay(level), OnTimeout::Forfeit, OnTimeout::Nothing][dice.below(3)],
        away_after: [0, 1, 3][dice.below(3)],
        bot_delay_ms: [0, 700][dice.below(2)],
        between_deals_ms: [0, 5_000][dice.below(2)],
        join_timeout_ms: [0, 60_000][dice.below(2)],
        on_join_timeout: [OnJoinTimeout::FillWithBots(level), OnJoinTimeout::Close][dice.below(2)],
        idle_timeout_ms: [0, 600_000][dice.below(2)],
        late_grace_ms: 500,
    }
}

impl Iterator for SelfPlay {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let step = match self.newest.clone() {
            None => self.create(),
            Some(before) => self.step(&before)?,
        };
        self.newest = Some(step.1.clone());
        Some(step)
    }
}

fn player(number: u8, name: &str) -> Player {
    Player { player_id: format!("player-{number}"), display_name: format!("{name} {number}") }
}

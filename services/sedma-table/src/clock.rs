//! What a table waits for, as durations: the store turns them into instants.
//!
//! Everything here follows from the state alone, so that folding the log gives every deadline again.

use sedma_rules::Seat;

use crate::edition::Edition;
use crate::setup::BetweenDeals;
use crate::table::{Phase, SeatState, Table};
use crate::timing::{AWAY_DELAY_MS, BotLevel};
use crate::update::{TableFact, Update};

/// What happens next if nobody does anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// What.
    pub what: What,
    /// After how many milliseconds, counted from when it began to be awaited.
    pub after_ms: u64,
    /// How much later a person's action is still taken. Views show the deadline without it.
    pub grace_ms: u64,
}

/// What a table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A person's action; when it does not come, the table's policy acts.
    Turn(Seat),
    /// A bot's action.
    Bot(Seat, BotLevel),
    /// The next deal.
    NextDeal,
    /// That the table is complete.
    Start,
    /// Anything at all; when nothing comes, the table expires.
    Anything,
}

/// What a commit does to the table's timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// It stays as it is.
    Keep,
    /// There is none any more.
    Disarm,
    /// It fires so many milliseconds after the commit.
    Arm(u64),
}

impl Timer {
    /// When the timer fires after a commit at `now_ms`, in the store's milliseconds; 0 for never. `before_ms` is when it
    /// would have fired.
    pub fn fires_at(self, before_ms: i64, now_ms: i64) -> i64 {
        match self {
            Timer::Keep => before_ms,
            Timer::Disarm => 0,
            Timer::Arm(ms) => now_ms.saturating_add_unsigned(ms),
        }
    }
}

/// Who acts for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Its player.
    Person,
    /// A bot, after so many milliseconds.
    Bot(BotLevel, u64),
    /// Nobody, until the platform seats somebody.
    Nobody,
}

impl Table {
    /// Who acts for a seat now.
    pub fn mover(&self, seat: Seat) -> Mover {
        let timing = &self.setup.timing;
        let Some(SeatState { player, bot, away, .. }) = self.seat(seat) else { return Mover::Nobody };
        match (player, bot) {
            (_, Some(level)) => Mover::Bot(*level, timing.bot_delay_ms.into()),
            (Some(_), None) if !away => Mover::Person,
            _ => match timing.stand_in() {
                Some(level) => Mover::Bot(level, AWAY_DELAY_MS.max(timing.bot_delay_ms.into())),
                None if player.is_some() => Mover::Person,
                None => Mover::Nobody,
            },
        }
    }

    /// What the table waits for; nothing when it has ended.
    pub fn due(&self) -> Option<Due> {
        self.due_where(self.turn_missed)
    }

    /// What more time would be for: what the table waits for, or the turn that was missed, whose clock runs no more.
    pub fn extendable(&self) -> Option<Due> {
        self.due_where(false)
    }

    /// What it waits for where the turn was missed already, or was not.
    fn due_where(&self, turn_missed: bool) -> Option<Due> {
        if self.is_ended() {
            return None;
        }
        let timing = &self.setup.timing;
        let awaited = match self.phase {
            _ if self.paused => None,
            Phase::Open => limit(What::Start, timing.join_timeout_ms),
            Phase::BetweenDeals => self.due_between_deals(),
            Phase::Playing => self.game.turn().and_then(|seat| self.due_turn(seat, turn_missed)),
            Phase::Finished | Phase::Closed => None,
        };
        awaited.or_else(|| limit(What::Anything, timing.idle_timeout_ms))
    }

    /// Whether it expires when nothing happens for as long as the store keeps a table that waits for nothing. (One of
    /// the first edition is forgotten then.)
    pub fn expires(&self) -> bool {
        !self.is_ended() && self.setup.edition >= Edition::Second
    }

    fn due_between_deals(&self) -> Option<Due> {
        let timing = &self.setup.timing;
        let all_bots = self.seats.iter().all(|seat| seat.bot.is_some());
        match limit(What::NextDeal, timing.between_deals_ms) {
            // Bots call nothing: where only they play, a deal that waits for a call would wait for ever.
            None if all_bots && self.setup.between_deals == BetweenDeals::Manual => {
                Some(Due { what: What::NextDeal, after_ms: timing.bot_delay_ms.into(), grace_ms: 0 })
            }
            due => due,
        }
    }

    fn due_turn(&self, seat: Seat, turn_missed: bool) -> Option<Due> {
        let timing = &self.setup.timing;
        match self.mover(seat) {
            Mover::Person if turn_missed => None,
            Mover::Person => limit(What::Turn(seat), timing.turn_timeout_ms)
                .map(|due| Due { grace_ms: timing.late_grace_ms.into(), ..due }),
            Mover::Bot(level, after_ms) => Some(Due { what: What::Bot(seat, level), after_ms, grace_ms: 0 }),
            Mover::Nobody => None,
        }
    }
}

fn limit(what: What, ms: u32) -> Option<Due> {
    (ms > 0).then_some(Due { what, after_ms: ms.into(), grace_ms: 0 })
}

/// What an update does to the timer: it starts anew where something else is awaited, or the turn has moved on.
pub fn timer(before: Option<&Table>, update: &Update, after: &Table) -> Timer {
    let Some(due) = after.due() else { return Timer::Disarm };
    let extended = update.facts.iter().rev().find_map(|fact| match fact {
        TableFact::DeadlineExtended { remaining_ms } => Some(u64::from(*remaining_ms)),
        _ => None,
    });
    let same = before.is_some_and(|before| {
        before.turn_revision == after.turn_revision
            && before.due().is_some_and(|then| then.what == due.what)
            && due.what != What::Anything
    });
    match extended {
        Some(remaining) => Timer::Arm(remaining.saturating_add(due.grace_ms)),
        None if same => Timer::Keep,
        None => Timer::Arm(due.after_ms.saturating_add(due.grace_ms)),
    }
}

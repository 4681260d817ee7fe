//! What happened: an update is one revision's facts. Facts are applied, never judged, so that mending a rule later
//! changes no played match.

use std::sync::Arc;

use sedma_rules::{Fact, Seat};

use crate::fairness::Link;
use crate::ids::{TableId, Version};
use crate::setup::{Player, Setup};
use crate::timing::BotLevel;

/// Who caused an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The holder of a seat, or the platform for that seat.
    Player,
    /// The platform for the table as a whole.
    Platform,
    /// A bot, at a seat of its own or for a player who is away.
    Bot,
    /// A clock that ran out.
    Timeout,
}

/// Why a table ended without its match being played out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The platform closed it, with its own words (may be empty).
    Platform(String),
    /// It reached the most updates or deals that a table may have.
    Limit,
    /// The match did not start in time.
    NotStarted,
    /// Nothing happened for too long.
    Expired,
    /// A seat forfeited the match, and with it its side.
    Forfeited(Seat),
}

/// One fact of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableFact {
    /// The table exists. Always the first fact of the first update, and only there.
    Created(Arc<Setup>),
    /// A player has the seat.
    SeatTaken {
        /// The seat.
        seat: Seat,
        /// Who.
        player: Arc<Player>,
    },
    /// The seat's player said that he is here.
    SeatReady {
        /// The seat.
        seat: Seat,
    },
    /// The seat is open again, and its tokens are worth nothing.
    SeatLeft {
        /// The seat.
        seat: Seat,
    },
    /// The seat's tokens are worth nothing; its player keeps it.
    SeatRevoked {
        /// The seat.
        seat: Seat,
    },
    /// A bot has the seat.
    BotSeated {
        /// The seat.
        seat: Seat,
        /// How well it plays.
        level: BotLevel,
    },
    /// The seat's player let a turn pass.
    TurnMissed {
        /// The seat.
        seat: Seat,
    },
    /// The seat's player is away, or back.
    AwayChanged {
        /// The seat.
        seat: Seat,
        /// Whether he is away now.
        away: bool,
    },
    /// Nobody can act and no clock runs.
    Paused,
    /// The table goes on after a pause; what it waits for has its whole time again.
    Resumed,
    /// What the table waits for has so much time left from now on.
    DeadlineExtended {
        /// Milliseconds.
        remaining_ms: u32,
    },
    /// The seat handed in entropy for the shuffles.
    EntropyGiven {
        /// The seat.
        seat: Seat,
        /// 1 to 32 bytes.
        entropy: Vec<u8>,
    },
    /// A fact of the game.
    Game(Fact),
    /// A deal is over and its seed is public.
    SeedRevealed {
        /// The deal's number, from 1.
        deal: u16,
        /// Its link of the chain.
        link: Link,
    },
    /// The table's players go on at another table.
    RematchCreated {
        /// That table.
        table: TableId,
    },
    /// The table ended before its match did.
    Closed(CloseReason),
}

/// One accepted action: one revision and its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Who caused it.
    pub actor: Actor,
    /// The seat that acted, if one did.
    pub seat: Option<Seat>,
    /// What happened, in order. None where a table that waits for nothing has its time again after an outage.
    pub facts: Vec<TableFact>,
    /// The W3C `traceparent` of the call that caused it.
    pub traceparent: Option<String>,
}

impl Update {
    /// The seats that got a player in this update.
    pub fn seats_named(&self) -> impl Iterator<Item = Seat> {
        self.facts.iter().filter_map(|fact| match fact {
            TableFact::SeatTaken { seat, .. } => Some(*seat),
            _ => None,
        })
    }
}

/// An update as the log holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// Its revision and its commit's token.
    pub version: Version,
    /// When it was committed: milliseconds of the store's clock since the Unix epoch.
    pub time_ms: i64,
    /// What happened.
    pub update: Arc<Update>,
}

//! How a table ended, for its platform's books.

use std::collections::BTreeMap;
use std::sync::Arc;

use sedma_rules::{Preset, Seat, SeatSet};

use crate::edition::Edition;
use crate::ids::{TableId, Tenant, Version};
use crate::limits::MAX_GROUP_BYTES;
use crate::setup::{Player, Results};
use crate::table::{Phase, SeatState, Table};
use crate::update::CloseReason;

/// How a table ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The match was played to its end.
    Finished,
    /// A seat forfeited the match.
    Forfeited,
    /// The platform closed the table, or it reached a bound.
    Closed,
    /// Nothing happened for too long.
    Expired,
    /// The match did not start in time.
    NotStarted,
}

/// One side of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideResult {
    /// The seats that scored together.
    pub seats: SeatSet,
    /// Its game points.
    pub game_points: u16,
    /// From 1; sides that are level share it. 0 where the match was not decided.
    pub place: u8,
}

/// How one seat took part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatResult {
    /// Its player at the end, or the last one who left it during the match.
    pub player: Option<Arc<Player>>,
    /// Turns that this player let pass.
    pub timeouts: u16,
    /// Actions that a bot, or the clock, took for the seat in the whole match, whoever had it then.
    pub bot_actions: u16,
    /// Whether that player has left, or a bot has replaced him: he did not have the seat at the end.
    pub left: bool,
    /// Whether the seat forfeited the match, its player's leaving included where that forfeits.
    pub forfeited: bool,
}

/// How a table ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableResult {
    /// The table.
    pub table: TableId,
    /// The platform's own name for it.
    pub external_ref: String,
    /// The platform's labels.
    pub labels: BTreeMap<String, String>,
    /// How it ended.
    pub outcome: Outcome,
    /// The revision of the update that ended it.
    pub revision: i64,
    /// What was played.
    pub preset: Preset,
    /// Whether an option differed from the preset.
    pub custom: bool,
    /// Deals that were played to their end.
    pub deals: u16,
    /// The sides of the match, by their lowest seats.
    pub sides: Vec<SideResult>,
    /// The seats in playing order.
    pub seats: Vec<SeatResult>,
    /// Whether chance was scripted.
    pub scripted: bool,
    /// Whether the seats' counts were kept: not at a table of the first edition.
    pub counted: bool,
    /// The chained hash over all updates.
    pub record_hash: [u8; 32],
}

/// A result as the store keeps it until every consumer group has acknowledged it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filed {
    /// The commit that ended the table. Another one for the same table supersedes it.
    pub version: Version,
    /// When that was: milliseconds of the store's clock since the Unix epoch.
    pub time_ms: i64,
    /// The result.
    pub result: TableResult,
}

/// A result's identity: which commit ended which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResultId {
    /// The table.
    pub table: TableId,
    /// The commit.
    pub version: Version,
}

/// The consumers of a platform's results who share them. `[a-z0-9-]{1,32}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Group(String);

impl Group {
    /// Checks and takes a group's name.
    pub fn new(name: impl Into<String>) -> Option<Self> {
        let name = name.into();
        let fits = (1..=MAX_GROUP_BYTES).contains(&name.len());
        (fits && Tenant::new(name.as_str()).is_some()).then_some(Self(name))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Table {
    /// The result of a table that has ended and is to file one.
    pub fn result(&self) -> Option<TableResult> {
        let outcome = self.outcome().filter(|_| self.setup.results == Results::Keep)?;
        let setup = &self.setup;
        let deal_running = u16::from(self.game.deal_running());
        Some(TableResult {
            table: setup.id,
            external_ref: setup.external_ref.clone(),
            labels: setup.labels.clone(),
            outcome,
            revision: self.revision,
            preset: setup.rules.options().preset,
            custom: setup.rules.is_custom(),
            deals: self.game.deal_number().saturating_sub(deal_running),
            sides: self.side_results(),
            seats: self.seats().map(|(seat, state)| self.seat_result(seat, state)).collect(),
            scripted: setup.script.is_some(),
            counted: setup.edition >= Edition::Second,
            record_hash: self.record_hash,
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        match (self.phase, &self.closed) {
            (Phase::Finished, _) => Some(Outcome::Finished),
            (Phase::Closed, Some(CloseReason::Forfeited(_))) => Some(Outcome::Forfeited),
            (Phase::Closed, Some(CloseReason::Expired)) => Some(Outcome::Expired),
            (Phase::Closed, Some(CloseReason::NotStarted)) => Some(Outcome::NotStarted),
            (Phase::Closed, _) => Some(Outcome::Closed),
            (Phase::Open | Phase::Playing | Phase::BetweenDeals, _) => None,
        }
    }

    fn forfeiter(&self) -> Option<Seat> {
        match self.closed {
            Some(CloseReason::Forfeited(seat)) => Some(seat),
            _ => None,
        }
    }

    /// The winners come first, the side that forfeited last, the others by their game points.
    fn side_results(&self) -> Vec<SideResult> {
        let decided = matches!(self.outcome(), Some(Outcome::Finished | Outcome::Forfeited));
        let strength = |(seats, game_points): (SeatSet, u16)| {
            let won =
                self.game.winners().is_some_and(|winners| seats.iter().any(|seat| winners.contains(seat)));
            let gave_up = self.forfeiter().is_some_and(|seat| seats.contains(seat));
            (won, !gave_up, game_points)
        };
        let place = |side| {
            let better = self.game.standing().filter(|other| strength(*other) > strength(side)).count();
            u8::try_from(better).unwrap_or(u8::MAX).saturating_add(1)
        };
        let result = |side: (SeatSet, u16)| SideResult {
            seats: side.0,
            game_points: side.1,
            place: if decided { place(side) } else { 0 },
        };
        self.game.standing().map(result).collect()
    }

    fn seat_result(&self, seat: Seat, state: &SeatState) -> SeatResult {
        SeatResult {
            player: state.player.clone().or_else(|| state.left.clone()),
            timeouts: state.timeouts,
            bot_actions: state.bot_actions,
            left: state.player.is_none() && state.left.is_some(),
            forfeited: self.forfeiter() == Some(seat),
        }
    }
}

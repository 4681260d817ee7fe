//! A table's state. It is made by [`Table::open`] and changed by `evolve` alone; what others may know of it comes out
//! of `view` and `events` alone.

use std::sync::Arc;

use sedma_rules::{Match, Seat};

use crate::fairness::Link;
use crate::ids::TableId;
use crate::refusal::{Refusal, Standing};
use crate::setup::{Player, Setup};
use crate::timing::BotLevel;
use crate::update::CloseReason;

/// Where a table is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Seats are being taken.
    Open,
    /// A deal is running.
    Playing,
    /// A deal is over and the next waits for `StartNextDeal`.
    BetweenDeals,
    /// The match was played to its end.
    Finished,
    /// The table ended before that.
    Closed,
}

/// One seat of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatState {
    /// Who has it.
    pub player: Option<Arc<Player>>,
    /// How often its tokens were made worthless; a token of another generation is refused.
    pub generation: u32,
    /// Whether its player has said that he is here.
    pub here: bool,
    /// What it handed in for the shuffles; empty for nothing.
    pub entropy: Vec<u8>,
    /// The bot that has it. Never beside a player.
    pub bot: Option<BotLevel>,
    /// Whether its player let too many turns pass: a bot plays for him until he is back.
    pub away: bool,
    /// Turns in a row that its player let pass.
    pub missed: u8,
    /// The last player who left it during the match, while no other has taken it. From here on not kept at a table of
    /// the first edition.
    pub left: Option<Arc<Player>>,
    /// Turns that its player let pass in all; once he has left, the last one's, who goes on with them if he comes back.
    pub timeouts: u16,
    /// Actions that a bot or the clock took for it, whoever had it then.
    pub bot_actions: u16,
}

impl SeatState {
    /// What stays with the seat when somebody else gets it: a player's tokens are not the next one's.
    pub(crate) fn vacated(&self) -> SeatState {
        let had_somebody = !self.is_open();
        SeatState {
            generation: self.generation.saturating_add(u32::from(had_somebody)),
            entropy: self.entropy.clone(),
            ..SeatState::default()
        }
    }

    /// Whether nobody has it.
    pub fn is_open(&self) -> bool {
        self.player.is_none() && self.bot.is_none()
    }
}

/// The state of one table. Cheap to clone: what never changes is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub(crate) setup: Arc<Setup>,
    pub(crate) revision: i64,
    pub(crate) turn_revision: i64,
    pub(crate) phase: Phase,
    pub(crate) seats: Vec<SeatState>,
    pub(crate) game: Match,
    pub(crate) closed: Option<CloseReason>,
    /// Nobody can act and no clock runs.
    pub(crate) paused: bool,
    /// The seat to act has let its turn pass and nothing followed: its clock runs no more.
    pub(crate) turn_missed: bool,
    pub(crate) rematch: Option<TableId>,
    pub(crate) record_hash: [u8; 32],
}

/// A stored table's parts, for the codec that writes and reads them. Not a view: it has the cards.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of Table, each documented where it is used")]
pub struct TableParts {
    pub setup: Arc<Setup>,
    pub revision: i64,
    pub turn_revision: i64,
    pub phase: Phase,
    pub seats: Vec<SeatState>,
    pub game: Match,
    pub closed: Option<CloseReason>,
    pub paused: bool,
    pub turn_missed: bool,
    pub rematch: Option<TableId>,
    pub record_hash: [u8; 32],
}

impl Table {
    /// What never changes.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// The revision of the newest update.
    pub fn revision(&self) -> i64 {
        self.revision
    }

    /// Revision and turn revision.
    pub fn standing(&self) -> Standing {
        Standing { revision: self.revision, turn_revision: self.turn_revision }
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Where it is in its life.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether nothing more can happen but a rematch.
    pub fn is_ended(&self) -> bool {
        matches!(self.phase, Phase::Finished | Phase::Closed)
    }

    /// A seat; `None` where the table has no such seat.
    pub fn seat(&self, seat: Seat) -> Option<&SeatState> {
        self.seats.get(seat.index())
    }

    /// A seat that a request names; refused where the table has no such seat.
    pub fn must_have(&self, seat: Seat) -> Result<&SeatState, Refusal> {
        self.seat(seat)
            .ok_or_else(|| Refusal::field("seat", format!("the table has {} seats", self.setup.seats())))
    }

    /// The seats in playing order.
    pub fn seats(&self) -> impl Iterator<Item = (Seat, &SeatState)> {
        (1..=4).filter_map(Seat::new).zip(&self.seats)
    }

    /// The first seat that nobody has.
    pub(crate) fn open_seat(&self) -> Option<Seat> {
        self.seats().find(|(_, state)| state.is_open()).map(|(seat, _)| seat)
    }

    /// The seat that this player has.
    pub fn seat_of(&self, player_id: &str) -> Option<Seat> {
        self.seats()
            .find(|(_, seat)| seat.player.as_ref().is_some_and(|player| player.player_id == player_id))
            .map(|(seat, _)| seat)
    }

    /// The table that its players went on to.
    pub fn rematch(&self) -> Option<TableId> {
        self.rematch
    }

    /// The chained hash over all updates so far.
    pub fn record_hash(&self) -> &[u8; 32] {
        &self.record_hash
    }

    /// Link k of the seed chain. Secret until deal k has ended.
    pub(crate) fn link(&self, deal: u16) -> Link {
        self.setup.chain.link(deal)
    }

    /// Takes the state apart for storing.
    pub fn to_parts(&self) -> TableParts {
        let Self { setup, revision, turn_revision, phase, seats, game, closed, .. } = self.clone();
        let Self { paused, turn_missed, rematch, record_hash, .. } = *self;
        TableParts {
            setup,
            revision,
            turn_revision,
            phase,
            seats,
            game,
            closed,
            paused,
            turn_missed,
            rematch,
            record_hash,
        }
    }

    /// Puts a stored state together again. `None` where the parts don't fit each other.
    pub fn from_parts(parts: TableParts) -> Option<Self> {
        let TableParts { setup, revision, turn_revision, phase, seats, game, closed, .. } = parts;
        let TableParts { paused, turn_missed, rematch, record_hash, .. } = parts;
        let fits = seats.len() == usize::from(setup.seats())
            && (1..=revision).contains(&turn_revision)
            && (phase == Phase::Closed) == closed.is_some()
            && seats.iter().all(|seat| seat.player.is_none() || seat.bot.is_none())
            && (phase == Phase::Closed || (phase == Phase::Playing) == game.deal_running());
        fits.then_some(Self {
            setup,
            revision,
            turn_revision,
            phase,
            seats,
            game,
            closed,
            paused,
            turn_missed,
            rematch,
            record_hash,
        })
    }
}

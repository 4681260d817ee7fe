//! `evolve(state, update) -> state`: applies facts and judges nothing.

use sedma_rules::{Fact, Seat};

use crate::edition::Edition;
use crate::record;
use crate::setup::Setup;
use crate::table::{Phase, SeatState, Table};
use crate::update::{Actor, CloseReason, TableFact, Update};

/// An update that doesn't fit the state it is applied to: a damaged log, or a defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("update {revision} does not fit the state before it")]
pub struct Misfit {
    /// The revision of the update.
    pub revision: i64,
}

impl Table {
    /// The state after a table's first update.
    pub fn open(update: &Update) -> Result<Self, Misfit> {
        let Some((TableFact::Created(setup), rest)) = update.facts.split_first() else {
            return Err(Misfit { revision: 1 });
        };
        let mut table = Self::empty(setup.clone());
        for fact in rest {
            table.apply(fact).ok_or(Misfit { revision: 1 })?;
        }
        table.turn_revision = 1;
        table.record_hash = record::next_hash(&table.record_hash, &record::record_line(1, update));
        Ok(table)
    }

    /// The state before anything but its creation happened.
    pub(crate) fn empty(setup: std::sync::Arc<Setup>) -> Self {
        Self {
            revision: 1,
            turn_revision: 1,
            phase: Phase::Open,
            seats: vec![SeatState::default(); usize::from(setup.seats())],
            game: sedma_rules::Match::new(&setup.rules),
            closed: None,
            paused: false,
            turn_missed: false,
            rematch: None,
            record_hash: record::first_hash(&setup),
            setup,
        }
    }

    /// The state after the next update.
    pub fn evolve(&self, update: &Update) -> Result<Self, Misfit> {
        let revision = self.revision.saturating_add(1);
        let mut next = self.clone();
        for fact in &update.facts {
            if next.moves_turn(fact) {
                next.turn_revision = revision;
                next.turn_missed = false;
            }
            next.apply(fact).ok_or(Misfit { revision })?;
        }
        next.count_as_acted(update)?;
        next.revision = revision;
        next.record_hash = record::next_hash(&self.record_hash, &record::record_line(revision, update));
        Ok(next)
    }

    /// Whether a fact changes who may act or what is legal: a deal, any play, the end, another player on the seat that
    /// is to act. Joins elsewhere and entropy are none of the mover's business.
    fn moves_turn(&self, fact: &TableFact) -> bool {
        match fact {
            TableFact::Game(_)
            | TableFact::Closed(_)
            | TableFact::Created(_)
            | TableFact::Paused
            | TableFact::Resumed => true,
            TableFact::SeatTaken { seat, .. }
            | TableFact::BotSeated { seat, .. }
            | TableFact::SeatLeft { seat } => self.game.turn() == Some(*seat),
            TableFact::SeatReady { .. }
            | TableFact::SeatRevoked { .. }
            | TableFact::EntropyGiven { .. }
            | TableFact::TurnMissed { .. }
            | TableFact::AwayChanged { .. }
            | TableFact::DeadlineExtended { .. }
            | TableFact::SeedRevealed { .. }
            | TableFact::RematchCreated { .. } => false,
        }
    }

    /// Applies one fact. `None` where it can't be one of this table's.
    pub(crate) fn apply(&mut self, fact: &TableFact) -> Option<()> {
        let counts = self.counts();
        match fact {
            TableFact::Created(_) => return None,
            TableFact::SeatTaken { seat, player } => {
                let state = self.seat_mut(*seat)?;
                let comes_back = state.left.as_ref().is_some_and(|left| left.player_id == player.player_id);
                *state = SeatState {
                    player: Some(player.clone()),
                    timeouts: if comes_back { state.timeouts } else { 0 },
                    bot_actions: state.bot_actions,
                    ..state.vacated()
                };
            }
            TableFact::BotSeated { seat, level } => {
                let past = self.past_of(*seat)?;
                let state = self.seat_mut(*seat)?;
                let SeatState { generation, entropy, .. } = state.vacated();
                *state = SeatState { bot: Some(*level), here: true, generation, entropy, ..past };
            }
            TableFact::TurnMissed { seat } => {
                let state = self.seat_mut(*seat)?;
                state.missed = state.missed.saturating_add(1);
                state.timeouts = state.timeouts.saturating_add(counts);
                self.turn_missed = true;
            }
            TableFact::AwayChanged { seat, away } => {
                let state = self.seat_mut(*seat)?;
                (state.away, state.missed) = (*away, 0);
            }
            TableFact::Paused => self.paused = true,
            TableFact::Resumed => self.paused = false,
            TableFact::DeadlineExtended { .. } => self.turn_missed = false,
            TableFact::SeatReady { seat } => self.seat_mut(*seat)?.here = true,
            TableFact::SeatLeft { seat } => self.leave(*seat)?,
            TableFact::SeatRevoked { seat } => {
                let state = self.seat_mut(*seat)?;
                state.generation = state.generation.saturating_add(1);
            }
            TableFact::EntropyGiven { seat, entropy } => self.seat_mut(*seat)?.entropy.clone_from(entropy),
            TableFact::Game(fact) => self.apply_game(fact)?,
            TableFact::SeedRevealed { .. } => {}
            TableFact::RematchCreated { table } => self.rematch = Some(*table),
            TableFact::Closed(reason) => self.close(reason),
        }
        Some(())
    }

    /// Whoever acts for himself has not let his turns pass in a row; what others did for a seat is counted.
    fn count_as_acted(&mut self, update: &Update) -> Result<(), Misfit> {
        let played = update.facts.iter().any(|fact| matches!(fact, TableFact::Game(_)));
        let Some(seat) = update.seat.filter(|_| played) else { return Ok(()) };
        let (counts, misfit) = (self.counts(), Misfit { revision: self.revision });
        let state = self.seat_mut(seat).ok_or(misfit)?;
        match update.actor {
            Actor::Player => state.missed = 0,
            Actor::Bot | Actor::Timeout => state.bot_actions = state.bot_actions.saturating_add(counts),
            Actor::Platform => {}
        }
        Ok(())
    }

    /// What one more of something adds to a count.
    fn counts(&self) -> u16 {
        u16::from(self.setup.edition >= Edition::Second)
    }

    /// What a seat keeps of its player when he loses it during the match: his name, if nobody takes his place, and what
    /// was counted.
    fn past_of(&self, seat: Seat) -> Option<SeatState> {
        let state = self.seat(seat)?;
        if self.setup.edition < Edition::Second || self.game.deal_number() == 0 {
            return Some(SeatState::default());
        }
        Some(SeatState {
            left: state.player.clone().or_else(|| state.left.clone()),
            timeouts: state.timeouts,
            bot_actions: state.bot_actions,
            ..SeatState::default()
        })
    }

    fn seat_mut(&mut self, seat: Seat) -> Option<&mut SeatState> {
        self.seats.get_mut(seat.index())
    }

    /// Entropy that went into a deal stays with the table; before the first deal it leaves with its seat.
    fn leave(&mut self, seat: Seat) -> Option<()> {
        let frozen = self.game.deal_number() > 0;
        let past = self.past_of(seat)?;
        let state = self.seat_mut(seat)?;
        let entropy = if frozen { std::mem::take(&mut state.entropy) } else { Vec::new() };
        *state = SeatState { generation: state.generation.saturating_add(1), entropy, ..past };
        Some(())
    }

    fn apply_game(&mut self, fact: &Fact) -> Option<()> {
        self.game.evolve(fact).ok()?;
        match fact {
            Fact::Dealt { .. } => self.phase = Phase::Playing,
            Fact::DealEnded(_) => self.phase = Phase::BetweenDeals,
            Fact::MatchEnded { .. } => self.phase = Phase::Finished,
            _ => {}
        }
        Some(())
    }

    fn close(&mut self, reason: &CloseReason) {
        self.phase = Phase::Closed;
        self.paused = false;
        self.closed = Some(reason.clone());
    }
}

//! What a viewer may be told of an update: a hidden card has no place in these types either.

use std::sync::Arc;

use sedma_rules::{Fact, Seat};

use crate::evolve::Misfit;
use crate::fairness::Link;
use crate::ids::TableId;
use crate::setup::Player;
use crate::table::Table;
use crate::timing::BotLevel;
use crate::update::{CloseReason, TableFact, Update};
use crate::view::Viewer;

/// One thing that happened, as a viewer may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The table exists.
    TableCreated {
        /// The end of its seed chain.
        commitment: Link,
    },
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
    /// The seat is open again.
    SeatLeft {
        /// The seat.
        seat: Seat,
    },
    /// The seat's tokens became worthless.
    SeatRevoked {
        /// The seat.
        seat: Seat,
    },
    /// The seat handed in entropy.
    EntropyGiven {
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
    /// The table goes on after a pause.
    Resumed,
    /// What the table waits for has so much time left, from the update on.
    DeadlineExtended {
        /// Milliseconds.
        remaining_ms: u32,
    },
    /// Something happened in the game.
    Game {
        /// What.
        event: sedma_rules::Event,
        /// In which deal, from 1.
        deal: u16,
        /// Who leads the trick, where a round of it is full.
        leader: Option<Seat>,
    },
    /// A deal is over and its seed is public, with the entropies that it was mixed with.
    SeedRevealed {
        /// The deal's number.
        deal: u16,
        /// Its link of the chain.
        seed: Link,
        /// What each seat handed in, in seat order; empty for nothing.
        entropies: Vec<Vec<u8>>,
    },
    /// The table's players go on at another table.
    RematchCreated {
        /// That table.
        table: TableId,
    },
    /// The table ended before its match did.
    TableClosed(CloseReason),
}

impl Table {
    /// The events of a table's first update, for this viewer.
    pub fn opening_events(update: &Update, viewer: Viewer) -> Result<Vec<Event>, Misfit> {
        let Some((TableFact::Created(setup), rest)) = update.facts.split_first() else {
            return Err(Misfit { revision: 1 });
        };
        let mut events = vec![Event::TableCreated { commitment: setup.commitment }];
        Self::empty(setup.clone()).tell(rest, viewer, &mut events).ok_or(Misfit { revision: 1 })?;
        Ok(events)
    }

    /// The events of the update that follows this state, for this viewer.
    pub fn events(&self, update: &Update, viewer: Viewer) -> Result<Vec<Event>, Misfit> {
        let mut events = Vec::new();
        self.clone()
            .tell(&update.facts, viewer, &mut events)
            .ok_or(Misfit { revision: self.revision.saturating_add(1) })?;
        Ok(events)
    }

    fn tell(mut self, facts: &[TableFact], viewer: Viewer, events: &mut Vec<Event>) -> Option<()> {
        for fact in facts {
            self.tell_one(fact, viewer, events);
            self.apply(fact)?;
        }
        Some(())
    }

    fn tell_one(&self, fact: &TableFact, viewer: Viewer, events: &mut Vec<Event>) {
        events.push(match fact {
            TableFact::Created(setup) => Event::TableCreated { commitment: setup.commitment },
            TableFact::SeatTaken { seat, player } => Event::SeatTaken { seat: *seat, player: player.clone() },
            TableFact::SeatReady { seat } => Event::SeatReady { seat: *seat },
            TableFact::SeatLeft { seat } => Event::SeatLeft { seat: *seat },
            TableFact::SeatRevoked { seat } => Event::SeatRevoked { seat: *seat },
            TableFact::EntropyGiven { seat, .. } => Event::EntropyGiven { seat: *seat },
            TableFact::BotSeated { seat, level } => Event::BotSeated { seat: *seat, level: *level },
            TableFact::TurnMissed { seat } => Event::TurnMissed { seat: *seat },
            TableFact::AwayChanged { seat, away } => Event::AwayChanged { seat: *seat, away: *away },
            TableFact::Paused => Event::Paused,
            TableFact::Resumed => Event::Resumed,
            TableFact::DeadlineExtended { remaining_ms } => {
                Event::DeadlineExtended { remaining_ms: *remaining_ms }
            }
            TableFact::Game(fact) => {
                let mut told = Vec::new();
                self.game.events(fact, viewer.set(), &mut told);
                let deal = self.game.deal_number();
                let leader = matches!(fact, Fact::RoundEnded | Fact::TrickSetAside)
                    .then(|| self.game.view(&self.setup.rules, Viewer::SPECTATOR.set()).leader)
                    .flatten();
                events.extend(told.into_iter().map(|event| Event::Game { event, deal, leader }));
                return;
            }
            TableFact::SeedRevealed { deal, link } => Event::SeedRevealed {
                deal: *deal,
                seed: *link,
                entropies: self.seats.iter().map(|seat| seat.entropy.clone()).collect(),
            },
            TableFact::RematchCreated { table } => Event::RematchCreated { table: *table },
            TableFact::Closed(reason) => Event::TableClosed(reason.clone()),
        });
    }
}

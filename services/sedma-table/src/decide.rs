//! `decide(state, command) -> facts or a refusal`: pure, and the only judge.

use sedma_rules::{Action, Refused, Seat};

use crate::deal::{next_deal, push_game};
use crate::ids::TableId;
use crate::limits::{MAX_UPDATES, UPDATES_AFTER_END};
use crate::phases::{self, Verb};
use crate::refusal::{Reason, Refusal};
use crate::setup::{Occupant, Player, Setup};
use crate::table::Table;
use crate::timing::BotLevel;
use crate::update::{CloseReason, TableFact};
use crate::{fire, lifecycle, seats};

/// Who takes a seat or comes back to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Joiner {
    /// The holder of the seat, by his token.
    Holder {
        /// The seat.
        seat: Seat,
        /// Who he says he is, if he says it: it must be who he is.
        player_id: Option<String>,
    },
    /// The platform, for the seat it names (`None`: any open one) and the player it names.
    Platform {
        /// The seat asked for.
        seat: Option<Seat>,
        /// Whom to seat; `None` says "here" for a seat that is taken.
        player: Option<Player>,
    },
}

/// What a caller wants to happen, parsed and authorised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Take a seat, come back to it, hand in entropy.
    Join {
        /// Who.
        joiner: Joiner,
        /// Up to 32 bytes for the shuffles; empty for none.
        entropy: Vec<u8>,
    },
    /// Give a seat back.
    Leave {
        /// The seat.
        seat: Seat,
    },
    /// Make a seat's tokens worthless.
    Revoke {
        /// The seat.
        seat: Seat,
    },
    /// Deal the first deal.
    Start,
    /// Deal the next deal.
    StartNextDeal,
    /// Act for a seat in the game.
    Act {
        /// The seat.
        seat: Seat,
        /// What it does.
        action: Action,
    },
    /// Seat a bot where nobody sits, or wherever the platform says.
    AddBot {
        /// The seat; `None`: any open one.
        seat: Option<Seat>,
        /// How well it plays.
        level: BotLevel,
    },
    /// Make a bot's seat open again.
    RemoveBot {
        /// The seat.
        seat: Seat,
    },
    /// Let nobody act and no clock run.
    Pause,
    /// Go on after a pause.
    Resume,
    /// Give what the table waits for so much time from now on.
    Extend {
        /// Milliseconds.
        remaining_ms: u32,
    },
    /// Lose the match for a seat's side.
    Forfeit {
        /// The seat.
        seat: Seat,
    },
    /// Do what is due, for its time has come.
    Fire {
        /// What a bot chose for the seat to act, where one acts.
        choice: Option<Action>,
    },
    /// Give what is due its whole time again: an outage took it.
    Rearm,
    /// Note the table that the players go on to.
    LinkRematch {
        /// That table.
        table: TableId,
    },
    /// End the table.
    Close {
        /// The platform's words.
        reason: String,
    },
}

/// What a command comes to when it isn't refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// These facts, as one update.
    Happens {
        /// What happens. Empty where a table that waits for nothing has its time again.
        facts: Vec<TableFact>,
        /// The seat that turned out to be meant, where the command leaves that open.
        seat: Option<Seat>,
    },
    /// Everything asked for is so already; nothing is written.
    AlreadySo,
}

/// The facts of a table's first update: its players' seats, and the first deal where the start policy says so.
pub fn open(setup: Setup, seats: &[Occupant]) -> Result<Vec<TableFact>, Refusal> {
    let setup = std::sync::Arc::new(setup);
    let mut draft =
        Draft { table: Table::empty(setup.clone()), facts: vec![TableFact::Created(setup)], seat: None };
    for (seat, occupant) in (1..=4).filter_map(Seat::new).zip(seats) {
        match occupant {
            Occupant::Open => {}
            Occupant::Player(player) => {
                draft.push(TableFact::SeatTaken { seat, player: player.clone().into() })?;
            }
            Occupant::Bot(level) => draft.push(TableFact::BotSeated { seat, level: *level })?,
        }
    }
    seats::start_if_due(&mut draft)?;
    Ok(draft.facts)
}

/// What this command makes of this table.
pub fn decide(table: &Table, command: &Command) -> Result<Decision, Refusal> {
    let mut draft = Draft { table: table.clone(), facts: Vec::new(), seat: None };
    judge(&mut draft, command).map_err(|refusal| refusal.at(table.standing()))?;
    // Time that only the store keeps is given by an update that says nothing.
    if draft.facts.is_empty() && !matches!(command, Command::Rearm) {
        return Ok(Decision::AlreadySo);
    }
    let full = table.revision().saturating_add(1) >= MAX_UPDATES - UPDATES_AFTER_END;
    if full && !draft.table.is_ended() {
        draft.push(TableFact::Closed(CloseReason::Limit))?;
    }
    Ok(Decision::Happens { facts: draft.facts, seat: draft.seat })
}

fn judge(draft: &mut Draft, command: &Command) -> Result<(), Refusal> {
    phases::check(&draft.table, Verb::of(command))?;
    match command {
        Command::Join { joiner, entropy } => seats::join(draft, joiner, entropy),
        Command::Leave { seat } => seats::leave(draft, *seat),
        Command::Revoke { seat } => seats::revoke(draft, *seat),
        Command::Start => seats::start(draft),
        Command::StartNextDeal => next_deal(draft),
        Command::Act { seat, action } => act(draft, *seat, *action),
        Command::AddBot { seat, level } => lifecycle::add_bot(draft, *seat, *level),
        Command::RemoveBot { seat } => lifecycle::remove_bot(draft, *seat),
        Command::Pause => lifecycle::pause(draft),
        Command::Resume => lifecycle::resume(draft),
        Command::Extend { remaining_ms } => lifecycle::extend(draft, *remaining_ms),
        Command::Forfeit { seat } => lifecycle::forfeit(draft, *seat),
        Command::Fire { choice } => fire::fire(draft, *choice),
        Command::Rearm => fire::rearm(draft),
        Command::LinkRematch { table } => lifecycle::link_rematch(draft, *table),
        Command::Close { reason } => draft.push(TableFact::Closed(CloseReason::Platform(reason.clone()))),
    }
}

pub(crate) fn act(draft: &mut Draft, seat: Seat, action: Action) -> Result<(), Refusal> {
    draft.table.must_have(seat)?;
    let rules = &draft.table.setup.rules;
    let mut facts = Vec::new();
    draft
        .table
        .game
        .act(rules, seat, action, &mut facts)
        .map_err(|refused| refuse_action(&draft.table, seat, action, refused))?;
    if push_game(draft, facts)? {
        next_deal(draft)?;
    }
    Ok(())
}

/// The game's own refusal in the table's words. Every card that is not in the hand gets the same answer.
fn refuse_action(table: &Table, seat: Seat, action: Action, refused: Refused) -> Refusal {
    let mut refusal = match refused {
        Refused::NotYourTurn => {
            Refusal::new(Reason::NotYourTurn, "It is another seat's turn; wait for yours.")
        }
        Refused::CardNotInHand => Refusal::new(
            Reason::CardNotInHand,
            "That card is not in your hand; play one of your legal actions.",
        ),
        Refused::DealOver => Refusal::new(Reason::NotStarted, "No deal is running; wait for the next one."),
        Refused::Illegal(rule) => {
            let mut refusal = Refusal::new(
                Reason::IllegalAction,
                format!("The rules forbid it: {rule}; choose one of your legal actions."),
            );
            refusal.rule = Some(rule);
            refusal
        }
    };
    if let Action::Play { card, .. } = action {
        refusal.card = Some(card);
    }
    let legal = table.game.legal_actions(&table.setup.rules, seat);
    if !legal.is_empty() {
        refusal.legal = Some(Box::new(legal));
    }
    refusal
}

/// Facts as they are decided, with the state that they lead to.
pub(crate) struct Draft {
    pub(crate) table: Table,
    pub(crate) facts: Vec<TableFact>,
    /// See [`Decision::Happens`].
    pub(crate) seat: Option<Seat>,
}

impl Draft {
    /// Adds a fact. One that doesn't fit the state is a defect of the one who decided it.
    pub(crate) fn push(&mut self, fact: TableFact) -> Result<(), Refusal> {
        self.table.apply(&fact).ok_or_else(|| {
            Refusal::new(Reason::Invariant, "The table's state does not fit its rules; please report this.")
        })?;
        self.facts.push(fact);
        Ok(())
    }
}

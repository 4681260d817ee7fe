//! Which verb is allowed in which phase: one table. It is asked before anything else, and for what follows from the
//! phase alone; whose turn it is, whether a seat is to be had or whether anything is timed is judged by the verb itself.

use crate::decide::Command;
use crate::refusal::{Reason, Refusal};
use crate::table::{Phase, Table};

use Says::{Already, BetweenDeals, Ended, NotYet, Paused, Yes};

/// What kind of command it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is named as the command that it is of")]
pub enum Verb {
    Join,
    Leave,
    Revoke,
    Start,
    StartNextDeal,
    Act,
    AddBot,
    RemoveBot,
    Pause,
    Resume,
    Extend,
    Forfeit,
    Fire,
    Rearm,
    LinkRematch,
    Close,
}

/// What a phase says to a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    /// It is allowed, as far as the phase goes.
    Yes,
    /// The first deal was not dealt yet.
    NotYet,
    /// A deal is over and the next one waits.
    BetweenDeals,
    /// What is asked for has begun already, or what must end first goes on.
    Already,
    /// The table has ended.
    Ended,
    /// Nobody can act before it is resumed.
    Paused,
}

/// A verb's line of the table.
struct Row {
    open: Says,
    playing: Says,
    between_deals: Says,
    finished: Says,
    closed: Says,
    /// Of a table that is paused, whatever its phase; where it says yes, the phase decides.
    paused: Says,
}

/// The table, one line a verb. An ended table is never paused.
#[rustfmt::skip]
#[allow(clippy::match_same_arms, reason = "alike, each for reasons of its own")]
const fn row(verb: Verb) -> Row {
    match verb {
        //                          OPEN    PLAYING  BETWEEN_DEALS  FINISHED  CLOSED  while paused
        Verb::Join          => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::Leave         => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::Revoke        => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::Start         => line(Yes,    Already, Already,       Ended,    Ended,  Paused),
        Verb::StartNextDeal => line(NotYet, Already, Yes,           Ended,    Ended,  Paused),
        Verb::Act           => line(NotYet, Yes,     BetweenDeals,  Ended,    Ended,  Paused),
        Verb::AddBot        => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::RemoveBot     => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::Pause         => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::Resume        => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::Extend        => line(Yes,    Yes,     Yes,           Ended,    Ended,  Paused),
        Verb::Forfeit       => line(NotYet, Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::Fire          => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::Rearm         => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
        Verb::LinkRematch   => line(NotYet, Already, Already,       Yes,      Yes,    Yes),
        Verb::Close         => line(Yes,    Yes,     Yes,           Ended,    Ended,  Yes),
    }
}

const fn line(
    open: Says,
    playing: Says,
    between_deals: Says,
    finished: Says,
    closed: Says,
    paused: Says,
) -> Row {
    Row { open, playing, between_deals, finished, closed, paused }
}

/// The sentence for who is refused; it names the next step.
const fn sentence(verb: Verb, says: Says) -> &'static str {
    match (verb, says) {
        (Verb::Start, Already) => "The table has started already; play on.",
        (Verb::StartNextDeal, NotYet) => {
            "The table has not started; StartNextDeal deals the deals after the first."
        }
        (Verb::StartNextDeal, Already) => "A deal is running; StartNextDeal may be called when it has ended.",
        (Verb::Act, BetweenDeals) => "The deal is over and the next one waits; call StartNextDeal, then act.",
        (Verb::Extend, Paused) => {
            "The table is paused; call ResumeTable, which gives the whole time back, and then extend it."
        }
        (Verb::Forfeit, NotYet) => {
            "The match has not started, so nobody can lose it; free the seat with LeaveTable, or call CloseTable."
        }
        (Verb::LinkRematch, NotYet) => {
            "The table has not even started; a rematch follows a match that has ended."
        }
        (Verb::LinkRematch, Already) => {
            "The match is still running; a rematch may be created when it has ended."
        }
        (_, NotYet) => {
            "The table has not started; wait until its seats are taken and the first deal is dealt."
        }
        (_, Paused) => "The table is paused; wait until the platform resumes it.",
        (_, Ended) => "The table has ended; CreateRematch seats the same players at a new one.",
        (_, Yes | BetweenDeals | Already) => "The table's phase forbids it; read the table again.",
    }
}

impl Says {
    /// The reason of the refusal that it comes to; none where it is none.
    const fn reason(self) -> Option<Reason> {
        match self {
            Yes => None,
            NotYet | BetweenDeals => Some(Reason::NotStarted),
            Already => Some(Reason::AlreadyStarted),
            Ended => Some(Reason::TableEnded),
            Paused => Some(Reason::TablePaused),
        }
    }
}

impl Row {
    const fn says(&self, phase: Phase, paused: bool) -> Says {
        if paused && !matches!(self.paused, Yes) {
            return self.paused;
        }
        match phase {
            Phase::Open => self.open,
            Phase::Playing => self.playing,
            Phase::BetweenDeals => self.between_deals,
            Phase::Finished => self.finished,
            Phase::Closed => self.closed,
        }
    }
}

impl Verb {
    /// Every verb.
    pub const ALL: [Verb; 16] = [
        Verb::Join,
        Verb::Leave,
        Verb::Revoke,
        Verb::Start,
        Verb::StartNextDeal,
        Verb::Act,
        Verb::AddBot,
        Verb::RemoveBot,
        Verb::Pause,
        Verb::Resume,
        Verb::Extend,
        Verb::Forfeit,
        Verb::Fire,
        Verb::Rearm,
        Verb::LinkRematch,
        Verb::Close,
    ];

    /// The verb of a command.
    pub const fn of(command: &Command) -> Verb {
        match command {
            Command::Join { .. } => Verb::Join,
            Command::Leave { .. } => Verb::Leave,
            Command::Revoke { .. } => Verb::Revoke,
            Command::Start => Verb::Start,
            Command::StartNextDeal => Verb::StartNextDeal,
            Command::Act { .. } => Verb::Act,
            Command::AddBot { .. } => Verb::AddBot,
            Command::RemoveBot { .. } => Verb::RemoveBot,
            Command::Pause => Verb::Pause,
            Command::Resume => Verb::Resume,
            Command::Extend { .. } => Verb::Extend,
            Command::Forfeit { .. } => Verb::Forfeit,
            Command::Fire { .. } => Verb::Fire,
            Command::Rearm => Verb::Rearm,
            Command::LinkRematch { .. } => Verb::LinkRematch,
            Command::Close { .. } => Verb::Close,
        }
    }

    /// Why a phase refuses the verb; `None` where it does not. A verb that it lets through may be refused for more than
    /// the phase.
    pub const fn refused_in(self, phase: Phase, paused: bool) -> Option<Reason> {
        row(self).says(phase, paused).reason()
    }
}

/// Whether a table's phase lets a verb through.
pub(crate) fn check(table: &Table, verb: Verb) -> Result<(), Refusal> {
    let says = row(verb).says(table.phase, table.paused);
    match says.reason() {
        None => Ok(()),
        Some(reason) => Err(Refusal::new(reason, sentence(verb, says))),
    }
}

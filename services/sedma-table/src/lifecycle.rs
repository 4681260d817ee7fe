//! What a platform decides about a table as a whole: bots, pauses, time, forfeits.

use sedma_rules::Seat;

use crate::decide::Draft;
use crate::ids::TableId;
use crate::refusal::{Reason, Refusal};
use crate::seats::start_if_due;
use crate::timing::BotLevel;
use crate::update::{CloseReason, TableFact};

/// A bot takes a seat: an open one, or in play that of a player who has not come back.
pub(crate) fn add_bot(draft: &mut Draft, seat: Option<Seat>, level: BotLevel) -> Result<(), Refusal> {
    let seat = match seat {
        Some(seat) => {
            let state = draft.table.must_have(seat)?;
            if state.bot == Some(level) {
                draft.seat = Some(seat);
                return Ok(());
            }
            if state.player.is_some() && !state.away {
                return Err(Refusal::new(
                    Reason::SeatTaken,
                    format!(
                        "Seat {} has a player who is not away; free it with LeaveTable, or ask for another.",
                        seat.number()
                    ),
                ));
            }
            seat
        }
        None => draft.table.open_seat().ok_or_else(|| {
            Refusal::new(Reason::TableFull, "Every seat is taken; name the seat of a player who is away.")
        })?,
    };
    draft.seat = Some(seat);
    draft.push(TableFact::BotSeated { seat, level })?;
    start_if_due(draft)
}

/// A bot's seat is open again. One that has no bot has none to lose.
pub(crate) fn remove_bot(draft: &mut Draft, seat: Seat) -> Result<(), Refusal> {
    match draft.table.must_have(seat)?.bot {
        Some(_) => draft.push(TableFact::SeatLeft { seat }),
        None => Ok(()),
    }
}

/// Stops everything. A paused table is paused already.
pub(crate) fn pause(draft: &mut Draft) -> Result<(), Refusal> {
    if draft.table.paused { Ok(()) } else { draft.push(TableFact::Paused) }
}

/// Goes on; what is awaited has its whole time again, for who was called away could not use it.
pub(crate) fn resume(draft: &mut Draft) -> Result<(), Refusal> {
    if !draft.table.paused {
        return Ok(());
    }
    draft.push(TableFact::Resumed)?;
    // The last player may have come meanwhile.
    start_if_due(draft)
}

/// Sets the time that is left; a turn that was missed has its clock again. Where nothing is timed there is nothing to
/// extend.
pub(crate) fn extend(draft: &mut Draft, remaining_ms: u32) -> Result<(), Refusal> {
    match draft.table.extendable() {
        Some(_) => draft.push(TableFact::DeadlineExtended { remaining_ms }),
        None => {
            Err(Refusal::new(Reason::NotStarted, "No clock runs at this table; there is nothing to extend."))
        }
    }
}

/// The seat's side loses.
pub(crate) fn forfeit(draft: &mut Draft, seat: Seat) -> Result<(), Refusal> {
    draft.table.must_have(seat)?;
    draft.seat = Some(seat);
    draft.push(TableFact::Closed(CloseReason::Forfeited(seat)))
}

/// Notes where the players go on. Whoever asks again is told the same.
pub(crate) fn link_rematch(draft: &mut Draft, table: TableId) -> Result<(), Refusal> {
    if draft.table.rematch == Some(table) {
        return Ok(());
    }
    draft.push(TableFact::RematchCreated { table })
}

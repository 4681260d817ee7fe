//! What a clock does when its time has come.

use sedma_rules::{Action, Seat};

use crate::clock::What;
use crate::deal::next_deal;
use crate::decide::{self, Draft};
use crate::refusal::{Reason, Refusal};
use crate::timing::{OnJoinTimeout, OnTimeout};
use crate::update::{CloseReason, TableFact};

/// Does what is due. `choice` is a bot's action for the seat to act, where a bot acts.
pub(crate) fn fire(draft: &mut Draft, choice: Option<Action>) -> Result<(), Refusal> {
    let what = match draft.table.due() {
        Some(due) => due.what,
        None if draft.table.expires() => What::Anything,
        None => return Ok(()),
    };
    match what {
        What::Turn(seat) => turn_missed(draft, seat, choice),
        What::Bot(seat, _) => bot_acts(draft, seat, choice),
        What::NextDeal => next_deal(draft),
        What::Start => not_complete(draft),
        What::Anything => draft.push(TableFact::Closed(CloseReason::Expired)),
    }
}

fn turn_missed(draft: &mut Draft, seat: Seat, choice: Option<Action>) -> Result<(), Refusal> {
    draft.seat = Some(seat);
    let timing = draft.table.setup.timing;
    draft.push(TableFact::TurnMissed { seat })?;
    match timing.on_timeout {
        OnTimeout::Nothing => Ok(()),
        OnTimeout::Forfeit => draft.push(TableFact::Closed(CloseReason::Forfeited(seat))),
        OnTimeout::Autoplay(_) => {
            let missed = draft.table.must_have(seat)?.missed;
            if timing.away_after > 0 && missed >= timing.away_after {
                draft.push(TableFact::AwayChanged { seat, away: true })?;
            }
            bot_acts(draft, seat, choice)
        }
    }
}

fn bot_acts(draft: &mut Draft, seat: Seat, choice: Option<Action>) -> Result<(), Refusal> {
    draft.seat = Some(seat);
    let action = choice.ok_or_else(|| {
        Refusal::new(Reason::Invariant, "A bot was to act and chose nothing; please report this.")
    })?;
    decide::act(draft, seat, action)
}

fn not_complete(draft: &mut Draft) -> Result<(), Refusal> {
    let OnJoinTimeout::FillWithBots(level) = draft.table.setup.timing.on_join_timeout else {
        return draft.push(TableFact::Closed(CloseReason::NotStarted));
    };
    let seats: Vec<(Seat, bool, bool)> =
        draft.table.seats().map(|(seat, state)| (seat, state.is_open(), state.here)).collect();
    for (seat, open, here) in seats {
        if open {
            draft.push(TableFact::BotSeated { seat, level })?;
        } else if !here {
            draft.push(TableFact::AwayChanged { seat, away: true })?;
        }
    }
    next_deal(draft)
}

/// Gives what is due its whole time again. Where a turn was missed that is the turn, before it is the idle table. A table
/// that waits for nothing has no deadline to tell of: any update gives it its time again, also one without facts.
pub(crate) fn rearm(draft: &mut Draft) -> Result<(), Refusal> {
    match draft.table.extendable() {
        Some(due) => {
            let remaining_ms = u32::try_from(due.after_ms).unwrap_or(u32::MAX);
            draft.push(TableFact::DeadlineExtended { remaining_ms })
        }
        None => Ok(()),
    }
}

//! Taking seats, coming back, leaving, and starting when everybody is there.

use sedma_rules::Seat;

use crate::deal::next_deal;
use crate::decide::{Draft, Joiner};
use crate::lifecycle;
use crate::phases::{self, Verb};
use crate::refusal::{Reason, Refusal};
use crate::setup::{Player, StartPolicy};
use crate::table::{SeatState, Table};
use crate::timing::OnTimeout;
use crate::update::TableFact;

/// A seat is taken, or its player comes back. Safe to repeat: what is so already changes nothing.
pub(crate) fn join(draft: &mut Draft, joiner: &Joiner, entropy: &[u8]) -> Result<(), Refusal> {
    let seat = match joiner {
        Joiner::Holder { seat, player_id } => held_by(&draft.table, *seat, player_id.as_deref())?,
        Joiner::Platform { seat, player: None } => held_seat(&draft.table, *seat)?,
        Joiner::Platform { seat, player: Some(player) } => match draft.table.seat_of(&player.player_id) {
            Some(held) => held,
            None => take(draft, *seat, player)?,
        },
    };
    draft.seat = Some(seat);
    let SeatState { here, away, .. } = *draft.table.must_have(seat)?;
    if !here {
        draft.push(TableFact::SeatReady { seat })?;
    }
    if away {
        draft.push(TableFact::AwayChanged { seat, away: false })?;
    }
    hand_in(draft, seat, entropy)?;
    start_if_due(draft)
}

/// The holder's own seat. A token and another player's id don't go together.
fn held_by(table: &Table, seat: Seat, player_id: Option<&str>) -> Result<Seat, Refusal> {
    let held = table.must_have(seat)?.player.as_ref().map(|player| player.player_id.as_str());
    match player_id {
        Some(claimed) if held != Some(claimed) => {
            Err(Refusal::field("player_id", "your token is another player's; leave it empty"))
        }
        _ => Ok(seat),
    }
}

/// The seat that the platform says "here" for without naming a player: it must be somebody's.
fn held_seat(table: &Table, asked: Option<Seat>) -> Result<Seat, Refusal> {
    let Some(seat) = asked else {
        return Err(Refusal::field("player_id", "the platform names whom it seats"));
    };
    match table.must_have(seat)? {
        SeatState { player: Some(_), .. } => Ok(seat),
        SeatState { bot: Some(_), .. } => Err(Refusal::field("seat", "a bot has it; free it with RemoveBot")),
        _ => Err(Refusal::field("player_id", "the seat is open; name whom to seat there")),
    }
}

/// Seats a new player.
fn take(draft: &mut Draft, asked: Option<Seat>, player: &Player) -> Result<Seat, Refusal> {
    let seat = match asked {
        Some(seat) if !draft.table.must_have(seat)?.is_open() => {
            return Err(Refusal::new(
                Reason::SeatTaken,
                format!("Seat {} is taken; ask for another one, or for any with seat 0.", seat.number()),
            ));
        }
        Some(seat) => seat,
        None => draft.table.open_seat().ok_or_else(|| {
            Refusal::new(Reason::TableFull, "Every seat is taken; find or create another table.")
        })?,
    };
    draft.push(TableFact::SeatTaken { seat, player: player.clone().into() })?;
    Ok(seat)
}

/// Takes a seat's entropy. It is frozen by the first deal, which every later one shares it with.
fn hand_in(draft: &mut Draft, seat: Seat, entropy: &[u8]) -> Result<(), Refusal> {
    if entropy.is_empty() || draft.table.must_have(seat)?.entropy == entropy {
        return Ok(());
    }
    if draft.table.game.deal_number() > 0 {
        return Err(Refusal::new(
            Reason::AlreadyStarted,
            "Entropy is frozen since the first deal; join without it.",
        ));
    }
    draft.push(TableFact::EntropyGiven { seat, entropy: entropy.to_vec() })
}

/// A seat is given back. An open one has nothing to give. In play the table's policy goes on for it: a bot, a forfeit,
/// or nobody until the platform seats another.
pub(crate) fn leave(draft: &mut Draft, seat: Seat) -> Result<(), Refusal> {
    if draft.table.must_have(seat)?.player.is_none() {
        return Ok(());
    }
    let plays_on = draft.table.game.deal_number() > 0;
    if plays_on && draft.table.setup.timing.on_timeout == OnTimeout::Forfeit {
        return lifecycle::forfeit(draft, seat);
    }
    draft.push(TableFact::SeatLeft { seat })
}

/// A seat's tokens become worthless.
pub(crate) fn revoke(draft: &mut Draft, seat: Seat) -> Result<(), Refusal> {
    draft.table.must_have(seat)?;
    draft.push(TableFact::SeatRevoked { seat })
}

/// `StartTable`.
pub(crate) fn start(draft: &mut Draft) -> Result<(), Refusal> {
    let open: Vec<String> = draft
        .table
        .seats()
        .filter(|(_, state)| state.is_open())
        .map(|(seat, _)| seat.number().to_string())
        .collect();
    if open.is_empty() {
        return next_deal(draft);
    }
    Err(Refusal::new(
        Reason::NotStarted,
        format!("The table can't start while a seat is open; fill seat {} first.", open.join(", ")),
    ))
}

/// Deals the first deal where the start policy is met.
pub(crate) fn start_if_due(draft: &mut Draft) -> Result<(), Refusal> {
    let table = &draft.table;
    let due = match table.setup.start {
        StartPolicy::Manual => false,
        StartPolicy::WhenFull => table.seats.iter().all(|seat| !seat.is_open()),
        StartPolicy::WhenReady => table.seats.iter().all(|seat| !seat.is_open() && seat.here),
    };
    if due && phases::check(table, Verb::Start).is_ok() { next_deal(draft) } else { Ok(()) }
}

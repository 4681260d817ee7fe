//! Persons who play, and clocks that run out.

use crate::v1::{self, event::Fact};
use crate::views::{facts, legal, public};
use crate::{Seat, Table, Watch, duration, hours};

/// An hour for every turn.
pub fn slow_turns() -> v1::Timing {
    v1::Timing { turn_timeout: Some(hours(1)), ..v1::Timing::default() }
}

/// The view that an update led to.
pub fn after(update: &v1::Update) -> &v1::TableView {
    update.after.as_ref().expect("the view after an update")
}

/// The seat that is to act after an update.
pub fn turn(update: &v1::Update) -> i32 {
    public(after(update)).turn_seat
}

/// Whether the table has ended with an update.
pub fn ended(update: &v1::Update) -> bool {
    matches!(public(after(update)).phase(), v1::TablePhase::Finished | v1::TablePhase::Closed)
}

/// The seats whose turns were missed in an update, in order.
pub fn misses(update: &v1::Update) -> Vec<i32> {
    let missed = |fact: &&Fact| if let Fact::TurnMissed(missed) = fact { Some(missed.seat) } else { None };
    facts(update).iter().filter_map(missed).collect()
}

/// Who went away with an update, or came back.
pub fn away(update: &v1::Update) -> Vec<(i32, bool)> {
    let away = |fact: &&Fact| match fact {
        Fact::AwayChanged(change) => Some((change.seat, change.away)),
        _ => None,
    };
    facts(update).iter().filter_map(away).collect()
}

/// Whether a card was played in an update, or a trick was ended.
pub fn is_move(update: &v1::Update) -> bool {
    facts(update).iter().any(|fact| matches!(fact, Fact::CardPlayed(_) | Fact::TrickWon(_)))
}

/// Does the first thing that a seat may do in its newest view.
pub async fn play_any(seat: &Seat) -> v1::PlayCardResponse {
    let view = seat.view().await;
    let word = legal(&view, seat.number).into_iter().next().expect("a turn of the seat's own");
    seat.act_at(public(&view).revision, &word).await.expect("a legal action")
}

/// The other player plays until it is this seat's turn.
pub async fn until_its_turn(table: &Table, seat: i32, other: i32) {
    while public(&table.view().await).turn_seat != seat {
        play_any(table.seat(other)).await;
    }
}

/// Lets the time run out for what the table waits for; answers what the clock did.
pub async fn time_runs_out(table: &Table, watch: &mut Watch) -> v1::Update {
    let extended = table.extend(duration(1)).await;
    watch.until(|update| update.revision == extended.revision).await;
    watch.update().await
}

/// A watch of what comes after now.
pub async fn from_now_on(table: &Table) -> Watch {
    table.history_after(table.revision().await).await
}

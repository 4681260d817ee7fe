//! What a table's clock has to do, read from its history alone.

use tests::moves::misses;
use tests::ms;
use tests::timing::deadline;
use tests::v1::{self, Actor, TablePhase, event::Fact};
use tests::views::{facts, public};

/// How much later than its deadline a person's action is still taken, in milliseconds.
pub(crate) const GRACE_MS: i64 = 500;

/// What a clock times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A person's turn.
    Turn,
    /// A bot's move.
    Bot,
    /// The pause between two deals.
    Pause,
    /// The match's start.
    Start,
}

impl What {
    pub(crate) const ALL: [What; 4] = [What::Turn, What::Bot, What::Pause, What::Start];
}

/// What a table waits for after an update, so that it happens without a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Awaited {
    what: What,
    /// The seat that is to act; 0 for none.
    seat: i32,
    /// When, in milliseconds of the store's clock.
    fire_ms: i64,
}

/// A timer that has acted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Acted {
    pub(crate) what: What,
    /// When it was to act at the earliest.
    pub(crate) fire_ms: i64,
    /// How much later it did.
    pub(crate) late_ms: i64,
}

/// The table after an update.
pub(crate) fn after(update: &v1::Update) -> &v1::PublicTable {
    public(update.after.as_ref().expect("the view after an update"))
}

/// Whether a table has ended.
pub(crate) fn ended(table: &v1::PublicTable) -> bool {
    matches!(table.phase(), TablePhase::Finished | TablePhase::Closed)
}

/// What the table waits for after an update, by its timing; the deadline that it shows must be the same.
fn awaited(update: &v1::Update, created_ms: i64) -> Option<Awaited> {
    let table = after(update);
    let timing = table.timing.as_ref().expect("clocks, resolved");
    let now_ms = ms(update.time.as_ref());
    let in_time = |duration: &Option<prost_types::Duration>| {
        let duration = duration.as_ref().expect("a duration, resolved");
        duration.seconds * 1_000 + i64::from(duration.nanos / 1_000_000)
    };
    let seat = table.turn_seat;
    let person = |seat: i32| table.seats[usize::try_from(seat - 1).expect("a seat")].bot_level.is_empty();
    let (what, from_ms, lasts_ms, grace_ms) = match table.phase() {
        TablePhase::Open => (What::Start, created_ms, in_time(&timing.join_timeout), 0),
        TablePhase::BetweenDeals => (What::Pause, now_ms, in_time(&timing.between_deals), 0),
        TablePhase::Playing if person(seat) => (What::Turn, now_ms, in_time(&timing.turn_timeout), GRACE_MS),
        TablePhase::Playing => (What::Bot, now_ms, in_time(&timing.bot_delay), 0),
        _ => return None,
    };
    if lasts_ms == 0 {
        return None;
    }
    let until_ms = from_ms + lasts_ms;
    assert_eq!(deadline(update.after.as_ref()?), Some(until_ms), "what the table shows: {table:?}");
    Some(Awaited { what, seat, fire_ms: until_ms + grace_ms })
}

/// Reads a whole history, in which the clock did all that was done once the table was set up: each timer acted exactly
/// once, not before its time, and did what it was there for. A platform may have closed the table.
pub(crate) fn acted(updates: &[v1::Update]) -> Vec<Acted> {
    let created_ms = ms(updates[0].time.as_ref());
    let mut all = Vec::new();
    for pair in updates.windows(2) {
        let [before, next] = pair else { unreachable!("windows of two") };
        assert_eq!(next.revision, before.revision + 1, "a gap or a duplicate");
        let closed = facts(next).iter().any(|fact| matches!(fact, Fact::TableClosed(_)));
        let Some(awaited) = awaited(before, created_ms) else {
            assert_eq!(next.actor(), Actor::Player, "nothing is due after {before:?}");
            continue;
        };
        if next.actor() == Actor::Platform && closed {
            continue;
        }
        let actor = if awaited.what == What::Bot { Actor::Bot } else { Actor::Timeout };
        let missed = if awaited.what == What::Turn { vec![awaited.seat] } else { vec![] };
        let did = (next.actor(), next.seat, misses(next));
        assert_eq!(did, (actor, awaited.seat, missed), "{awaited:?} after {before:?} came to {next:?}");
        assert!(ended(after(next)) || after(next).turn_revision == next.revision, "the turn has moved on");
        let late_ms = ms(next.time.as_ref()) - awaited.fire_ms;
        assert!(late_ms >= 0, "{awaited:?} acted {} ms before its time", -late_ms);
        all.push(Acted { what: awaited.what, fire_ms: awaited.fire_ms, late_ms });
    }
    assert!(ended(after(updates.last().expect("updates"))), "a history that is over");
    all
}

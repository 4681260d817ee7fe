//! What is known of one table when all is over: what its clients asked for and were told, and what its history is.

use prost::Message as _;
use tests::timing::deadline;
use tests::v1::{self, Actor, event::Fact};
use tests::views::{facts, public};
use tests::{ms, text};

/// One sending of one request: a seat plays a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The request's id; its sendings share it.
    pub(crate) request: String,
    pub(crate) seat: i32,
    pub(crate) card: String,
    /// The revision that it was decided on.
    pub(crate) expected: i64,
    /// When it was sent and when it was over, in nanoseconds of one clock that never goes back.
    pub(crate) sent_ns: u128,
    pub(crate) over_ns: u128,
    pub(crate) outcome: Outcome,
}

/// What a caller was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is the update with this revision and this mark of the history, which no other history has.
    Accepted { revision: i64, mark: Vec<u8>, replayed: bool },
    /// It is none, and never will be.
    Refused,
    /// It came too late, this time: an outage may give the time back while another sending is on its way.
    Expired,
    /// Nothing is known: it may have happened, or happen at any later time.
    Unknown,
}

/// Who made an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Player,
    Bot,
    Clock,
    Platform,
}

/// One update of the final log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) revision: i64,
    /// The history's mark there.
    pub(crate) mark: Vec<u8>,
    pub(crate) by: By,
    pub(crate) seat: i32,
    /// The card that was played with it.
    pub(crate) card: Option<String>,
    /// When the store took it.
    pub(crate) time_ms: i64,
    /// Who is to act after it.
    pub(crate) turn: Turn,
    /// The whole of it, as its watchers get it.
    pub(crate) content: Vec<u8>,
    /// The state that it led to.
    pub(crate) state: Vec<u8>,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// 0 for nobody's.
    pub(crate) seat: i32,
    /// The revision since which it is so.
    pub(crate) since: i64,
    /// When it is over, if ever.
    pub(crate) fire_ms: Option<i64>,
}

/// What a watcher was told, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Update { revision: i64, content: Vec<u8> },
    Reset { revision: i64, state: Vec<u8>, rewound: bool },
    End,
}

/// Everything about one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Story {
    pub(crate) table: String,
    pub(crate) calls: Vec<Call>,
    pub(crate) log: Vec<Entry>,
    /// The table's own state at the end.
    pub(crate) state: Vec<u8>,
    pub(crate) watchers: Vec<Vec<Told>>,
    /// What could not be done or read at all.
    pub(crate) troubles: Vec<String>,
}

/// How much longer than its deadline a person has.
const GRACE_MS: i64 = 500;

impl Entry {
    pub(crate) fn of(update: &v1::Update) -> Self {
        let view = update.after.as_ref().expect("the view after an update");
        let table = public(view);
        let played = facts(update).into_iter().find_map(|fact| match fact {
            Fact::CardPlayed(played) => Some(text(&played.card)),
            _ => None,
        });
        let by = match update.actor() {
            Actor::Player => By::Player,
            Actor::Bot => By::Bot,
            Actor::Timeout => By::Clock,
            Actor::Platform | Actor::Unspecified => By::Platform,
        };
        let seat = table.seats.iter().find(|seat| seat.seat == table.turn_seat);
        let grace_ms = if seat.is_some_and(|seat| seat.bot_level.is_empty()) { GRACE_MS } else { 0 };
        let fire_ms = deadline(view).map(|deadline_ms| deadline_ms + grace_ms);
        Self {
            revision: update.revision,
            mark: update.history.to_vec(),
            by,
            seat: update.seat,
            card: played,
            time_ms: ms(update.time.as_ref()),
            turn: Turn { seat: table.turn_seat, since: table.turn_revision, fire_ms },
            content: update.encode_to_vec(),
            state: state(view),
        }
    }
}

/// A view as bytes, without what depends on when it is asked for.
pub(crate) fn state(view: &v1::TableView) -> Vec<u8> {
    let mut view = view.clone();
    if let Some(table) = &mut view.table {
        table.remaining_duration = None;
    }
    view.encode_to_vec()
}

//! Times: durations as requests have them, instants as whole milliseconds, and tables whose clocks run.

use std::time::{SystemTime, UNIX_EPOCH};

use prost_types::{Duration, Timestamp};
use sedma_proto::v1;

use crate::table::NewTable;
use crate::views::public;

/// A duration of so many milliseconds.
pub fn duration(ms: i32) -> Duration {
    Duration { seconds: i64::from(ms / 1_000), nanos: ms % 1_000 * 1_000_000 }
}

/// A duration of so many hours.
pub const fn hours(hours: i64) -> Duration {
    Duration { seconds: hours * 60 * 60, nanos: 0 }
}

/// An instant that must be there, as milliseconds since the epoch.
pub fn ms(instant: Option<&Timestamp>) -> i64 {
    let Timestamp { seconds, nanos } = instant.expect("an instant");
    assert_eq!(nanos % 1_000_000, 0, "instants are whole milliseconds");
    seconds * 1_000 + i64::from(nanos / 1_000_000)
}

/// This machine's clock in milliseconds since the epoch. A Redis on it has the same.
#[expect(clippy::disallowed_methods, reason = "compared with the instants of a store on this machine")]
pub fn wall_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    i64::try_from(since.as_millis()).expect("milliseconds")
}

/// The instant until which a view's table waits, as milliseconds since the epoch.
pub fn deadline(view: &v1::TableView) -> Option<i64> {
    let table = public(view);
    assert_eq!(table.deadline_time.is_some(), table.remaining_duration.is_some(), "both or neither");
    table.deadline_time.as_ref().map(|time| ms(Some(time)))
}

/// How long after an update the table that it made waits, in milliseconds.
pub fn waits(update: &v1::Update) -> Option<i64> {
    let after = update.after.as_ref().expect("the view after an update");
    deadline(after).map(|deadline| deadline - ms(update.time.as_ref()))
}

impl NewTable {
    /// The same with these clocks.
    #[must_use]
    pub fn timed(mut self, timing: v1::Timing) -> Self {
        self.request.timing = Some(timing);
        self
    }

    /// The same with bots in these seats.
    #[must_use]
    pub fn with_bots(mut self, seats: &[usize]) -> Self {
        for seat in seats {
            let bot = v1::NewSeat { bot_level: "steady".to_owned(), ..v1::NewSeat::default() };
            self.request.seats[*seat - 1] = bot;
        }
        self
    }

    /// The same with these seats open.
    #[must_use]
    pub fn with_open(mut self, seats: &[usize]) -> Self {
        for seat in seats {
            self.request.seats[*seat - 1] = v1::NewSeat::default();
        }
        self
    }
}

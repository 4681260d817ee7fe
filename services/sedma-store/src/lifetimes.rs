//! How long tables are kept.

use std::time::Duration;

use sedma_table::Results;
use sedma_table::store::Commit;

use crate::limits::{ENDED_LIFETIME, OPEN_LIFETIME, RESULT_LIFETIME};

/// How long things are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// How long a table that has not ended may go without an update: then it expires, unless it waits for something.
    pub open: Duration,
    /// How long an ended table is kept after its last update, or after its result was acknowledged.
    pub ended: Duration,
    /// How long an unread result is kept, and its table with it.
    pub result: Duration,
}

impl Default for Lifetimes {
    fn default() -> Self {
        Self { open: OPEN_LIFETIME, ended: ENDED_LIFETIME, result: RESULT_LIFETIME }
    }
}

impl Lifetimes {
    /// How long a table is kept after this commit.
    pub(crate) fn after(&self, commit: &Commit) -> Stay {
        let table = &commit.snapshot.table;
        let (lifetime, at_least) = match &commit.result {
            Some(_) => (self.result.max(self.ended), false),
            None if !table.is_ended() => (self.open, false),
            // Its result may be unread.
            None => (self.ended, table.setup().results == Results::Keep),
        };
        Stay { ms: millis(lifetime), at_least }
    }

    /// After how long a table that waits for nothing expires.
    pub(crate) fn expiry_ms(&self) -> u64 {
        u64::try_from(millis(self.open)).unwrap_or(u64::MAX)
    }

    /// How long a table is kept after its result was acknowledged.
    pub(crate) fn acknowledged_ms(&self) -> i64 {
        millis(self.ended)
    }

    /// How long a result is kept, and a group of consumers that takes none.
    pub(crate) fn result_ms(&self) -> i64 {
        millis(self.result)
    }
}

/// How long something is kept from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stay {
    /// Milliseconds.
    pub(crate) ms: i64,
    /// Whether it is kept longer where it would be anyway.
    pub(crate) at_least: bool,
}

fn millis(lifetime: Duration) -> i64 {
    i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX)
}

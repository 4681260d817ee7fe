//! How long tables are kept.

use std::time::Duration;

use sedma_table::Results;
use sedma_table::store::Commit;

use crate::limits::{ENDED_LIFETIME, OPEN_LIFETIME, RESULT_LIFETIME};

/// How long a table is kept after its last update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// While it has not ended.
    pub open: Duration,
    /// When it has, and its result was acknowledged or none was filed.
    pub ended: Duration,
    /// When it has and its result was not acknowledged yet.
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

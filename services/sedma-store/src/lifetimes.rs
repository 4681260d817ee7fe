//! How long tables are kept.

use std::time::Duration;

use sedma_table::Table;

use crate::limits::{ENDED_LIFETIME, OPEN_LIFETIME};

/// How long a table is kept after its last update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetimes {
    /// While it has not ended.
    pub open: Duration,
    /// When it has.
    pub ended: Duration,
}

impl Default for Lifetimes {
    fn default() -> Self {
        Self { open: OPEN_LIFETIME, ended: ENDED_LIFETIME }
    }
}

impl Lifetimes {
    /// How long this table is kept, in milliseconds.
    pub(crate) fn of_ms(&self, table: &Table) -> i64 {
        let lifetime = if table.is_ended() { self.ended } else { self.open };
        i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX)
    }
}

//! When each table's timer fires.

use std::collections::BTreeSet;

use sedma_table::TableId;
use sedma_table::store::DueTable;

use crate::outage::Gap;

/// What is armed, and what is known of the sweeps so far.
#[derive(Debug, Default)]
pub(super) struct Timers {
    armed: BTreeSet<(i64, TableId)>,
    /// The last sweep. The only one who sweeps is this process, so an outage is its own: it was suspended.
    swept_ms: Option<i64>,
    gap: Option<Gap>,
}

impl Timers {
    /// A table's timer moves; 0 stands for none.
    pub(super) fn set(&mut self, table: TableId, was_ms: i64, fire_ms: i64) {
        self.armed.remove(&(was_ms, table));
        if fire_ms > 0 {
            self.armed.insert((fire_ms, table));
        }
    }

    /// Looks for what has fired, the oldest first.
    pub(super) fn due(&mut self, now_ms: i64, limit: usize, outage_after_ms: u64) -> Vec<DueTable> {
        let new = self.swept_ms.and_then(|swept_ms| Gap::between(swept_ms, now_ms, outage_after_ms));
        self.gap = Gap::joined(self.gap, new);
        self.swept_ms = Some(now_ms);
        let fired = self.armed.iter().take_while(|(fire_ms, _)| *fire_ms <= now_ms).take(limit);
        let due = |(fire_ms, table): &(i64, TableId)| DueTable {
            table: *table,
            outage: self.gap.is_some_and(|gap| gap.holds(*fire_ms)),
        };
        fired.map(due).collect()
    }

    #[cfg(test)]
    pub(super) fn armed(&self) -> usize {
        self.armed.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: TableId = TableId::from_bytes([7; 16]);

    #[test]
    fn what_fell_due_while_the_process_was_suspended_is_an_outages() {
        let mut timers = Timers::default();
        timers.set(TABLE, 0, 20_000);
        assert_eq!(timers.due(10_000, 10, 15_000), []);
        for now_ms in [30_000, 31_000] {
            assert_eq!(timers.due(now_ms, 10, 15_000), [DueTable { table: TABLE, outage: true }]);
        }
        // It got its time again; what becomes of it now is its own fault.
        timers.set(TABLE, 20_000, 31_500);
        assert_eq!(timers.due(32_000, 10, 15_000), [DueTable { table: TABLE, outage: false }]);
    }

    #[test]
    fn what_fell_due_before_the_first_sweep_is_no_outages() {
        let mut timers = Timers::default();
        timers.set(TABLE, 0, 20_000);
        assert_eq!(timers.due(90_000, 10, 15_000), [DueTable { table: TABLE, outage: false }]);
    }
}

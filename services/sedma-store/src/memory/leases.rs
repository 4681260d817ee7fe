//! Who keeps seats present, and until when.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sedma_rules::Seat;
use sedma_table::TableId;
use sedma_table::store::{Holder, Lease, Present, StoreError};

use crate::limits::{MEMORY_SWEEP, MEMORY_TABLES};
use crate::presence;

/// All leases of this process.
#[derive(Debug, Default)]
pub(super) struct Leases {
    /// No table without a lease is in here.
    held: HashMap<TableId, OfTable>,
    /// Each of these tables by when the last of its leases is over.
    ending: BTreeSet<(i64, TableId)>,
}

/// When each lease of one table is over.
type OfTable = BTreeMap<(Seat, Holder), i64>;

impl Leases {
    /// Gives a lease or renews it. Says whether it is new.
    pub(super) fn hold(&mut self, lease: &Lease, until_ms: i64, now_ms: i64) -> Result<bool, StoreError> {
        self.sweep(now_ms);
        if self.held.len() >= MEMORY_TABLES && !self.held.contains_key(&lease.table) {
            let full = format!("{MEMORY_TABLES} tables are all that the memory store holds leases of");
            return Err(StoreError::Unavailable(full));
        }
        let mut new = false;
        self.change(lease.table, now_ms, |leases| {
            let before = leases.insert((lease.seat, lease.holder), until_ms);
            new = before.is_none();
            before
        });
        Ok(new)
    }

    /// Gives a lease up, if it is held.
    pub(super) fn release(&mut self, lease: &Lease, now_ms: i64) {
        self.change(lease.table, now_ms, |leases| leases.remove(&(lease.seat, lease.holder)));
    }

    /// The seats of a table that are present.
    pub(super) fn present(&self, table: TableId, now_ms: i64) -> Vec<Present> {
        let leases = self.held.get(&table).into_iter().flatten();
        presence::present(leases.map(|((seat, _), until_ms)| (*seat, *until_ms)), now_ms)
    }

    /// Forgets all leases of a table.
    pub(super) fn forget(&mut self, table: TableId) {
        self.take(table);
    }

    /// Forgets a few of the tables whose leases are all over: more than one lease can add.
    fn sweep(&mut self, now_ms: i64) {
        for _ in 0..MEMORY_SWEEP {
            match self.ending.first() {
                Some((last_ms, table)) if *last_ms <= now_ms => {
                    let table = *table;
                    self.take(table);
                }
                _ => return,
            }
        }
    }

    /// Changes a table's leases. Those that are over go on the way.
    fn change(&mut self, table: TableId, now_ms: i64, what: impl FnOnce(&mut OfTable) -> Option<i64>) {
        let mut leases = self.take(table);
        what(&mut leases);
        leases.retain(|_, until_ms| *until_ms > now_ms);
        if let Some(last_ms) = leases.values().max() {
            self.ending.insert((*last_ms, table));
            self.held.insert(table, leases);
        }
    }

    fn take(&mut self, table: TableId) -> OfTable {
        let leases = self.held.remove(&table).unwrap_or_default();
        if let Some(last_ms) = leases.values().max() {
            self.ending.remove(&(*last_ms, table));
        }
        leases
    }

    #[cfg(test)]
    pub(super) fn tables(&self) -> usize {
        assert_eq!(self.held.len(), self.ending.len());
        self.held.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lease(number: u32, holder: u64) -> Lease {
        let mut id = [0; 16];
        id[..4].copy_from_slice(&number.to_be_bytes());
        Lease { table: TableId::from_bytes(id), seat: Seat::Two, holder: Holder(holder) }
    }

    #[test]
    fn what_is_over_is_swept_by_later_leases_and_leaves_nothing() {
        let mut leases = Leases::default();
        for number in 0..100 {
            leases.hold(&lease(number, 1), 30_000, 0).unwrap();
        }
        assert_eq!(leases.tables(), 100);
        for number in 100..110 {
            leases.hold(&lease(number, 1), 60_000, 30_000).unwrap();
        }
        assert_eq!(leases.tables(), 10);
    }

    #[test]
    fn leases_of_one_table_that_are_over_go_when_it_is_next_touched() {
        let mut leases = Leases::default();
        for holder in 0..100 {
            leases.hold(&lease(7, holder), 30_000, 0).unwrap();
        }
        leases.hold(&lease(7, 100), 60_000, 30_000).unwrap();
        assert_eq!(leases.held.values().map(BTreeMap::len).sum::<usize>(), 1);
        leases.release(&lease(7, 100), 30_001);
        assert_eq!(leases.tables(), 0);
    }

    #[test]
    fn a_lease_that_is_moved_leaves_no_end_behind() {
        let mut leases = Leases::default();
        for until_ms in [30_000, 90_000, 60_000, 60_000] {
            leases.hold(&lease(7, 1), until_ms, 0).unwrap();
            assert_eq!(leases.tables(), 1);
        }
        assert_eq!(leases.present(lease(7, 1).table, 59_999).len(), 1);
        assert_eq!(leases.present(lease(7, 1).table, 60_000), []);
        leases.forget(lease(7, 1).table);
        assert_eq!(leases.tables(), 0);
    }
}

//! The newest snapshots a process has seen. Only a shortcut: a commit compares versions, so a stale entry costs a
//! conflict and never a wrong result.

use quick_cache::sync;

use crate::ids::TableId;
use crate::limits::CACHED_TABLES;
use crate::store::Stored;

/// At most [`CACHED_TABLES`] snapshots; the least used ones go first.
#[derive(Debug)]
pub(crate) struct Cache(sync::Cache<TableId, Stored>);

impl Cache {
    pub(crate) fn new() -> Self {
        Self(sync::Cache::new(CACHED_TABLES))
    }

    pub(crate) fn get(&self, table: TableId) -> Option<Stored> {
        self.0.get(&table)
    }

    /// Takes what a commit or a read has shown. A racing older one may win: it costs one conflict, and the next
    /// commit or read mends it.
    pub(crate) fn put(&self, stored: &Stored) {
        self.0.insert(stored.snapshot.table.setup().id, stored.clone());
    }

    pub(crate) fn forget(&self, table: TableId) {
        self.0.remove(&table);
    }
}

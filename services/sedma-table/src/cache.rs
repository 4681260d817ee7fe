//! The newest snapshots a process has seen. Only a shortcut: a commit compares versions, so a stale entry costs a
//! conflict and never a wrong result.

use quick_cache::sync;

use crate::ids::TableId;
use crate::limits::CACHED_TABLES;
use crate::store::Stored;

/// At most [`CACHED_TABLES`] snapshots; the least used ones go first. Each belongs to the incarnation of the store that
/// showed it: judged on the state of a history that is gone, a call would be refused for what never happened.
#[derive(Debug)]
pub(crate) struct Cache(sync::Cache<TableId, (u64, Stored)>);

impl Cache {
    pub(crate) fn new() -> Self {
        Self(sync::Cache::new(CACHED_TABLES))
    }

    pub(crate) fn get(&self, table: TableId, incarnation: Option<u64>) -> Option<Stored> {
        self.0.get(&table).filter(|(of, _)| Some(*of) == incarnation).map(|(_, stored)| stored)
    }

    /// Takes what a commit or a read has shown. A racing older one may win: it costs one conflict, and the next
    /// commit or read mends it.
    pub(crate) fn put(&self, stored: &Stored, incarnation: Option<u64>) {
        let Some(incarnation) = incarnation else { return };
        self.0.insert(stored.snapshot.table.setup().id, (incarnation, stored.clone()));
    }

    pub(crate) fn forget(&self, table: TableId) {
        self.0.remove(&table);
    }
}

//! What every commit must be, whoever stores it.

use sedma_table::store::{Commit, StoreError};

/// A commit makes the revision after the one it expects; one that doesn't would tear the log from the state.
pub(crate) fn check(commit: &Commit) -> Result<(), StoreError> {
    let table = &commit.snapshot.table;
    let expected = commit.expected.map_or(0, |version| version.revision);
    if expected.checked_add(1) == Some(table.revision()) {
        return Ok(());
    }
    let what = format!("a commit of revision {} expects revision {expected}", table.revision());
    Err(StoreError::Damaged { table: table.setup().id, what })
}

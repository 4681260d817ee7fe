//! Reading the log for a watcher that is not where the feed is.

use std::collections::VecDeque;
use std::sync::Arc;

use sedma_table::limits::LOG_PAGE;
use sedma_table::store::{Store, StoreError, Stored};
use sedma_table::{Failure, Fold, Logged, TableId, Tables, Version};

use super::feed::Step;

/// A fold of the log up to where the watcher is.
pub(super) struct CatchUp {
    table: TableId,
    fold: Fold,
    page: VecDeque<Logged>,
}

impl CatchUp {
    pub(super) fn new(table: TableId) -> Self {
        Self { table, fold: Fold::new(table), page: VecDeque::new() }
    }

    /// The update after the cursor. `None` where the log has none, or no longer the history that the cursor is of
    /// (where `check` says that its token is known).
    pub(super) async fn next<S: Store>(
        &mut self,
        tables: &Tables<S>,
        cursor: Version,
        check: bool,
    ) -> Result<Option<Arc<Step>>, Failure> {
        loop {
            let Some(logged) = self.next_logged(tables).await? else { return Ok(None) };
            let version = logged.version;
            let happened = self.fold.step(logged)?;
            if check && version.revision == cursor.revision && version.token != cursor.token {
                return Ok(None);
            }
            if version.revision > cursor.revision
                && let Some(step) = Step::of(happened, &self.fold)
            {
                return Ok(Some(Arc::new(step)));
            }
        }
    }

    async fn next_logged<S: Store>(&mut self, tables: &Tables<S>) -> Result<Option<Logged>, StoreError> {
        if self.page.is_empty() {
            self.page =
                tables.store().updates_after(self.table, self.fold.revision(), LOG_PAGE).await?.into();
        }
        Ok(self.page.pop_front())
    }
}

/// The token that a revision has in the table's history. `None` where it has no such revision.
pub(super) async fn token_at<S: Store>(
    tables: &Tables<S>,
    table: TableId,
    revision: i64,
    tip: &Stored,
) -> Result<Option<[u8; 8]>, StoreError> {
    if revision == tip.version.revision {
        return Ok(Some(tip.version.token));
    }
    if revision < 1 || revision > tip.version.revision {
        return Ok(None);
    }
    let page = tables.store().updates_after(table, revision.saturating_sub(1), 1).await?;
    Ok(page.first().map(|logged| logged.version.token))
}

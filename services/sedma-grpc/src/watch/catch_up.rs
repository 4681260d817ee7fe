//! Reading the log for a watcher that is not where the feed is.

use std::collections::VecDeque;
use std::sync::Arc;

use sedma_proto::v1::ResetReason;
use sedma_table::limits::LOG_PAGE;
use sedma_table::store::{Store, StoreError, Stored};
use sedma_table::{Failure, Fold, Logged, TableId, Tables, Version};

use super::feed::Step;
use crate::parse;

/// A fold of the log up to where the watcher is.
pub(crate) struct CatchUp {
    table: TableId,
    fold: Fold,
    page: VecDeque<Logged>,
}

impl CatchUp {
    pub(crate) fn new(table: TableId) -> Self {
        Self { table, fold: Fold::new(table), page: VecDeque::new() }
    }

    /// Whether nothing of the log was read, for there was nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.fold.revision() == 0
    }

    /// The update after the cursor. `None` where the log has none, or no longer the history that the cursor is of
    /// (where `check` says that its token is known).
    pub(crate) async fn next<S: Store>(
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

    /// The update after those that were folded in. `None` where there is none, or another history has come instead: one
    /// that is known already comes along with each page, and its token tells.
    async fn next_logged<S: Store>(&mut self, tables: &Tables<S>) -> Result<Option<Logged>, StoreError> {
        if self.page.is_empty() {
            let known = self.fold.newest().map(|logged| logged.version);
            let after = self.fold.revision().saturating_sub(1).max(0);
            self.page = tables.store().updates_after(self.table, after, LOG_PAGE).await?.into();
            if known.is_some() && self.page.pop_front().map(|logged| logged.version) != known {
                self.page.clear();
            }
        }
        Ok(self.page.pop_front())
    }
}

/// Whether a client can go on from where it says that it is.
pub(crate) enum Resumed {
    /// From there, with the token that its revision has; none before the first update.
    From(Option<[u8; 8]>),
    /// What it has seen is not what the table's history says.
    Broken(ResetReason),
}

/// Looks up where a client says that it is, in a table whose newest state to be shown is this, and counts it where the
/// history was taken back.
pub(crate) async fn resumed<S: Store>(
    tables: &Tables<S>,
    cursor: parse::Cursor,
    tip: &Stored,
) -> Result<Resumed, StoreError> {
    let resumed = look_up(tables, cursor, tip).await?;
    if matches!(resumed, Resumed::Broken(ResetReason::Rewound)) {
        tables.note_rewound();
    }
    Ok(resumed)
}

async fn look_up<S: Store>(
    tables: &Tables<S>,
    (revision, history): parse::Cursor,
    tip: &Stored,
) -> Result<Resumed, StoreError> {
    let token = match revision {
        0 => return Ok(Resumed::From(None)),
        newest if newest == tip.version.revision => tip.version.token,
        beyond if beyond > tip.version.revision => return Ok(Resumed::Broken(ResetReason::Rewound)),
        earlier => {
            let table = tip.snapshot.table.setup().id;
            let page = tables.store().updates_after(table, earlier.saturating_sub(1), 1).await?;
            match page.first() {
                Some(logged) => logged.version.token,
                None => return Ok(Resumed::Broken(ResetReason::LogLost)),
            }
        }
    };
    Ok(match history {
        Some(other) if other != token => Resumed::Broken(ResetReason::Rewound),
        _ => Resumed::From(Some(token)),
    })
}

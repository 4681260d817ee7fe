//! What calls read: the newest state, and history.

use std::collections::VecDeque;
use std::sync::Arc;

use sedma_rules::{DealResult, Fact};

use crate::caller::Caller;
use crate::clock;
use crate::evolve::Misfit;
use crate::ids::{TableId, Version};
use crate::limits::LOG_PAGE;
use crate::refusal::Refusal;
use crate::ring::Ring;
use crate::service::{Failure, Happened, Tables, admit};
use crate::store::{Snapshot, Store, StoreError, Stored};
use crate::table::Table;
use crate::update::{Logged, TableFact};

impl<S: Store> Tables<S> {
    /// A table for one who may see it, as he may see it. The store is asked, unless `min_revision` is given and the
    /// cache has it.
    pub async fn read(
        &self,
        caller: &Caller,
        table: TableId,
        min_revision: Option<i64>,
    ) -> Result<Stored, Failure> {
        let newest = self.read_newest(caller, table, min_revision).await?;
        match newest.snapshot.table.delay_ms(caller) {
            0 => Ok(newest),
            delay_ms => self.read_delayed(table, delay_ms).await,
        }
    }

    /// A table as it is now, for one who may see it and keeps back by himself what he may not see yet.
    pub async fn read_newest(
        &self,
        caller: &Caller,
        table: TableId,
        min_revision: Option<i64>,
    ) -> Result<Stored, Failure> {
        let cached = min_revision.and_then(|min| {
            self.cache.get(table, self.store.incarnation(table)).filter(|stored| {
                stored.version.revision >= min && admit(caller, &stored.snapshot.table).is_ok()
            })
        });
        let stored = match cached {
            Some(stored) => stored,
            None => self.read_fresh(table).await?,
        };
        admit(caller, &stored.snapshot.table)?;
        Ok(stored)
    }

    /// The newest state that the store has.
    pub(crate) async fn read_fresh(&self, table: TableId) -> Result<Stored, Failure> {
        let incarnation = self.store.incarnation(table);
        if let Some(stored) = self.store.load(table).await? {
            self.cache.put(&stored, incarnation);
            Ok(stored)
        } else {
            self.cache.forget(table);
            Err(Refusal::table_not_found().into())
        }
    }

    /// The update that made this revision, with the state before it. `None` where the log no longer has it.
    pub(crate) async fn happened(&self, table: TableId, revision: i64) -> Result<Option<Happened>, Failure> {
        let mut fold = Fold::new(table);
        loop {
            let known = fold.newest().map(|logged| logged.version);
            let page = match self.page(table, known).await? {
                Page::Updates(page) if page.is_empty() => return Ok(None),
                Page::Updates(page) => page,
                Page::OfAnotherHistory => {
                    fold = Fold::new(table);
                    continue;
                }
            };
            for logged in page {
                let happened = fold.step(logged)?;
                if happened.logged.version.revision == revision {
                    return Ok(Some(happened));
                }
            }
        }
    }

    /// The updates after those that are known. The newest of these comes along, and its token tells whether the history
    /// is still the same.
    pub(crate) async fn page(&self, table: TableId, known: Option<Version>) -> Result<Page, StoreError> {
        let after = known.map_or(0, |known| known.revision.saturating_sub(1));
        let mut page: VecDeque<Logged> = self.store.updates_after(table, after, LOG_PAGE).await?.into();
        let same = known.is_none_or(|known| page.pop_front().is_some_and(|logged| logged.version == known));
        Ok(if same { Page::Updates(page) } else { Page::OfAnotherHistory })
    }
}

/// What comes next in a table's log.
pub(crate) enum Page {
    /// These; none where there are no more.
    Updates(VecDeque<Logged>),
    /// What was read before is no longer what the table's history says.
    OfAnotherHistory,
}

/// The result of a deal with its number.
pub type NumberedResult = (u16, DealResult);

impl<S: Store> Tables<S> {
    /// The results of the deals that ended up to a revision, in order. They are in the log alone.
    pub async fn deal_results(&self, table: TableId, up_to: i64) -> Result<Vec<NumberedResult>, Failure> {
        let mut results = Vec::new();
        let (mut deal, mut known) = (0, None);
        while known.is_none_or(|known: Version| known.revision < up_to) {
            let Page::Updates(page) = self.page(table, known).await? else {
                (deal, known) = (0, None);
                results.clear();
                continue;
            };
            let Some(last) = page.back() else { break };
            known = Some(last.version);
            for logged in page.iter().take_while(|logged| logged.version.revision <= up_to) {
                for fact in &logged.update.facts {
                    match fact {
                        TableFact::Game(Fact::Dealt { deal: number, .. }) => deal = *number,
                        TableFact::Game(Fact::DealEnded(result)) => results.push((deal, *result)),
                        _ => {}
                    }
                }
            }
        }
        Ok(results)
    }
}

/// A table's history, folded update by update from the first.
#[derive(Clone, Debug)]
pub struct Fold {
    table: TableId,
    state: Option<Arc<Snapshot>>,
    newest: Option<Logged>,
    fire_ms: i64,
}

impl Fold {
    /// Before the first update.
    pub fn new(table: TableId) -> Self {
        Self { table, state: None, newest: None, fire_ms: 0 }
    }

    /// The revision of the state; 0 before the first update.
    pub fn revision(&self) -> i64 {
        self.newest.as_ref().map_or(0, |logged| logged.version.revision)
    }

    /// The newest update that was folded in.
    pub fn newest(&self) -> Option<&Logged> {
        self.newest.as_ref()
    }

    /// When the table's timer fires after it; 0 = never. The log says so as well as the table does.
    pub fn fire_ms(&self) -> i64 {
        self.fire_ms
    }

    /// The state after it. Its ring is empty: the log does not know requests.
    pub fn state(&self) -> Option<&Arc<Snapshot>> {
        self.state.as_ref()
    }

    /// The state after it as a store has it, but for its ring. None before the first update.
    pub fn stored(&self) -> Option<Stored> {
        let version = self.newest.as_ref()?.version;
        Some(Stored { version, snapshot: self.state.clone()?, fire_ms: self.fire_ms })
    }

    /// Folds in the next update and says what it followed.
    pub fn step(&mut self, logged: Logged) -> Result<Happened, StoreError> {
        let damaged = |what: String| StoreError::Damaged { table: self.table, what };
        if logged.version.revision != self.revision().saturating_add(1) {
            return Err(damaged(format!(
                "update {} stands where the next one should",
                logged.version.revision
            )));
        }
        let before = self.state.clone();
        let after = match &before {
            None => Table::open(&logged.update),
            Some(state) => state.table.evolve(&logged.update),
        };
        let table = after.map_err(|misfit: Misfit| damaged(misfit.to_string()))?;
        let timer = clock::timer(before.as_ref().map(|state| &state.table), &logged.update, &table);
        self.fire_ms = timer.fires_at(self.fire_ms, logged.time_ms);
        self.state = Some(Snapshot { table, ring: Ring::default() }.into());
        self.newest = Some(logged.clone());
        Ok(Happened { before, logged })
    }
}

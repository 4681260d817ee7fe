//! What happens at tables without a call: bots' moves, timeouts, pauses that are over.
//!
//! Every replica looks through the store's timers a few times a second. The replica that committed a move which a bot
//! answers at once goes on itself; should it die there, any other finds the bot's timer and does the same.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use sedma_rules::{Action, Seat};
use sedma_table::clock::What;
use sedma_table::store::{DueTable, Store, StoreError, Stored};
use sedma_table::{BotLevel, BotPlayer, Failure, Fired, TableId, TableView, Tables};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::chance::{after, jittered, place};
use crate::limits::{DUE_BATCH, DUE_INTERVAL, MAX_FIRING, MAX_UNREADABLE, UNREADABLE_PAUSE};
use crate::watch::lock;

/// The clocks of all tables, as this replica keeps them.
#[derive(Debug)]
pub(crate) struct Clocks<S> {
    tables: Arc<Tables<S>>,
    /// Tables that this replica is at; each has one task.
    busy: Mutex<HashSet<TableId>>,
    /// Tables whose records can't be read here, and when to try again: they must not keep others from being found.
    unreadable: Mutex<HashMap<TableId, Instant>>,
    slots: Arc<Semaphore>,
    outage_after: Duration,
}

impl<S: Store> Clocks<S> {
    /// Starts to look after the tables; ends with what it returns.
    pub(crate) fn start(tables: Arc<Tables<S>>, outage_after: Duration) -> Arc<Self> {
        let slots = Arc::new(Semaphore::new(MAX_FIRING));
        let (busy, unreadable) = (Mutex::default(), Mutex::default());
        let clocks = Arc::new(Self { tables, busy, unreadable, slots, outage_after });
        tokio::spawn(sweep(Arc::downgrade(&clocks)));
        clocks
    }

    /// Goes on at a table whose newest state waits for a bot that acts at once.
    pub(crate) fn go_on(self: &Arc<Self>, newest: &Stored) {
        if acts_at_once(newest) {
            self.take(newest.snapshot.table.setup().id, false);
        }
    }

    /// Takes a table on, unless this replica is at it already or has its hands full: a sweep finds it again.
    fn take(self: &Arc<Self>, table: TableId, outage: bool) {
        let Ok(slot) = self.slots.clone().try_acquire_owned() else { return };
        if !lock(&self.busy).insert(table) {
            return;
        }
        let clocks = self.clone();
        tokio::spawn(async move {
            let _slot = slot;
            let _busy = Busy { clocks: &clocks, table };
            if let Err(failure) = clocks.fire(table, outage).await {
                clocks.put_off(table, &failure);
            }
        });
    }

    /// Does what is due, and whatever bots do at once after it.
    async fn fire(&self, table: TableId, outage: bool) -> Result<(), Failure> {
        loop {
            match self.tables.fire(table, outage, &Bots).await? {
                Fired::Done(done) if acts_at_once(&done.current) => {}
                Fired::Done(_) | Fired::Early { .. } => return Ok(()),
            }
        }
    }

    /// What is due at a table could not be done. The next sweep tries again, but where its record can't be read.
    fn put_off(&self, table: TableId, failure: &Failure) {
        tracing::warn!(%table, ?failure, "what is due at a table could not be done; it is tried again");
        if matches!(failure, Failure::Store(StoreError::Damaged { .. } | StoreError::SchemaAhead { .. })) {
            let mut unreadable = lock(&self.unreadable);
            if unreadable.len() < MAX_UNREADABLE {
                unreadable.insert(table, after(UNREADABLE_PAUSE));
            }
        }
    }

    /// The tables that are not tried just now.
    fn unreadable(&self) -> HashSet<TableId> {
        let mut unreadable = lock(&self.unreadable);
        let now = Instant::now();
        unreadable.retain(|_, until| *until > now);
        unreadable.keys().copied().collect()
    }

    async fn sweep_once(self: &Arc<Self>) {
        let outage_ms = u64::try_from(self.outage_after.as_millis()).unwrap_or(u64::MAX);
        let unreadable = self.unreadable();
        match self.tables.store().due(DUE_BATCH.saturating_add(unreadable.len()), outage_ms).await {
            Ok(mut due) => {
                due.retain(|due| !unreadable.contains(&due.table));
                // All replicas find the same tables; each begins somewhere else.
                let first = place(due.len());
                due.rotate_left(first);
                for DueTable { table, outage } in due {
                    self.take(table, outage);
                }
            }
            Err(error) => {
                tracing::debug!(%error, "the tables' timers could not be read; the next sweep will do");
            }
        }
    }
}

/// A table that this replica is at; given up when dropped.
struct Busy<'a, S: Store> {
    clocks: &'a Clocks<S>,
    table: TableId,
}

impl<S: Store> Drop for Busy<'_, S> {
    fn drop(&mut self) {
        lock(&self.clocks.busy).remove(&self.table);
    }
}

fn acts_at_once(stored: &Stored) -> bool {
    let due = stored.snapshot.table.due();
    due.is_some_and(|due| matches!(due.what, What::Bot(..)) && due.after_ms == 0)
}

async fn sweep<S: Store>(clocks: Weak<Clocks<S>>) {
    loop {
        tokio::time::sleep(jittered(DUE_INTERVAL, 50)).await;
        let Some(clocks) = clocks.upgrade() else { return };
        clocks.sweep_once().await;
    }
}

/// The bots of the levels there are.
struct Bots;

impl BotPlayer for Bots {
    fn choose(&self, view: &TableView, seat: Seat, level: BotLevel) -> Option<Action> {
        match level {
            BotLevel::Steady => sedma_bots::steady(&view.game, view.setup.rules(), seat),
        }
    }
}

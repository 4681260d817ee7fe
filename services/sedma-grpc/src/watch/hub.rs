//! All watched tables of this process, and the sweep that mends lost wake-ups.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use sedma_table::store::Store;
use sedma_table::{TableId, Tables};
use tokio::sync::watch;

use super::feed::{FeedHandle, lock};
use super::places::Places;
use crate::chance::jittered;
use crate::limits::{SWEEP_BATCH, SWEEP_INTERVAL};

/// The watched tables.
#[derive(Debug)]
pub(crate) struct Hub<S> {
    tables: Arc<Tables<S>>,
    /// By table and the delay that it is shown with, in milliseconds.
    feeds: Mutex<HashMap<(TableId, u32), Weak<FeedHandle>>>,
    /// The watches that seats have open.
    pub(super) places: Arc<Places>,
    /// Turns when a table was made here.
    pub(super) made: watch::Sender<u64>,
    /// Tables that a sweep found ahead of their feed: wake-ups that were lost.
    repaired: AtomicU64,
}

impl<S: Store> Hub<S> {
    /// An empty hub with its sweep, which ends with the hub.
    pub(crate) fn start(tables: Arc<Tables<S>>) -> Arc<Self> {
        let places = Places::start(&tables);
        let (feeds, repaired) = (Mutex::default(), AtomicU64::new(0));
        let hub = Arc::new(Self { tables, feeds, places, made: watch::Sender::new(0), repaired });
        tokio::spawn(sweep(Arc::downgrade(&hub)));
        hub
    }

    /// The feed of a table that is shown so many milliseconds late; one for all who see it so.
    pub(super) fn feed(&self, table: TableId, delay_ms: u32) -> Arc<FeedHandle> {
        let key = (table, delay_ms);
        let mut feeds = lock(&self.feeds);
        if let Some(feed) = feeds.get(&key).and_then(Weak::upgrade) {
            return feed;
        }
        let feed = Arc::new(FeedHandle::start(self.tables.clone(), table, delay_ms));
        feeds.insert(key, Arc::downgrade(&feed));
        feed
    }

    /// A table was made here: whoever watches all of them looks for it.
    pub(crate) fn table_made(&self) {
        self.made.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// The feeds that somebody has; the others' entries go.
    fn live(&self) -> Vec<Arc<FeedHandle>> {
        let mut feeds = lock(&self.feeds);
        feeds.retain(|_, feed| feed.strong_count() > 0);
        feeds.values().filter_map(Weak::upgrade).collect()
    }

    /// Compares every watched table with the store once.
    async fn sweep_once(&self) {
        let live = self.live();
        for batch in live.chunks(SWEEP_BATCH) {
            let ids: Vec<TableId> = batch.iter().map(|handle| handle.feed.table).collect();
            match self.tables.store().versions(&ids).await {
                Ok(versions) => {
                    for (handle, version) in batch.iter().zip(versions) {
                        if handle.feed.compare(version) {
                            self.repaired.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
                Err(error) => {
                    tracing::debug!(%error, "a sweep of the watched tables failed; the next one will do");
                }
            }
        }
    }
}

async fn sweep<S: Store>(hub: Weak<Hub<S>>) {
    loop {
        tokio::time::sleep(jittered(SWEEP_INTERVAL, 10)).await;
        let Some(hub) = hub.upgrade() else { return };
        hub.sweep_once().await;
    }
}

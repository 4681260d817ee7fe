//! The watches that seats have open here: how many each has, and the leases by which everybody knows that it has one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use sedma_rules::Seat;
use sedma_table::store::{Holder, Lease, Store, StoreError};
use sedma_table::{TableId, Tables};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use super::feed::lock;
use crate::chance::{after, holder, jittered};
use crate::limits::{LEASE_MS, LEASE_RENEWAL, MAX_WATCHES_PER_SEAT, PRESENCE_LINGERS};

type Key = (TableId, Seat);

/// The places of all seats in this process.
#[derive(Debug)]
pub(crate) struct Places {
    /// By which others tell this process's leases from their own.
    holder: Holder,
    taken: Mutex<HashMap<Key, Taken>>,
    changed: Arc<Notify>,
}

/// The watches of one seat.
#[derive(Debug, Default)]
struct Taken {
    watches: usize,
    /// Whether the store has been told.
    leased: bool,
    /// When the last of them ended.
    left: Option<Instant>,
}

/// A watch's place among its seat's watches; given back when dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    key: Key,
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(taken) = lock(&self.places.taken).get_mut(&self.key) {
            taken.watches = taken.watches.saturating_sub(1);
            if taken.watches == 0 {
                taken.left = Some(Instant::now());
            }
        }
        self.places.changed.notify_one();
    }
}

impl Places {
    /// No places taken, and the task that tells the store of those that are; it ends with what this returns.
    pub(crate) fn start<S: Store>(tables: &Arc<Tables<S>>) -> Arc<Self> {
        let changed = Arc::new(Notify::new());
        let places = Arc::new(Self { holder: holder(), taken: Mutex::default(), changed: changed.clone() });
        tokio::spawn(keep(Arc::downgrade(&places), changed, tables.clone()));
        places
    }

    /// A place for one more watch of a seat, if it has one left.
    pub(super) fn take(self: &Arc<Self>, table: TableId, seat: Seat) -> Option<Place> {
        let key = (table, seat);
        let mut all = lock(&self.taken);
        let taken = all.entry(key).or_default();
        if taken.watches >= MAX_WATCHES_PER_SEAT {
            return None;
        }
        taken.watches = taken.watches.saturating_add(1);
        taken.left = None;
        drop(all);
        self.changed.notify_one();
        Some(Place { places: self.clone(), key })
    }

    /// Tells the store of seats that have come and gone. Says whether some are yet to go.
    async fn tell<S: Store>(&self, tables: &Tables<S>) -> Result<bool, StoreError> {
        let now = Instant::now();
        let (mut came, mut gone, mut going) = (Vec::new(), Vec::new(), false);
        for (key, taken) in lock(&self.taken).iter() {
            // A client that watches again at once has not been away.
            let left = taken.left.is_some_and(|left| now.duration_since(left) >= PRESENCE_LINGERS);
            match (taken.watches, taken.leased) {
                (0, _) if left => gone.push(*key),
                (0, _) => going = true,
                (_, false) => came.push(*key),
                (_, true) => {}
            }
        }
        if !came.is_empty() {
            tables.store().hold(&self.leases(&came), LEASE_MS, true).await?;
            let mut all = lock(&self.taken);
            for key in &came {
                all.entry(*key).and_modify(|taken| taken.leased = true);
            }
        }
        if !gone.is_empty() {
            tables.store().release(&self.leases(&gone)).await?;
            let mut all = lock(&self.taken);
            for key in gone {
                match all.get_mut(&key) {
                    // It came back meanwhile, and its lease was given up.
                    Some(taken) if taken.watches > 0 => (taken.leased, going) = (false, true),
                    _ => drop(all.remove(&key)),
                }
            }
        }
        Ok(going)
    }

    /// Renews the leases that there are. It is news where they have ended meanwhile.
    async fn renew<S: Store>(&self, tables: &Tables<S>, news: bool) -> Result<(), StoreError> {
        let held: Vec<Key> =
            lock(&self.taken).iter().filter(|(_, taken)| taken.leased).map(|(key, _)| *key).collect();
        if held.is_empty() { Ok(()) } else { tables.store().hold(&self.leases(&held), LEASE_MS, news).await }
    }

    fn leases(&self, keys: &[Key]) -> Vec<Lease> {
        keys.iter().map(|(table, seat)| Lease { table: *table, seat: *seat, holder: self.holder }).collect()
    }
}

/// Keeps the store told. Best effort: what fails is tried again, and leases that nobody renews end by themselves.
async fn keep<S: Store>(places: Weak<Places>, changed: Arc<Notify>, tables: Arc<Tables<S>>) {
    let life = Duration::from_millis(u64::try_from(LEASE_MS).unwrap_or(0));
    let (mut renewed, mut renewal) = (Instant::now(), after(LEASE_RENEWAL));
    loop {
        let Some(now) = places.upgrade() else { return };
        let mut again = now.tell(&tables).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "who is connected could not be told; trying again");
            true
        });
        if Instant::now() >= renewal {
            match now.renew(&tables, renewed.elapsed() >= life).await {
                Ok(()) => (renewed, renewal) = (Instant::now(), after(jittered(LEASE_RENEWAL, 10))),
                Err(error) => {
                    tracing::debug!(%error, "leases could not be renewed; trying again");
                    again = true;
                }
            }
        }
        drop(now);
        let rest = renewal.saturating_duration_since(Instant::now());
        let pause = if again { PRESENCE_LINGERS } else { rest.max(Duration::from_millis(1)) };
        tokio::select! {
            () = changed.notified() => {}
            () = sleep(pause) => {}
        }
    }
}

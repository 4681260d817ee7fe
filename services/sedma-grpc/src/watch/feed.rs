//! One watched table: its newest state, its newest updates, and the task that follows its log.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use sedma_proto::v1::ResetReason;
use sedma_rules::Seat;
use sedma_table::limits::LOG_PAGE;
use sedma_table::store::{Store, StoreError, Stored};
use sedma_table::{Fold, Happened, Logged, Refusal, TableId, Tables, Version};
use tokio::sync::{Notify, oneshot, watch};

use super::frame::{self, Class};
use crate::chance::jittered;
use crate::limits::{MAX_WATCHES_PER_SEAT, RETRY_PAUSE, WATCH_WINDOW};

/// One update with the states around it, encoded once a class.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) happened: Happened,
    pub(super) after: Stored,
    encoded: Mutex<Vec<(Class, Bytes)>>,
}

impl Step {
    /// The update that a fold has just taken in. `None` where it has none.
    pub(super) fn of(happened: Happened, fold: &Fold) -> Option<Self> {
        let (version, fire_ms) = (happened.logged.version, fold.fire_ms());
        let after = Stored { version, snapshot: fold.state()?.clone(), fire_ms };
        Some(Self { happened, after, encoded: Mutex::default() })
    }

    pub(super) fn version(&self) -> Version {
        self.happened.logged.version
    }

    /// The update's message for a class of viewers; made by whoever asks first.
    pub(super) fn encoded(&self, class: Class) -> Result<Bytes, Refusal> {
        let mut encoded = lock(&self.encoded);
        if let Some((_, bytes)) = encoded.iter().find(|(of, _)| *of == class) {
            return Ok(bytes.clone());
        }
        let bytes = frame::update(&self.happened, &self.after, class)?;
        encoded.push((class, bytes.clone()));
        Ok(bytes)
    }
}

/// What a watcher at a cursor does next.
#[derive(Debug)]
pub(super) enum Next {
    /// Tell this update.
    Step(Arc<Step>),
    /// The next update is no longer at hand: read the log.
    Behind,
    /// All is told.
    Wait,
    /// The history was broken off: start over from the tip.
    StartOver(ResetReason),
    /// The table is gone.
    Gone,
}

/// A watched table.
#[derive(Debug)]
pub(super) struct Feed {
    pub(super) table: TableId,
    shared: Mutex<Shared>,
    /// Counts changes; watchers wait on it.
    moved: watch::Sender<u64>,
    /// The sweep found the table elsewhere than the feed is.
    poked: Notify,
}

#[derive(Debug, Default)]
struct Shared {
    tip: Option<Stored>,
    window: VecDeque<Arc<Step>>,
    /// Counts broken-off histories.
    epoch: u64,
    broken: ResetReason,
    /// The log was read to its end since the epoch began: before that the tip is on its way.
    ready: bool,
    gone: bool,
    /// What the newest read failed with; mended by the next one that succeeds.
    trouble: Option<StoreError>,
    /// Watches a seat has, by its index.
    places: [usize; 4],
}

/// A watch's place among its seat's watches; given back when dropped.
#[derive(Debug)]
pub(super) struct Place {
    feed: Arc<Feed>,
    seat: Seat,
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(count) = lock(&self.feed.shared).places.get_mut(self.seat.index()) {
            *count = count.saturating_sub(1);
        }
    }
}

/// Keeps a feed's task running for as long as somebody has it.
#[derive(Debug)]
pub(super) struct FeedHandle {
    pub(super) feed: Arc<Feed>,
    /// Dropped with the handle, which ends the task.
    _alive: oneshot::Sender<()>,
}

impl FeedHandle {
    /// Starts to follow a table.
    pub(super) fn start<S: Store>(tables: Arc<Tables<S>>, table: TableId) -> Self {
        let feed = Arc::new(Feed {
            table,
            shared: Mutex::default(),
            moved: watch::Sender::new(0),
            poked: Notify::new(),
        });
        let (alive, ended) = oneshot::channel();
        tokio::spawn(feed.clone().follow(tables, ended));
        Self { feed, _alive: alive }
    }

    /// A place for one more watch of a seat, if it has one left.
    pub(super) fn take_place(&self, seat: Seat) -> Option<Place> {
        let mut shared = lock(&self.feed.shared);
        let count = shared.places.get_mut(seat.index())?;
        if *count >= MAX_WATCHES_PER_SEAT {
            return None;
        }
        *count = count.saturating_add(1);
        Some(Place { feed: self.feed.clone(), seat })
    }
}

impl Feed {
    /// Turns whenever there is news.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.moved.subscribe()
    }

    /// The newest state, once there is one, and the epoch it belongs to.
    pub(super) fn tip(&self) -> Option<(Stored, u64)> {
        let shared = lock(&self.shared);
        let tip = shared.tip.clone().filter(|_| shared.ready);
        tip.map(|tip| (tip, shared.epoch))
    }

    /// What keeps the feed from going on just now.
    pub(super) fn trouble(&self) -> Option<StoreError> {
        lock(&self.shared).trouble.clone()
    }

    /// Whether the table turned out to be gone.
    pub(super) fn is_gone(&self) -> bool {
        lock(&self.shared).gone
    }

    /// What comes after a revision, for a watcher that began in this epoch.
    pub(super) fn next(&self, revision: i64, epoch: u64) -> Next {
        let shared = lock(&self.shared);
        if shared.epoch != epoch {
            return Next::StartOver(shared.broken);
        }
        let Some(tip) = &shared.tip else { return if shared.gone { Next::Gone } else { Next::Wait } };
        if tip.version.revision <= revision {
            return if shared.gone { Next::Gone } else { Next::Wait };
        }
        let wanted = revision.saturating_add(1);
        let first = shared.window.front().map_or(i64::MAX, |step| step.version().revision);
        let at = wanted.checked_sub(first).and_then(|at| usize::try_from(at).ok());
        match at.and_then(|at| shared.window.get(at)) {
            Some(step) => Next::Step(step.clone()),
            None => Next::Behind,
        }
    }

    /// Tells the feed where the sweep found its table. Says whether it was elsewhere.
    pub(super) fn compare(&self, found: Option<Version>) -> bool {
        let tip = lock(&self.shared).tip.as_ref().map(|tip| tip.version);
        let behind = tip.is_some() && tip != found;
        if behind {
            self.poked.notify_one();
        }
        behind
    }

    /// Asks the feed to look at the store.
    pub(super) fn poke(&self) {
        self.poked.notify_one();
    }

    /// The feed's task: reads what is new whenever it is woken, until nobody watches any more.
    async fn follow<S: Store>(self: Arc<Self>, tables: Arc<Tables<S>>, mut ended: oneshot::Receiver<()>) {
        let mut wakeups = tables.store().subscribe(self.table);
        let mut fold = Fold::new(self.table);
        loop {
            let read = tokio::select! {
                _ = &mut ended => return,
                read = self.catch_up(&tables, &mut fold) => read,
            };
            let pause = match read {
                Ok(()) => {
                    let mut shared = lock(&self.shared);
                    (shared.ready, shared.trouble) = (true, None);
                    drop(shared);
                    self.moved.send_modify(|count| *count = count.wrapping_add(1));
                    None
                }
                Err(error) => {
                    tracing::warn!(table = %self.table, %error, "a watched table could not be read; trying again");
                    lock(&self.shared).trouble = Some(error);
                    self.moved.send_modify(|count| *count = count.wrapping_add(1));
                    Some(jittered(RETRY_PAUSE, 50))
                }
            };
            tokio::select! {
                _ = &mut ended => return,
                () = sleep_or_never(pause) => {}
                () = self.poked.notified() => {}
                woken = wakeups.changed() => if woken.is_err() {
                    wakeups = tables.store().subscribe(self.table);
                }
            }
        }
    }

    /// Reads the log from where the fold is to its end.
    async fn catch_up<S: Store>(&self, tables: &Tables<S>, fold: &mut Fold) -> Result<(), StoreError> {
        let store = tables.store();
        loop {
            // One update that is known already comes along: its token tells whether this is still the same history.
            let known = fold.newest().map(|logged| logged.version);
            let after = fold.revision().saturating_sub(1).max(0);
            let mut page: VecDeque<Logged> = store.updates_after(self.table, after, LOG_PAGE).await?.into();
            if let Some(known) = known
                && page.pop_front().map(|logged| logged.version) != Some(known)
            {
                self.break_off(ResetReason::Rewound);
                *fold = Fold::new(self.table);
                continue;
            }
            if page.is_empty() {
                if known.is_none() {
                    self.without_log(store.load(self.table).await?);
                }
                return Ok(());
            }
            for logged in page {
                let happened = fold.step(logged)?;
                if let Some(step) = Step::of(happened, fold) {
                    self.push(step);
                }
            }
            self.moved.send_modify(|count| *count = count.wrapping_add(1));
        }
    }

    /// There is no log: either the table is gone, or only its snapshot is left.
    fn without_log(&self, left: Option<Stored>) {
        match left {
            None => lock(&self.shared).gone = true,
            Some(stored) => {
                let known = lock(&self.shared).tip.as_ref().map(|tip| tip.version);
                if known != Some(stored.version) {
                    self.break_off(ResetReason::LogLost);
                    lock(&self.shared).tip = Some(stored);
                }
            }
        }
    }

    /// The history that was told so far can't be continued.
    fn break_off(&self, reason: ResetReason) {
        tracing::warn!(table = %self.table, ?reason, "a watched table's history was broken off");
        let mut shared = lock(&self.shared);
        shared.epoch = shared.epoch.wrapping_add(1);
        shared.broken = reason;
        shared.ready = false;
        shared.tip = None;
        shared.window.clear();
    }

    fn push(&self, step: Step) {
        let mut shared = lock(&self.shared);
        shared.gone = false;
        shared.tip = Some(step.after.clone());
        if shared.window.len() >= WATCH_WINDOW {
            shared.window.pop_front();
        }
        shared.window.push_back(Arc::new(step));
    }
}

async fn sleep_or_never(pause: Option<std::time::Duration>) {
    match pause {
        Some(pause) => tokio::time::sleep(pause).await,
        None => std::future::pending().await,
    }
}

/// A lock that is held for moments and never across an await; a panic under it leaves nothing half-done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! One watched table: its newest state and its newest updates, for all who watch it. What fills it is in `follow`.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use sedma_proto::v1::ResetReason;
use sedma_rules::SeatSet;
use sedma_table::store::{Store, StoreError, Stored};
use sedma_table::{Fold, Happened, Refusal, TableId, Tables, Version};
use tokio::sync::{Notify, oneshot, watch};

use super::follow::Follower;
use super::frame::{self, Class};
use crate::limits::WATCH_WINDOW;

/// One update with the states around it, encoded once a class.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) happened: Happened,
    pub(crate) after: Stored,
    encoded: Mutex<Vec<(Class, Bytes)>>,
}

impl Step {
    /// The update that a fold has just taken in. `None` where it has none.
    pub(super) fn of(happened: Happened, fold: &Fold) -> Option<Self> {
        Some(Self { happened, after: fold.stored()?, encoded: Mutex::default() })
    }

    pub(crate) fn version(&self) -> Version {
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
    /// How old an update is before it is shown, in milliseconds.
    pub(super) delay_ms: u32,
    shared: Mutex<Shared>,
    /// Counts changes; watchers wait on it.
    moved: watch::Sender<u64>,
    /// Somebody knows better than the feed where the table is.
    poked: Notify,
    /// Looks at the log that have begun.
    begun: AtomicU64,
    /// The sweep found no state where the feed has read a log.
    missed: AtomicBool,
}

#[derive(Debug, Default)]
struct Shared {
    /// The newest state to be shown.
    tip: Option<Stored>,
    window: VecDeque<Arc<Step>>,
    /// The newest version that was read, whether it may be shown yet or not.
    read: Option<Version>,
    /// Where nothing may be shown yet: from when on it may be, in milliseconds since the Unix epoch.
    opens_ms: Option<i64>,
    /// Counts broken-off histories.
    epoch: u64,
    broken: ResetReason,
    /// The log was read to its end since the epoch began: before that the tip is on its way.
    ready: bool,
    /// The newest look at the log that was finished, by its number.
    looked: u64,
    /// There is only the tip: the log that led to it is lost.
    log_lost: bool,
    gone: bool,
    /// What the newest read failed with; mended by the next one that succeeds.
    trouble: Option<StoreError>,
    /// Seats whose players are connected.
    present: SeatSet,
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
    pub(super) fn start<S: Store>(tables: Arc<Tables<S>>, table: TableId, delay_ms: u32) -> Self {
        let feed = Arc::new(Feed {
            table,
            delay_ms,
            shared: Mutex::default(),
            moved: watch::Sender::new(0),
            poked: Notify::new(),
            begun: AtomicU64::new(0),
            missed: AtomicBool::new(false),
        });
        let (alive, ended) = oneshot::channel();
        tokio::spawn(Follower::new(feed.clone(), tables).run(ended));
        Self { feed, _alive: alive }
    }
}

/// What watchers read.
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

    /// Whether the log was read and there is nothing to show yet.
    pub(super) fn shows_nothing(&self) -> bool {
        let shared = lock(&self.shared);
        shared.ready && !shared.gone && shared.tip.is_none()
    }

    /// From when on there will be more to show, where that is known.
    pub(super) fn opens_ms(&self) -> Option<i64> {
        lock(&self.shared).opens_ms
    }

    /// Whether a look at the log is finished, by the number that [`poke`](Self::poke) said.
    pub(super) fn has_looked(&self, look: u64) -> bool {
        lock(&self.shared).looked >= look
    }

    /// What keeps the feed from going on just now.
    pub(super) fn trouble(&self) -> Option<StoreError> {
        lock(&self.shared).trouble.clone()
    }

    /// Whether the table turned out to be gone.
    pub(super) fn is_gone(&self) -> bool {
        lock(&self.shared).gone
    }

    /// The seats whose players are connected.
    pub(super) fn present(&self) -> SeatSet {
        lock(&self.shared).present
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
        if shared.log_lost {
            return Next::StartOver(ResetReason::LogLost);
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
        let read = lock(&self.shared).read;
        let behind = read.is_some() && read != found;
        self.missed.store(behind && found.is_none(), Ordering::SeqCst);
        if behind {
            self.poked.notify_one();
        }
        behind
    }

    /// Asks the feed to look at the store; answers the number of the look that begins after this.
    pub(super) fn poke(&self) -> u64 {
        let look = self.begun.load(Ordering::SeqCst).saturating_add(1);
        self.poked.notify_one();
        look
    }
}

/// What its follower writes.
impl Feed {
    /// Waits until somebody knows better.
    pub(super) async fn poked(&self) {
        self.poked.notified().await;
    }

    /// The next update may be shown.
    pub(super) fn push(&self, step: Step) {
        let mut shared = lock(&self.shared);
        shared.gone = false;
        shared.tip = Some(step.after.clone());
        if shared.window.len() >= WATCH_WINDOW {
            shared.window.pop_front();
        }
        shared.window.push_back(Arc::new(step));
    }

    /// Whether the sweep found no state where the feed has read a log.
    pub(super) fn is_missed(&self) -> bool {
        self.missed.load(Ordering::SeqCst)
    }

    /// The log was read up to here.
    pub(super) fn reached(&self, read: Option<Version>) {
        lock(&self.shared).read = read;
    }

    /// A look at the log begins; answers its number.
    pub(super) fn begin_look(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::SeqCst).saturating_add(1)
    }

    /// A look has come to the log's end; what is held back is shown from this instant on.
    pub(super) fn settle(&self, look: u64, opens_ms: Option<i64>) {
        let mut shared = lock(&self.shared);
        (shared.ready, shared.trouble, shared.opens_ms, shared.looked) = (true, None, opens_ms, look);
        drop(shared);
        self.tell();
    }

    /// The log can't be read just now.
    pub(super) fn fail(&self, error: StoreError) {
        lock(&self.shared).trouble = Some(error);
        self.tell();
    }

    /// There is no such table.
    pub(super) fn lose(&self) {
        lock(&self.shared).gone = true;
    }

    /// Only the snapshot is left of the table.
    pub(super) fn stand_at(&self, left: Stored) {
        let mut shared = lock(&self.shared);
        (shared.tip, shared.log_lost) = (Some(left), true);
    }

    /// Who is connected.
    pub(super) fn set_present(&self, present: SeatSet) {
        let before = std::mem::replace(&mut lock(&self.shared).present, present);
        if before != present {
            self.tell();
        }
    }

    /// The history that was told so far can't be continued.
    pub(super) fn break_off(&self, reason: ResetReason) {
        tracing::warn!(table = %self.table, ?reason, "a watched table's history was broken off");
        let mut shared = lock(&self.shared);
        shared.epoch = shared.epoch.wrapping_add(1);
        shared.broken = reason;
        (shared.ready, shared.log_lost) = (false, false);
        shared.tip = None;
        shared.read = None;
        shared.window.clear();
    }

    /// Wakes who waits for news.
    pub(super) fn tell(&self) {
        self.moved.send_modify(|count| *count = count.wrapping_add(1));
    }
}

/// A lock that is held for moments and never across an await; a panic under it leaves nothing half-done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! What fills a feed: a task that reads the table's log from where it is whenever it is woken, and holds back what is
//! not old enough to be shown.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use sedma_proto::v1::ResetReason;
use sedma_rules::SeatSet;
use sedma_table::limits::LOG_PAGE;
use sedma_table::store::{Store, StoreError, Wake};
use sedma_table::{Fold, Logged, Tables, Version};
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::feed::{Feed, Step};
use crate::chance::jittered;
use crate::limits::RETRY_PAUSE;

/// The task of one feed.
pub(super) struct Follower<S> {
    feed: Arc<Feed>,
    tables: Arc<Tables<S>>,
    /// All that the log says.
    known: Fold,
    /// What of it is shown, where that is less.
    delayed: Option<Delayed>,
    /// When the next update that is held back is old enough, in milliseconds since the Unix epoch.
    opens_ms: Option<i64>,
    /// Whether the log could not be read when it was last tried.
    failed: bool,
    presence: Presence,
}

/// What is shown of a table whose updates have to grow old first.
struct Delayed {
    shown: Fold,
    /// Updates that are not old enough, oldest first: at most as many as a table may have.
    held: VecDeque<Logged>,
}

/// When to look for who is connected.
#[derive(Default)]
struct Presence {
    /// The count of the wake-up that was looked for last.
    seen: u64,
    /// When the first of the leases that were found is over, in milliseconds since the Unix epoch.
    until_ms: Option<i64>,
}

impl<S: Store> Follower<S> {
    pub(super) fn new(feed: Arc<Feed>, tables: Arc<Tables<S>>) -> Self {
        let table = feed.table;
        let delayed = (feed.delay_ms > 0).then(|| Delayed { shown: Fold::new(table), held: VecDeque::new() });
        Self {
            feed,
            tables,
            known: Fold::new(table),
            delayed,
            opens_ms: None,
            failed: false,
            presence: Presence::default(),
        }
    }

    /// Reads what is new whenever it is woken, until nobody watches any more.
    pub(super) async fn run(mut self, mut ended: oneshot::Receiver<()>) {
        let mut wakeups = self.tables.store().subscribe(self.feed.table);
        let (mut seen, mut log) = (Wake::default(), true);
        loop {
            let wake = *wakeups.borrow_and_update();
            let pause = tokio::select! {
                _ = &mut ended => return,
                pause = self.look(wake, log || wake.updates != seen.updates) => pause,
            };
            (seen, log) = (wake, true);
            let feed = self.feed.clone();
            tokio::select! {
                _ = &mut ended => return,
                () = sleep_or_never(pause) => {}
                () = feed.poked() => {}
                woken = wakeups.changed() => match woken {
                    Ok(()) => log = false,
                    Err(_) => wakeups = self.tables.store().subscribe(self.feed.table),
                },
            }
        }
    }

    /// Looks for what may be new, in the log too where that may be so. Says when to look again though nothing wakes the
    /// feed.
    async fn look(&mut self, wake: Wake, log: bool) -> Option<Duration> {
        if log || self.failed {
            let look = self.feed.begin_look();
            let read = self.read().await;
            match read {
                Ok(opens_ms) => {
                    (self.opens_ms, self.failed) = (opens_ms, false);
                    self.feed.settle(look, opens_ms);
                }
                Err(error) => {
                    tracing::warn!(table = %self.feed.table, %error, "a watched table could not be read; trying again");
                    self.failed = true;
                    self.feed.fail(error);
                    return Some(jittered(RETRY_PAUSE, 50));
                }
            }
        }
        let opens = self.opens_ms.map(|opens_ms| self.until(opens_ms));
        let presence = self.look_for_players(wake).await;
        opens.into_iter().chain(presence).min()
    }

    /// Reads what is new. Says when the next update that is held back is old enough.
    async fn read(&mut self) -> Result<Option<i64>, StoreError> {
        // What has grown old needs no store that answers.
        self.release()?;
        self.catch_up().await?;
        self.release()
    }

    /// How long it is until an instant.
    fn until(&self, instant_ms: i64) -> Duration {
        let left_ms = instant_ms.saturating_sub(self.tables.store().now_ms()).max(1);
        Duration::from_millis(u64::try_from(left_ms).unwrap_or(1))
    }

    /// Reads the log from where the fold is to its end.
    async fn catch_up(&mut self) -> Result<(), StoreError> {
        loop {
            // One update that is known already comes along: its token tells whether this is still the same history.
            let known = self.known.newest().map(|logged| logged.version);
            let after = self.known.revision().saturating_sub(1).max(0);
            let store = self.tables.store();
            let mut page: VecDeque<Logged> =
                store.updates_after(self.feed.table, after, LOG_PAGE).await?.into();
            if let Some(known) = known
                && page.pop_front().map(|logged| logged.version) != Some(known)
            {
                self.broken_off(known).await?;
                continue;
            }
            if page.is_empty() {
                return if known.is_none() { self.without_log().await } else { self.with_log().await };
            }
            for logged in page {
                self.take(logged)?;
            }
            self.feed.reached(self.known.newest().map(|logged| logged.version));
            if self.delayed.is_none() {
                self.feed.tell();
            }
        }
    }

    /// Takes the next update in: to be shown at once, or when it is old enough.
    fn take(&mut self, logged: Logged) -> Result<(), StoreError> {
        if let Some(delayed) = &mut self.delayed {
            self.known.step(logged.clone())?;
            delayed.held.push_back(logged);
            return Ok(());
        }
        let happened = self.known.step(logged)?;
        if let Some(step) = Step::of(happened, &self.known) {
            self.feed.push(step);
        }
        Ok(())
    }

    /// Shows what has become old enough: all of it once the table has ended. Says when the next update will be.
    fn release(&mut self) -> Result<Option<i64>, StoreError> {
        let Some(delayed) = &mut self.delayed else { return Ok(None) };
        let ended = self.known.state().is_some_and(|state| state.table.is_ended());
        let now_ms = self.tables.store().now_ms();
        let opens_ms = |logged: &Logged| logged.time_ms.saturating_add(self.feed.delay_ms.into());
        while let Some(logged) = delayed.held.pop_front_if(|next| ended || opens_ms(next) <= now_ms) {
            let happened = delayed.shown.step(logged)?;
            if let Some(step) = Step::of(happened, &delayed.shown) {
                self.feed.push(step);
            }
        }
        Ok(delayed.held.front().map(opens_ms))
    }

    /// The log says nothing new. Where the sweep has missed the state beside it, the table is gone: a store that is full
    /// may have thrown away one and not the other.
    async fn with_log(&self) -> Result<(), StoreError> {
        if self.feed.is_missed() && self.tables.store().load(self.feed.table).await?.is_none() {
            self.feed.lose();
        }
        Ok(())
    }

    /// The log does not go on from where it was read. Where there is none any more, nothing took its place.
    async fn broken_off(&mut self, known: Version) -> Result<(), StoreError> {
        let (table, revision) = (self.feed.table, known.revision);
        if self.tables.store().updates_after(table, 0, 1).await?.is_empty() {
            self.start_over(ResetReason::LogLost);
        } else {
            tracing::warn!(%table, revision, "the store has taken back what a table's watchers were told");
            self.tables.note_rewound();
            self.start_over(ResetReason::Rewound);
        }
        Ok(())
    }

    /// There is no log: either the table is gone, or only its snapshot is left.
    async fn without_log(&mut self) -> Result<(), StoreError> {
        let Some(left) = self.tables.store().load(self.feed.table).await? else {
            self.feed.lose();
            return Ok(());
        };
        let known = self.feed.tip().map(|(tip, _)| tip.version);
        if known != Some(left.version) {
            self.start_over(ResetReason::LogLost);
            // When the snapshot came about is not known any more: who sees things late sees it at the end.
            if self.delayed.is_none() || left.snapshot.table.is_ended() {
                self.feed.reached(Some(left.version));
                self.feed.stand_at(left);
            }
        }
        Ok(())
    }

    /// What was told so far is no longer the table's history.
    fn start_over(&mut self, reason: ResetReason) {
        self.feed.break_off(reason);
        self.known = Fold::new(self.feed.table);
        if let Some(delayed) = &mut self.delayed {
            *delayed = Delayed { shown: Fold::new(self.feed.table), held: VecDeque::new() };
        }
    }

    /// Looks for who is connected, where a wake-up or the end of a lease says so. Best effort: says when to look again.
    async fn look_for_players(&mut self, wake: Wake) -> Option<Duration> {
        // Who sees things late is not told who is there now.
        if self.delayed.is_some() {
            return None;
        }
        let over = self.presence.until_ms.is_some_and(|until_ms| until_ms <= self.tables.store().now_ms());
        if self.presence.seen != wake.presence || over {
            let Ok(present) = self.tables.store().present(self.feed.table).await else {
                return Some(jittered(RETRY_PAUSE, 50));
            };
            self.presence.seen = wake.presence;
            self.presence.until_ms = present.iter().map(|present| present.until_ms).min();
            self.feed.set_present(present.iter().map(|present| present.seat).collect::<SeatSet>());
        }
        self.presence.until_ms.map(|until_ms| self.until(until_ms))
    }
}

async fn sleep_or_never(pause: Option<Duration>) {
    match pause {
        Some(pause) => sleep(pause).await,
        None => std::future::pending().await,
    }
}

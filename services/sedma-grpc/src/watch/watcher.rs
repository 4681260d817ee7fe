//! One watch: a cursor into a table's history, and when to say what.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt as _, Stream, stream};
use sedma_proto::v1::{PlannedEndReason, ResetReason};
use sedma_rules::Seat;
use sedma_table::store::{Store, StoreError, Stored};
use sedma_table::{Caller, Failure, Reason, Refusal, Version};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;
use tonic::Status;

use super::catch_up::CatchUp;
use super::feed::{FeedHandle, Next, Place, Step};
use super::frame::{self, Class};
use crate::call::{Context, panicked};
use crate::chance::{after, jittered, part_of};
use crate::limits::{HEARTBEAT, MAX_WATCH_AGE, RETRY_PAUSE};
use crate::service::Service;
use crate::status;

/// Where a client wants to go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resume {
    /// The last revision it has seen.
    pub(super) revision: i64,
    /// The history mark that came with it, if it sent one.
    pub(super) history: Option<[u8; 8]>,
}

/// What a watch holds on to while it lives.
type Places = (OwnedSemaphorePermit, Option<Place>);

/// How far a client has been told.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    revision: i64,
    /// The token of that revision, where it is known.
    token: Option<[u8; 8]>,
    epoch: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing was sent yet.
    First,
    /// Updates are told as they come.
    Live,
    /// The last message was sent.
    Over,
}

/// One watch.
pub(super) struct Watcher<S: Store> {
    service: Arc<Service<S>>,
    feed: Arc<FeedHandle>,
    class: Class,
    /// The seat of the token and its generation: when that moves on, the watch ends.
    holder: Option<(Seat, u32)>,
    resume: Option<Resume>,
    /// What the table had reached when the watch was opened; the first message is not older.
    opened_at: i64,
    stage: Stage,
    cursor: Cursor,
    catch_up: Option<CatchUp>,
    moved: watch::Receiver<u64>,
    draining: watch::Receiver<Option<Duration>>,
    planned: (Instant, PlannedEndReason),
    deadline: Option<Instant>,
    heartbeat: Instant,
    /// Given back when the watch ends.
    held: Option<Places>,
}

/// What a watch does next.
enum Turn {
    Say(Bytes),
    SayLast(Bytes),
    Fail(Status),
}

impl<S: Store> Watcher<S> {
    pub(super) fn new(
        service: &Arc<Service<S>>,
        context: &Context,
        feed: Arc<FeedHandle>,
        class: Class,
        resume: Option<Resume>,
        opened_at: i64,
    ) -> Self {
        let life = (after(jittered(MAX_WATCH_AGE, 10)), PlannedEndReason::Lifetime);
        let planned = match context.token_expires_s {
            Some(expires_s) => {
                let left_ms = expires_s.saturating_mul(1_000).saturating_sub(service.settings.clock.now_ms());
                let expiry = after(Duration::from_millis(u64::try_from(left_ms).unwrap_or(0)));
                if expiry < life.0 { (expiry, PlannedEndReason::Token) } else { life }
            }
            None => life,
        };
        let holder = match &context.caller {
            Caller::Seat { seat, generation, .. } => Some((*seat, *generation)),
            Caller::Platform { .. } | Caller::Watcher { .. } => None,
        };
        Self {
            moved: feed.feed.subscribe(),
            draining: service.drain.subscribe(),
            service: service.clone(),
            feed,
            class,
            holder,
            resume,
            opened_at,
            stage: Stage::First,
            cursor: Cursor { revision: 0, token: None, epoch: 0 },
            catch_up: None,
            planned,
            deadline: context.deadline.map(after),
            heartbeat: after(HEARTBEAT),
            held: None,
        }
    }

    /// Gives the watch what it must hold on to while it lives.
    pub(super) fn holding(mut self, places: Places) -> Self {
        self.held = Some(places);
        self
    }

    /// The watch's messages, each made when the transport asks for it: a slow reader holds up nobody.
    pub(super) fn into_stream(self) -> impl Stream<Item = Result<Bytes, Status>> + Send {
        stream::unfold(self, |mut watcher| async move {
            if watcher.stage == Stage::Over {
                return None;
            }
            let turn = AssertUnwindSafe(watcher.turn()).catch_unwind().await;
            let said = match turn.unwrap_or_else(|_| Turn::Fail(panicked("a watch"))) {
                Turn::Say(bytes) => Ok(bytes),
                Turn::SayLast(bytes) => {
                    watcher.stage = Stage::Over;
                    Ok(bytes)
                }
                Turn::Fail(status) => {
                    watcher.stage = Stage::Over;
                    Err(status)
                }
            };
            watcher.heartbeat = after(jittered(HEARTBEAT, 10));
            Some((said, watcher))
        })
    }

    async fn turn(&mut self) -> Turn {
        let turn = match self.stage {
            Stage::First => self.first().await,
            Stage::Live | Stage::Over => self.live().await,
        };
        turn.unwrap_or_else(|failure| Turn::Fail(status::of(&failure)))
    }

    /// The first message: where the client stands.
    async fn first(&mut self) -> Result<Turn, Failure> {
        let (tip, epoch) = self.opening_tip().await?;
        self.stage = Stage::Live;
        self.cursor.epoch = epoch;
        let Some(resume) = self.resume else { return Ok(self.snapshot(&tip)) };
        let known =
            super::catch_up::token_at(&self.service.tables, self.feed.feed.table, resume.revision, &tip);
        let token = match known.await? {
            Some(token) if resume.history.is_none_or(|history| history == token) => Some(token),
            None if resume.revision == 0 => None,
            _ => return Ok(self.start_over(ResetReason::Rewound, &tip)),
        };
        self.cursor = Cursor { revision: resume.revision, token, epoch };
        Ok(Turn::Say(self.marked(frame::heartbeat(self.service.settings.clock.now_ms()))))
    }

    /// The newest state, not older than what the table had reached when the watch was opened.
    async fn opening_tip(&mut self) -> Result<(Stored, u64), Failure> {
        let mut asked = false;
        loop {
            self.moved.borrow_and_update();
            match self.feed.feed.tip() {
                Some((tip, epoch)) if asked || tip.version.revision >= self.opened_at => {
                    return Ok((tip, epoch));
                }
                // A feed that is behind looks once; where the table was rewound since, it won't come that far.
                Some(_) => {
                    asked = true;
                    self.feed.feed.poke();
                }
                None if self.feed.feed.is_gone() => return Err(Refusal::table_not_found().into()),
                None => {
                    if let Some(trouble) = self.feed.feed.trouble() {
                        return Err(trouble.into());
                    }
                }
            }
            if !self.wait().await {
                return Err(deadline());
            }
        }
    }

    /// Waits for news; false when the caller's own deadline came first.
    async fn wait(&mut self) -> bool {
        let Some(deadline) = self.deadline else { return self.moved.changed().await.is_ok() };
        tokio::select! {
            news = self.moved.changed() => news.is_ok(),
            () = tokio::time::sleep_until(deadline) => false,
        }
    }

    /// The next message of a watch that has begun.
    async fn live(&mut self) -> Result<Turn, Failure> {
        loop {
            self.moved.borrow_and_update();
            let next = match self.behind().await? {
                Some(step) => Next::Step(step),
                None => self.feed.feed.next(self.cursor.revision, self.cursor.epoch),
            };
            match next {
                Next::Step(step) => return self.tell(&step),
                Next::Behind => {
                    self.catch_up = Some(CatchUp::new(self.feed.feed.table));
                    continue;
                }
                Next::StartOver(reason) => {
                    let (tip, epoch) = self.opening_tip().await?;
                    self.cursor.epoch = epoch;
                    return Ok(self.start_over(reason, &tip));
                }
                Next::Gone => return Err(Refusal::table_not_found().into()),
                Next::Wait => {
                    // An outage passes, and the watch goes on; a record that can't be read stays so.
                    match self.feed.feed.trouble() {
                        None | Some(StoreError::Unavailable(_)) => {}
                        Some(lasting) => return Err(lasting.into()),
                    }
                }
            }
            if let Some((tip, _)) = self.feed.feed.tip()
                && tip.version.revision == self.cursor.revision
                && tip.snapshot.table.is_ended()
            {
                return Ok(Turn::SayLast(self.marked(frame::end(&tip.snapshot))));
            }
            if let Some(turn) = self.idle().await? {
                return Ok(turn);
            }
        }
    }

    /// Waits for whatever comes first; `None` when there may be news.
    async fn idle(&mut self) -> Result<Option<Turn>, Failure> {
        let never = after(MAX_WATCH_AGE.saturating_mul(2));
        tokio::select! {
            biased;
            () = tokio::time::sleep_until(self.deadline.unwrap_or(never)) => Err(deadline()),
            () = tokio::time::sleep_until(self.planned.0) => {
                Ok(Some(Turn::SayLast(self.marked(frame::planned_end(self.planned.1)))))
            }
            news = self.moved.changed() => {
                if news.is_err() { Err(Refusal::table_not_found().into()) } else { Ok(None) }
            }
            spread = drained(&mut self.draining), if self.planned.1 != PlannedEndReason::Draining => {
                self.planned = (after(part_of(spread)), PlannedEndReason::Draining);
                Ok(None)
            }
            () = tokio::time::sleep_until(self.heartbeat) => {
                Ok(Some(Turn::Say(self.marked(frame::heartbeat(self.service.settings.clock.now_ms())))))
            }
        }
    }

    /// The next update from the log, where the feed no longer has it at hand.
    async fn behind(&mut self) -> Result<Option<Arc<Step>>, Failure> {
        let Some(catch_up) = &mut self.catch_up else { return Ok(None) };
        let cursor = Version { revision: self.cursor.revision, token: self.cursor.token.unwrap_or_default() };
        let check = self.cursor.token.is_some();
        match catch_up.next(&self.service.tables, cursor, check).await? {
            Some(step) => {
                // As soon as the feed has the one after it at hand, the shared encoding serves again.
                let next = self.feed.feed.next(step.version().revision, self.cursor.epoch);
                if !matches!(next, Next::Behind) {
                    self.catch_up = None;
                }
                Ok(Some(step))
            }
            // The log ends early, or is no longer the history that was told: the feed will notice and say so.
            None => {
                self.catch_up = None;
                self.feed.feed.poke();
                tokio::time::sleep(jittered(RETRY_PAUSE, 50)).await;
                Ok(None)
            }
        }
    }

    fn tell(&mut self, step: &Step) -> Result<Turn, Failure> {
        let after = &step.after.snapshot.table;
        if let Some((seat, generation)) = self.holder
            // Older generations are the history from before this token was made.
            && after.seat(seat).is_none_or(|state| state.generation > generation)
        {
            return Ok(Turn::SayLast(self.marked(frame::planned_end(PlannedEndReason::Token))));
        }
        if self.planned.1 == PlannedEndReason::Draining && Instant::now() >= self.planned.0 {
            return Ok(Turn::SayLast(self.marked(frame::planned_end(PlannedEndReason::Draining))));
        }
        let bytes = step.encoded(self.class)?;
        let version = step.version();
        self.cursor = Cursor { revision: version.revision, token: Some(version.token), ..self.cursor };
        Ok(Turn::Say(bytes))
    }

    fn snapshot(&mut self, tip: &Stored) -> Turn {
        self.stand_at(tip.version);
        let view = frame::view(tip, self.class, self.service.settings.clock.now_ms());
        Turn::Say(self.marked(sedma_proto::v1::watch_table_response::Payload::Snapshot(view)))
    }

    fn start_over(&mut self, reason: ResetReason, tip: &Stored) -> Turn {
        self.catch_up = None;
        self.stand_at(tip.version);
        let now_ms = self.service.settings.clock.now_ms();
        Turn::Say(self.marked(frame::reset(reason, tip, self.class, now_ms)))
    }

    fn stand_at(&mut self, version: Version) {
        self.cursor.revision = version.revision;
        self.cursor.token = Some(version.token);
    }

    /// A message that carries how far the client has been told.
    fn marked(&self, payload: sedma_proto::v1::watch_table_response::Payload) -> Bytes {
        match self.cursor.token {
            Some(token) => frame::frame(Version { revision: self.cursor.revision, token }, payload),
            None => frame::unmarked(self.cursor.revision, payload),
        }
    }
}

/// Waits until the server drains.
async fn drained(draining: &mut watch::Receiver<Option<Duration>>) -> Duration {
    // Looks at the value first: the drain may have begun before this watch did.
    let begun = draining.wait_for(Option::is_some).await.ok().and_then(|spread| *spread);
    match begun {
        Some(spread) => spread,
        None => std::future::pending().await,
    }
}

fn deadline() -> Failure {
    Refusal::new(
        Reason::Deadline,
        "The watch reached its caller's deadline; watch again from the last revision.",
    )
    .into()
}

//! One watch: a cursor into a table's history, and what to say next.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{FutureExt as _, Stream, stream};
use sedma_proto::v1::watch_table_response::Payload;
use sedma_proto::v1::{PlannedEndReason, ResetReason};
use sedma_rules::{Seat, SeatSet};
use sedma_table::store::{Store, StoreError, Stored};
use sedma_table::{Caller, Failure, Refusal, Version};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::catch_up::CatchUp;
use super::feed::{FeedHandle, Next, Step};
use super::frame::{self, Class};
use super::life::{Life, Sign};
use super::places::Place;
use crate::call::count_panic;
use crate::chance::{after, jittered};
use crate::limits::RETRY_PAUSE;
use crate::service::Service;

/// Where a watch begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// With a snapshot.
    Snapshot,
    /// Where a client was told to before; with a sign that it goes on.
    After {
        /// The last revision it has seen.
        revision: i64,
        /// The history mark that came with it, if it sent one.
        history: Option<[u8; 8]>,
    },
    /// With the table's first update.
    FirstUpdate,
}

/// What a watch holds on to while it lives.
type Held = (OwnedSemaphorePermit, Option<Place>);

/// How far a client has been told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    pub(super) revision: i64,
    /// The token of that revision, where it is known.
    pub(super) token: Option<[u8; 8]>,
    pub(super) epoch: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing was sent yet.
    First,
    /// The client waits for the instant, in milliseconds since the Unix epoch, from which it is shown something.
    Pending(i64),
    /// Updates are told as they come.
    Live,
    /// The last message was sent.
    Over,
}

/// One watch.
pub(super) struct Watcher<S: Store> {
    pub(super) service: Arc<Service<S>>,
    pub(super) feed: Arc<FeedHandle>,
    class: Class,
    /// The seat of the token and its generation: when that moves on, the watch ends.
    holder: Option<(Seat, u32)>,
    pub(super) start: Start,
    /// What the table had reached when the watch was opened; the first message is not older.
    pub(super) opened_at: i64,
    /// The look at the log after which the feed is as new as it gets, where it was behind at first.
    pub(super) look: Option<u64>,
    pub(super) stage: Stage,
    pub(super) cursor: Cursor,
    catch_up: Option<CatchUp>,
    pub(super) moved: watch::Receiver<u64>,
    /// Whom the client takes to be connected.
    present: SeatSet,
    /// None where the watch is a part of another, which has one.
    pub(super) life: Option<Life>,
    /// Given back when the watch ends.
    _held: Held,
}

/// What a watch does next.
pub(super) enum Turn {
    Say(Bytes),
    SayLast(Bytes),
}

/// What a watch is made of.
pub(super) struct Plan {
    pub(super) class: Class,
    pub(super) start: Start,
    pub(super) opened_at: i64,
    pub(super) life: Option<Life>,
}

impl<S: Store> Watcher<S> {
    pub(super) fn new(
        service: &Arc<Service<S>>,
        caller: &Caller,
        feed: Arc<FeedHandle>,
        plan: Plan,
        held: Held,
    ) -> Self {
        let holder = match caller {
            Caller::Seat { seat, generation, .. } => Some((*seat, *generation)),
            Caller::Platform { .. } | Caller::Watcher { .. } => None,
        };
        Self {
            moved: feed.feed.subscribe(),
            service: service.clone(),
            feed,
            class: plan.class,
            holder,
            start: plan.start,
            opened_at: plan.opened_at,
            look: None,
            stage: Stage::First,
            cursor: Cursor { revision: 0, token: None, epoch: 0 },
            catch_up: None,
            present: SeatSet::EMPTY,
            life: plan.life,
            _held: held,
        }
    }

    /// The watch's messages, each made when the transport asks for it: a slow reader holds up nobody.
    pub(super) fn into_stream(self) -> impl Stream<Item = Result<Bytes, Failure>> + Send {
        stream::unfold(self, |mut watcher| async move {
            if watcher.stage == Stage::Over {
                return None;
            }
            let turn = AssertUnwindSafe(watcher.turn()).catch_unwind().await;
            let said = match turn.unwrap_or_else(|_| Err(count_panic("a watch").into())) {
                Ok(Turn::Say(bytes)) => Ok(bytes),
                Ok(Turn::SayLast(bytes)) => {
                    watcher.stage = Stage::Over;
                    Ok(bytes)
                }
                Err(failure) => {
                    watcher.stage = Stage::Over;
                    Err(failure)
                }
            };
            if let Some(life) = &mut watcher.life {
                life.spoke();
            }
            Some((said, watcher))
        })
    }

    async fn turn(&mut self) -> Result<Turn, Failure> {
        let said = match self.stage {
            Stage::First => self.first().await?,
            Stage::Pending(starts_ms) => Some(self.pending(starts_ms).await?),
            Stage::Live | Stage::Over => None,
        };
        match said {
            Some(turn) => Ok(turn),
            None => self.live().await,
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
                    if let Some((tip, epoch)) = self.feed.feed.tip() {
                        if self.is_revoked(&tip) {
                            return Ok(self.planned_end(PlannedEndReason::Token));
                        }
                        self.cursor.epoch = epoch;
                        return Ok(self.start_over(reason, &tip));
                    }
                    if self.feed.feed.is_gone() {
                        return Err(Refusal::table_not_found().into());
                    }
                    self.may_come()?;
                }
                Next::Gone => return Err(Refusal::table_not_found().into()),
                Next::Wait => self.may_come()?,
            }
            if let Some((tip, _)) = self.feed.feed.tip()
                && tip.version.revision == self.cursor.revision
                && tip.snapshot.table.is_ended()
            {
                return Ok(Turn::SayLast(self.marked(frame::end(&tip.snapshot))));
            }
            if let Some(presence) = self.presence() {
                return Ok(presence);
            }
            if let Some(turn) = self.idle(None).await? {
                return Ok(turn);
            }
        }
    }

    /// Whether there may be news: an outage passes, and the watch goes on; a record that can't be read stays so.
    pub(super) fn may_come(&self) -> Result<(), Failure> {
        match self.feed.feed.trouble() {
            None | Some(StoreError::Unavailable(_)) => Ok(()),
            Some(lasting) => Err(lasting.into()),
        }
    }

    /// Waits for whatever comes first; `None` when there may be news, or when an instant has come.
    pub(super) async fn idle(&mut self, until: Option<Instant>) -> Result<Option<Turn>, Failure> {
        let sign = tokio::select! {
            biased;
            sign = sign(self.life.as_mut()) => sign?,
            news = self.moved.changed() => {
                return if news.is_err() { Err(Refusal::table_not_found().into()) } else { Ok(None) };
            }
            () = sleep_until(until.unwrap_or_else(far)), if until.is_some() => return Ok(None),
        };
        Ok(Some(match sign {
            Sign::Heartbeat => Turn::Say(self.marked(frame::heartbeat(self.service.now_ms()))),
            Sign::PlannedEnd(reason) => self.planned_end(reason),
        }))
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
                let _ = self.feed.feed.poke();
                sleep(jittered(RETRY_PAUSE, 50)).await;
                Ok(None)
            }
        }
    }

    /// Whether the seat's tokens of this watch's generation are worthless by then. Older ones are the history from before
    /// its token was made.
    pub(super) fn is_revoked(&self, then: &Stored) -> bool {
        self.holder.is_some_and(|(seat, generation)| {
            then.snapshot.table.seat(seat).is_none_or(|state| state.generation > generation)
        })
    }

    fn tell(&mut self, step: &Step) -> Result<Turn, Failure> {
        let over = self.life.as_mut().map_or(Ok(None), Life::over)?;
        let revoked = self.is_revoked(&step.after).then_some(PlannedEndReason::Token);
        if let Some(reason) = revoked.or(over) {
            return Ok(self.planned_end(reason));
        }
        let bytes = step.encoded(self.class)?;
        let version = step.version();
        self.cursor = Cursor { revision: version.revision, token: Some(version.token), ..self.cursor };
        Ok(Turn::Say(bytes))
    }

    /// A seat whose player came or went, if the client has not been told.
    fn presence(&mut self) -> Option<Turn> {
        let present = self.feed.feed.present();
        let told = |seat: &Seat| present.contains(*seat) == self.present.contains(*seat);
        let seat = Seat::ALL.into_iter().find(|seat| !told(seat))?;
        let connected = present.contains(seat);
        if connected {
            self.present.insert(seat);
        } else {
            self.present.remove(seat);
        }
        Some(Turn::Say(self.marked(frame::presence(seat, connected))))
    }

    pub(super) fn snapshot(&mut self, tip: &Stored) -> Turn {
        self.stand_at(tip.version);
        let view = frame::view(tip, self.class, self.now_ms());
        Turn::Say(self.marked(Payload::Snapshot(view)))
    }

    pub(super) fn start_over(&mut self, reason: ResetReason, tip: &Stored) -> Turn {
        self.catch_up = None;
        self.stand_at(tip.version);
        Turn::Say(self.marked(frame::reset(reason, tip, self.class, self.now_ms())))
    }

    /// The instant of what is shown now.
    fn now_ms(&self) -> i64 {
        self.service.now_ms().saturating_sub(self.feed.feed.delay_ms.into())
    }

    fn stand_at(&mut self, version: Version) {
        self.cursor.revision = version.revision;
        self.cursor.token = Some(version.token);
    }

    /// The last message of a watch that is to be resumed.
    pub(super) fn planned_end(&self, reason: PlannedEndReason) -> Turn {
        Turn::SayLast(self.marked(frame::planned_end(reason)))
    }

    /// A message that carries how far the client has been told.
    pub(super) fn marked(&self, payload: Payload) -> Bytes {
        match self.cursor.token {
            Some(token) => frame::frame(Version { revision: self.cursor.revision, token }, payload),
            None => frame::unmarked(self.cursor.revision, payload),
        }
    }
}

/// What a watch's own life brings; nothing where it is a part of another.
async fn sign(life: Option<&mut Life>) -> Result<Sign, Failure> {
    match life {
        Some(life) => life.sign().await,
        None => std::future::pending().await,
    }
}

fn far() -> Instant {
    after(std::time::Duration::MAX)
}

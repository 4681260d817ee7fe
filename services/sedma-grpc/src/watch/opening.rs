//! The first messages of a watch: where the client stands.

use sedma_proto::v1::PlannedEndReason;
use sedma_table::store::{Store, Stored};
use sedma_table::{Failure, Refusal};
use tokio::time::timeout_at;

use super::catch_up::{Resumed, resumed};
use super::frame;
use super::watcher::{Cursor, Stage, Start, Turn, Watcher};
use crate::chance::after;
use crate::limits::RESUME_PATIENCE;

/// What there is to begin with.
enum Footing {
    /// This state, of this epoch.
    On(Box<Stored>, u64),
    /// Nothing before an instant, in milliseconds since the Unix epoch.
    Opens(i64),
    /// The feed has not come so far.
    NotYet,
}

impl<S: Store> Watcher<S> {
    /// The first message; none where updates follow at once.
    pub(super) async fn first(&mut self) -> Result<Option<Turn>, Failure> {
        let footing = match (self.feed.feed.delay_ms, self.start) {
            (0, _) | (_, Start::After { .. } | Start::FirstUpdate) => None,
            // What it finds has to grow old.
            (delay_ms, Start::Snapshot) => Some(self.service.now_ms().saturating_add(delay_ms.into())),
        };
        loop {
            self.moved.borrow_and_update();
            match footing.map_or_else(|| self.footing(), |starts_ms| Ok(Footing::Opens(starts_ms)))? {
                Footing::On(tip, epoch) => return self.open_at(*tip, epoch).await,
                Footing::Opens(starts_ms) => {
                    self.stage = Stage::Pending(starts_ms);
                    return Ok(Some(Turn::Say(self.marked(frame::pending(starts_ms)))));
                }
                Footing::NotYet => {
                    if let Some(turn) = self.idle(None).await? {
                        return Ok(Some(turn));
                    }
                }
            }
        }
    }

    /// The message after the one that said when there is something to show.
    pub(super) async fn pending(&mut self, starts_ms: i64) -> Result<Turn, Failure> {
        loop {
            self.moved.borrow_and_update();
            let left_ms = starts_ms.saturating_sub(self.service.now_ms());
            match self.feed.feed.tip() {
                Some((tip, _)) if left_ms > 0 && !tip.snapshot.table.is_ended() => {}
                Some(_) => {
                    if let Footing::On(tip, epoch) = self.footing()?
                        && let Some(turn) = self.open_at(*tip, epoch).await?
                    {
                        return Ok(turn);
                    }
                }
                None if self.feed.feed.is_gone() => return Err(Refusal::table_not_found().into()),
                None => self.may_come()?,
            }
            let left = u64::try_from(left_ms).ok().filter(|left_ms| *left_ms > 0);
            let until = left.map(|left_ms| after(std::time::Duration::from_millis(left_ms)));
            if let Some(turn) = self.idle(until).await? {
                return Ok(turn);
            }
        }
    }

    /// The newest state that may be shown, not older than what the table had reached when the watch was opened. A feed
    /// that is behind looks once more; where the table was rewound since, it won't come that far.
    fn footing(&mut self) -> Result<Footing, Failure> {
        let feed = &self.feed.feed;
        let resumes_late = feed.delay_ms > 0 && self.start != Start::Snapshot;
        if let Some((tip, epoch)) = feed.tip() {
            if resumes_late || tip.version.revision >= self.opened_at {
                return Ok(Footing::On(tip.into(), epoch));
            }
            let look = *self.look.get_or_insert_with(|| feed.poke());
            let looked = feed.has_looked(look);
            return Ok(if looked { Footing::On(tip.into(), epoch) } else { Footing::NotYet });
        }
        if feed.is_gone() {
            return Err(Refusal::table_not_found().into());
        }
        if let Some(trouble) = feed.trouble() {
            return Err(trouble.into());
        }
        if feed.delay_ms > 0 && feed.shows_nothing() {
            let at_last = self.service.now_ms().saturating_add(feed.delay_ms.into());
            return Ok(Footing::Opens(feed.opens_ms().unwrap_or(at_last)));
        }
        Ok(Footing::NotYet)
    }

    /// Says where the client stands; nothing where it begins with the first update.
    async fn open_at(&mut self, mut tip: Stored, mut epoch: u64) -> Result<Option<Turn>, Failure> {
        if self.is_revoked(&tip) {
            return Ok(Some(self.planned_end(PlannedEndReason::Token)));
        }
        if let Start::After { revision, .. } = self.start
            && self.feed.feed.delay_ms > 0
            && revision > tip.version.revision
        {
            (tip, epoch) = self.grown_old(revision, (tip, epoch)).await;
        }
        (self.stage, self.cursor.epoch) = (Stage::Live, epoch);
        let (revision, history) = match self.start {
            Start::Snapshot => return Ok(Some(self.snapshot(&tip))),
            Start::FirstUpdate => return Ok(None),
            Start::After { revision, history } => (revision, history),
        };
        let token = match resumed(&self.service.tables, (revision, history), &tip).await? {
            Resumed::From(token) => token,
            Resumed::Broken(reason) => return Ok(Some(self.start_over(reason, &tip))),
        };
        self.cursor = Cursor { revision, token, epoch };
        Ok(Some(Turn::Say(self.marked(frame::heartbeat(self.service.now_ms())))))
    }

    /// Another replica, whose clock is a little ahead, may have shown an update a moment ago that is not old enough here.
    async fn grown_old(&mut self, revision: i64, mut newest: (Stored, u64)) -> (Stored, u64) {
        let patience = after(RESUME_PATIENCE);
        while newest.0.version.revision < revision {
            if !matches!(timeout_at(patience, self.moved.changed()).await, Ok(Ok(()))) {
                break;
            }
            newest = self.feed.feed.tip().unwrap_or(newest);
        }
        newest
    }
}

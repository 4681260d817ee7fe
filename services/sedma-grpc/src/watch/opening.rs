//! The first messages of a watch: where the client stands.

use sedma_table::store::{Store, Stored};
use sedma_table::{Failure, Refusal};
use tokio::time::timeout_at;

use super::catch_up::{Resumed, resumed};
use super::frame;
use super::watcher::{Cursor, Stage, Start, Turn, Watcher};
use crate::chance::after;
use crate::limits::RESUME_PATIENCE;

impl<S: Store> Watcher<S> {
    /// The first message; none where updates follow at once.
    pub(super) async fn first(&mut self) -> Result<Option<Turn>, Failure> {
        if let Some(starts_ms) = self.starts_ms().await? {
            self.stage = Stage::Pending(starts_ms);
            return Ok(Some(Turn::Say(self.marked(frame::pending(starts_ms)))));
        }
        let (tip, epoch) = self.opening_tip().await?;
        self.open_at(tip, epoch).await
    }

    /// The message after the one that said when there is something to show.
    pub(super) async fn pending(&mut self, starts_ms: i64) -> Result<Turn, Failure> {
        loop {
            self.moved.borrow_and_update();
            let left_ms = starts_ms.saturating_sub(self.service.now_ms());
            match self.feed.feed.tip() {
                Some((tip, epoch)) if left_ms <= 0 || tip.snapshot.table.is_ended() => {
                    if let Some(turn) = self.open_at(tip, epoch).await? {
                        return Ok(turn);
                    }
                }
                None if self.feed.feed.is_gone() => return Err(Refusal::table_not_found().into()),
                _ => {}
            }
            let left = u64::try_from(left_ms).ok().filter(|left_ms| *left_ms > 0);
            let until = left.map(|left_ms| after(std::time::Duration::from_millis(left_ms)));
            if let Some(turn) = self.idle(until).await? {
                return Ok(turn);
            }
        }
    }

    /// From when on a delayed watch has something to show, where it has not yet: a new one when what it finds has grown
    /// old, one that goes on when the first update has.
    async fn starts_ms(&mut self) -> Result<Option<i64>, Failure> {
        let feed = self.feed.feed.clone();
        match (feed.delay_ms, self.start) {
            (0, _) => return Ok(None),
            (delay_ms, Start::Snapshot) => {
                return Ok(Some(self.service.now_ms().saturating_add(delay_ms.into())));
            }
            _ => {}
        }
        loop {
            self.moved.borrow_and_update();
            let opens_ms = feed.opens_ms();
            if opens_ms.is_some() || feed.tip().is_some() {
                return Ok(opens_ms);
            }
            self.must_come()?;
            self.wait().await?;
        }
    }

    /// Says where the client stands; nothing where it begins with the first update.
    async fn open_at(&mut self, mut tip: Stored, mut epoch: u64) -> Result<Option<Turn>, Failure> {
        let (revision, history) = match self.start {
            Start::Snapshot => {
                (self.stage, self.cursor.epoch) = (Stage::Live, epoch);
                return Ok(Some(self.snapshot(&tip)));
            }
            Start::FirstUpdate => {
                (self.stage, self.cursor.epoch) = (Stage::Live, epoch);
                return Ok(None);
            }
            Start::After { revision, history } => (revision, history),
        };
        if self.feed.feed.delay_ms > 0 && revision > tip.version.revision {
            (tip, epoch) = self.grown_old(revision, (tip, epoch)).await;
        }
        (self.stage, self.cursor.epoch) = (Stage::Live, epoch);
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

    /// The newest state, not older than what the table had reached when the watch was opened.
    pub(super) async fn opening_tip(&mut self) -> Result<(Stored, u64), Failure> {
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
                None => self.must_come()?,
            }
            self.wait().await?;
        }
    }

    /// Whether a state is on its way: the table is not gone, and can be read.
    fn must_come(&self) -> Result<(), Failure> {
        if self.feed.feed.is_gone() {
            return Err(Refusal::table_not_found().into());
        }
        self.feed.feed.trouble().map_or(Ok(()), |trouble| Err(trouble.into()))
    }

    /// Waits for news, but not beyond the caller's own deadline.
    async fn wait(&mut self) -> Result<(), Failure> {
        let deadline = async {
            match &self.life {
                Some(life) => life.deadline().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            news = self.moved.changed() => news.map_err(|_| Refusal::table_not_found().into()),
            failure = deadline => Err(failure),
        }
    }
}

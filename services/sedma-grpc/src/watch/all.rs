//! One stream over all tables of a platform: a watcher for each, and those to come.

use std::collections::{HashMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{BoxStream, SelectAll};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use prost::Message;
use sedma_proto::v1;
use sedma_proto::v1::watch_tables_response::Payload;
use sedma_rules::Seat;
use sedma_table::limits::MAX_PAGE_SCAN;
use sedma_table::store::{ListCursor, Store, StoreError, Stored};
use sedma_table::{Caller, Failure, Reason, Refusal, TableId, Viewer};
use tokio::sync::OwnedSemaphorePermit;

use super::frame::{self, Class};
use super::life::{Life, Sign};
use super::newcomers::Newcomers;
use super::watcher::{Plan, Start, Watcher};
use super::{Frames, permit};
use crate::call::{Context, count_panic};
use crate::limits::{MAX_CURSORS, OPENING_AT_A_TIME};
use crate::service::Service;
use crate::{parse, status};

/// What a member's watcher said.
struct Said {
    table: TableId,
    /// The platform's own reference of the table, with the first that it said.
    reference: Option<String>,
    message: Result<Bytes, Failure>,
}

/// A table that is to be watched, and where from.
type Waiting = (TableId, Start);

/// A watch over all tables.
struct All<S: Store> {
    service: Arc<Service<S>>,
    caller: Caller,
    wanted: Wanted,
    life: Life,
    newcomers: Newcomers<S>,
    members: SelectAll<BoxStream<'static, Said>>,
    /// Where the listing of what is there goes on, until it is over.
    listing: Listing,
    waiting: VecDeque<Waiting>,
    /// Tables that only the client's cursors named: no look for new ones tells of them again, until one was told to be
    /// gone: whoever makes it after that makes it anew. Each with whether a look has found it meanwhile.
    named: HashMap<TableId, bool>,
    /// Members that have not said anything yet.
    opening: usize,
    /// Whether the client knows that the stream stands.
    greeted: bool,
    over: bool,
    /// Given back when the watch ends.
    _held: OwnedSemaphorePermit,
}

/// How far the tables that were there have been listed.
enum Listing {
    /// To be gone on with after this row.
    After(Option<ListCursor>),
    Over,
}

/// What the client wants to see of which tables.
struct Wanted {
    seats: Vec<Seat>,
    omit_view: bool,
    label: Option<(String, String)>,
    cursors: HashMap<TableId, Start>,
}

/// Checks who watches.
pub(super) async fn open<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::WatchTablesRequest,
) -> Result<Frames, Failure> {
    context.caller.must_be_platform()?;
    let wanted = Wanted::new(&request)?;
    let all = All {
        life: Life::new(&service, &context),
        newcomers: Newcomers::new(&service, context.caller.tenant().clone()),
        caller: context.caller,
        wanted,
        members: SelectAll::new(),
        listing: Listing::After(None),
        waiting: VecDeque::new(),
        named: HashMap::new(),
        opening: 0,
        greeted: false,
        over: false,
        _held: permit(&service, &service.watches)?,
        service,
    };
    let frames = stream::unfold(all, |mut all| async move {
        if all.over {
            return None;
        }
        let next = AssertUnwindSafe(all.next()).catch_unwind().await;
        let said = next.unwrap_or_else(|_| Err(count_panic("a watch over all tables").into()));
        all.over |= said.is_err();
        all.life.spoke();
        Some((said.map_err(|failure| status::of(&failure)), all))
    });
    Ok(frames.boxed())
}

impl Wanted {
    fn new(request: &v1::WatchTablesRequest) -> Result<Self, Failure> {
        let seats = parse::seats(&request.seats)?;
        parse::label_filter(&request.label_key, &request.label_value)?;
        let label =
            (!request.label_key.is_empty()).then(|| (request.label_key.clone(), request.label_value.clone()));
        if request.cursors.len() > MAX_CURSORS {
            let message = format!("there are {}; {MAX_CURSORS} are allowed", request.cursors.len());
            return Err(Refusal::field("cursors", message).into());
        }
        let mut cursors = HashMap::new();
        for (i, asked) in request.cursors.iter().enumerate() {
            let prefix = format!("cursors[{i}].");
            let table = parse::table_at(&format!("{prefix}name"), &asked.name)?;
            let cursor = parse::cursor(&prefix, Some(asked.after_revision), &asked.history)?;
            if let Some((revision, history)) = cursor {
                cursors.insert(table, Start::After { revision, history });
            }
        }
        Ok(Self { seats, omit_view: request.omit_view, label, cursors })
    }

    /// Whether a table has the label that is asked for.
    fn takes(&self, stored: &Stored) -> bool {
        let labels = &stored.snapshot.table.setup().labels;
        self.label.as_ref().is_none_or(|(key, value)| {
            labels.get(key).is_some_and(|found| value.is_empty() || found == value)
        })
    }

    /// Who sees the table: the seats asked for that it has.
    fn class(&self, stored: &Stored) -> Class {
        let seats = stored.snapshot.table.setup().seats();
        let seen = self.seats.iter().copied().filter(|seat| seat.number() <= seats);
        Class { viewer: Viewer::seats(seen), omit_view: self.omit_view }
    }
}

impl<S: Store> All<S> {
    /// The stream's next message.
    async fn next(&mut self) -> Result<Bytes, Failure> {
        if !self.greeted {
            self.greeted = true;
            return Ok(self.sign(Sign::Heartbeat));
        }
        loop {
            if let Some(reason) = self.life.over()? {
                return Ok(self.sign(Sign::PlannedEnd(reason)));
            }
            if let Some(lost) = self.open_some().await? {
                return Ok(lost);
            }
            let all_listed = matches!(self.listing, Listing::Over);
            tokio::select! {
                biased;
                sign = self.life.sign() => return sign.map(|sign| self.sign(sign)),
                found = self.newcomers.next(), if all_listed => {
                    for table in found? {
                        match self.named.get_mut(&table) {
                            Some(found) => *found = true,
                            None => self.waiting.push_back((table, Start::FirstUpdate)),
                        }
                    }
                }
                Some(said) = self.members.next() => return self.told(said),
            }
        }
    }

    /// Begins to watch some of the tables that wait for it. Answers a message about one that can't be told.
    async fn open_some(&mut self) -> Result<Option<Bytes>, Failure> {
        while self.opening < OPENING_AT_A_TIME && !self.service.drain.has_begun() {
            let Some((table, start)) = self.waiting.pop_front() else {
                match self.listing {
                    Listing::After(cursor) => self.list(cursor).await?,
                    Listing::Over => break,
                }
                continue;
            };
            let asked_for = matches!(start, Start::After { .. });
            match self.service.tables.read_newest(&self.caller, table, Some(0)).await {
                Ok(stored) if asked_for || self.wanted.takes(&stored) => self.watch(table, start, &stored)?,
                Ok(_) => {}
                Err(failure @ Failure::Store(StoreError::Unavailable(_))) => return Err(failure),
                // It was found and is gone already.
                Err(Failure::Refused(gone)) if !asked_for && gone.reason == Reason::TableNotFound => {}
                Err(failure) => return Ok(Some(self.lost(table, &failure, String::new()))),
            }
        }
        Ok(None)
    }

    /// Finds the next of the tables that are there and have not ended, newest first, and at last those that only the
    /// client's cursors name.
    async fn list(&mut self, after: Option<ListCursor>) -> Result<(), Failure> {
        let page = self.service.tables.store().list(self.caller.tenant(), after, MAX_PAGE_SCAN).await?;
        for row in &page {
            let table = row.stored.snapshot.table.setup().id;
            self.newcomers.know(row.created_ms, table);
            match self.wanted.cursors.remove(&table) {
                // A client that has a cursor of a table has not seen its end.
                Some(start) => self.waiting.push_back((table, start)),
                None if self.wanted.takes(&row.stored) && !row.stored.snapshot.table.is_ended() => {
                    self.waiting.push_back((table, Start::Snapshot));
                }
                None => {}
            }
        }
        self.listing = match page.last() {
            Some(last) => Listing::After(Some(last.cursor())),
            None => {
                self.named = self.wanted.cursors.keys().map(|table| (*table, false)).collect();
                self.waiting.extend(self.wanted.cursors.drain());
                Listing::Over
            }
        };
        Ok(())
    }

    fn watch(&mut self, table: TableId, start: Start, stored: &Stored) -> Result<(), Failure> {
        let permit = permit(&self.service, &self.service.watched_tables)?;
        let opened_at = stored.version.revision;
        let plan = Plan { class: self.wanted.class(stored), start, opened_at, life: None };
        let feed = self.service.hub.feed(table, 0);
        let watcher = Watcher::new(&self.service, &self.caller, feed, plan, (permit, None));
        let mut reference = Some(stored.snapshot.table.setup().external_ref.clone());
        let said = watcher.into_stream();
        let said = said.map(move |message| Said { table, reference: reference.take(), message });
        self.members.push(said.boxed());
        self.opening = self.opening.saturating_add(1);
        Ok(())
    }

    /// A member's message as the stream's.
    fn told(&mut self, said: Said) -> Result<Bytes, Failure> {
        let Said { table, reference, message } = said;
        if reference.is_some() {
            self.opening = self.opening.saturating_sub(1);
        }
        let external_ref = reference.unwrap_or_default();
        match message {
            Ok(message) => Ok(frame::of_table(table, message, external_ref)),
            Err(failure @ Failure::Store(StoreError::Unavailable(_))) => Err(failure),
            Err(failure) => Ok(self.lost(table, &failure, external_ref)),
        }
    }

    /// A table can't be told any further.
    fn lost(&mut self, table: TableId, failure: &Failure, external_ref: String) -> Bytes {
        let reason = status::reason(failure);
        if reason == v1::ErrorReason::TableNotFound && self.named.remove(&table) == Some(true) {
            // What was found may have been made before this is told. Where it was not, nothing is there.
            self.waiting.push_back((table, Start::FirstUpdate));
        }
        let lost = v1::TableLost { reason: reason.into(), text: status::of(failure).message().to_owned() };
        let (name, payload) = (table.to_string(), Some(Payload::Lost(lost)));
        v1::WatchTablesResponse { name, payload, external_ref }.encode_to_vec().into()
    }

    /// What the stream itself has to say.
    fn sign(&mut self, sign: Sign) -> Bytes {
        let payload = match sign {
            Sign::Heartbeat => frame::heartbeat(self.service.now_ms()),
            Sign::PlannedEnd(reason) => {
                self.over = true;
                frame::planned_end(reason)
            }
        };
        frame::of_stream(payload)
    }
}

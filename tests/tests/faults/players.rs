//! Clients at one table: players with seat tokens who send the same request again until they know, at whichever replica,
//! and watchers who come back wherever they were.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use tests::v1::{self, watch_table_response::Payload};
use tests::views::{legal, public};
use tests::{Chance, Client, Seat, Watch};
use tokio::time::{Instant, timeout};
use tonic::Status;
use tonic_types::StatusExt as _;

use crate::service::{Doors, insist, pass};
use crate::story::{Call, Outcome, Story, Told, state};

/// How often one request is sent at most before its player gives up.
const SENDINGS: usize = 12;
/// Longest pause before a request is sent again, in milliseconds.
const PAUSE_MS: usize = 120;
/// Refusals that are for good. All others may be of the moment.
const FINAL: [&str; 6] = [
    "STALE_REVISION",
    "NOT_YOUR_TURN",
    "CARD_NOT_IN_HAND",
    "ILLEGAL_ACTION",
    "TABLE_ENDED",
    "REQUEST_ID_REUSED",
];

/// What all clients of a campaign share.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) doors: Doors,
    /// All that is told is told in the time of this clock.
    pub(crate) since: Instant,
    /// Whether play is over.
    pub(crate) over: Arc<AtomicBool>,
    /// Whether players hold still.
    pub(crate) still: Arc<AtomicBool>,
    /// Plays that were accepted, and updates that the first watcher of each table was told.
    pub(crate) plays: Arc<AtomicI64>,
    /// Revisions after which a table makes room for another one.
    pub(crate) life: i64,
    /// How long a player thinks at least, in milliseconds.
    pub(crate) pace_ms: usize,
    /// How long a table may go without news when all is well.
    pub(crate) patience: Duration,
}

/// The players of one table.
pub(crate) struct Players {
    pub(crate) stage: Stage,
    pub(crate) seats: Vec<Seat>,
    /// All seats of the table, those of bots included.
    pub(crate) all: Vec<i32>,
    pub(crate) chance: Chance,
    /// Seats whose players say nothing.
    pub(crate) silent: &'static [i32],
    /// The turn that was acted on last, by the revision since which it is.
    pub(crate) acted: i64,
}

impl Players {
    /// Acts for the seat whose turn it is, if its player is awake and has not acted on this turn. Whether all is known.
    pub(crate) async fn act(&mut self, view: &v1::TableView, calls: &mut Vec<Call>) -> bool {
        let table = public(view);
        let (seat, turn) = (table.turn_seat, table.turn_revision);
        let asleep = self.stage.over.load(Ordering::Relaxed) || self.stage.still.load(Ordering::Relaxed);
        let Some(word) = self.choice(view, seat) else { return true };
        if asleep || self.silent.contains(&seat) || turn == self.acted {
            return true;
        }
        // A bot's seat has no holder.
        let Some(holder) = self.seats.iter().find(|holder| holder.number == seat).cloned() else {
            return true;
        };
        pass(self.stage.pace_ms + self.chance.below(self.stage.pace_ms + 1)).await;
        let request = holder.card_request(table.revision, &word);
        let known = self.insist(&holder, &request, &word, calls).await;
        if known {
            self.acted = turn;
        }
        known
    }

    fn choice(&mut self, view: &v1::TableView, seat: i32) -> Option<String> {
        let choices = legal(view, seat);
        (!choices.is_empty()).then(|| self.chance.pick(&choices).clone())
    }

    /// Sends one request until it is known what became of it: now and then at two replicas at once, and now and then once
    /// more when that is known.
    async fn insist(
        &mut self,
        holder: &Seat,
        request: &v1::PlayCardRequest,
        word: &str,
        calls: &mut Vec<Call>,
    ) -> bool {
        for sending in 0..SENDINGS {
            let first = self.send(holder, request, word);
            let outcomes = if self.chance.once_in(3) {
                let second = self.send(holder, request, word);
                let (first, second) = tokio::join!(first, second);
                vec![first, second]
            } else {
                vec![first.await]
            };
            let known = outcomes.iter().any(|call| call.outcome != Outcome::Unknown);
            if outcomes.iter().any(|call| matches!(call.outcome, Outcome::Accepted { .. })) {
                self.stage.plays.fetch_add(1, Ordering::Relaxed);
            }
            calls.extend(outcomes);
            if known {
                if self.chance.once_in(8) {
                    calls.push(self.send(holder, request, word).await);
                }
                return true;
            }
            pass(self.chance.below(PAUSE_MS.min(10 << sending)) + 1).await;
        }
        false
    }

    /// One sending, at any replica.
    fn send(
        &mut self,
        holder: &Seat,
        request: &v1::PlayCardRequest,
        word: &str,
    ) -> impl Future<Output = Call> + use<> {
        let waits_ms = *self.chance.pick(&[400, 1_500, 9_000]);
        let holder =
            holder.at(&self.stage.doors.any(&mut self.chance).with_deadline(Duration::from_millis(waits_ms)));
        let (stage, request, word) = (self.stage.clone(), request.clone(), word.to_owned());
        async move { sent(&stage, holder, request, &word).await }
    }
}

/// Sends a request that plays a card, and writes down what came of it.
pub(crate) async fn sent(stage: &Stage, holder: Seat, request: v1::PlayCardRequest, card: &str) -> Call {
    let sent_ns = stage.since.elapsed().as_nanos();
    let answer = holder.client.play_card(request.clone()).await;
    Call {
        request: request.request_id,
        seat: holder.number,
        card: card.to_owned(),
        expected: request.expected_revision,
        sent_ns,
        over_ns: stage.since.elapsed().as_nanos(),
        outcome: outcome(&answer),
    }
}

/// What an answer says.
fn outcome(answer: &Result<v1::PlayCardResponse, Status>) -> Outcome {
    let status = match answer {
        Ok(answer) => {
            let mark = answer.update.as_ref().map(|update| update.history.to_vec()).unwrap_or_default();
            return Outcome::Accepted { revision: answer.revision, mark, replayed: answer.replayed };
        }
        Err(status) => status,
    };
    let reason = status.get_details_error_info().map(|info| info.reason).unwrap_or_default();
    match reason.as_str() {
        "TURN_EXPIRED" => Outcome::Expired,
        reason if FINAL.contains(&reason) => Outcome::Refused,
        _ => Outcome::Unknown,
    }
}

/// A watch that is opened again wherever it breaks off, and all that it tells.
pub(crate) struct Watcher {
    stage: Stage,
    chance: Chance,
    table: String,
    seats: Vec<i32>,
    open: Option<Watch>,
    at: (i64, Vec<u8>),
    /// The newest view that was told.
    pub(crate) view: Option<v1::TableView>,
    pub(crate) told: Vec<Told>,
}

/// What became of a look for news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    Some,
    /// The watch is being opened again, or has nothing new; or what was told is not to be counted on any more.
    None,
    End,
}

impl Watcher {
    /// A watcher of all hands of a table.
    pub(crate) fn new(stage: &Stage, chance: Chance, table: &str, seats: Vec<i32>) -> Self {
        let (stage, table) = (stage.clone(), table.to_owned());
        Self { stage, chance, table, seats, open: None, at: (0, Vec::new()), view: None, told: Vec::new() }
    }

    /// Gives the watch up; the next look opens one at any replica.
    pub(crate) fn leave(&mut self) {
        self.open = None;
    }

    /// Waits for the next message, however long that takes within a heartbeat's time.
    pub(crate) async fn look(&mut self) -> News {
        if self.open.is_none() {
            self.open().await;
        }
        let Some(watch) = &mut self.open else {
            pass(self.chance.below(PAUSE_MS) + 1).await;
            return News::None;
        };
        // Somebody who hears nothing for long connects again; here sooner, for a stopped replica is silent.
        let Ok(Ok(Some(message))) = timeout(Duration::from_secs(2), watch.try_next()).await else {
            self.leave();
            return News::None;
        };
        self.take(message)
    }

    async fn open(&mut self) {
        let client = self.stage.doors.any(&mut self.chance);
        let request = v1::WatchTableRequest {
            name: self.table.clone(),
            after_revision: Some(self.at.0),
            history: self.at.1.clone().into(),
            seats: self.seats.clone(),
            ..v1::WatchTableRequest::default()
        };
        let opening = timeout(Duration::from_secs(2), client.watch_table(request)).await;
        self.open = opening.ok().and_then(Result::ok);
    }

    fn take(&mut self, message: v1::WatchTableResponse) -> News {
        self.at = (message.revision, message.history.to_vec());
        match message.payload {
            Some(Payload::Update(update)) => {
                let content = prost::Message::encode_to_vec(&update);
                self.told.push(Told::Update { revision: update.revision, content });
                self.view = update.after;
                News::Some
            }
            Some(Payload::Reset(reset)) => {
                let rewound = reset.reason() == v1::ResetReason::Rewound;
                let view = reset.snapshot.expect("the view of a reset");
                let revision = public(&view).revision;
                self.told.push(Told::Reset { revision, state: state(&view), rewound });
                self.view = Some(view);
                News::None
            }
            Some(Payload::End(_)) => {
                self.told.push(Told::End);
                News::End
            }
            _ => News::None,
        }
    }

    /// The revision that was told last.
    pub(crate) fn revision(&self) -> i64 {
        self.at.0
    }

    /// Watches to the end, if that comes while there is news now and then.
    pub(crate) async fn until_the_end(mut self) -> (Vec<Told>, Option<String>) {
        let mut silent = Instant::now();
        loop {
            match self.look().await {
                News::End => return (self.told, None),
                News::Some => silent = Instant::now(),
                News::None if silent.elapsed() > self.stage.patience => {
                    let why = format!("a watcher of {} heard no end after {}", self.table, self.revision());
                    return (self.told, Some(why));
                }
                News::None => {}
            }
        }
    }
}

/// Closes a table, at whichever replica.
pub(crate) async fn close(stage: &Stage, chance: &mut Chance, table: &str) -> Result<(), String> {
    let request = v1::CloseTableRequest {
        name: table.to_owned(),
        request_id: tests::request_id(),
        ..v1::CloseTableRequest::default()
    };
    let ask = |client: Client| {
        let request = request.clone();
        async move { client.close_table(request).await }
    };
    insist(&stage.doors, chance, "CloseTable", ask).await.map(drop)
}

/// The story of a table that is over, but for its calls and watchers.
pub(crate) async fn read(stage: &Stage, chance: &mut Chance, table: &str, seats: &[i32]) -> Story {
    let mut story = Story { table: table.to_owned(), ..Story::default() };
    let request = v1::GetTableRequest {
        name: table.to_owned(),
        seats: seats.to_vec(),
        ..v1::GetTableRequest::default()
    };
    let ask = |client: Client| {
        let request = request.clone();
        async move { client.get_table(request).await }
    };
    let revision = match insist(&stage.doors, chance, "GetTable", ask).await {
        Ok(answer) => {
            let view = answer.view.expect("a view");
            story.state = state(&view);
            public(&view).revision
        }
        Err(why) => {
            story.troubles.push(why);
            return story;
        }
    };
    let mut request = v1::ListUpdatesRequest {
        name: table.to_owned(),
        seats: seats.to_vec(),
        page_size: 200,
        ..v1::ListUpdatesRequest::default()
    };
    while request.after_revision < revision {
        let ask = |client: Client| {
            let request = request.clone();
            async move { client.list_updates(request).await }
        };
        let page = match insist(&stage.doors, chance, "ListUpdates", ask).await {
            Ok(page) if page.reset.is_none() && !page.updates.is_empty() => page,
            Ok(page) => {
                story.troubles.push(format!("the history ends after {}: {page:?}", request.after_revision));
                return story;
            }
            Err(why) => {
                story.troubles.push(why);
                return story;
            }
        };
        story.log.extend(page.updates.iter().map(crate::story::Entry::of));
        request.after_revision = page.updates.last().map_or(revision, |last| last.revision);
        request.history = page.history;
    }
    story
}

//! Following a watch, each wait bounded.

use sedma_proto::v1;
use sedma_proto::v1::watch_table_response::Payload;
use tonic::{Status, Streaming};

use crate::wait::within;

/// An open watch. Dropping it ends it.
#[derive(Debug)]
pub struct Watch {
    stream: Streaming<v1::WatchTableResponse>,
    with_presence: bool,
}

impl Watch {
    pub(crate) fn new(stream: Streaming<v1::WatchTableResponse>) -> Self {
        Self { stream, with_presence: false }
    }

    /// The same watch, which also answers who is connected. Others leave it out: it may come at any time.
    #[must_use]
    pub fn with_presence(self) -> Self {
        Self { with_presence: true, ..self }
    }

    /// The next message; `None` at the end with status OK.
    pub async fn try_next(&mut self) -> Result<Option<v1::WatchTableResponse>, Status> {
        let next = async {
            loop {
                let message = self.stream.message().await?;
                let payload = message.as_ref().and_then(|message| message.payload.as_ref());
                if self.with_presence || !matches!(payload, Some(Payload::Presence(_))) {
                    return Ok(message);
                }
            }
        };
        within("the next message of a watch", next).await
    }

    /// The next message, which must come.
    pub async fn next(&mut self) -> v1::WatchTableResponse {
        match self.try_next().await {
            Ok(Some(message)) => message,
            Ok(None) => panic!("the watch ended where a message was awaited"),
            Err(status) => panic!("the watch broke off where a message was awaited: {status:?}"),
        }
    }

    /// The next message, which must be a snapshot.
    pub async fn snapshot(&mut self) -> v1::TableView {
        match self.next().await.payload {
            Some(Payload::Snapshot(view)) => view,
            other => panic!("no snapshot but {other:?}"),
        }
    }

    /// The next message, which must be a heartbeat; answers the whole message.
    pub async fn heartbeat(&mut self) -> v1::WatchTableResponse {
        let message = self.next().await;
        assert!(matches!(message.payload, Some(Payload::Heartbeat(_))), "no heartbeat but {message:?}");
        message
    }

    /// Who came or went with the next message that is about it; heartbeats are skipped.
    pub async fn presence(&mut self) -> (i32, bool) {
        loop {
            match self.next().await.payload {
                Some(Payload::Presence(presence)) => return (presence.seat, presence.connected),
                Some(Payload::Heartbeat(_)) => {}
                other => panic!("no presence but {other:?}"),
            }
        }
    }

    /// The next update. Heartbeats and presence are skipped; anything else is not expected here.
    pub async fn update(&mut self) -> v1::Update {
        let next = async {
            loop {
                match self.next().await.payload {
                    Some(Payload::Update(update)) => return update,
                    Some(Payload::Heartbeat(_) | Payload::Presence(_)) => {}
                    other => panic!("no update but {other:?}"),
                }
            }
        };
        within("the next update", next).await
    }

    /// The updates up to this revision, which must be the next ones in order.
    pub async fn updates_to(&mut self, revision: i64) -> Vec<v1::Update> {
        let mut updates: Vec<v1::Update> = Vec::new();
        while updates.last().is_none_or(|last| last.revision < revision) {
            let update = self.update().await;
            if let Some(last) = updates.last() {
                assert_eq!(update.revision, last.revision + 1, "a gap or a duplicate");
            }
            updates.push(update);
        }
        updates
    }

    /// The updates up to the first of which this is so; they must follow each other without gap or duplicate.
    pub async fn until(&mut self, so: impl Fn(&v1::Update) -> bool) -> Vec<v1::Update> {
        let mut updates = vec![self.update().await];
        while let Some(last) = updates.last().filter(|last| !so(last)) {
            let next = last.revision + 1;
            let update = self.update().await;
            assert_eq!(update.revision, next, "a gap or a duplicate");
            updates.push(update);
        }
        updates
    }

    /// Everything up to the stream's end, and the status where that is not OK.
    pub async fn rest(mut self) -> (Vec<v1::WatchTableResponse>, Option<Status>) {
        let mut messages = Vec::new();
        loop {
            match self.try_next().await {
                Ok(Some(message)) => messages.push(message),
                Ok(None) => return (messages, None),
                Err(status) => return (messages, Some(status)),
            }
        }
    }

    /// Reads to the end, which must be a `PlannedEnd` followed by OK; answers its reason.
    pub async fn planned_end(self) -> v1::PlannedEndReason {
        let (messages, status) = self.rest().await;
        assert!(status.is_none(), "the watch broke off: {status:?}");
        match messages.last().and_then(|message| message.payload.as_ref()) {
            Some(Payload::PlannedEnd(end)) => end.reason(),
            other => panic!("no planned end but {other:?}"),
        }
    }
}

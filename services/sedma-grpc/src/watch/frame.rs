//! The messages of a watch, encoded.

use bytes::Bytes;
use prost::Message;
use sedma_proto::v1;
use sedma_proto::v1::watch_table_response::Payload;
use sedma_table::store::Snapshot;
use sedma_table::{Happened, Refusal, Version, Viewer};

use crate::api;
use crate::render::{self, Audience, History};

/// Watchers that get the very same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// Whose hands they see.
    pub(super) viewer: Viewer,
    /// Whether updates come without the view after them.
    pub(super) omit_view: bool,
}

/// A message about the table as of a version.
pub(super) fn frame(version: Version, payload: Payload) -> Bytes {
    message(version.revision, History::of(version), payload)
}

/// The same where the mark of the history is not known: a client resumed without one.
pub(super) fn unmarked(revision: i64, payload: Payload) -> Bytes {
    message(revision, Bytes::new(), payload)
}

fn message(revision: i64, history: Bytes, payload: Payload) -> Bytes {
    v1::WatchTableResponse { revision, history, payload: Some(payload) }.encode_to_vec().into()
}

/// The whole view.
pub(super) fn view(snapshot: &Snapshot, class: Class) -> v1::TableView {
    render::view(&snapshot.table.view(class.viewer), Audience::Table)
}

/// One update, with the view after it where the class wants it.
pub(super) fn update(happened: &Happened, after: &Snapshot, class: Class) -> Result<Bytes, Refusal> {
    let mut update = api::update(happened, class.viewer)?;
    if !class.omit_view {
        update.after = Some(view(after, class));
    }
    Ok(frame(happened.logged.version, Payload::Update(update)))
}

/// No news.
pub(super) fn heartbeat(now_ms: i64) -> Payload {
    Payload::Heartbeat(v1::Heartbeat { server_time: Some(render::timestamp(now_ms)) })
}

/// The stream ends and should be resumed.
pub(super) fn planned_end(reason: v1::PlannedEndReason) -> Payload {
    Payload::PlannedEnd(v1::PlannedEnd { reason: reason.into() })
}

/// The table has ended.
pub(super) fn end(snapshot: &Snapshot) -> Payload {
    Payload::End(v1::End { phase: render::phase(snapshot.table.phase()).into() })
}

/// The history can't be continued.
pub(super) fn reset(reason: v1::ResetReason, snapshot: &Snapshot, class: Class) -> Payload {
    Payload::Reset(v1::Reset { reason: reason.into(), snapshot: Some(view(snapshot, class)) })
}

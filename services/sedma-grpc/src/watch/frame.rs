//! The messages of a watch, encoded.

use bytes::Bytes;
use prost::Message;
use sedma_proto::v1;
use sedma_proto::v1::watch_table_response::Payload;
use sedma_table::store::{Snapshot, Stored};
use sedma_table::{Happened, Refusal, Version, Viewer};

use crate::api;
use crate::render::{self, Audience, History, Moment};

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

/// The whole view, as of an instant.
pub(super) fn view(stored: &Stored, class: Class, now_ms: i64) -> v1::TableView {
    let view = stored.snapshot.table.view(class.viewer);
    render::view(&view, Audience::Table, Moment { fire_ms: stored.fire_ms, now_ms })
}

/// One update, with the view after it where the class wants it.
pub(super) fn update(happened: &Happened, after: &Stored, class: Class) -> Result<Bytes, Refusal> {
    let mut update = api::update(happened, class.viewer)?;
    if !class.omit_view {
        update.after = Some(view(after, class, happened.logged.time_ms));
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
pub(super) fn reset(reason: v1::ResetReason, tip: &Stored, class: Class, now_ms: i64) -> Payload {
    Payload::Reset(v1::Reset { reason: reason.into(), snapshot: Some(view(tip, class, now_ms)) })
}

//! The messages of a watch, encoded.

use bytes::Bytes;
use prost::Message;
use sedma_proto::v1;
use sedma_proto::v1::watch_table_response::Payload;
use sedma_rules::Seat;
use sedma_table::store::{Snapshot, Stored};
use sedma_table::{Happened, Refusal, TableId, Version, Viewer};

use crate::api;
use crate::render::{self, Audience, History, Moment};

/// Watchers that get the very same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    /// Whose hands they see.
    pub(crate) viewer: Viewer,
    /// Whether updates come without the view after them.
    pub(crate) omit_view: bool,
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

/// A message of a stream over all tables, with one about a table in it that is encoded already. Has the fields of
/// `WatchTablesResponse`, where a message inside of another looks like bytes.
#[derive(Clone, PartialEq, Message)]
struct OfAll {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(bytes = "bytes", optional, tag = "2")]
    message: Option<Bytes>,
    #[prost(string, tag = "4")]
    external_ref: String,
}

/// A message about a table, for a stream over all of them.
pub(super) fn of_table(table: TableId, message: Bytes, external_ref: String) -> Bytes {
    OfAll { name: table.to_string(), message: Some(message), external_ref }.encode_to_vec().into()
}

/// A message about a stream over all tables.
pub(super) fn of_stream(payload: Payload) -> Bytes {
    let message = Some(unmarked(0, payload));
    OfAll { name: String::new(), message, external_ref: String::new() }.encode_to_vec().into()
}

/// The whole view, as of an instant.
pub(super) fn view(stored: &Stored, class: Class, now_ms: i64) -> v1::TableView {
    let view = stored.snapshot.table.view(class.viewer);
    render::view(&view, Audience::Table, Moment { fire_ms: stored.fire_ms, now_ms })
}

/// One update, encoded.
pub(super) fn update(happened: &Happened, after: &Stored, class: Class) -> Result<Bytes, Refusal> {
    Ok(frame(happened.logged.version, Payload::Update(whole_update(happened, after, class)?)))
}

/// One update, with the view after it where the class wants it.
pub(crate) fn whole_update(happened: &Happened, after: &Stored, class: Class) -> Result<v1::Update, Refusal> {
    let mut update = api::update(happened, class.viewer)?;
    if !class.omit_view {
        update.after = Some(view(after, class, happened.logged.time_ms));
    }
    Ok(update)
}

/// No news.
pub(super) fn heartbeat(now_ms: i64) -> Payload {
    Payload::Heartbeat(v1::Heartbeat { server_time: Some(render::timestamp(now_ms)) })
}

/// There is nothing to show before an instant.
pub(super) fn pending(starts_ms: i64) -> Payload {
    Payload::Pending(v1::Pending { starts_time: Some(render::timestamp(starts_ms)) })
}

/// A seat's player came or went.
pub(super) fn presence(seat: Seat, connected: bool) -> Payload {
    Payload::Presence(v1::Presence { seat: render::seat(seat), connected })
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
    Payload::Reset(whole_reset(reason, tip, class, now_ms))
}

/// The same as a message.
pub(crate) fn whole_reset(reason: v1::ResetReason, tip: &Stored, class: Class, now_ms: i64) -> v1::Reset {
    v1::Reset { reason: reason.into(), snapshot: Some(view(tip, class, now_ms)) }
}

//! `RecordService`: what happened at tables.

use std::sync::Arc;

use prost::Message as _;
use sedma_proto::v1;
use sedma_table::store::{Store, Stored};
use sedma_table::{Failure, Refusal, Version};

use super::moment;
use super::tables::viewer_of;
use crate::call::Context;
use crate::limits::{MAX_PAGE_BYTES, MAX_UPDATES_PER_PAGE};
use crate::parse;
use crate::render;
use crate::service::Service;
use crate::watch::{CatchUp, Class, Resumed, resumed, whole_reset, whole_update};

/// Updates of a page whose size nobody asked for.
const DEFAULT_UPDATES: usize = 50;

/// `ListUpdates`.
pub(crate) async fn list_updates<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::ListUpdatesRequest,
) -> Result<v1::ListUpdatesResponse, Failure> {
    let table = parse::table(&request.name)?;
    let viewer = viewer_of(&context.caller, table, &request.seats)?;
    let cursor = parse::cursor("", Some(request.after_revision), &request.history)?.unwrap_or_default();
    let most = page_size(request.page_size)?;
    let tip = service.tables.read(&context.caller, table, None).await?;
    tip.snapshot.table.must_show(viewer)?;
    let class = Class { viewer, omit_view: request.omit_view };
    let now_ms = moment(&service, &context.caller, &tip).now_ms;
    let start_over = |reason| v1::ListUpdatesResponse {
        revision: tip.version.revision,
        reset: Some(whole_reset(reason, &tip, class, now_ms)),
        history: render::History::of(tip.version),
        ..v1::ListUpdatesResponse::default()
    };
    // Another replica, whose clock is a little ahead, may have shown a late spectator more than is old enough here.
    if tip.snapshot.table.delay_ms(&context.caller) > 0 && cursor.0 > tip.version.revision {
        let (revision, history) = (tip.version.revision, request.history);
        return Ok(v1::ListUpdatesResponse { revision, history, ..v1::ListUpdatesResponse::default() });
    }
    let token = match resumed(&service.tables, cursor, &tip).await? {
        Resumed::From(token) => token,
        Resumed::Broken(reason) => return Ok(start_over(reason)),
    };
    let mut cursor = Version { revision: cursor.0, token: token.unwrap_or_default() };
    let mut check = token.is_some();
    let mut answer = v1::ListUpdatesResponse {
        revision: tip.version.revision,
        history: token.map_or_else(Default::default, |_| render::History::of(cursor)),
        ..v1::ListUpdatesResponse::default()
    };
    let (mut log, mut bytes) = (CatchUp::new(table), 0_usize);
    while more(&answer, &tip, cursor, most) && bytes < MAX_PAGE_BYTES {
        let Some(step) = log.next(&service.tables, cursor, check).await? else {
            // What is told already is as it was; the next page says that it can't be continued.
            if !answer.updates.is_empty() {
                return Ok(answer);
            }
            if log.is_empty() {
                return Ok(start_over(v1::ResetReason::LogLost));
            }
            service.tables.note_rewound();
            return Ok(start_over(v1::ResetReason::Rewound));
        };
        (cursor, check) = (step.version(), true);
        let update = whole_update(&step.happened, &step.after, class)?;
        bytes = bytes.saturating_add(update.encoded_len());
        answer.history = update.history.clone();
        answer.updates.push(update);
    }
    Ok(answer)
}

/// Whether there is another update that belongs in the page.
fn more(answer: &v1::ListUpdatesResponse, tip: &Stored, cursor: Version, most: usize) -> bool {
    answer.updates.len() < most && cursor.revision < tip.version.revision
}

fn page_size(asked: i32) -> Result<usize, Refusal> {
    match usize::try_from(asked) {
        Err(_) => Err(Refusal::field("page_size", "it must not be negative")),
        Ok(0) => Ok(DEFAULT_UPDATES),
        Ok(size) => Ok(size.min(MAX_UPDATES_PER_PAGE)),
    }
}

//! `ListTables`: pages of a platform's tables, newest first.

use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use prost::Message;
use sedma_proto::v1;
use sedma_table::limits::{MAX_PAGE_ROWS, MAX_PAGE_SCAN};
use sedma_table::store::{ListCursor, Listed, Store};
use sedma_table::{Failure, Refusal, TableId, Viewer};
use sha2::{Digest, Sha256};

use crate::call::Context;
use crate::parse;
use crate::render::{self, Audience, Moment};
use crate::service::Service;

/// Rows of a page whose size nobody asked for.
const DEFAULT_ROWS: usize = 50;

/// `ListTables`.
pub(crate) async fn list_tables<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::ListTablesRequest,
) -> Result<v1::ListTablesResponse, Failure> {
    context.caller.must_be_platform()?;
    check(&request)?;
    let rows = match usize::try_from(request.page_size) {
        Err(_) => return Err(Refusal::field("page_size", "it must not be negative").into()),
        Ok(0) => DEFAULT_ROWS,
        Ok(size) => size.min(MAX_PAGE_ROWS),
    };
    let token = std::mem::take(&mut request.page_token);
    request.page_size = 0;
    let filter = filter_hash(&request);
    let mut cursor = if token.is_empty() { None } else { Some(read_token(&token, filter)?) };

    let mut tables = Vec::new();
    let mut looked_at = 0;
    let mut more = true;
    while more && tables.len() < rows && looked_at < MAX_PAGE_SCAN {
        let piece = service.tables.store().list(context.caller.tenant(), cursor, MAX_PAGE_ROWS).await?;
        more = !piece.is_empty();
        let now_ms = service.now_ms();
        for row in piece {
            looked_at = looked_at.saturating_add(1);
            cursor = Some(row.cursor());
            let summary = summary(&row, now_ms);
            if matches(&request, &summary) {
                tables.push(summary);
            }
            if tables.len() >= rows {
                break;
            }
        }
    }
    let next = cursor.filter(|_| more).map(|cursor| write_token(cursor, filter));
    Ok(v1::ListTablesResponse { tables, next_page_token: next.unwrap_or_default() })
}

fn check(request: &v1::ListTablesRequest) -> Result<(), Refusal> {
    if v1::TablePhase::try_from(request.phase).is_err() {
        let message = format!("this server does not know the value {}", request.phase);
        return Err(Refusal::field("phase", message));
    }
    parse::text("preset", &request.preset, 64)?;
    parse::text("player_id", &request.player_id, 64)?;
    parse::text("external_ref", &request.external_ref, 64)?;
    parse::label_filter(&request.label_key, &request.label_value)
}

fn summary(row: &Listed, now_ms: i64) -> v1::TableSummary {
    let moment = Moment { fire_ms: row.stored.fire_ms, now_ms };
    let view = row.stored.snapshot.table.view(Viewer::SPECTATOR);
    let rules = view.setup.rules();
    let (preset, custom) = (rules.options().preset.name().to_owned(), rules.is_custom());
    let table = render::view(&view, Audience::Platform, moment).table.unwrap_or_default();
    v1::TableSummary {
        name: table.name,
        revision: table.revision,
        phase: table.phase,
        preset,
        seats: table.seats,
        create_time: Some(render::timestamp(row.created_ms)),
        external_ref: table.external_ref,
        labels: table.labels,
        deal: view.game.deal.into(),
        turn_seat: table.turn_seat,
        winner_seats: table.winner_seats,
        custom,
    }
}

fn matches(request: &v1::ListTablesRequest, table: &v1::TableSummary) -> bool {
    let phase = request.phase == i32::from(v1::TablePhase::Unspecified) || request.phase == table.phase;
    let preset = request.preset.is_empty() || request.preset == table.preset;
    let player =
        request.player_id.is_empty() || table.seats.iter().any(|seat| seat.player_id == request.player_id);
    let external = request.external_ref.is_empty() || request.external_ref == table.external_ref;
    let label = request.label_key.is_empty()
        || table
            .labels
            .get(&request.label_key)
            .is_some_and(|value| request.label_value.is_empty() || *value == request.label_value);
    phase && preset && player && external && label
}

/// Four bytes that tell whether a page's token belongs to the same filters.
fn filter_hash(request: &v1::ListTablesRequest) -> [u8; 4] {
    let digest = Sha256::digest(request.encode_to_vec());
    digest.first_chunk::<4>().copied().unwrap_or_default()
}

fn write_token(cursor: ListCursor, filter: [u8; 4]) -> String {
    let mut bytes = Vec::with_capacity(28);
    bytes.extend_from_slice(&filter);
    bytes.extend_from_slice(&cursor.created_ms.to_be_bytes());
    bytes.extend_from_slice(cursor.table.as_bytes());
    BASE64URL_NOPAD.encode(&bytes)
}

fn read_token(token: &str, filter: [u8; 4]) -> Result<ListCursor, Refusal> {
    let wrong = || Refusal::field("page_token", "it is not next_page_token of a page with the same filters");
    let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).map_err(|_| wrong())?;
    let (of, rest) = bytes.split_first_chunk::<4>().ok_or_else(wrong)?;
    let (created, id) = rest.split_first_chunk::<8>().ok_or_else(wrong)?;
    let id = <[u8; 16]>::try_from(id).map_err(|_| wrong())?;
    if *of != filter {
        return Err(wrong());
    }
    Ok(ListCursor { created_ms: i64::from_be_bytes(*created), table: TableId::from_bytes(id) })
}

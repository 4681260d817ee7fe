//! `TableService`: tables from their creation to their end.

use std::sync::Arc;

use sedma_proto::v1;
use sedma_table::decide::Command;
use sedma_table::fairness::Link;
use sedma_table::store::{Store, Stored};
use sedma_table::{Caller, Creation, Failure, Reason, Refusal, Scope, TableId, Viewer};

use super::{answer, audience, call, moment, request_key, seat_token, viewer};
use crate::call::Context;
use crate::service::Service;
use crate::{parse, render};

pub(crate) use super::listing::list_tables;

/// `CreateTable`.
pub(crate) async fn create_table<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::CreateTableRequest,
) -> Result<v1::CreateTableResponse, Failure> {
    context.caller.must_be_platform()?;
    let id = parse::required_request_id(&request.request_id)?;
    if request.script.is_some() && !service.settings.allow_scripted {
        return Err(Refusal::new(
            Reason::ScriptForbidden,
            "This server takes no scripted packs; leave `script` out, or start a test server with --allow-scripted.",
        )
        .into());
    }
    let (new, scripted_root) = parse::create_table(&request)?;
    request.request_id.clear();
    let creation = Creation {
        table: service.keys()?.id_secret.created(context.caller.tenant(), id),
        new,
        root: scripted_root.map_or_else(|| random_root(&service), Ok)?,
        request: request_key(Some(id), "CreateTable", &request),
        traceparent: context.traceparent.clone(),
    };
    let done = service.tables.create(&context.caller, creation).await?;
    service.hub.table_made();

    let answer = answer(&service, &context, &done, Viewer::SPECTATOR)?;
    let created_ms = done.own.as_ref().map_or_else(|| service.now_ms(), |own| own.logged.time_ms);
    let seat_tokens = match &done.own {
        // Tokens of those who were named then; a seat taken since is somebody else's.
        Some(own) => {
            let named = own.logged.update.seats_named();
            let table = &done.current.snapshot.table;
            named.map(|seat| seat_token(&service, table, seat, created_ms)).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    Ok(respond!(CreateTableResponse, answer, seat_tokens))
}

/// The end of a new table's seed chain, from the operating system.
fn random_root<S: Store>(service: &Service<S>) -> Result<Link, Refusal> {
    let mut bytes = [0; 32];
    service.settings.entropy.fill(&mut bytes).map_err(|_| {
        Refusal::new(Reason::Invariant, "The server has no randomness to deal from; please report this.")
    })?;
    Ok(Link::new(bytes))
}

/// `GetTable`.
pub(crate) async fn get_table<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::GetTableRequest,
) -> Result<v1::GetTableResponse, Failure> {
    let table = parse::table(&request.name)?;
    let viewer = viewer_of(&context.caller, table, &request.seats)?;
    let min = parse::min_revision(request.min_revision)?;
    let stored = read(&service, &context, table, min).await?;
    stored.snapshot.table.must_show(viewer)?;
    let view = stored.snapshot.table.view(viewer);
    let view = render::view(&view, audience(&context.caller), moment(&service, &context.caller, &stored));
    Ok(v1::GetTableResponse { view: Some(view) })
}

/// Whose hands a caller gets to see who asks for these seats.
pub(crate) fn viewer_of(caller: &Caller, table: TableId, seats: &[i32]) -> Result<Viewer, Refusal> {
    let asked = parse::viewer(seats)?;
    match caller {
        Caller::Platform { .. } => Ok(asked),
        Caller::Seat { .. } | Caller::Watcher { .. } => {
            for number in seats {
                caller.acting_seat(table, parse::seat("seats", *number)?)?;
            }
            Ok(viewer(caller.acting_seat(table, None)?))
        }
    }
}

/// A table that has come as far as the caller says it has.
pub(crate) async fn read<S: Store>(
    service: &Service<S>,
    context: &Context,
    table: TableId,
    min_revision: Option<i64>,
) -> Result<Stored, Failure> {
    let stored = service.tables.read(&context.caller, table, min_revision).await?;
    match min_revision {
        Some(min) if stored.version.revision < min => {
            let standing = stored.snapshot.table.standing();
            Err(Refusal::new(
                Reason::StaleRevision,
                format!(
                    "The table is at revision {}, not yet at {min}; read it without min_revision.",
                    standing.revision
                ),
            )
            .at(standing)
            .into())
        }
        _ => Ok(stored),
    }
}

/// `StartTable`.
pub(crate) async fn start_table<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::StartTableRequest,
) -> Result<v1::StartTableResponse, Failure> {
    let table = parse::table(&request.name)?;
    context.caller.must_play(table)?;
    let id = parse::request_id(&request.request_id)?;
    request.request_id.clear();
    let seat = context.caller.acting_seat(table, None)?;
    let mut call = call(&context, table, Command::Start);
    call.seat = seat;
    call.scope = seat.map_or(Scope::Platform, Scope::Seat);
    call.request = request_key(id, "StartTable", &request);

    let done = service.tables.act(&call).await?;
    let answer = answer(&service, &context, &done, viewer(seat))?;
    Ok(respond!(StartTableResponse, answer))
}

/// `StartNextDeal`.
pub(crate) async fn start_next_deal<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::StartNextDealRequest,
) -> Result<v1::StartNextDealResponse, Failure> {
    let table = parse::table(&request.name)?;
    context.caller.must_play(table)?;
    let seat = context.caller.acting_seat(table, parse::seat("seat", request.seat)?)?;
    let id = parse::request_id(&request.request_id)?;
    let expected = parse::expected_revision(request.expected_revision)?;
    request.request_id.clear();
    request.expected_revision = 0;
    request.seat = seat.map_or(0, render::seat);
    let mut call = call(&context, table, Command::StartNextDeal);
    call.seat = seat;
    call.scope = seat.map_or(Scope::Platform, Scope::Seat);
    call.request = request_key(id, "StartNextDeal", &request);
    call.expected_revision = Some(expected);

    let done = service.tables.act(&call).await?;
    let answer = answer(&service, &context, &done, viewer(seat))?;
    Ok(respond!(StartNextDealResponse, answer))
}

/// `CloseTable`.
pub(crate) async fn close_table<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::CloseTableRequest,
) -> Result<v1::CloseTableResponse, Failure> {
    let table = parse::table(&request.name)?;
    context.caller.must_be_platform()?;
    parse::text("reason", &request.reason, sedma_table::limits::MAX_CLOSE_REASON_BYTES)?;
    let id = parse::request_id(&request.request_id)?;
    request.request_id.clear();
    let mut call = call(&context, table, Command::Close { reason: request.reason.clone() });
    call.request = request_key(id, "CloseTable", &request);

    let done = service.tables.act(&call).await?;
    let answer = answer(&service, &context, &done, Viewer::SPECTATOR)?;
    Ok(respond!(CloseTableResponse, answer))
}

/// `CreateRematch`.
pub(crate) async fn create_rematch<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::CreateRematchRequest,
) -> Result<v1::CreateRematchResponse, Failure> {
    let old = parse::table(&request.name)?;
    context.caller.must_play(old)?;
    let id = parse::required_request_id(&request.request_id)?;
    request.request_id.clear();
    let mut link =
        call(&context, old, Command::LinkRematch { table: service.keys()?.id_secret.rematch(old) });
    link.seat = context.caller.acting_seat(old, None)?;
    link.scope = link.seat.map_or(Scope::Platform, Scope::Seat);
    link.request = request_key(Some(id), "CreateRematch", &request);
    let done = service.tables.rematch(&link, random_root(&service)?).await?;
    service.hub.table_made();

    let table = &done.current.snapshot.table;
    let from_ms = done.own.as_ref().map_or_else(|| service.now_ms(), |own| own.logged.time_ms);
    let seats: Vec<_> = match link.seat {
        Some(seat) => vec![seat],
        None => table.seats().filter(|(_, state)| state.player.is_some()).map(|(seat, _)| seat).collect(),
    };
    let seat_tokens =
        seats.into_iter().map(|seat| seat_token(&service, table, seat, from_ms)).collect::<Result<_, _>>()?;
    let answer = answer(&service, &context, &done, viewer(link.seat))?;
    Ok(respond!(CreateRematchResponse, answer, seat_tokens))
}

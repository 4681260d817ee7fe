//! `TableService`: seats and their tokens.

use std::sync::Arc;

use sedma_proto::v1;
use sedma_table::decide::{Command, Joiner};
use sedma_table::store::Store;
use sedma_table::{Caller, Failure, Reason, Refusal, Scope, Spectators};

use super::{answer, call, request_key, seat_token, viewer};
use crate::call::Context;
use crate::service::Service;
use crate::{parse, render};

/// `JoinTable`.
pub(crate) async fn join_table<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::JoinTableRequest,
) -> Result<v1::JoinTableResponse, Failure> {
    let table = parse::table(&request.name)?;
    context.caller.must_play(table)?;
    let asked = context.caller.acting_seat(table, parse::seat("seat", request.seat)?)?;
    let id = parse::required_request_id(&request.request_id)?;
    let player = parse::player("", &request.player_id, &request.display_name)?;
    let entropy = parse::entropy(&request.entropy)?;
    let joiner = match &context.caller {
        Caller::Seat { seat, .. } => {
            Joiner::Holder { seat: *seat, player_id: player.map(|player| player.player_id) }
        }
        Caller::Platform { .. } | Caller::Watcher { .. } => Joiner::Platform { seat: asked, player },
    };
    request.request_id.clear();
    request.seat = asked.map_or(0, render::seat);
    let mut call = call(&context, table, Command::Join { joiner: joiner.clone(), entropy });
    call.seat = asked;
    call.scope = asked.map_or(Scope::Platform, Scope::Seat);
    call.request = request_key(Some(id), "JoinTable", &request);

    let done = service.tables.act(&call).await?;
    let state = &done.current.snapshot.table;
    let seat = match &joiner {
        Joiner::Holder { seat, .. } => Some(*seat),
        Joiner::Platform { player: Some(player), .. } => state.seat_of(&player.player_id),
        Joiner::Platform { seat, player: None } => *seat,
    };
    // A repeat after the player has left again: the seat is no longer his, and neither is a token.
    let token = match seat {
        Some(seat) => {
            let from_ms = done.own.as_ref().map_or_else(|| service.now_ms(), |own| own.logged.time_ms);
            Some(seat_token(&service, state, seat, from_ms)?)
        }
        None => None,
    };
    let answer = answer(&service, &context, &done, viewer(seat))?;
    Ok(respond!(JoinTableResponse, answer, seat_token: token))
}

/// `LeaveTable`.
pub(crate) async fn leave_table<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::LeaveTableRequest,
) -> Result<v1::LeaveTableResponse, Failure> {
    let table = parse::table(&request.name)?;
    let seat = context.caller.must_act(table, parse::seat("seat", request.seat)?)?;
    let id = parse::request_id(&request.request_id)?;
    request.request_id.clear();
    request.seat = render::seat(seat);
    let mut call = call(&context, table, Command::Leave { seat });
    call.seat = Some(seat);
    call.scope = Scope::Seat(seat);
    call.request = request_key(id, "LeaveTable", &request);

    let done = service.tables.act(&call).await?;
    let answer = answer(&service, &context, &done, viewer(None))?;
    Ok(respond!(LeaveTableResponse, answer))
}

/// `RevokeSeat`.
pub(crate) async fn revoke_seat<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::RevokeSeatRequest,
) -> Result<v1::RevokeSeatResponse, Failure> {
    let table = parse::table(&request.name)?;
    context.caller.must_be_platform()?;
    let seat = context.caller.must_act(table, parse::seat("seat", request.seat)?)?;
    let id = parse::request_id(&request.request_id)?;
    request.request_id.clear();
    let mut call = call(&context, table, Command::Revoke { seat });
    call.scope = Scope::Seat(seat);
    call.request = request_key(id, "RevokeSeat", &request);

    let done = service.tables.act(&call).await?;
    let answer = answer(&service, &context, &done, viewer(None))?;
    Ok(respond!(RevokeSeatResponse, answer))
}

/// `IssueSeatToken`.
pub(crate) async fn issue_seat_token<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::IssueSeatTokenRequest,
) -> Result<v1::IssueSeatTokenResponse, Failure> {
    let table = parse::table(&request.name)?;
    context.caller.must_be_platform()?;
    let seat = context.caller.must_act(table, parse::seat("seat", request.seat)?)?;
    let stored = service.tables.read(&context.caller, table, None).await?;
    let state = &stored.snapshot.table;
    let holder = state.must_have(seat)?;
    if holder.player.is_none() {
        let message = match holder.bot {
            Some(_) => "a bot has it and needs no token; RemoveBot frees it for a player",
            None => "the seat is open; JoinTable seats a player and answers a token",
        };
        return Err(Refusal::field("seat", message).into());
    }
    let seat_token = seat_token(&service, state, seat, service.now_ms())?;
    Ok(v1::IssueSeatTokenResponse { seat_token: Some(seat_token) })
}

/// `IssueWatchToken`.
pub(crate) async fn issue_watch_token<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::IssueWatchTokenRequest,
) -> Result<v1::IssueWatchTokenResponse, Failure> {
    let table = parse::table(&request.name)?;
    context.caller.must_be_platform()?;
    let stored = service.tables.read(&context.caller, table, None).await?;
    let setup = stored.snapshot.table.setup();
    if setup.spectators == Spectators::Forbidden {
        return Err(Refusal::new(
            Reason::SeatForbidden,
            "This table takes no spectators; create it with spectators ALLOWED.",
        )
        .into());
    }
    let issued = service.keys()?.token_keys.watch(&setup.tenant, setup.id, service.now_ms())?;
    let watch_token = v1::WatchToken {
        token: issued.token,
        expire_time: Some(prost_types::Timestamp { seconds: issued.expires_s, nanos: 0 }),
    };
    Ok(v1::IssueWatchTokenResponse { watch_token: Some(watch_token) })
}

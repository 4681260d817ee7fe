//! `TableService`: what a platform decides about a running table.

use std::sync::Arc;

use prost::Message;
use sedma_proto::v1;
use sedma_table::decide::Command;
use sedma_table::store::{Holder, Lease, Store};
use sedma_table::{Failure, Refusal, Viewer};

use super::{Answer, answer, call, request_key};
use crate::call::Context;
use crate::limits::{LEASE_MS, MAX_LEASE_MS};
use crate::parse;
use crate::service::Service;

/// Writes the handlers: each is a platform's call that says what it wants in its own fields alone.
macro_rules! platform_calls {
    ($($(#[$doc:meta])* $handler:ident: $method:literal $request:ident -> $response:ident = $command:expr;)+) => {
        $($(#[$doc])*
        pub(crate) async fn $handler<S: Store>(
            service: Arc<Service<S>>,
            context: Context,
            mut request: v1::$request,
        ) -> Result<v1::$response, Failure> {
            context.caller.must_be_platform()?;
            let command: fn(&v1::$request) -> Result<Command, Refusal> = $command;
            let command = command(&request)?;
            let id = std::mem::take(&mut request.request_id);
            let answer = decide(&service, &context, &request.name, &id, $method, &request, command).await?;
            Ok(respond!($response, answer))
        })+
    };
}

platform_calls! {
    /// `AddBot`.
    add_bot: "AddBot" AddBotRequest -> AddBotResponse = |request| {
        let level = parse::bot_level("bot_level", &request.bot_level)?;
        Ok(Command::AddBot { seat: parse::seat("seat", request.seat)?, level })
    };
    /// `RemoveBot`.
    remove_bot: "RemoveBot" RemoveBotRequest -> RemoveBotResponse = |request| {
        Ok(Command::RemoveBot { seat: parse::required_seat("seat", request.seat)? })
    };
    /// `PauseTable`.
    pause_table: "PauseTable" PauseTableRequest -> PauseTableResponse = |_| Ok(Command::Pause);
    /// `ResumeTable`.
    resume_table: "ResumeTable" ResumeTableRequest -> ResumeTableResponse = |_| Ok(Command::Resume);
    /// `ExtendDeadline`.
    extend_deadline: "ExtendDeadline" ExtendDeadlineRequest -> ExtendDeadlineResponse = |request| {
        let remaining_ms = parse::duration_ms("remaining_duration", request.remaining_duration.as_ref())?;
        if remaining_ms == 0 {
            return Err(Refusal::field("remaining_duration", "it is required, from 1 ms"));
        }
        Ok(Command::Extend { remaining_ms })
    };
    /// `ForfeitSeat`.
    forfeit_seat: "ForfeitSeat" ForfeitSeatRequest -> ForfeitSeatResponse = |request| {
        Ok(Command::Forfeit { seat: parse::required_seat("seat", request.seat)? })
    };
}

/// `SetPresence`.
pub(crate) async fn set_presence<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::SetPresenceRequest,
) -> Result<v1::SetPresenceResponse, Failure> {
    context.caller.must_be_platform()?;
    let table = parse::table(&request.name)?;
    let seat = parse::required_seat("seat", request.seat)?;
    let field = "lease_duration";
    let asked_ms = parse::duration_ms(field, request.lease_duration.as_ref())?;
    let lease_ms = match i64::from(asked_ms) {
        0 => LEASE_MS,
        _ if !request.connected => return Err(Refusal::field(field, "it needs `connected`").into()),
        ms if ms > MAX_LEASE_MS => return Err(Refusal::field(field, "it may be 1 hour at most").into()),
        ms => ms,
    };
    let stored = service.tables.read(&context.caller, table, Some(0)).await?;
    stored.snapshot.table.must_have(seat)?;
    let lease = [Lease { table, seat, holder: Holder::PLATFORM }];
    let store = service.tables.store();
    if request.connected {
        store.hold(&lease, lease_ms, true).await?;
    } else {
        store.release(&lease).await?;
    }
    Ok(v1::SetPresenceResponse {})
}

async fn decide<S: Store>(
    service: &Service<S>,
    context: &Context,
    name: &str,
    id: &str,
    method: &str,
    asked: &impl Message,
    command: Command,
) -> Result<Answer, Failure> {
    let mut call = call(context, parse::table(name)?, command);
    call.request = request_key(parse::request_id(id)?, method, asked);
    let done = service.tables.act(&call).await?;
    answer(service, context, &done, Viewer::SPECTATOR)
}

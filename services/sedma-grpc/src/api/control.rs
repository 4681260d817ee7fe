//! `TableService`: what a platform decides about a running table.

use std::sync::Arc;

use prost::Message;
use sedma_proto::v1;
use sedma_table::decide::Command;
use sedma_table::store::Store;
use sedma_table::{Failure, Refusal, Viewer};

use super::{Answer, answer, call, request_key};
use crate::call::Context;
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

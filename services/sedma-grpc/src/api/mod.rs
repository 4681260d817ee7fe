//! The handlers: parse, call, render. One file a group of methods.

/// Fills in what every answer to a mutation has.
macro_rules! respond {
    ($response:ident, $answer:ident $(, $field:ident $(: $value:expr)?)*) => {
        v1::$response {
            revision: $answer.revision,
            replayed: $answer.replayed,
            update: $answer.update,
            view: $answer.view,
            $($field $(: $value)?,)*
        }
    };
}

pub(crate) mod consumers;
pub(crate) mod control;
mod listing;
pub(crate) mod records;
pub(crate) mod results;
pub(crate) mod rules;
pub(crate) mod scoring;
pub(crate) mod seats;
pub(crate) mod server;
pub(crate) mod tables;
pub(crate) mod tricks;

use prost::Message;
use sedma_proto::v1;
use sedma_rules::Seat;
use sedma_table::decide::Command;
use sedma_table::store::{Store, Stored};
use sedma_table::{
    Call, Caller, Done, Failure, Happened, Misfit, Refusal, RequestId, RequestKey, Scope, Table, TableId,
    Viewer,
};

use crate::call::Context;
use crate::render::{self, Audience, Moment};
use crate::service::Service;

/// What every answer to a mutation has.
pub(crate) struct Answer {
    pub(crate) revision: i64,
    pub(crate) replayed: bool,
    pub(crate) update: Option<v1::Update>,
    pub(crate) view: Option<v1::TableView>,
}

/// The key that a repeat of this request is found by: its id, and the verb with those fields that say what is wanted.
/// The caller clears `request_id` and `expected_revision` in the message it hands over.
pub(crate) fn request_key(id: Option<RequestId>, verb: &str, content: &impl Message) -> Option<RequestKey> {
    let id = id?;
    let mut bytes = Vec::with_capacity(verb.len().saturating_add(content.encoded_len()));
    bytes.extend_from_slice(verb.as_bytes());
    bytes.extend_from_slice(&content.encode_to_vec());
    Some(RequestKey::new(id, &bytes))
}

/// A call that asks for something to happen at a table; what is particular to a verb is set on it.
pub(crate) fn call(context: &Context, table: TableId, command: Command) -> Call {
    Call {
        caller: context.caller.clone(),
        table,
        seat: None,
        scope: Scope::Platform,
        request: None,
        expected_revision: None,
        command,
        traceparent: context.traceparent.clone(),
    }
}

/// Whether a caller is the platform itself.
pub(crate) fn audience(caller: &Caller) -> Audience {
    match caller {
        Caller::Platform { .. } => Audience::Platform,
        Caller::Seat { .. } | Caller::Watcher { .. } => Audience::Table,
    }
}

/// What a caller sees when it acted for a seat, or for none.
pub(crate) fn viewer(seat: Option<Seat>) -> Viewer {
    seat.map_or(Viewer::SPECTATOR, Viewer::seat)
}

/// The moment of an answer about a table. Who sees it late is told what time was left then.
pub(crate) fn moment<S: Store>(service: &Service<S>, caller: &Caller, stored: &Stored) -> Moment {
    let delay_ms = stored.snapshot.table.delay_ms(caller);
    Moment { fire_ms: stored.fire_ms, now_ms: service.now_ms().saturating_sub(delay_ms.into()) }
}

/// Renders what a call came to, for one viewer.
pub(crate) fn answer<S: Store>(
    service: &Service<S>,
    context: &Context,
    done: &Done,
    viewer: Viewer,
) -> Result<Answer, Failure> {
    service.clocks.go_on(&done.current);
    let table = &done.current.snapshot.table;
    let update = done.own.as_ref().map(|own| update(own, viewer)).transpose()?;
    Ok(Answer {
        revision: update.as_ref().map_or(table.revision(), |update| update.revision),
        replayed: done.replayed,
        update,
        view: Some(render::view(
            &table.view(viewer),
            audience(&context.caller),
            moment(service, &context.caller, &done.current),
        )),
    })
}

/// Renders an update, for one viewer.
pub(crate) fn update(happened: &Happened, viewer: Viewer) -> Result<v1::Update, Refusal> {
    let update = &happened.logged.update;
    let events = match &happened.before {
        None => Table::opening_events(update, viewer),
        Some(before) => before.table.events(update, viewer),
    };
    let events =
        events.map_err(|misfit: Misfit| Refusal::new(sedma_table::Reason::Invariant, misfit.to_string()))?;
    Ok(render::update(&happened.logged, &events))
}

/// A seat's token on the wire.
pub(crate) fn seat_token<S: Store>(
    service: &Service<S>,
    table: &Table,
    seat: Seat,
    from_ms: i64,
) -> Result<v1::SeatToken, Refusal> {
    let setup = table.setup();
    let generation = table.seat(seat).map_or(0, |state| state.generation);
    let issued = service.keys()?.token_keys.seat(&setup.tenant, setup.id, seat, generation, from_ms)?;
    Ok(v1::SeatToken {
        seat: render::seat(seat),
        token: issued.token,
        expire_time: Some(prost_types::Timestamp { seconds: issued.expires_s, nanos: 0 }),
    })
}

//! `TrickService`.

use std::sync::Arc;

use sedma_proto::v1;
use sedma_rules::{Action, Refused, Seat};
use sedma_table::decide::Command;
use sedma_table::store::Store;
use sedma_table::{Failure, RequestId, RequestKey, Scope, TableId};

use super::{Answer, answer, audience, call, moment, request_key, viewer};
use crate::call::Context;
use crate::service::Service;
use crate::{parse, render};

/// Takes what is the same in every request of a seat's turn out of it, so that what is left says what is wanted:
/// whoever sends it, the platform or the seat's holder, it is the same request.
macro_rules! turn {
    ($context:ident, $request:ident) => {{
        let table = parse::table(&$request.name)?;
        let seat = $context.caller.must_act(table, parse::seat("seat", $request.seat)?)?;
        let id = parse::request_id(&$request.request_id)?;
        let expected_revision = parse::expected_revision($request.expected_revision)?;
        $request.request_id.clear();
        $request.expected_revision = 0;
        $request.seat = render::seat(seat);
        Turn { table, seat, id, expected_revision }
    }};
}

/// `PlayCard`.
pub(crate) async fn play_card<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::PlayCardRequest,
) -> Result<v1::PlayCardResponse, Failure> {
    let turn = turn!(context, request);
    let action = parse::play(&request)?;
    let key = request_key(turn.id, "PlayCard", &request);
    let answer = act(&service, &context, &turn, action, key).await?;
    Ok(respond!(PlayCardResponse, answer))
}

/// `EndTrick`.
pub(crate) async fn end_trick<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::EndTrickRequest,
) -> Result<v1::EndTrickResponse, Failure> {
    let turn = turn!(context, request);
    let key = request_key(turn.id, "EndTrick", &request);
    let answer = act(&service, &context, &turn, Action::EndTrick, key).await?;
    Ok(respond!(EndTrickResponse, answer))
}

/// `ExchangeHands`.
pub(crate) async fn exchange_hands<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::ExchangeHandsRequest,
) -> Result<v1::ExchangeHandsResponse, Failure> {
    let turn = turn!(context, request);
    let key = request_key(turn.id, "ExchangeHands", &request);
    let answer = act(&service, &context, &turn, Action::ExchangeHands(request.exchange), key).await?;
    Ok(respond!(ExchangeHandsResponse, answer))
}

/// What every request of a seat's turn says beside its action.
struct Turn {
    table: TableId,
    seat: Seat,
    id: Option<RequestId>,
    expected_revision: i64,
}

async fn act<S: Store>(
    service: &Service<S>,
    context: &Context,
    turn: &Turn,
    action: Action,
    request: Option<RequestKey>,
) -> Result<Answer, Failure> {
    let seat = turn.seat;
    let mut call = call(context, turn.table, Command::Act { seat, action });
    call.seat = Some(seat);
    call.scope = Scope::Seat(seat);
    call.request = request;
    call.expected_revision = Some(turn.expected_revision);
    let done = service.tables.act(&call).await?;
    answer(service, context, &done, viewer(Some(seat)))
}

/// `ListLegalActions`.
pub(crate) async fn list_legal_actions<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::ListLegalActionsRequest,
) -> Result<v1::ListLegalActionsResponse, Failure> {
    let table = parse::table(&request.name)?;
    let seat = context.caller.must_act(table, parse::seat("seat", request.seat)?)?;
    let min = parse::min_revision(request.min_revision)?;
    let stored = super::tables::read(&service, &context, table, min).await?;
    let state = &stored.snapshot.table;
    state.must_have(seat)?;
    let view = state.view(viewer(Some(seat)));
    let moment = moment(&service, &context.caller, &stored);
    let rendered = render::view(&view, audience(&context.caller), moment);
    let legal_actions = rendered.seats.into_iter().next().map(|seat| seat.legal_actions).unwrap_or_default();
    let forbidden_cards = state
        .forbidden_cards(seat)
        .into_iter()
        .map(|(card, refused)| v1::ForbiddenCard {
            card: Some(render::card(card)),
            rule: match refused {
                Refused::Illegal(rule) => render::rule(rule),
                _ => v1::BrokenRule::Unspecified,
            }
            .into(),
        })
        .collect();
    Ok(v1::ListLegalActionsResponse {
        legal_actions,
        forbidden_cards,
        revision: view.revision,
        turn_revision: view.turn_revision,
        turn_seat: view.game.turn.map_or(0, render::seat),
    })
}

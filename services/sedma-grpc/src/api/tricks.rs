//! `TrickService`.

use std::sync::Arc;

use sedma_proto::v1;
use sedma_rules::{Action, Refused};
use sedma_table::decide::Command;
use sedma_table::store::Store;
use sedma_table::{Failure, Scope};

use super::{answer, audience, call, request_key, viewer};
use crate::call::Context;
use crate::service::Service;
use crate::{parse, render};

/// `PlayCard`.
pub(crate) async fn play_card<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    mut request: v1::PlayCardRequest,
) -> Result<v1::PlayCardResponse, Failure> {
    let table = parse::table(&request.name)?;
    let seat = context.caller.must_act(table, parse::seat("seat", request.seat)?)?;
    let id = parse::request_id(&request.request_id)?;
    let expected = parse::expected_revision(request.expected_revision)?;
    let card = parse::card("card", request.card.as_ref())?;

    // Whoever sends it, the platform or the seat's holder, it is the same request.
    request.request_id.clear();
    request.expected_revision = 0;
    request.seat = render::seat(seat);
    let action = Action::Play { card, announce_marriage: false };
    let mut call = call(&context, table, Command::Act { seat, action });
    call.seat = Some(seat);
    call.scope = Scope::Seat(seat);
    call.request = request_key(id, "PlayCard", &request);
    call.expected_revision = Some(expected);

    let done = service.tables.act(&call).await?;
    let answer = answer(&done, viewer(Some(seat)), audience(&context.caller))?;
    Ok(respond!(PlayCardResponse, answer))
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
    let rendered = render::view(&view, audience(&context.caller));
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

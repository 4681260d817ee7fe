//! Reading views.

use sedma_proto::v1;
use sedma_proto::v1::legal_action::Action;
use sedma_proto::v1::seat_view::Hand;

use crate::cards::text;

/// The public table of a view.
pub fn public(view: &v1::TableView) -> &v1::PublicTable {
    view.table.as_ref().expect("a table in the view")
}

/// The state of the game.
pub fn game(view: &v1::TableView) -> &v1::SedmaTable {
    match &public(view).game {
        Some(v1::public_table::Game::Sedma(game)) => game,
        None => panic!("no game in the view"),
    }
}

/// A seat's hand as text, in canonical order; empty where the view does not show it.
pub fn hand(view: &v1::TableView, seat: i32) -> String {
    let seats = view.seats.iter().filter(|shown| shown.seat == seat);
    let hands = seats.filter_map(|shown| shown.hand.as_ref());
    text(hands.flat_map(|Hand::Sedma(hand)| &hand.cards))
}

/// The cards that a seat may play, as the view says.
pub fn playable(view: &v1::TableView, seat: i32) -> Vec<v1::Card> {
    let seats = view.seats.iter().filter(|shown| shown.seat == seat);
    let actions = seats.flat_map(|shown| &shown.legal_actions);
    let cards = actions.filter_map(|action| match &action.action {
        Some(Action::PlayCard(play)) => play.card,
        _ => None,
    });
    cards.collect()
}

/// What a seat may do, as the view says: one word of a transcript for each action.
pub fn legal(view: &v1::TableView, seat: i32) -> Vec<String> {
    let seats = view.seats.iter().filter(|shown| shown.seat == seat);
    seats.flat_map(|shown| &shown.legal_actions).map(word).collect()
}

/// An action as one word of a transcript.
pub fn word(action: &v1::LegalAction) -> String {
    match action.action.as_ref().expect("an action") {
        Action::PlayCard(play) if play.from_stock => "stock".to_owned(),
        Action::PlayCard(play) => {
            let announced = if play.announce_marriage { "!" } else { "" };
            format!("{}{announced}", text(&play.card))
        }
        Action::EndTrick(_) => "end".to_owned(),
        Action::ExchangeHands(answer) => if answer.exchange { "swap" } else { "keep" }.to_owned(),
        Action::StartNextDeal(_) => "next".to_owned(),
    }
}

/// The facts of an update.
pub fn facts(update: &v1::Update) -> Vec<&v1::event::Fact> {
    update.events.iter().filter_map(|event| event.fact.as_ref()).collect()
}

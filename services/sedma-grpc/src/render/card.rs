//! Cards, seats and actions.

use sedma_proto::v1;
use sedma_rules::{Action, Card, LegalActions, Rule, Seat, SeatSet};

use crate::choices::Choice;

/// A card.
pub(crate) fn card(card: Card) -> v1::Card {
    v1::Card { rank: card.rank().to_wire(), suit: card.suit().to_wire() }
}

/// Cards in the order given.
pub(crate) fn cards(from: impl IntoIterator<Item = Card>) -> Vec<v1::Card> {
    from.into_iter().map(card).collect()
}

/// A seat's number on the wire.
pub(crate) fn seat(seat: Seat) -> i32 {
    i32::from(seat.number())
}

/// Seats, ascending.
pub(crate) fn seats(set: SeatSet) -> Vec<i32> {
    set.iter().map(seat).collect()
}

/// What a seat may do, one entry an action.
pub(crate) fn legal_actions(legal: &LegalActions) -> Vec<v1::LegalAction> {
    legal.iter().map(legal_action).collect()
}

fn legal_action(action: Action) -> v1::LegalAction {
    use v1::legal_action::Action as A;
    let action = match action {
        Action::Play { card: played, announce_marriage } => {
            A::PlayCard(v1::PlayCardAction { card: Some(card(played)), announce_marriage, from_stock: false })
        }
        Action::PlayFromStock => {
            A::PlayCard(v1::PlayCardAction { card: None, announce_marriage: false, from_stock: true })
        }
        Action::EndTrick => A::EndTrick(v1::EndTrickAction {}),
        Action::ExchangeHands(exchange) => A::ExchangeHands(v1::ExchangeHandsAction { exchange }),
    };
    v1::LegalAction { action: Some(action) }
}

/// The rule that an action would break.
pub(crate) fn rule(rule: Rule) -> v1::BrokenRule {
    use v1::BrokenRule as B;
    match rule {
        Rule::FollowForcedMatch => B::ForcedMatch,
        Rule::MustMatch => B::MustMatch,
        Rule::ContinuationMatch => B::ContinuationCard,
        Rule::NoContinuation => B::NoTrickToEnd,
        Rule::ExchangeFirst => B::ExchangeFirst,
        Rule::NoExchange => B::NoExchange,
        Rule::ThreeLeads => B::SameRankLeads,
        Rule::NoMarriage => B::NoMarriage,
        Rule::NoBlindPlay | Rule::StockEmpty => B::NoStockPlay,
    }
}

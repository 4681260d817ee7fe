//! What a seat does when it is to act.

use tests::v1::legal_action::Action;
use tests::{Client, cards, v1};

use crate::answer::Answer;
use crate::ask::ask;
use crate::chance::Chance;

/// What a seat does, as its view offers it.
pub(crate) type Turn = Action;

/// Kinds of turns. Where there are several, one is as likely to be chosen as another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Card,
    Announcement,
    TopOfStock,
    End,
    Exchange,
    NoExchange,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] =
        [Self::Card, Self::Announcement, Self::TopOfStock, Self::End, Self::Exchange, Self::NoExchange];
}

/// How it is asked for.
pub(crate) struct Asking {
    pub(crate) name: String,
    pub(crate) request_id: String,
    pub(crate) expected_revision: i64,
    pub(crate) seat: i32,
}

/// Plays this card.
pub(crate) const fn card(card: v1::Card) -> Turn {
    Turn::PlayCard(v1::PlayCardAction { card: Some(card), announce_marriage: false, from_stock: false })
}

/// Plays this card and announces a marriage.
pub(crate) const fn announcement(card: v1::Card) -> Turn {
    Turn::PlayCard(v1::PlayCardAction { card: Some(card), announce_marriage: true, from_stock: false })
}

/// What is no play of a card in hand. Few games have any of these.
pub(crate) const OTHERS: [Turn; 4] = [
    Turn::PlayCard(v1::PlayCardAction { card: None, announce_marriage: false, from_stock: true }),
    Turn::EndTrick(v1::EndTrickAction {}),
    Turn::ExchangeHands(v1::ExchangeHandsAction { exchange: true }),
    Turn::ExchangeHands(v1::ExchangeHandsAction { exchange: false }),
];

/// What a view lets a seat do.
pub(crate) fn legal(view: &v1::TableView, seat: i32) -> Vec<Turn> {
    let seats = view.seats.iter().filter(|shown| shown.seat == seat);
    let actions = seats.flat_map(|shown| &shown.legal_actions);
    actions.map(|action| action.action.expect("an action that is known")).collect()
}

/// One of these; what there are few of is chosen as often as what there are many of.
pub(crate) fn pick(turns: &[Turn], chance: &mut Chance) -> Turn {
    let mut kinds: Vec<Kind> = turns.iter().map(kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let wanted = *chance.pick(&kinds);
    let such: Vec<Turn> = turns.iter().filter(|turn| kind(turn) == wanted).copied().collect();
    *chance.pick(&such)
}

/// Of which kind a turn is.
pub(crate) fn kind(turn: &Turn) -> Kind {
    match turn {
        Turn::PlayCard(play) if play.from_stock => Kind::TopOfStock,
        Turn::PlayCard(play) if play.announce_marriage => Kind::Announcement,
        Turn::PlayCard(_) => Kind::Card,
        Turn::EndTrick(_) => Kind::End,
        Turn::ExchangeHands(answer) if answer.exchange => Kind::Exchange,
        Turn::ExchangeHands(_) => Kind::NoExchange,
        Turn::StartNextDeal(_) => panic!("the next deal is nobody's turn"),
    }
}

/// The card that it names.
pub(crate) fn named(turn: &Turn) -> Option<v1::Card> {
    match turn {
        Turn::PlayCard(play) => play.card,
        _ => None,
    }
}

/// Asks for it.
pub(crate) async fn take(client: &Client, turn: &Turn, asking: Asking) -> Answer {
    let Asking { name, request_id, expected_revision, seat } = asking;
    let how = &format!("{} on revision {expected_revision}", text(turn));
    match *turn {
        Turn::PlayCard(v1::PlayCardAction { card, announce_marriage, from_stock }) => {
            let request = v1::PlayCardRequest {
                name,
                request_id,
                expected_revision,
                seat,
                card,
                announce_marriage,
                from_stock,
            };
            ask(client, request, how).await
        }
        Turn::EndTrick(_) => {
            ask(client, v1::EndTrickRequest { name, request_id, expected_revision, seat }, how).await
        }
        Turn::ExchangeHands(v1::ExchangeHandsAction { exchange }) => {
            let request = v1::ExchangeHandsRequest { name, request_id, expected_revision, seat, exchange };
            ask(client, request, how).await
        }
        Turn::StartNextDeal(_) => panic!("the next deal is nobody's turn"),
    }
}

fn text(turn: &Turn) -> String {
    match named(turn) {
        Some(card) => format!("{:?} {}", kind(turn), cards::text([&card])),
        None => format!("{:?}", kind(turn)),
    }
}

//! Playing rounds and whole deals that were thought of beforehand.

use tests::{NewTable, Table, text, v1};

use crate::script::told;

/// Cards in a full hand of the games that are played here.
const HAND: usize = 4;

/// Plays one round from this seat on. Whoever may go on after it ends the trick. Answers what the last action told.
pub(crate) async fn play_round(
    table: &Table,
    leader: i32,
    cards: &str,
) -> (v1::PlayCardResponse, Vec<String>) {
    let seats = i32::try_from(table.seats.len()).unwrap();
    let mut last = None;
    for (n, card) in (0..).zip(cards.split(' ')) {
        let seat = (leader - 1 + n) % seats + 1;
        let answer = table.seat(seat).act(card).await;
        last = Some(answer.unwrap_or_else(|status| panic!("{seat}:{card} was refused: {status:?}")));
    }
    let mut last = last.expect("a card");
    if told(&last).iter().any(|phrase| phrase.ends_with("may go on")) {
        last = table.seat(leader).act("end").await.expect("an end that is offered");
    }
    let phrases = told(&last);
    (last, phrases)
}

/// Deals so that these tricks of one round each can be played: every seat starts with the first cards that it plays, and
/// draws the others in time. `first` leads.
pub(crate) fn dealt_for(
    new: NewTable,
    first: i32,
    tricks: &[v1::ScoredTrick],
    winners: &[v1::TrickScore],
) -> NewTable {
    let seats = i32::try_from(tricks[0].plays.len()).unwrap();
    let mut own: Vec<Vec<v1::Card>> = vec![Vec::new(); tricks[0].plays.len()];
    let index = |seat: i32| usize::try_from(seat - 1).unwrap();
    for play in tricks.iter().flat_map(|trick| &trick.plays) {
        own[index(play.seat)].push(play.card.unwrap());
    }
    let mut stock = Vec::new();
    for (done, taken) in winners.iter().enumerate() {
        let drawing = (0..seats).map(|n| (taken.winner_seat - 1 + n) % seats + 1);
        stock.extend(drawing.filter_map(|seat| own[index(seat)].get(HAND + done).copied()));
    }
    let hands: Vec<String> = own.iter().map(|cards| text(&cards[..HAND])).collect();
    let dealer = (first + seats - 2) % seats + 1;
    let mut new = new.dealt_by(dealer, &hands.iter().map(String::as_str).collect::<Vec<_>>(), &text(&stock));
    new.request.script.as_mut().unwrap().first_dealer_seat = dealer;
    new
}

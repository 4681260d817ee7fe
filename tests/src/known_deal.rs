//! The deal that these tests play, and matches that play themselves.

use std::collections::BTreeSet;

use crate::views::{game, hand, playable, public};
use crate::{NewTable, Table, cards, text, v1};

/// Hands of [`deal`], in the order of the seats.
pub const HANDS: [&str; 4] = ["8h Kd 9c As", "10c 7h Qd Jc", "8c Ah Ks 9d", "Qc Jd 10h 7s"];
/// Its stock, from the top.
pub const STOCK: &str = "7d 8d 10d Ad 7c 9h Jh Qh Kh 8s 9s 10s Js Qs Kc Ac";
/// Its first trick: seat 3 takes it, and draws first.
pub const TRICK: [&str; 4] = ["1:8h", "2:10c", "3:8c", "4:Qc"];
/// Plays of a deal of `classic`.
pub const PLAYS: usize = 32;

/// A table whose first deal is known to the last card. Seat 1 leads.
pub fn deal() -> NewTable {
    NewTable::classic().deal(&HANDS, STOCK)
}

/// The next play of a match that plays itself: whose turn it is, and the first card that its seat may play.
pub async fn next_play(table: &Table) -> (i32, v1::PlayCardRequest) {
    let view = table.view_of(&[1, 2, 3, 4]).await;
    let seat = public(&view).turn_seat;
    let card = *playable(&view, seat).first().expect("a card that may be played");
    (seat, table.seat(seat).card_request(public(&view).revision, &text([&card])))
}

/// Plays so many cards, each the first that may be played.
pub async fn play_on(table: &Table, plays: usize) {
    for _ in 0..plays {
        let (seat, request) = next_play(table).await;
        table.seat(seat).client.play_card(request).await.expect("a legal play");
    }
}

/// Asserts that hands, stock, the running trick and the last one hold each card once at most, and that hands and stock
/// have the sizes that the view tells.
pub async fn assert_no_card_is_doubled(table: &Table) {
    let view = table.view_of(&[1, 2, 3, 4]).await;
    let hands: Vec<v1::Card> = (1..=4).flat_map(|seat| cards(&hand(&view, seat))).collect();
    let lying = game(&view).trick.iter().filter_map(|play| play.card);
    let taken = game(&view).last_trick.iter().flat_map(|trick| &trick.plays).filter_map(|play| play.card);
    let all: Vec<v1::Card> = hands.iter().copied().chain(lying).chain(taken).collect();
    let distinct: BTreeSet<String> = all.iter().map(|card| text([card])).collect();
    assert_eq!(distinct.len(), all.len(), "a card is in two places");
    let counted: i32 = game(&view).hand_counts.iter().sum();
    assert_eq!(usize::try_from(counted).unwrap(), hands.len());
}

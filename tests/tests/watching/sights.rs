//! What is compared here again and again.

pub(crate) use tests::moves::{after, ended};
use tests::v1::{self, event::Fact};
use tests::views::{facts, legal, public};
use tests::{Client, NewTable, Table, Watch, duration, reason, violations};

/// A match of two bots that goes on for long: a move every so many milliseconds.
pub(crate) fn two_bots(delay_ms: i32) -> NewTable {
    let timing = v1::Timing { bot_delay: Some(duration(delay_ms)), ..v1::Timing::default() };
    NewTable::two().with_bots(&[1, 2]).to(1_000).timed(timing)
}

/// A short match of four bots that act at once.
pub(crate) fn four_bots() -> NewTable {
    NewTable::classic().with_bots(&[1, 2, 3, 4]).to(2)
}

/// A view without the time that is left, which depends on when it was made.
pub(crate) fn timeless(view: &v1::TableView) -> v1::TableView {
    let mut view = view.clone();
    view.table.as_mut().expect("a table").remaining_duration = None;
    view
}

/// The whole history of a table that has ended, as the platform sees it.
pub(crate) async fn history(table: &Table) -> Vec<v1::Update> {
    table.history().await.until(ended).await
}

/// Watches a table with this client.
pub(crate) async fn watch(client: &Client, table: &Table, after_revision: Option<i64>) -> Watch {
    let name = table.name.clone();
    let request = v1::WatchTableRequest { name, after_revision, ..v1::WatchTableRequest::default() };
    client.watch_table(request).await.expect("a watch")
}

/// The request for the updates after a revision.
pub(crate) fn updates_after(table: &Table, after_revision: i64) -> v1::ListUpdatesRequest {
    let name = table.name.clone();
    v1::ListUpdatesRequest { name, after_revision, ..v1::ListUpdatesRequest::default() }
}

/// The seats whose own cards an update tells: dealt or drawn.
pub(crate) fn own_cards(update: &v1::Update) -> Vec<i32> {
    let mut seats = Vec::new();
    for fact in facts(update) {
        match fact {
            Fact::Dealt(dealt) => seats.extend(dealt.own.iter().map(|own| own.seat)),
            Fact::OwnCardsDrawn(drawn) => seats.push(drawn.seat),
            _ => {}
        }
    }
    seats
}

/// The seat that is to act in a view that shows its hand, and the first thing that it may do.
pub(crate) fn next_action(view: &v1::TableView) -> Option<(i32, String)> {
    let turn = public(view).turn_seat;
    legal(view, turn).into_iter().next().map(|word| (turn, word))
}

/// The fields that a refused request names.
pub(crate) fn fields(status: &tonic::Status) -> Vec<String> {
    assert_eq!(reason(status), "INVALID_FIELD", "{status:?}");
    violations(status).into_iter().map(|(field, _)| field).collect()
}

//! A person who plays against three bots that answer at once: a table as fast as he is.

use std::time::Duration;

use tests::views::legal;
use tests::{Client, NewTable, Table, v1};
use tokio::time::{MissedTickBehavior, interval};

/// A table without an end whose seat 1 has a person.
pub(crate) async fn against_bots(door: &Client) -> Table {
    NewTable::classic().with_bots(&[2, 3, 4]).to(0).start(door).await
}

/// What the person may do after an update.
pub(crate) fn persons_turn(update: &v1::Update) -> Option<String> {
    legal(update.after.as_ref().expect("the view after an update"), 1).into_iter().next()
}

/// The person plays, at most once in such a time, until it is over.
pub(crate) async fn play(table: &Table, pace: Duration, over: impl Fn(&v1::Update) -> bool) {
    let person = table.seat(1);
    let mut watch = person.watch_after(0, &[]).await;
    watch.heartbeat().await;
    let mut pace = interval(pace);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let update = watch.update().await;
        if over(&update) {
            return;
        }
        if let Some(word) = persons_turn(&update) {
            pace.tick().await;
            person.act_at(update.revision, &word).await.expect("a legal action");
        }
    }
}

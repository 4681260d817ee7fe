//! A clock that did wrong would be noticed: histories that never were are not taken for good ones.

use std::panic::catch_unwind;

use tests::timing::duration;
use tests::v1::{self, Actor};
use tests::{NewTable, Server};

use crate::course::{acted, after, ended};
use crate::whole_history::whole_history;

/// A history in which a clock went wrong, made from a good one: what is changed there is the fourth update.
type Wrong = (&'static str, fn(&mut Vec<v1::Update>));

const WRONG: [Wrong; 5] = [
    ("a timer that acted before its time", |history| {
        history[3].time.as_mut().expect("a time").seconds -= 1;
    }),
    ("a timer that acted twice", |history| {
        let mut again = history[3].clone();
        again.revision += 1;
        history.insert(4, again);
        for later in &mut history[5..] {
            later.revision += 1;
        }
    }),
    ("an update that is missing", |history| drop(history.remove(3))),
    ("somebody else's action", |history| history[3].set_actor(Actor::Player)),
    ("a table that does not go on", |history| history.truncate(4)),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_did_wrong_is_noticed() {
    let server = Server::memory().await;
    let timing = v1::Timing { bot_delay: Some(duration(50)), ..v1::Timing::default() };
    let table = NewTable::two().with_bots(&[1, 2]).to(0).timed(timing).create(&server.platform().await).await;
    table.history().await.until(|update| update.revision == 6).await;
    table.close().await;
    let history = whole_history(&table, &[]).await;
    server.stop().await;

    assert!(ended(after(history.last().expect("an end"))));
    assert_eq!(acted(&history).len(), history.len() - 2, "all but the creation and the end");
    for (what, wrong) in WRONG {
        let mut history = history.clone();
        wrong(&mut history);
        assert!(catch_unwind(|| acted(&history)).is_err(), "{what} was not noticed");
    }
}

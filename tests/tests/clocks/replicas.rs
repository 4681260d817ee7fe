//! Two replicas keep one time: each turn is missed once, whoever fires it, and whoever dies.

use futures_util::future::join_all;
use tests::v1::{self, Actor};
use tests::views::public;
use tests::{NewTable, Process, Redis, Table, duration, ms};

use crate::moves::{after, ended, misses, turn};

const TABLES: usize = 60;
const GRACE: i64 = 500;

/// A table whose players are silent to its end, which a few tricks bring.
async fn silent_table(door: &tests::Client) -> Table {
    let timing =
        v1::Timing { turn_timeout: Some(duration(200)), away_after: Some(0), ..v1::Timing::default() };
    let new = NewTable::classic().changed(|rules| rules.stop_at_points = Some(50)).to(1);
    new.timed(timing).start(door).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_turn_is_missed_once_though_a_replica_dies() {
    let redis = Redis::start();
    let (dying, living) = (Process::redis(&redis).await, Process::redis(&redis).await);
    let (a, b) = (dying.platform().await, living.platform().await);
    let tables = join_all((0..TABLES).map(|_| silent_table(&a))).await;
    let first = tables[0].at(&b);
    first.history().await.until(|update| misses(update) == [3]).await;
    dying.kill_9().await;

    for table in &tables {
        let updates = table.at(&b).history().await.until(ended).await;
        let started = updates.iter().position(|update| turn(update) > 0).expect("a match that starts");
        for pair in updates[started..].windows(2) {
            assert_eq!((pair[1].actor(), misses(&pair[1])), (Actor::Timeout, vec![turn(&pair[0])]));
            let until = tests::timing::deadline(after(&pair[0])).expect("a clock for every turn");
            assert!(ms(pair[1].time.as_ref()) >= until + GRACE, "a turn was missed before its time");
        }
        assert!(!public(after(updates.last().unwrap())).winner_seats.is_empty());
    }
    living.terminate().await;
}

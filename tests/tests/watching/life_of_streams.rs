//! A stream's own life, where nothing happens at its table. Time is stopped here, and runs when everybody waits for it.

use std::time::Duration;

use tests::v1::{self, watch_table_response::Payload};
use tests::watch_all::Said;
use tests::{NewTable, Server};
use tokio::time::Instant;

use crate::sights::{history, watch};

/// A heartbeat comes every 15 s, give or take a tenth; some milliseconds more for the way.
const HEARTBEAT: [Duration; 2] = [Duration::from_millis(13_499), Duration::from_millis(16_600)];
/// A stream lives for half an hour, give or take a tenth.
const LIFE: [Duration; 2] = [Duration::from_secs(27 * 60 - 1), Duration::from_secs(33 * 60 + 1)];

/// Runs a test whose time is stopped.
fn in_stopped_time(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.expect("a runtime").block_on(test);
}

fn within(time: Duration, [least, most]: [Duration; 2]) {
    assert!(least <= time && time <= most, "{time:?} is not from {least:?} to {most:?}");
}

#[test]
fn a_quiet_watch_is_heard_every_fifteen_seconds_and_ends_as_planned_after_half_an_hour() {
    in_stopped_time(async {
        let server = Server::memory().await;
        let table = NewTable::two().start(&server.platform().await).await;
        let mut watch = table.seat(1).watch().await;
        watch.snapshot().await;
        let began = Instant::now();
        let (mut heard, mut heartbeats) = (began, 0);
        let end = loop {
            match watch.next().await.payload {
                Some(Payload::Heartbeat(_)) => {
                    within(heard.elapsed(), HEARTBEAT);
                    (heard, heartbeats) = (Instant::now(), heartbeats + 1);
                }
                Some(Payload::PlannedEnd(end)) => break end,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(end.reason(), v1::PlannedEndReason::Lifetime);
        within(began.elapsed(), LIFE);
        assert!((95..=150).contains(&heartbeats), "{heartbeats} heartbeats");
        assert_eq!(watch.try_next().await.expect("status OK"), None);
        server.stop().await;
    });
}

#[test]
fn a_watch_over_all_tables_has_one_heartbeat_for_all_of_them_and_the_same_life() {
    in_stopped_time(async {
        let server = Server::memory().await;
        let platform = server.platform().await;
        for _ in 0..20 {
            NewTable::two().start(&platform).await;
        }
        let mut watch = platform.watch_tables(v1::WatchTablesRequest::default()).await.unwrap();
        let began = Instant::now();
        let (mut tables, mut heartbeats) = (0, 0);
        let end = loop {
            match watch.next().await {
                Said::Of(_, message) => {
                    assert!(matches!(message.payload, Some(Payload::Snapshot(_))), "{message:?}");
                    tables += 1;
                }
                Said::Stream(Payload::Heartbeat(_)) => heartbeats += 1,
                Said::Stream(Payload::PlannedEnd(end)) => break end,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!((tables, end.reason()), (20, v1::PlannedEndReason::Lifetime));
        within(began.elapsed(), LIFE);
        assert!((95..=150).contains(&heartbeats), "{heartbeats} heartbeats");
        assert_eq!(watch.try_next().await.expect("status OK"), None);
        server.stop().await;
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_far_behind_is_told_of_a_drain_before_he_has_caught_up() {
    let server = Server::memory().await;
    let platform = server.platform().await;
    // Two bots go on until the table is full: megabytes of updates, of which the transport takes some.
    let table = NewTable::two().with_bots(&[1, 2]).to(0).create(&platform).await;
    let whole = history(&table).await.len();
    let mut behind = watch(&server.platform().await, &table, Some(0)).await;
    behind.heartbeat().await;
    let stopping = tokio::spawn(server.stop());
    let asking = v1::WatchTableRequest { name: table.name.clone(), ..v1::WatchTableRequest::default() };
    while platform.watch_table(asking.clone()).await.is_ok() {}
    let (messages, status) = behind.rest().await;
    assert!(status.is_none(), "the watch broke off: {status:?}");
    let end = messages.last().and_then(|last| last.payload.as_ref());
    assert!(matches!(end, Some(Payload::PlannedEnd(end)) if end.reason() == v1::PlannedEndReason::Draining));
    assert!(messages.len() < whole, "{} of {whole}", messages.len());
    stopping.await.unwrap();
}

//! SIGTERM: every watcher is told, everything ends in time.

use std::time::Duration;

use futures_util::future::join_all;
use tests::views::public;
use tests::{Client, Process, Redis, Watch, reason, v1, within};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::deals::deal;

async fn health_watch(client: &Client) -> tonic::Streaming<tonic_health::pb::HealthCheckResponse> {
    let request = HealthCheckRequest { service: String::new() };
    HealthClient::new(client.channel()).watch(request).await.expect("a health watch").into_inner()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_with_watchers_and_a_silent_connection_says_goodbye_and_exits_in_time() {
    let drain = ["--drain-delay", "200ms", "--drain-spread", "500ms", "--drain-grace", "1s"];
    let mut process = Process::start(&[["--allow-scripted"].as_slice(), &drain].concat()).await;
    let table = deal().start(&process.platform().await).await;
    let mut watches: Vec<Watch> = Vec::new();
    for seat in &table.seats {
        for _ in 0..4 {
            watches.push(seat.at(&process.platform().await).watch().await);
        }
    }
    for watch in &mut watches {
        watch.snapshot().await;
    }
    let silent = TcpStream::connect(process.address()).await.unwrap();

    let told = Instant::now();
    process.sigterm();
    for reason in join_all(watches.into_iter().map(Watch::planned_end)).await {
        assert_eq!(reason, v1::PlannedEndReason::Draining);
    }
    let status = process.ended().await;
    assert_eq!(status.code(), Some(0), "{:#?}", process.output());
    assert!(
        told.elapsed() < Duration::from_secs(4),
        "delay, spread and grace are 1.7 s: {:?}",
        told.elapsed()
    );
    drop(silent);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_draining_process_says_not_serving_first_and_still_takes_cards() {
    let drain = ["--drain-delay", "2s", "--drain-spread", "100ms", "--drain-grace", "1s"];
    let process = Process::start(&[["--allow-scripted"].as_slice(), &drain].concat()).await;
    let platform = process.platform().await;
    let table = deal().start(&platform).await;
    let mut watch = table.seat(2).watch().await;
    watch.snapshot().await;
    let mut health = health_watch(&platform).await;
    let first = within("health", health.message()).await.unwrap().unwrap();
    assert_eq!(first.status(), ServingStatus::Serving);

    let told = Instant::now();
    process.sigterm();
    let next = within("NOT_SERVING", health.message()).await.unwrap().unwrap();
    assert_eq!(next.status(), ServingStatus::NotServing);
    let played = table.play(&["1:8h"]).await;
    assert_eq!(watch.update().await.revision, played.revision);
    assert_eq!(watch.planned_end().await, v1::PlannedEndReason::Draining);
    assert!(told.elapsed() >= Duration::from_secs(2), "watches end after the delay");
    drop((health, table, platform));
    process.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_of_a_drained_process_goes_on_at_the_other_one() {
    let redis = Redis::start();
    let (leaving, staying) = (Process::redis(&redis).await, Process::redis(&redis).await);
    let table = deal().start(&staying.platform().await).await;
    let seat = table.seat(2).at(&leaving.platform().await);
    let mut watch = seat.watch().await;
    watch.snapshot().await;
    table.play(&["1:8h"]).await;
    let seen = watch.next().await;
    leaving.sigterm();
    assert_eq!(watch.planned_end().await, v1::PlannedEndReason::Draining);
    table.play(&["2:10c"]).await;
    let mut resumed = table.seat(2).watch_after(seen.revision, &seen.history).await;
    resumed.heartbeat().await;
    assert_eq!(resumed.update().await.revision, seen.revision + 1);
    drop(seat);
    leaving.terminate().await;
    staying.terminate().await;
}

/// A process that lost its store still goes away when it is told to.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_without_its_store_still_drains() {
    let mut redis = Redis::start();
    let process = Process::redis(&redis).await;
    let table = deal().start(&process.platform().await).await;
    let mut watch = table.seat(1).watch().await;
    let before = public(&watch.snapshot().await).revision;
    redis.kill();
    let failed = table.seat(1).play_at(before, "8h").await.unwrap_err();
    assert_eq!((failed.code(), reason(&failed).as_str()), (Code::Unavailable, "STORE_UNAVAILABLE"));
    process.sigterm();
    assert_eq!(watch.planned_end().await, v1::PlannedEndReason::Draining);
    drop(table);
    process.terminate().await;
}

//! Bounds of a replica: watches of one seat, calls in flight, and its end.

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use prost::Message as _;
use tests::raw::framed;
use tests::v1::{self, ErrorReason as Reason};
use tests::{NewTable, Redis, Server, Table, World, reason, wait::PATIENCE, within};
use tonic::Status;

use crate::law::{refused, refused_at};

/// Watches that one seat may have on one replica.
const WATCHES: usize = 4;
/// Calls that one replica takes on at a time.
const CALLS: usize = 4_096;

fn watch_of(table: &Table) -> v1::WatchTableRequest {
    v1::WatchTableRequest { name: table.name.clone(), ..v1::WatchTableRequest::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_with_too_many_watches() {
    let world = World::memory().await;
    let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(world.a()).await;
    let (seat, elsewhere) = (table.seat(1), table.at(world.b()));
    let mut watches = Vec::new();
    for door in [seat, elsewhere.seat(1), seat, elsewhere.seat(1)] {
        let mut watch = door.watch().await;
        watch.snapshot().await;
        watches.push(watch);
    }
    assert_eq!(watches.len(), WATCHES);
    for door in [seat, elsewhere.seat(1)] {
        refused_at(&table, Reason::QuotaExceeded, door.client.watch_table(watch_of(&table))).await;
    }
    table.seat(2).watch().await.snapshot().await;
    world.a().watch_table(watch_of(&table)).await.expect("the platform's watch").snapshot().await;
    table.spectator().await.watch_table(watch_of(&table)).await.expect("a spectator's").snapshot().await;

    let played = table.play(&["1:7c"]).await;
    for watch in &mut watches {
        assert_eq!(watch.update().await.revision, played.revision, "those that are open live on");
    }
    // One is given back; the replica notices when the connection tells it.
    drop(watches.pop());
    let again = within("the place of a watch that ended", async {
        loop {
            match seat.client.watch_table(watch_of(&table)).await {
                Ok(watch) => return watch,
                Err(status) => assert_eq!(reason(&status), "QUOTA_EXCEEDED"),
            }
        }
    });
    again.await.snapshot().await;
    drop(watches);
    world.stop().await;
}

fn is<T>(answer: &Result<T, Status>, why: &str) -> bool {
    answer.as_ref().is_err_and(|status| reason(status) == why)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_with_too_many_calls() {
    let redis = Redis::start();
    let server = Server::redis(&redis).await;
    let doors = [server.platform().await, server.platform().await];
    let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(&doors[0]).await;
    let revision = table.revision().await;

    redis.freeze();
    let seats = doors.each_ref().map(|door| table.at(door).seat(1).clone());
    let mut calls: FuturesUnordered<_> =
        (0..=CALLS).map(|n| seats[n % 2].play_at(revision, ["7c", "8c", "9c", "Jc"][n % 4])).collect();
    let mut answers = Vec::new();
    while !answers.last().is_some_and(|answer| is(answer, "OVERLOADED")) {
        answers.push(calls.next().await.expect("a call that is one too many"));
    }
    redis.thaw();
    answers.extend(calls.collect::<Vec<_>>().await);
    // Of the others one card was played, and the rest was decided on the view before it, or took too long.
    assert!(answers.iter().filter(|answer| answer.is_ok()).count() <= 1);
    for answer in answers.into_iter().filter(Result::is_err) {
        let why = [Reason::Overloaded, Reason::StaleRevision, Reason::StoreUnavailable, Reason::Deadline];
        let why = why.into_iter().find(|why| is(&answer, why.as_str_name().trim_start_matches("ERROR_REASON_")));
        refused(answer, why.expect("one of these reasons"));
    }
    assert_eq!(table.revision().await, revision + 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_goes_away() {
    let mut config = Server::config(None);
    config.plan.grace = PATIENCE;
    let server = Server::start(config).await;
    let client = server.platform().await;
    let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(&client).await;
    let open = table.seat(1).watch().await;
    let play = table.seat(1).card_request(table.revision().await, "7c");

    // Their headers are there before the end begins, for the answer to a later call is; their messages come after.
    let late_watch = client.hold("/sedma.v1.TableService/WatchTable").await;
    let late_play = table.seat(1).client.hold("/sedma.v1.TrickService/PlayCard").await;
    table.view().await;
    let stopping = tokio::spawn(server.stop());
    assert_eq!(open.planned_end().await, v1::PlannedEndReason::Draining);

    refused(late_watch.complete(framed(&watch_of(&table).encode_to_vec())).await, Reason::Draining);
    late_play.complete(framed(&play.encode_to_vec())).await.expect("an action that had come before");
    within("the server's end", stopping).await.expect("a server that ends");
}

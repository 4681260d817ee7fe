//! Bounds of a replica: watches of one seat, calls in flight, and its end.

use futures_util::future::select_all;
use prost::Message as _;
use tests::raw::framed;
use tests::v1::{self, ErrorReason as Reason};
use tests::{NewTable, Server, Table, World, reason, wait::PATIENCE, within};

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_with_too_many_calls() {
    let world = World::memory().await;
    let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(world.a()).await;
    let play = table.seat(1).card_request(table.revision().await, "7c");
    let mut held = Vec::new();
    for n in 0..=CALLS {
        held.push(world.door(n).hold("/sedma.v1.TableService/GetTable").await);
    }
    let (first, ..) = select_all(held.iter_mut().map(|call| Box::pin(call.answered()))).await;
    refused(first, Reason::Overloaded);
    let seat = table.at(world.b()).seat(1).client.clone();
    refused(seat.play_card(play.clone()).await, Reason::Overloaded);

    drop(held);
    let played = within("an answer to the same request", async {
        loop {
            match seat.play_card(play.clone()).await {
                Ok(played) => return played,
                Err(status) => assert_eq!(reason(&status), "OVERLOADED"),
            }
        }
    });
    assert_eq!(
        (played.await.revision, table.revision().await),
        (play.expected_revision + 1, play.expected_revision + 1)
    );
    world.stop().await;
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

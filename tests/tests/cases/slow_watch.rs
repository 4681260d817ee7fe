//! A watcher who does not read while a great deal happens.

use futures_util::future::join_all;
use prost::Message as _;
use tests::{Client, NewTable, Table, Watch, Way, Wire, World, narrow, request_id, v1};
use v1::watch_table_response::Payload;

use crate::plays::in_a_crowd;
use crate::scale::{of, tell};

/// Of the bytes of what happened, the part that may have gone to who does not read: one in so many.
const PART: u64 = 4;

fn from_the_start(table: &Table) -> v1::WatchTableRequest {
    v1::WatchTableRequest {
        name: table.name.clone(),
        after_revision: Some(0),
        ..v1::WatchTableRequest::default()
    }
}

/// Spectators on both replicas who read on.
async fn readers(table: &Table, world: &World) -> Vec<Watch> {
    let mut readers = Vec::new();
    for n in 0..4 {
        let spectator: Client = table.at(world.door(n)).spectator().await;
        let mut watch = spectator.watch_table(from_the_start(table)).await.expect("a watch");
        watch.heartbeat().await;
        readers.push(watch);
    }
    readers
}

/// A watcher who fell behind was told that the stream had ended, as if all were well.
/// <https://github.com/jito-labs/shredstream-proxy/pull/68>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e01_a_watcher_who_does_not_read_gets_every_update_when_he_reads_on() {
    let world = World::redis().await;
    let server = world.servers()[0].address();
    let wire = Wire::to(server).await;
    let new = NewTable::classic().with_bots(&[1, 2, 3, 4]).to(0).starting(v1::StartPolicy::Manual);
    let table = new.create(world.a()).await;
    let issued = world.a().issue_watch_token(v1::IssueWatchTokenRequest { name: table.name.clone() }).await;
    let token = issued.unwrap().watch_token.unwrap().token;
    let mut slow = Watch::narrow(wire.address(), &token, from_the_start(&table)).await;
    slow.heartbeat().await;
    let mut readers = readers(&table, &world).await;

    // Bots play on without a pause, and everybody but one reads.
    let updates: i64 = of(500, 3_000);
    let start = v1::StartTableRequest { name: table.name.clone(), request_id: request_id() };
    world.a().start_table(start).await.expect("a table of bots");
    let mut told = join_all(readers.iter_mut().map(|reader| reader.updates_to(updates))).await;
    let pause = table.pause_request();
    in_a_crowd(async || world.a().pause_table(pause.clone()).await).await.expect("a paused table");
    let last = table.revision().await;
    for (reader, told) in readers.iter_mut().zip(&mut told) {
        if told.last().unwrap().revision < last {
            told.extend(reader.updates_to(last).await);
        }
    }
    let told: Vec<v1::Update> = told.swap_remove(0);
    let bytes: usize = told.iter().map(v1::Update::encoded_len).sum();
    let sent = wire.passed(Way::ToClient);
    assert!(
        sent * PART < u64::try_from(bytes).unwrap(),
        "{sent} bytes of {bytes} went to who does not read, for {} that he takes in",
        narrow::WINDOW
    );

    // He reads on: every update in order, and the same as everybody else's; then he is where the table is.
    for update in &told {
        let message = slow.next().await;
        let Some(Payload::Update(own)) = message.payload else { panic!("no update but {message:?}") };
        assert!(own == *update, "revision {}, where {} was to come", own.revision, update.revision);
    }
    table.platform.close_table(closing(&table)).await.expect("a closed table");
    assert_eq!(slow.update().await.revision, last + 1);
    let (rest, status) = slow.rest().await;
    assert!(
        status.is_none()
            && matches!(rest[..], [v1::WatchTableResponse { payload: Some(Payload::End(_)), .. }])
    );
    tell("E01", &format!("{last} updates, {bytes} bytes, of which {sent} had gone to who did not read"));
    drop(readers);
    world.stop().await;
}

fn closing(table: &Table) -> v1::CloseTableRequest {
    let name = table.name.clone();
    v1::CloseTableRequest { name, request_id: request_id(), ..v1::CloseTableRequest::default() }
}

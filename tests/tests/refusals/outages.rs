//! What the store does to calls: it is gone, it is silent, it holds what cannot be read.

use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;

use tests::v1::{self, ErrorReason as Reason};
use tests::views::public;
use tests::{Client, NewTable, Redis, Server, World, metadata, once_the_store_is_back};
use tokio::runtime::Builder;

use crate::calls::every_call;
use crate::law::refused;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_gone_and_comes_back() {
    let mut redis = Redis::start_durable();
    let server = Server::redis(&redis).await;
    let client = server.platform().await;
    let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(&client).await;
    let before = table.view_of(&[1, 2]).await;
    let revision = public(&before).revision;
    let mut watch = table.seat(2).watch().await;
    watch.snapshot().await;

    redis.kill();
    let play = table.seat(1).card_request(revision, "7c");
    refused(table.seat(1).client.play_card(play.clone()).await, Reason::StoreUnavailable);
    let get = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
    refused(client.get_table(get.clone()).await, Reason::StoreUnavailable);
    let again = v1::WatchTableRequest { name: table.name.clone(), ..v1::WatchTableRequest::default() };
    refused(client.watch_table(again).await, Reason::StoreUnavailable);
    refused(client.create_table(NewTable::two().request).await, Reason::StoreUnavailable);
    refused(client.list_tables(v1::ListTablesRequest::default()).await, Reason::StoreUnavailable);
    client.list_presets(v1::ListPresetsRequest {}).await.expect("what needs no store goes on");

    redis.launch();
    once_the_store_is_back(async || client.get_table(get.clone()).await).await;
    assert_eq!(table.view_of(&[1, 2]).await, before, "what was refused did not happen");
    let played = once_the_store_is_back(async || table.seat(1).client.play_card(play.clone()).await).await;
    assert_eq!((played.revision, played.replayed), (revision + 1, false));
    assert_eq!(watch.update().await.revision, revision + 1, "the watch lived through it");
    server.stop().await;
}

/// Lets a client call whose own clock stands still: what ends its call by the deadline is the server.
async fn while_its_own_clock_stands<T: Send + 'static>(
    address: SocketAddr,
    call: impl AsyncFnOnce(Client) -> T + Send + 'static,
) -> T {
    let client_side = move || {
        let runtime =
            Builder::new_current_thread().enable_all().start_paused(true).build().expect("a runtime");
        let (over, wait) = mpsc::channel::<()>();
        // While somebody is at work the clock is not put forward to the next timer.
        runtime.spawn_blocking(move || wait.recv());
        let answer = runtime.block_on(async { call(Client::connect(address).await).await });
        drop(over);
        answer
    };
    tokio::task::spawn_blocking(client_side).await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_silent_until_the_callers_deadline() {
    let redis = Redis::start();
    let server = Server::redis(&redis).await;
    let client = server.platform().await;
    let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(&client).await;
    let revision = table.revision().await;
    let play = table.seat(1).card_request(revision, "7c");

    redis.freeze();
    let (token, hasty) = (table.seat(1).token.clone(), play.clone());
    let answer = while_its_own_clock_stands(server.address(), async move |client| {
        client.with_token(&token).with_deadline(Duration::from_millis(800)).play_card(hasty).await
    });
    let status = refused(answer.await, Reason::Deadline);
    assert!(status.message().contains("request_id"), "{status:?}");
    redis.thaw();
    let played = once_the_store_is_back(async || table.seat(1).client.play_card(play.clone()).await).await;
    assert_eq!(played.revision, revision + 1, "the repeat finds out, and it happened once");
    assert_eq!(table.revision().await, revision + 1);
    server.stop().await;
}

/// A watch needs no deadline; where it has one it ends by it, and says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_with_a_deadline() {
    let world = World::memory().await;
    let table = NewTable::two().start(world.a()).await;
    let request = v1::WatchTableRequest { name: table.name.clone(), ..v1::WatchTableRequest::default() };
    let hasty = table.seat(1).client.with_deadline(Duration::from_millis(500));
    let mut watch = hasty.watch_table(request).await.expect("a watch");
    watch.snapshot().await;
    let (messages, status) = watch.rest().await;
    assert_eq!(messages, []);
    refused(Err::<(), _>(status.expect("a status that is not OK")), Reason::Deadline);
    world.stop().await;
}

/// The byte of a stored table that says which release wrote it.
const SCHEMA: &str = "24";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_of_a_newer_release() {
    let world = World::redis().await;
    let table = NewTable::two().start(world.a()).await;
    let other = NewTable::two().start(world.a()).await;
    let redis = world.its_redis();
    let [key, _log] = table.state_and_log(redis);
    let was = redis.ask(&["GETRANGE", &key, SCHEMA, SCHEMA]);
    redis.ask(&["SETRANGE", &key, SCHEMA, "c"]);
    let blob = redis.ask(&["GET", &key]);
    for called in every_call(world.b(), &table.name, 1).await {
        println!("{}", called.method);
        refused(called.answer, Reason::SchemaAhead);
    }
    assert_eq!(redis.ask(&["GET", &key]), blob, "what can't be read is not written");
    other.at(world.b()).seat(1).leave().await.expect("another table is as good as before");
    redis.ask(&["SETRANGE", &key, SCHEMA, &was]);
    table.at(world.b()).seat(1).leave().await.expect("a table that can be read again");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_is_damaged() {
    let world = World::redis().await;
    let table = NewTable::two().start(world.a()).await;
    let other = NewTable::two().start(world.a()).await;
    let [key, _log] = table.state_and_log(world.its_redis());
    world.its_redis().ask(&["SETRANGE", &key, "25", "zzzzzzzz"]);
    let get = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
    let (once, twice) = (world.b().get_table(get.clone()).await, world.b().get_table(get).await);
    let incidents = [once, twice].map(|answer| {
        let metadata = metadata(&refused(answer, Reason::Invariant));
        assert_eq!(metadata.len(), 1, "an incident's id and nothing else: {metadata:?}");
        metadata.get("incidentId").expect("an incident's id").clone()
    });
    assert_ne!(incidents[0], incidents[1], "each has its own");
    other.at(world.b()).seat(1).leave().await.expect("another table is as good as before");
    world.stop().await;
}

//! A drain with many open watches: each is told, and the server ends within its deadline.

use std::time::Duration;

use tests::v1::watch_table_response::Payload;
use tests::{Client, NewTable, Server};
use tokio::task::JoinSet;
use tokio::time::Instant;

const WATCHES: usize = 2_000;
const TABLES: usize = 500;
const CONNECTIONS: usize = 10;
const SPREAD: Duration = Duration::from_secs(2);

pub(crate) async fn run() {
    let mut config = Server::config(None);
    config.plan.spread = SPREAD;
    config.plan.grace = Duration::from_secs(20);
    let server = Server::start(config).await;
    let mut doors: Vec<Client> = Vec::new();
    for _ in 0..CONNECTIONS {
        doors.push(server.platform().await);
    }
    let mut tables = Vec::new();
    for n in 0..TABLES {
        tables.push(NewTable::two().start(&doors[n % CONNECTIONS]).await);
    }
    let mut watches = JoinSet::new();
    for n in 0..WATCHES {
        let request = tests::v1::WatchTableRequest {
            name: tables[n % TABLES].name.clone(),
            ..tests::v1::WatchTableRequest::default()
        };
        let mut service =
            tests::v1::table_service_client::TableServiceClient::new(doors[n % CONNECTIONS].channel());
        let mut watch = service.watch_table(request).await.unwrap().into_inner();
        watch.message().await.unwrap().expect("a snapshot");
        watches.spawn(async move {
            let last = watch.message().await.unwrap().expect("a last message");
            assert!(matches!(last.payload, Some(Payload::PlannedEnd(_))));
            assert!(watch.message().await.unwrap().is_none(), "and then status OK");
        });
    }
    drop(doors);
    let begun = Instant::now();
    let stopped = tokio::spawn(server.stop());
    let mut told = 0;
    while let Some(ended) = watches.join_next().await {
        ended.unwrap();
        told += 1;
    }
    drop(tables);
    stopped.await.unwrap();
    println!(
        "drain with {WATCHES} open watches: {told} were told PlannedEnd and closed OK; ended after {:.1?} (spread {SPREAD:?})",
        begun.elapsed()
    );
}

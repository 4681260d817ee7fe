//! Groups of consumers: who is told what, and when again.

use std::collections::BTreeSet;

use tests::known_deal::deal;
use tests::v1::stream_results_response::Payload;
use tests::v1::{self, PlannedEndReason};
use tests::{Consumer, Process, Redis, Table, World, on_each_store};

async fn closed(world: &World, count: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for _ in 0..count {
        let table: Table = deal().create(world.a()).await;
        table.close().await;
        names.insert(table.name);
    }
    names
}

on_each_store! {
    async fn a_consumer_that_goes_between_reading_and_acknowledging_leaves_the_result_to_another(world: &World) {
        closed(world, 1).await;
        let mut first = Consumer::of(world.a(), "books", 1).await;
        let read = first.next().await;
        drop(first);
        let mut second = Consumer::of(world.b(), "books", 1).await;
        assert_eq!(second.next().await, read, "told again, the same to the last field");
        assert!(second.acknowledge(&read).await);
    }

    async fn two_consumers_of_one_group_share_its_results(world: &World) {
        let mut left = Consumer::of(world.a(), "books", 60).await;
        let mut right = Consumer::of(world.b(), "books", 60).await;
        let names = closed(world, 40).await;
        let mut told = Vec::new();
        while told.len() < names.len() {
            let result = tokio::select! { result = left.next() => result, result = right.next() => result };
            assert!(left.acknowledge(&result).await, "by either");
            told.push(result.table);
        }
        assert_eq!(told.into_iter().collect::<BTreeSet<_>>(), names, "each once");
    }

    async fn each_group_is_told_each_result(world: &World) {
        let names = closed(world, 5).await;
        for group in ["books", "ratings"] {
            let mut consumer = Consumer::of(world.b(), group, 60).await;
            let mut told = BTreeSet::new();
            for _ in 0..names.len() {
                let result = consumer.next().await;
                told.insert(result.table.clone());
                // `books` is done with all before `ratings` is known; half of them it leaves.
                if group == "ratings" || told.len() > 5 {
                    assert!(consumer.acknowledge(&result).await);
                }
            }
            assert_eq!(told, names);
        }
    }

    async fn results_are_told_as_they_come(world: &World) {
        let mut books = Consumer::of(world.a(), "books", 60).await;
        for _ in 0..3 {
            let names = closed(world, 1).await;
            assert!(names.contains(&books.next().await.table));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_consumer_that_is_killed_at_one_replica_gets_its_results_at_another() {
    let redis = Redis::start();
    let (one, other) = (Process::redis(&redis).await, Process::redis(&redis).await);
    let table = deal().create(&one.platform().await).await;
    table.close().await;
    let mut books = Consumer::of(&one.platform().await, "books", 1).await;
    let read = books.next().await;
    one.kill_9().await;
    let mut again = Consumer::of(&other.platform().await, "books", 1).await;
    assert_eq!(again.next().await, read);
    assert!(again.acknowledge(&read).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_goes_away_ends_the_stream_as_planned() {
    let process = Process::memory().await;
    let mut books = Consumer::of(&process.platform().await, "books", 60).await;
    process.sigterm();
    let end = books.message().await.expect("a planned end");
    let planned = v1::PlannedEnd { reason: PlannedEndReason::Draining.into() };
    assert_eq!(end, Some(Payload::PlannedEnd(planned)));
    assert_eq!(books.message().await.expect("an end"), None);
}

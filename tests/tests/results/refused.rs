//! What a consumer can't ask.

use tests::again::while_refused_as;
use tests::known_deal::deal;
use tests::v1;
use tests::{Consumer, World, duration, on_each_store, reason, says_when_to_retry, violations, within};

fn stream(group: &str) -> v1::StreamResultsRequest {
    v1::StreamResultsRequest { group: group.to_owned(), redelivery: None }
}

fn acknowledge(group: &str, ids: &[String]) -> v1::AckResultsRequest {
    v1::AckResultsRequest { group: group.to_owned(), result_ids: ids.to_vec() }
}

fn named(refused: &tonic::Status) -> Vec<String> {
    violations(refused).into_iter().map(|(field, _)| field).collect()
}

on_each_store! {
    async fn a_group_has_a_name(world: &World) {
        let long = "x".repeat(33);
        for name in ["", "Books", "a b", "ä", long.as_str()] {
            let refused = world.a().stream_results(stream(name)).await.unwrap_err();
            assert_eq!(named(&refused), ["group"], "{name:?}");
            let refused = world.a().ack_results(acknowledge(name, &["x".to_owned()])).await.unwrap_err();
            assert_eq!(named(&refused), ["group"], "{name:?}");
        }
    }

    async fn results_are_told_again_within_bounds(world: &World) {
        for ms in [0, 999, 3_600_001] {
            let request = v1::StreamResultsRequest { redelivery: Some(duration(ms)), ..stream("books") };
            let refused = world.a().stream_results(request).await.unwrap_err();
            assert_eq!(named(&refused), ["redelivery"], "{ms} ms");
        }
    }

    async fn an_acknowledgement_names_results(world: &World) {
        let table = deal().create(world.a()).await;
        table.close().await;
        let mut books = Consumer::of(world.a(), "books", 60).await;
        let id = books.next().await.result_id;
        let many = vec![id.clone(); 129];
        for ids in [&[][..], &many] {
            let refused = world.a().ack_results(acknowledge("books", ids)).await.unwrap_err();
            assert_eq!(named(&refused), ["result_ids"]);
        }
        for other in [table.name.clone(), String::new(), id.to_uppercase(), format!("{id}0")] {
            let refused = world.a().ack_results(acknowledge("books", &[id.clone(), other])).await.unwrap_err();
            assert_eq!(named(&refused), ["result_ids[1]"]);
        }
        let answer = world.a().ack_results(acknowledge("others", std::slice::from_ref(&id))).await.unwrap();
        assert_eq!(answer.acknowledged_ids, Vec::<String>::new(), "that group was never told of it");
        let answer = world.b().ack_results(acknowledge("books", std::slice::from_ref(&id))).await.unwrap();
        assert_eq!(answer.acknowledged_ids, [id]);
    }

    async fn as_many_results_are_acknowledged_at_once_as_fit_a_request(world: &World) {
        let table = deal().create(world.a()).await;
        let longest = |number: u64| format!("{}/results/{}-{number:016x}", table.name, i64::MAX);
        let ids: Vec<String> = (0..128).map(longest).collect();
        let answer = world.a().ack_results(acknowledge(&"x".repeat(32), &ids)).await.expect("it fits");
        assert_eq!(answer.acknowledged_ids, Vec::<String>::new(), "there are no such results");
    }

    async fn only_a_platform_has_results(world: &World) {
        let table = deal().create(world.a()).await;
        for client in [table.seat(1).client.clone(), table.seat(3).client.clone()] {
            let refused = client.stream_results(stream("books")).await.unwrap_err();
            assert_eq!(reason(&refused), "PLATFORM_ONLY");
            let refused = client.ack_results(acknowledge("books", &["x".to_owned()])).await.unwrap_err();
            assert_eq!(reason(&refused), "PLATFORM_ONLY");
        }
    }

    async fn a_platform_has_eight_groups(world: &World) {
        for number in 1..=8 {
            drop(Consumer::of(world.a(), &format!("group-{number}"), 60).await);
        }
        let refused = world.b().stream_results(stream("group-9")).await.unwrap_err();
        assert_eq!(reason(&refused), "QUOTA_EXCEEDED");
        assert!(!says_when_to_retry(&refused), "it may take 7 days");
        drop(Consumer::of(world.b(), "group-8", 60).await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_platform_has_so_many_streams_at_a_replica() {
    let world = World::redis().await;
    let info = world.a().get_server_info(v1::GetServerInfoRequest::default()).await.unwrap();
    let bound = info.limits.unwrap().result_streams;
    assert_eq!(bound, 32);
    let mut consumers = Vec::new();
    for number in 0..bound {
        consumers.push(Consumer::of(world.a(), &format!("group-{}", number % 3), 60).await);
    }
    let refused = world.a().stream_results(stream("group-0")).await.unwrap_err();
    assert_eq!(reason(&refused), "QUOTA_EXCEEDED");
    assert!(says_when_to_retry(&refused));
    drop(Consumer::of(world.b(), "group-0", 60).await);
    // One is given back; the replica notices when the connection tells it.
    drop(consumers.pop());
    let again =
        while_refused_as("QUOTA_EXCEEDED", async || world.a().stream_results(stream("group-0")).await);
    drop(within("the place of a stream that ended", again).await);
    drop(consumers);
    world.stop().await;
}

//! How watches end: never without saying why.

use std::time::Duration;

use tests::views::public;
use tests::{World, on_each_store, reason, request_id, says_when_to_retry, v1};
use tokio::time::Instant;
use tonic::Code;
use v1::watch_table_response::Payload;

use crate::deals::{PLAYS, TRICK, deal, play_on};

on_each_store! {
    async fn a_revoked_seats_watches_end_and_its_token_with_them(world: &World) {
        let table = deal().start(world.a()).await;
        let mut watches = vec![table.seat(2).watch().await, table.seat(2).at(world.b()).watch().await];
        let mut bystander = table.seat(3).at(world.b()).watch().await;
        for watch in watches.iter_mut().chain([&mut bystander]) {
            watch.snapshot().await;
        }
        let revoked = table.revoke(2).await;
        for watch in watches {
            assert_eq!(watch.planned_end().await, v1::PlannedEndReason::Token);
        }
        assert_eq!(bystander.update().await.revision, revoked.revision);
        for door in [world.a(), world.b()] {
            let old = table.seat(2).at(door);
            let watching = v1::WatchTableRequest { name: table.name.clone(), ..v1::WatchTableRequest::default() };
            let reading = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
            let refused = [
                old.client.watch_table(watching).await.unwrap_err(),
                old.client.get_table(reading).await.unwrap_err(),
                old.join().await.unwrap_err(),
            ];
            for status in refused {
                assert_eq!((status.code(), reason(&status).as_str()), (Code::Unauthenticated, "TOKEN_INVALID"));
            }
        }
    }

    async fn a_seat_that_was_given_back_is_watched_no_more(world: &World) {
        let table = deal().start(world.a()).await;
        let mut watch = table.seat(2).at(world.b()).watch().await;
        watch.snapshot().await;
        table.seat(2).leave().await.unwrap();
        assert_eq!(watch.planned_end().await, v1::PlannedEndReason::Token);
    }

    async fn a_new_token_goes_on_where_the_old_ones_watch_ended(world: &World) {
        let table = deal().start(world.a()).await;
        let mut watch = table.seat(2).at(world.b()).watch().await;
        let seen = watch.next().await;
        let revoked = table.revoke(2).await;
        assert_eq!(watch.planned_end().await, v1::PlannedEndReason::Token);
        let seat = table.issue(2).await.at(world.b());
        let mut resumed = seat.watch_after(seen.revision, &seen.history).await;
        resumed.heartbeat().await;
        assert_eq!(resumed.update().await.revision, revoked.revision);
        table.play(&["1:8h"]).await;
        assert_eq!(resumed.update().await.revision, revoked.revision + 1);
    }

    async fn a_new_token_sees_the_history_from_before_it_was_made(world: &World) {
        let table = deal().start(world.a()).await;
        table.play(&TRICK).await;
        let revoked = table.revoke(2).await;
        let seat = table.issue(2).await.at(world.b());
        let mut watch = seat.watch_after(0, &[]).await;
        watch.heartbeat().await;
        assert_eq!(i64::try_from(watch.updates_to(revoked.revision).await.len()).unwrap(), revoked.revision);
    }

    async fn who_takes_a_seat_that_another_left_sees_the_history_too(world: &World) {
        let table = deal().start(world.a()).await;
        table.seat(2).leave().await.unwrap();
        let joined = world.a().join_table(table.join_request(2, "newcomer")).await.unwrap();
        let seat = tests::Seat::new(world.b(), &table.name, joined.seat_token.as_ref().unwrap());
        let mut watch = seat.watch_after(0, &[]).await;
        watch.heartbeat().await;
        assert_eq!(i64::try_from(watch.updates_to(joined.revision).await.len()).unwrap(), joined.revision);
    }

    async fn a_match_that_is_over_ends_its_watches(world: &World) {
        let table = deal().to(1).start(world.a()).await;
        let mut watch = table.seat(2).at(world.b()).watch().await;
        watch.snapshot().await;
        play_on(&table, PLAYS).await;
        let (messages, status) = watch.rest().await;
        assert!(status.is_none(), "{status:?}");
        let [.., last, end] = messages.as_slice() else { panic!("too few messages: {messages:?}") };
        assert!(matches!(last.payload, Some(Payload::Update(_))));
        assert!(matches!(end.payload, Some(Payload::End(told)) if told.phase() == v1::TablePhase::Finished));
        assert_eq!((end.revision, &end.history), (last.revision, &last.history));

        let (messages, status) = table.seat(3).at(world.b()).watch().await.rest().await;
        assert!(status.is_none(), "{status:?}");
        assert!(matches!(messages[0].payload, Some(Payload::Snapshot(_))));
        assert!(matches!(messages[1].payload, Some(Payload::End(_))));
        assert_eq!(messages.len(), 2);
    }

    async fn a_closed_table_ends_its_watches(world: &World) {
        let table = deal().start(world.a()).await;
        let mut watch = table.seat(2).at(world.b()).watch().await;
        watch.snapshot().await;
        let request = v1::CloseTableRequest { name: table.name.clone(), request_id: request_id(), reason: "good night".to_owned() };
        world.a().close_table(request).await.unwrap();
        let (messages, status) = watch.rest().await;
        assert!(status.is_none(), "{status:?}");
        let Some(Payload::Update(update)) = &messages[0].payload else { panic!("no update: {messages:?}") };
        assert_eq!(public(update.after.as_ref().unwrap()).close_reason, "good night");
        assert!(matches!(messages[1].payload, Some(Payload::End(end)) if end.phase() == v1::TablePhase::Closed));
    }

    async fn a_seat_has_four_watches_and_no_fifth(world: &World) {
        let table = deal().start(world.a()).await;
        let mut watches = Vec::new();
        for _ in 0..4 {
            watches.push(table.seat(1).watch().await);
        }
        let request = v1::WatchTableRequest { name: table.name.clone(), ..v1::WatchTableRequest::default() };
        let status = table.seat(1).client.watch_table(request.clone()).await.unwrap_err();
        assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "QUOTA_EXCEEDED"));
        assert!(says_when_to_retry(&status));
        table.seat(2).client.watch_table(request).await.expect("another seat has four of its own");
        for watch in &mut watches {
            watch.snapshot().await;
        }
    }
}

/// A unary call may take 10 s; a quiet watch is told that it lives every 15 s.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watch_ends_at_its_callers_deadline_and_lives_on_without_one() {
    let world = World::memory().await;
    let table = deal().start(world.a()).await;
    let begun = Instant::now();
    let request = v1::WatchTableRequest { name: table.name.clone(), ..v1::WatchTableRequest::default() };
    let hurried = table.seat(2).client.with_deadline(Duration::from_secs(2));
    let hurried = hurried.watch_table(request.clone()).await.unwrap();
    let mut patient = table.seat(1).client.watch_table(request).await.unwrap();
    patient.snapshot().await;

    let (messages, status) = hurried.rest().await;
    assert_eq!(messages.len(), 1, "a snapshot and then nothing");
    let status = status.expect("an end that is not OK");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::DeadlineExceeded, "DEADLINE"));
    let took = begun.elapsed();
    assert!(Duration::from_millis(1_500) < took && took < Duration::from_secs(8), "{took:?}");

    let beat = patient.heartbeat().await;
    assert!(begun.elapsed() > Duration::from_secs(10), "a unary call's time is over");
    assert_eq!(beat.revision, table.revision().await);
    table.play(&["1:8h"]).await;
    assert_eq!(patient.update().await.revision, beat.revision + 1);
    world.stop().await;
}

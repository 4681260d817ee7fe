//! Watching: every update in order, without gap or duplicate, wherever a client goes on.

use futures_util::future::join_all;
use tests::views::public;
use tests::{Table, Watch, World, on_each_store, v1};
use v1::watch_table_response::Payload;

use crate::deals::{PLAYS, TRICK, deal, play_on};

/// Asserts that a message starts over for this reason; answers its snapshot.
fn reset(message: v1::WatchTableResponse, reason: v1::ResetReason) -> v1::TableView {
    match message.payload {
        Some(Payload::Reset(reset)) if reset.reason() == reason => reset.snapshot.expect("a snapshot"),
        other => panic!("no reset of {reason:?} but {other:?}"),
    }
}

/// All messages of a watch that ends because the table has.
async fn told(watch: Watch) -> Vec<v1::WatchTableResponse> {
    let (messages, status) = watch.rest().await;
    assert!(status.is_none(), "the watch broke off: {status:?}");
    assert!(matches!(messages.last().unwrap().payload, Some(Payload::End(_))), "{:?}", messages.last());
    messages
}

/// Resumes a seat's watch of an ended table after each message of the whole, at one door or the other, and compares.
async fn assert_every_suffix(world: &World, table: &Table, seat: i32, whole: &[v1::WatchTableResponse]) {
    for (n, seen) in whole[..whole.len() - 1].iter().enumerate() {
        let seat = table.seat(seat).at(world.door(n));
        let messages = told(seat.watch_after(seen.revision, &seen.history).await).await;
        let [first, rest @ ..] = messages.as_slice() else { panic!("nothing was told") };
        assert!(matches!(first.payload, Some(Payload::Heartbeat(_))), "{first:?}");
        assert_eq!((first.revision, &first.history), (seen.revision, &seen.history));
        assert!(rest == &whole[n + 1..], "resumed at {}, {} messages", seen.revision, rest.len());
    }
}

on_each_store! {
    async fn a_watch_begins_with_a_snapshot_and_tells_every_update_with_the_view_after_it(world: &World) {
        let table = deal().start(world.a()).await;
        let mut watches = Vec::new();
        for (n, seat) in table.seats.iter().enumerate() {
            watches.push(seat.at(world.door(n)).watch().await);
        }
        let mut snapshots = Vec::new();
        for watch in &mut watches {
            snapshots.push(watch.snapshot().await);
        }
        let before = table.revision().await;
        for (snapshot, seat) in snapshots.iter().zip(&table.seats) {
            assert_eq!(*snapshot, seat.view().await);
        }
        table.play(&TRICK).await;
        for (watch, seat) in watches.iter_mut().zip(&table.seats) {
            let updates = watch.updates_to(before + 4).await;
            assert_eq!(updates.len(), 4);
            for update in &updates {
                assert_eq!(public(update.after.as_ref().unwrap()).revision, update.revision);
            }
            assert_eq!(updates[3].after, Some(seat.view().await));
        }
    }

    async fn a_watch_that_resumes_at_any_revision_is_told_what_is_missing_and_nothing_else(world: &World) {
        let table = deal().start(world.a()).await;
        let opened = table.seat(2).watch_after(0, &[]).await;
        play_on(&table, PLAYS).await;
        table.seat(4).leave().await.unwrap();
        table.close().await;
        let whole = told(opened).await;
        let updates: Vec<i64> = whole[1..whole.len() - 1].iter().map(|message| message.revision).collect();
        assert_eq!(updates, (1..=table.revision().await).collect::<Vec<_>>());
        assert_every_suffix(world, &table, 2, &whole[1..]).await;
    }

    async fn a_history_longer_than_what_is_at_hand_is_read_from_the_log(world: &World) {
        let table = deal().to(100).start(world.a()).await;
        let opened = table.seat(1).watch_after(0, &[]).await;
        play_on(&table, 3 * PLAYS).await;
        table.close().await;
        let whole = told(opened).await;
        let whole = &whole[1..];
        assert!(whole.len() > 96);
        for (n, seen) in [0, 1, 20, 40, 60].into_iter().enumerate() {
            let seat = table.seat(1).at(world.door(n));
            let messages = told(seat.watch_after(seen, &[]).await).await;
            assert!(messages[1..] == whole[usize::try_from(seen).unwrap()..], "resumed at {seen}");
        }
    }

    async fn watchers_who_come_at_any_moment_see_one_history(world: &World) {
        let table = deal().start(world.a()).await;
        let plays = ["1:8h", "2:10c", "3:8c", "4:Qc", "3:9d", "4:Jd", "1:9c", "2:7h"];
        let mut watches = Vec::new();
        for (n, play) in plays.into_iter().enumerate() {
            let spectator = table.at(world.door(n)).spectator().await;
            let request = v1::WatchTableRequest { name: table.name.clone(), after_revision: Some(0), ..v1::WatchTableRequest::default() };
            watches.push(spectator.watch_table(request).await.expect("a watch"));
            table.play(&[play]).await;
        }
        table.close().await;
        let all = join_all(watches.into_iter().map(told)).await;
        for messages in &all {
            assert!(messages[1..] == all[0][1..], "two watchers saw different histories");
        }
    }

    async fn a_wrong_history_is_answered_with_a_reset_and_goes_on_from_there(world: &World) {
        let table = deal().start(world.a()).await;
        let now = table.revision().await;
        let mut watch = table.seat(1).at(world.b()).watch_after(now, b"mistaken").await;
        let message = watch.next().await;
        assert_eq!(message.revision, now);
        assert_eq!(reset(message, v1::ResetReason::Rewound), table.seat(1).view().await);
        table.play(&["1:8h"]).await;
        assert_eq!(watch.update().await.revision, now + 1);
    }

    async fn a_revision_that_the_table_has_not_reached_is_answered_with_a_reset(world: &World) {
        let table = deal().start(world.a()).await;
        let now = table.revision().await;
        let mut watches = Vec::new();
        for ahead in [now + 1, now + 3, i64::MAX] {
            let mut watch = table.seat(1).at(world.b()).watch_after(ahead, &[]).await;
            assert_eq!(public(&reset(watch.next().await, v1::ResetReason::Rewound)).revision, now);
            watches.push(watch);
        }
        table.play(&["1:8h"]).await;
        for watch in &mut watches {
            assert_eq!(watch.update().await.revision, now + 1);
        }
    }

    async fn a_client_that_keeps_its_own_state_may_leave_the_views_out(world: &World) {
        let table = deal().start(world.a()).await;
        let now = table.revision().await;
        let request = v1::WatchTableRequest { name: table.name.clone(), after_revision: Some(now), omit_view: true, ..v1::WatchTableRequest::default() };
        let mut slim = table.seat(2).at(world.b()).client.watch_table(request).await.unwrap();
        let mut full = table.seat(2).at(world.b()).watch_after(now, &[]).await;
        table.play(&TRICK).await;
        for _ in 0..4 {
            let (slim, full) = (slim.update().await, full.update().await);
            assert_eq!(slim, v1::Update { after: None, ..full });
        }
    }
}

/// A failover to a replica that had not got the last writes, as a watcher meets it: what was acknowledged is gone, and
/// the numbers are used again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_that_the_store_rewound_is_told_as_a_reset() {
    let world = World::redis().await;
    let redis = world.its_redis();
    let table = deal().start(world.a()).await;
    let code = table.name.trim_start_matches("tables/");
    let (blob, log) =
        (redis.ask(&["KEYS", &format!("t:*:{code}")]), redis.ask(&["KEYS", &format!("e:*:{code}")]));
    redis.ask(&["COPY", &blob, &format!("{blob}:before")]);
    redis.ask(&["COPY", &log, &format!("{log}:before")]);
    let before = table.revision().await;
    let mut watch = table.seat(2).at(world.b()).watch().await;
    watch.snapshot().await;
    table.play(&["1:8h"]).await;
    let lost = watch.next().await;
    assert_eq!(lost.revision, before + 1);

    redis.ask(&["COPY", &format!("{blob}:before"), &blob, "REPLACE"]);
    redis.ask(&["COPY", &format!("{log}:before"), &log, "REPLACE"]);
    // The first replica still remembers the lost update; the store's compare refuses what is built on it.
    table.play(&["1:Kd"]).await;
    let message = watch.next().await;
    let view = reset(message, v1::ResetReason::Rewound);
    // The watch may have looked before the other card was played, and is told of that then.
    let told = if public(&view).revision == before { watch.update().await.after.unwrap() } else { view };
    assert_eq!(told, table.seat(2).view().await);
    let mut resumed = table.seat(3).at(world.b()).watch_after(lost.revision, &lost.history).await;
    let view = reset(resumed.next().await, v1::ResetReason::Rewound);
    assert_eq!(view, table.seat(3).view().await);
    world.stop().await;
}

//! `TABLE_PAUSED` and `TURN_EXPIRED`: what a table refuses for the time.

use tests::v1::{self, ErrorReason as Reason, event::Fact};
use tests::views::{facts, legal, public};
use tests::{NewTable, Redis, Server, World, duration, hours, on_each_store, request_id};

use crate::law::{refused, refused_at};

on_each_store! {
    async fn a_paused_table(world: &World) {
        let timing = v1::Timing { turn_timeout: Some(hours(1)), ..v1::Timing::default() };
        let new = NewTable::two().deal(&["7c 8c 9c Jc"], "").timed(timing);
        let table = new.start(world.a()).await.at(world.b());
        table.pause().await;
        let view = table.seat(1).view().await;
        assert!(public(&view).paused && public(&view).deadline_time.is_none());
        assert_eq!(legal(&view, 1), [""; 0]);
        refused_at(&table, Reason::TablePaused, table.seat(1).play("7c")).await;
        refused_at(&table, Reason::TablePaused, table.platform.extend_deadline(table.extend_request(hours(1)))).await;
        table.resume().await;
        table.seat(1).play("7c").await.expect("a play after the pause");

        let waiting = NewTable::two().starting(v1::StartPolicy::Manual).create(world.a()).await;
        waiting.pause().await;
        let start = v1::StartTableRequest { name: waiting.name.clone(), request_id: request_id() };
        refused_at(&waiting, Reason::TablePaused, world.b().start_table(start)).await;
    }
}

/// The first table's timer is lost, so that nobody misses its turn; its deadline stands in the table all the same. It
/// has passed when the clock of a second table, which began later and is as long, has run out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_whose_time_is_over() {
    let redis = Redis::start();
    let server = Server::redis(&redis).await;
    let client = server.platform().await;
    let timing = v1::Timing {
        turn_timeout: Some(hours(1)),
        timeout_policy: v1::TimeoutPolicy::Nothing.into(),
        ..v1::Timing::default()
    };
    let new = || NewTable::two().deal(&["7c 8c 9c Jc"], "").timed(timing.clone());
    let (table, later) = (new().start(&client).await, new().start(&client).await);
    let extended = table.extend(duration(1)).await;
    for bucket in 0..256 {
        redis.ask(&["DEL", &format!("tm:{{{bucket:02x}}}")]);
    }
    let revision = later.extend(duration(1)).await.revision;
    let mut watch = later.history_after(revision).await;
    assert!(matches!(facts(&watch.update().await)[..], [Fact::TurnMissed(_)]));

    refused(table.seat(1).play_at(extended.revision, "7c").await, Reason::TurnExpired);
    assert_eq!(table.revision().await, extended.revision, "nothing happened");
    server.stop().await;
}

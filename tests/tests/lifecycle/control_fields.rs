//! The fields of what a platform decides about a running table: each that can't be taken is named.

use std::fmt::Debug;

use prost_types::Duration;
use tests::life::hour_for_everything;
use tests::views::public;
use tests::{Client, NewTable, Table, World, hours, on_each_store, v1};
use tonic::Status;

use crate::refused::{refused, refused_field};

/// A field's path, and what spoils it in a request that is otherwise good.
type Case<Q> = (&'static str, fn(&mut Q));

const NIL: &str = "00000000-0000-0000-0000-000000000000";
/// The longest time that may be asked for.
const WEEK: Duration = hours(7 * 24);

/// The cases of the fields that every one of these requests has.
macro_rules! common {
    ($($more:expr,)*) => {
        [
            ("name", |r| r.name.clear()),
            ("name", |r| r.name.push('a')),
            ("name", |r| r.name = r.name.to_uppercase()),
            ("request_id", |r| r.request_id = "garbled".into()),
            ("request_id", |r| r.request_id.push('0')),
            ("request_id", |r| r.request_id = NIL.into()),
            $($more,)*
        ]
    };
}

/// The same, and those of a seat that must be one of a table for two.
macro_rules! seat {
    ($($more:expr,)*) => {
        common![
            ("seat", |r| r.seat = -1),
            ("seat", |r| r.seat = i32::MIN),
            ("seat", |r| r.seat = 3),
            ("seat", |r| r.seat = 4),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = 257),
            ("seat", |r| r.seat = i32::MAX),
            $($more,)*
        ]
    };
}

const ADD_BOT: &[Case<v1::AddBotRequest>] = &seat![
    ("bot_level", |r| r.bot_level = "grandmaster".into()),
    ("bot_level", |r| r.bot_level = "Steady".into()),
    ("bot_level", |r| r.bot_level = "steady ".into()),
    ("bot_level", |r| r.bot_level = "x".repeat(8_000)),
];
const REMOVE_BOT: &[Case<v1::RemoveBotRequest>] = &seat![("seat", |r| r.seat = 0),];
const PAUSE: &[Case<v1::PauseTableRequest>] = &common![];
const RESUME: &[Case<v1::ResumeTableRequest>] = &common![];
const FORFEIT: &[Case<v1::ForfeitSeatRequest>] = &seat![("seat", |r| r.seat = 0),];

/// Times that can't be set: none, no time at all, less, more than a week, and parts of a millisecond.
const NO_TIMES: [Option<Duration>; 13] = [
    None,
    Some(Duration { seconds: 0, nanos: 0 }),
    Some(Duration { seconds: -1, nanos: 0 }),
    Some(Duration { seconds: 0, nanos: -1_000_000 }),
    Some(Duration { seconds: 1, nanos: -1 }),
    Some(Duration { seconds: i64::MIN, nanos: 0 }),
    Some(Duration { nanos: 1_000_000, ..WEEK }),
    Some(hours(7 * 24 + 1)),
    Some(Duration { seconds: i64::MAX, nanos: 999_000_000 }),
    Some(Duration { seconds: 0, nanos: 1 }),
    Some(Duration { seconds: 0, nanos: 999_999 }),
    Some(Duration { seconds: 1, nanos: 1_000_001 }),
    Some(Duration { seconds: 1, nanos: 1_000_000_000 }),
];

/// Spoils a good request in one way after the other. None changes the table; the good one, sent at last, does.
async fn check<Q: Clone, A: Debug>(
    table: &Table,
    call: impl AsyncFn(Q) -> Result<A, Status>,
    good: &Q,
    cases: &[Case<Q>],
) {
    let before = table.revision().await;
    for (field, spoil) in cases {
        let mut request = good.clone();
        spoil(&mut request);
        refused_field(call(request).await, field);
    }
    assert_eq!(table.revision().await, before);
    call(good.clone()).await.expect("the request that the cases spoil");
    assert_eq!(table.revision().await, before + 1);
}

/// The six calls, each with a request that can't be taken.
async fn spoiled(client: &Client, name: &str) -> [Result<(), Status>; 6] {
    let (name, id) = (|| name.to_owned(), || "garbled".to_owned());
    let (seat, bot_level) = (-1, "grandmaster".to_owned());
    [
        client.add_bot(v1::AddBotRequest { name: name(), request_id: id(), seat, bot_level }).await.map(drop),
        client.remove_bot(v1::RemoveBotRequest { name: name(), request_id: id(), seat }).await.map(drop),
        client.pause_table(v1::PauseTableRequest { name: name(), request_id: id() }).await.map(drop),
        client.resume_table(v1::ResumeTableRequest { name: name(), request_id: id() }).await.map(drop),
        client
            .extend_deadline(v1::ExtendDeadlineRequest {
                name: name(),
                request_id: id(),
                remaining_duration: None,
            })
            .await
            .map(drop),
        client.forfeit_seat(v1::ForfeitSeatRequest { name: name(), request_id: id(), seat }).await.map(drop),
    ]
}

on_each_store! {
    async fn every_field_of_a_platforms_decision(world: &World) {
        let new = NewTable::two().with_open(&[2]).timed(hour_for_everything());
        let table = new.create(world.a()).await.at(world.b());
        let client = world.b();
        check(&table, async |q| client.add_bot(q).await, &table.add_bot_request(2), ADD_BOT).await;
        check(&table, async |q| client.remove_bot(q).await, &table.remove_bot_request(2), REMOVE_BOT).await;
        check(&table, async |q| client.pause_table(q).await, &table.pause_request(), PAUSE).await;
        check(&table, async |q| client.resume_table(q).await, &table.resume_request(), RESUME).await;

        let good = table.extend_request(WEEK);
        check(&table, async |q| client.extend_deadline(q).await, &good, &common![]).await;
        let before = table.view().await;
        for remaining_duration in NO_TIMES {
            let request = v1::ExtendDeadlineRequest { remaining_duration, ..table.extend_request(WEEK) };
            refused_field(client.extend_deadline(request).await, "remaining_duration");
        }
        assert_eq!(public(&table.view().await).deadline_time, public(&before).deadline_time);

        table.seat_player(2, "eva").await;
        table.seat(1).join().await.unwrap();
        check(&table, async |q| client.forfeit_seat(q).await, &table.forfeit_request(2), FORFEIT).await;
    }

    async fn who_is_no_platform_is_told_so_before_anything_else(world: &World) {
        let table = NewTable::two().start(world.a()).await.at(world.b());
        let stranger = NewTable::two().start(world.a()).await.at(world.b());
        let before = table.view_of(&[1, 2]).await;
        let seats = [&table.seat(1).client, &stranger.seat(1).client];
        for client in seats.into_iter().chain([&table.spectator().await, &stranger.spectator().await]) {
            for name in [table.name.as_str(), "tables/aaaaaaaaaaaaaaaaaaaaaaaaaa", "no name"] {
                for answer in spoiled(client, name).await {
                    refused(answer, "PLATFORM_ONLY");
                }
            }
        }
        assert_eq!(table.view_of(&[1, 2]).await, before);
    }

    async fn the_id_of_one_decision_is_not_taken_for_another(world: &World) {
        let table = NewTable::two().timed(hour_for_everything()).start(world.a()).await.at(world.b());
        let pause = table.pause_request();
        let paused = world.a().pause_table(pause.clone()).await.unwrap();
        let id = || pause.request_id.clone();
        let resume = v1::ResumeTableRequest { request_id: id(), ..table.resume_request() };
        refused(world.b().resume_table(resume).await, "REQUEST_ID_REUSED");
        let forfeit = v1::ForfeitSeatRequest { request_id: id(), ..table.forfeit_request(1) };
        refused(world.b().forfeit_seat(forfeit).await, "REQUEST_ID_REUSED");
        let add = v1::AddBotRequest { request_id: id().to_uppercase(), ..table.add_bot_request(1) };
        refused(world.b().add_bot(add).await, "REQUEST_ID_REUSED");
        assert_eq!(table.revision().await, paused.revision);
        // A seat's ids are its own: the same one does for a join.
        let join = v1::JoinTableRequest { request_id: id(), ..table.join_request(1, "p1") };
        assert!(!world.b().join_table(join).await.unwrap().replayed);
    }
}

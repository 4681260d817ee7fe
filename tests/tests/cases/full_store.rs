//! A store whose memory is full, and one that has lost a part of a table.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, stream};
use tests::views::{hand, public};
use tests::{NewTable, Redis, Table, World, once_the_store_is_back, reason, v1};
use tonic::{Code, Status};
use v1::event::Fact;
use v1::watch_table_response::Payload;

use crate::deals::{HANDS, TRICK, deal, play_on};
use crate::ledger::{audited, count};
use crate::scale::{of, tell};

/// Tables that are made at a time.
const AT_A_TIME: usize = 8;
/// Bytes that are missing when memory is full.
const MISSING: u64 = 128 * 1_024;

fn used(redis: &Redis) -> u64 {
    let info = redis.ask(&["INFO", "memory"]);
    let line = info.lines().find_map(|line| line.strip_prefix("used_memory:"));
    line.expect("a figure").trim().parse().expect("bytes")
}

fn bound_memory(redis: &Redis, bytes: u64) {
    assert_eq!(redis.ask(&["CONFIG", "SET", "maxmemory", &bytes.to_string()]), "OK");
}

fn unavailable<T: std::fmt::Debug>(answer: Result<T, Status>) {
    let status = answer.expect_err("a store that takes nothing");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, "STORE_UNAVAILABLE"));
    assert!(tests::says_when_to_retry(&status), "{status:?}");
}

/// Redis had no memory left, and games were half-written or lost. <https://github.com/juicedata/juicefs/issues/1991>
/// <https://github.com/sourcegraph/sourcegraph-public-snapshot/issues/296> <https://github.com/redis/redis/issues/2746>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m05_under_noeviction_a_full_store_refuses_plays_and_takes_them_when_there_is_room_again() {
    let world = World::redis().await;
    let redis = world.its_redis();
    assert_eq!(redis.ask(&["CONFIG", "SET", "maxmemory-policy", "noeviction"]), "OK");
    let table = deal().start(world.a()).await;
    table.play(&TRICK[..2]).await;
    let mut watch = table.at(world.b()).seat(1).watch().await;
    watch.snapshot().await;

    // Tables fill the store until it takes no more.
    let fill = (0..of(200, 5_000)).map(|_| NewTable::classic().create(world.a()));
    let mut filling: Vec<Table> = stream::iter(fill).buffered(AT_A_TIME).collect().await;
    bound_memory(redis, used(redis) + MISSING);
    let refused = loop {
        match world.a().create_table(NewTable::classic().request).await {
            Ok(created) => {
                let name = public(created.view.as_ref().unwrap()).name.clone();
                filling.push(Table { name, seats: Vec::new(), ..table.clone() });
            }
            Err(status) => break status,
        }
    };
    unavailable(Err::<(), _>(refused));

    // Plays at old tables are refused as well, and change nothing.
    bound_memory(redis, used(redis).saturating_sub(MISSING));
    let (before, view) = (table.kept(redis), table.view_of(&[1, 2, 3, 4]).await);
    let revision = public(&view).revision;
    let card = table.seat(3).card_request(revision, "8c");
    for (n, other) in filling.iter().enumerate().take(4) {
        unavailable(table.at(world.door(n)).seat(3).client.play_card(card.clone()).await);
        unavailable(world.door(n).join_table(other.join_request(1, "p1")).await);
    }
    assert_eq!(table.kept(redis), before, "what was refused did not happen");
    assert_eq!(table.at(world.b()).view_of(&[1, 2, 3, 4]).await, view, "who reads is answered");

    // Tables go, as they do when their time is over: there is room, and play goes on.
    for gone in &filling {
        redis.ask(&["DEL", &gone.keys(redis)[0], &gone.keys(redis)[1]]);
    }
    let played = once_the_store_is_back(async || table.seat(3).client.play_card(card.clone()).await).await;
    assert_eq!((played.revision, played.replayed), (revision + 1, false));
    table.play(&TRICK[3..]).await;
    play_on(&table.at(world.b()), 8).await;
    let last = table.revision().await;
    assert_eq!(watch.updates_to(last).await.len(), 10, "the watch goes on from where it was");
    audited(&table, world.b()).await;
    tell("M05", &format!("{} tables filled it, {} bytes", filling.len(), used(redis)));
    drop(watch);
    world.stop().await;
}

/// What the doors of a table answer, by their names.
async fn at_each_door(table: &Table, card: &v1::PlayCardRequest) -> BTreeMap<&'static str, String> {
    let mut answers = BTreeMap::new();
    let mut note = |door, status: Option<Status>| {
        answers.insert(door, status.map_or_else(|| "OK".to_owned(), |status| reason(&status)));
    };
    let (platform, name) = (&table.platform, table.name.clone());
    let get = v1::GetTableRequest { name: name.clone(), ..v1::GetTableRequest::default() };
    note("get", platform.get_table(get).await.err());
    note("play", table.seat(1).client.play_card(card.clone()).await.err());
    note("join", table.seat(1).join().await.err());
    let updates = v1::ListUpdatesRequest { name: name.clone(), ..v1::ListUpdatesRequest::default() };
    note("updates", platform.list_updates(updates).await.err());
    let list = platform.list_tables(v1::ListTablesRequest::default()).await.expect("a list");
    let listed = list.tables.iter().any(|listed| listed.name == name);
    answers.insert("list", if listed { "shown" } else { "not shown" }.to_owned());
    answers
}

/// Redis had thrown away what it took for old, and a game went on without its beginning.
/// <https://github.com/juicedata/juicefs/issues/1991>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m05_a_table_whose_state_is_gone_is_not_found_and_never_dealt_anew() {
    let world = World::redis().await;
    let redis = world.its_redis();
    let new = deal();
    let creation = new.request.clone();
    let table = new.start(world.a()).await;
    let card = table.seat(1).card_request(table.revision().await, "8h");
    let watch = table.history_after(table.revision().await).await;
    let [state, log] = table.state_and_log(redis);
    let length = redis.ask(&["LLEN", &log]);
    redis.ask(&["DEL", &state]);

    // The first replica has the table in its cache, the other one has not.
    for door in [world.a(), world.b()] {
        let answers = at_each_door(&table.at(door), &card).await;
        for door in ["get", "play", "join", "updates"] {
            assert_eq!(answers[door], "TABLE_NOT_FOUND", "{door}");
        }
        assert_eq!(answers["list"], "not shown");
        let again = door.create_table(creation.clone()).await.expect_err("no second deal of the same table");
        assert_eq!(reason(&again), "INVARIANT", "its log is still there: {again:?}");
    }
    assert_eq!(redis.ask(&["EXISTS", &state]), "0");
    assert_eq!(redis.ask(&["LLEN", &log]), length, "its log is not written on");
    let (messages, status) = watch.rest().await;
    assert_eq!(status.map(|status| reason(&status)).as_deref(), Some("TABLE_NOT_FOUND"));
    let quiet = |message: &v1::WatchTableResponse| matches!(message.payload, Some(Payload::Heartbeat(_)));
    assert!(messages.iter().all(quiet), "{messages:?}");
    world.stop().await;
}

/// The same the other way round.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m05_a_table_whose_log_is_gone_can_be_seen_and_is_not_played_on() {
    let world = World::redis().await;
    let redis = world.its_redis();
    let table = deal().start(world.a()).await;
    let before = table.view_of(&[1]).await;
    assert_eq!(hand(&before, 1).split(' ').count(), HANDS[0].split(' ').count());
    let card = table.seat(1).card_request(public(&before).revision, "8h");
    let [state, log] = table.state_and_log(redis);
    let kept = redis.ask(&["STRLEN", &state]);
    redis.ask(&["DEL", &log]);
    for door in [world.a(), world.b()] {
        let answers = at_each_door(&table.at(door), &card).await;
        assert_eq!((answers["get"].as_str(), answers["play"].as_str()), ("OK", "INVARIANT"));
        assert_eq!(table.at(door).view_of(&[1]).await, before, "nothing is made up");
    }
    assert_eq!((redis.ask(&["EXISTS", &log]), redis.ask(&["STRLEN", &state])), ("0".to_owned(), kept));
    let other = deal().start(world.b()).await;
    other.play(&TRICK).await;
    let history = audited(&other, world.a()).await;
    assert_eq!(
        count(&history, |fact| matches!(fact, Fact::Dealt(_))),
        1,
        "another table is as good as before"
    );
    world.stop().await;
}

//! Each way in which a Redis that is there says no: calls are told that the store is unavailable and when to come again,
//! nothing is done by halves, and play goes on by itself when the trouble is over.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;

use tests::v1::ErrorReason as Reason;
use tests::views::public;
use tests::{NewTable, Redis, Table, World, once_the_store_is_back};

use crate::law::refused;

/// A table in play is met by trouble at both replicas. What Redis answers meanwhile begins with this code.
async fn meets<T>(
    world: &mut World,
    code: &str,
    begins: impl FnOnce(&mut Redis) -> T,
    ends: impl FnOnce(&mut Redis, T),
) {
    let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(world.a()).await;
    let mut watch = table.at(world.b()).seat(2).watch().await;
    let revision = public(&watch.snapshot().await).revision;
    let before = table.kept(world.its_redis());
    let play = table.seat(1).card_request(revision, "7c");

    world.its_redis().ask(&["CONFIG", "RESETSTAT"]);
    let trouble = begins(world.its_redis_mut());
    for door in [world.a(), world.b()] {
        let player = table.at(door).seat(1).client.clone();
        refused(player.play_card(play.clone()).await, Reason::StoreUnavailable);
        refused(player.play_card(play.clone()).await, Reason::StoreUnavailable);
        refused(door.create_table(NewTable::two().request).await, Reason::StoreUnavailable);
    }
    ends(world.its_redis_mut(), trouble);
    answered(world.its_redis(), code);
    assert_eq!(table.kept(world.its_redis()), before, "{code}: what was refused did not happen");

    let seat = table.seat(1);
    let played = once_the_store_is_back(async || seat.client.play_card(play.clone()).await).await;
    assert_eq!((played.revision, played.replayed), (revision + 1, false), "{code}");
    assert_eq!(watch.update().await.revision, revision + 1, "{code}: the watch lived through it");
    let again: Table = table.at(world.b());
    let repeat = once_the_store_is_back(async || again.seat(1).client.play_card(play.clone()).await).await;
    assert_eq!((repeat.revision, repeat.replayed), (revision + 1, true), "{code}: and it happened once");
}

/// Redis has answered commits with this code, so the trouble was the one that the test is about.
fn answered(redis: &Redis, code: &str) {
    let errors = redis.ask(&["INFO", "errorstats"]);
    assert!(errors.contains(&format!("errorstat_{code}:")), "{code}: {errors}");
    let commands = redis.ask(&["INFO", "commandstats"]);
    let commits = commands.lines().find(|line| line.starts_with("cmdstat_evalsha:")).unwrap_or_default();
    let count = |field: &str| {
        let value = commits.split([',', ':']).find_map(|part| part.strip_prefix(field));
        value.and_then(|value| value.parse::<u64>().ok()).unwrap_or(0)
    };
    assert!(count("rejected_calls=") + count("failed_calls=") > 0, "{code}: {commands}");
}

fn set(redis: &Redis, name: &str, value: &str) {
    assert_eq!(redis.ask(&["CONFIG", "SET", name, value]), "OK", "{name}");
}

/// A port of the loopback where nobody listens.
const NOBODY: &str = "1";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_has_become_a_replica() {
    let mut world = World::redis().await;
    let back = |redis: &mut Redis, ()| assert_eq!(redis.ask(&["REPLICAOF", "NO", "ONE"]), "OK");
    let demoted = |redis: &mut Redis| {
        assert_eq!(redis.ask(&["REPLICAOF", "127.0.0.1", NOBODY]), "OK");
    };
    meets(&mut world, "READONLY", demoted, back).await;
    // One that gives no stale answers refuses reads as well.
    set(world.its_redis(), "replica-serve-stale-data", "no");
    meets(&mut world, "MASTERDOWN", demoted, back).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memory_that_is_full() {
    let mut world = World::redis().await;
    let full = |redis: &mut Redis| set(redis, "maxmemory", "1");
    meets(&mut world, "OOM", full, |redis, ()| set(redis, "maxmemory", "0")).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_has_lost_its_replicas() {
    let mut world = World::redis().await;
    let alone = |redis: &mut Redis| set(redis, "min-replicas-to-write", "1");
    meets(&mut world, "NOREPLICAS", alone, |redis, ()| set(redis, "min-replicas-to-write", "0")).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_takes_no_dump() {
    // Redis saves by itself only after more writes than there are here.
    let redis = Redis::start_with(&["--save", "3600 1000000", "--appendonly", "no"]);
    let mut world = World::on(redis).await;
    let dump = |redis: &Redis, status: &str| {
        redis.ask(&["BGSAVE"]);
        redis.until("a dump", |redis| {
            let info = redis.ask(&["INFO", "persistence"]);
            info.contains("rdb_bgsave_in_progress:0")
                && info.contains(&format!("rdb_last_bgsave_status:{status}"))
        });
    };
    let fails = |redis: &mut Redis| {
        // A folder where the file is to go can't be written over, whoever tries.
        fs::create_dir(redis.folder().join("dump.rdb")).unwrap();
        dump(redis, "err");
    };
    let works = |redis: &mut Redis, ()| {
        fs::remove_dir(redis.folder().join("dump.rdb")).unwrap();
        dump(redis, "ok");
    };
    meets(&mut world, "MISCONF", fails, works).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_of_somebody_elses_that_never_ends() {
    let mut world = World::redis().await;
    let begins = |redis: &mut Redis| {
        set(redis, "busy-reply-threshold", "1");
        let mut somebody = TcpStream::connect(("127.0.0.1", redis.port())).unwrap();
        somebody.write_all(b"EVAL \"while true do end\" 0\r\n").unwrap();
        redis.until("a busy server", |redis| redis.ask(&["PING"]).starts_with("BUSY"));
        somebody
    };
    let ends = |redis: &mut Redis, _somebody| {
        assert_eq!(redis.ask(&["SCRIPT", "KILL"]), "OK");
        redis.until("a server that is no longer busy", |redis| redis.ask(&["PING"]) == "PONG");
    };
    meets(&mut world, "BUSY", begins, ends).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_with_a_slot_that_nobody_serves() {
    let mut world = World::on(Redis::start_cluster()).await;
    // Any slot will do: a cluster serves all of them or none.
    let state = |redis: &Redis, state: &str| {
        let told = format!("cluster_state:{state}");
        redis.until(&told, |redis| redis.ask(&["CLUSTER", "INFO"]).contains(&told));
    };
    let begins = |redis: &mut Redis| {
        let free = (0..16_384).map(|slot| slot.to_string());
        let mut free = free.filter(|slot| redis.ask(&["CLUSTER", "COUNTKEYSINSLOT", slot]) == "0");
        let slot = free.next().expect("a slot without a key");
        assert_eq!(redis.ask(&["CLUSTER", "DELSLOTS", &slot]), "OK");
        state(redis, "fail");
        slot
    };
    let ends = |redis: &mut Redis, slot: String| {
        assert_eq!(redis.ask(&["CLUSTER", "ADDSLOTS", &slot]), "OK");
        state(redis, "ok");
    };
    meets(&mut world, "CLUSTERDOWN", begins, ends).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_still_reading_its_data() {
    // Written to its dump beforehand, for it reads a while only where there is much to read.
    let redis = Redis::start_with(&["--save", "3600 1000000", "--appendonly", "no"]);
    let mut world = World::on(redis).await;
    let begins = |redis: &mut Redis| {
        redis.ask(&["EVAL", "for n = 1, 50000 do redis.call('SET', 'other:' .. n, n) end", "0"]);
        assert_eq!(redis.ask(&["SAVE"]), "OK");
        redis.kill();
        redis.launch_reading(&["--key-load-delay", "300", "--loading-process-events-interval-bytes", "1024"]);
    };
    let ends = |redis: &mut Redis, ()| {
        set(redis, "key-load-delay", "0");
        redis.until("a server that has read its data", |redis| redis.ask(&["PING"]) == "PONG");
    };
    meets(&mut world, "LOADING", begins, ends).await;
    world.stop().await;
}

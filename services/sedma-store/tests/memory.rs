//! What a table costs in Redis: bytes are held to the budget, times are only printed.
//!
//! `make bench-store` shows the table. What the script takes depends on the machine and on whatever else runs there, so
//! beside it stands what a plain `SET` of the same state takes in the same minute.

#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::Arc;

use sedma_rules::Seat;
use sedma_store::{Lifetimes, RedisStore};
use sedma_table::clock::Timer;
use sedma_table::contract::SelfPlay;
use sedma_table::store::{Commit, Committed, Guard, Snapshot, Store};
use sedma_table::{Fold, RequestId, RequestKey, RingEntry, Scope, TableId, Update, Version};
use tokio::time::Instant;

#[path = "../../../tests/support/redis.rs"]
mod redis;

use redis::Redis;

/// Bytes of a table whatever it has been through.
const BASE: usize = 2_048;
/// Bytes of each update.
const UPDATE: usize = 32;
/// Bytes of each update with a trace context.
const TRACED_UPDATE: usize = 60;
/// How often the yardstick is laid on.
const SETS: usize = 400;
/// A `traceparent` as W3C writes it.
const TRACEPARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A real table of four that goes on and on, played into Redis with every lane of its ring full.
struct Long {
    redis: Redis,
    store: RedisStore,
    play: SelfPlay,
    version: Option<Version>,
    traced: bool,
}

impl Long {
    async fn start(traced: bool) -> Self {
        let redis = Redis::start();
        let store = RedisStore::connect(&redis.url(), Lifetimes::default(), None).expect("an address");
        store.check().await.expect("a Redis that works");
        Self { redis, store, play: SelfPlay::endless(1, "dev"), version: None, traced }
    }

    fn table(&self) -> TableId {
        self.play.table()
    }

    /// Plays on until the table has so many updates.
    async fn until(&mut self, updates: i64) {
        while self.version.map_or(0, |version| version.revision) < updates {
            let (update, snapshot) = self.play.next().expect("an endless table");
            let update = if self.traced { traced(&update) } else { update };
            let commit = in_turn(self.version, update, &snapshot);
            match self.store.commit(&commit).await {
                Ok(Committed::Done { version, .. }) => self.version = Some(version),
                other => panic!("a commit that must happen: {other:?}"),
            }
        }
    }

    /// What Redis says that all keys of the table take.
    fn bytes(&self) -> usize {
        let keys = self.redis.ask(&["KEYS", "*"]);
        let of_table = keys.lines().filter(|key| *key != "sedma:config");
        let usage = |key| self.redis.ask(&["MEMORY", "USAGE", key, "SAMPLES", "0"]);
        of_table.map(|key| usage(key).parse::<usize>().expect("a number of bytes")).sum()
    }

    /// Microseconds of Redis per commit since the last call, and per `SET` of as many bytes as the table's state has.
    fn script_and_set_usec(&self) -> [f64; 2] {
        let script = usec_per_call(&self.redis, "evalsha");
        let keys = self.redis.ask(&["KEYS", "t:*"]);
        let bytes = self.redis.ask(&["STRLEN", &keys]).parse().expect("a number of bytes");
        self.redis.ask(&["CONFIG", "RESETSTAT"]);
        let state = "s".repeat(bytes);
        for _ in 0..SETS {
            self.redis.ask(&["SET", "yardstick", &state]);
        }
        let set = usec_per_call(&self.redis, "set");
        self.redis.ask(&["DEL", "yardstick"]);
        self.redis.ask(&["CONFIG", "RESETSTAT"]);
        [script, set]
    }
}

/// Microseconds that Redis says a command has taken, on average.
fn usec_per_call(redis: &Redis, command: &str) -> f64 {
    let stats = redis.ask(&["INFO", "commandstats"]);
    let name = format!("cmdstat_{command}:");
    let line = stats.lines().find(|line| line.starts_with(&name)).expect("a command that was sent");
    let field = line.split(',').find_map(|field| field.strip_prefix("usec_per_call="));
    field.expect("its time").parse().expect("a number")
}

/// A commit that does all that a person's turn does: it must come in time, and it arms the next one's timer.
fn in_turn(expected: Option<Version>, update: Arc<Update>, snapshot: &Snapshot) -> Commit {
    let (timer, guard) = (Timer::Arm(30_000), Guard::Before);
    Commit { expected, update, snapshot: full_ring(snapshot), timer, guard, result: None }
}

fn traced(update: &Update) -> Arc<Update> {
    Arc::new(Update { traceparent: Some(TRACEPARENT.to_owned()), ..update.clone() })
}

/// The snapshot with eight requests of each seat and eight of the platform.
fn full_ring(snapshot: &Snapshot) -> Arc<Snapshot> {
    let mut snapshot = snapshot.clone();
    let scopes = (1..=4).filter_map(Seat::new).map(Scope::Seat).chain([Scope::Platform]);
    for (lane, scope) in (0_u8..).zip(scopes) {
        for number in 0..8 {
            let id = RequestId::from_bytes([lane * 8 + number; 16]);
            let key = RequestKey::new(id, &[number]);
            snapshot.ring.push(scope, RingEntry { key, revision: snapshot.table.revision() });
        }
    }
    Arc::new(snapshot)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_stays_within_its_budget() {
    println!("updates  trace  bytes   budget  per update  script us (target 25)  SET us  ratio");
    for (traced, per_update) in [(false, UPDATE), (true, TRACED_UPDATE)] {
        let mut long = Long::start(traced).await;
        let mut over = Vec::new();
        for updates in [40_usize, 160, 640] {
            long.until(i64::try_from(updates).expect("a small number")).await;
            let (bytes, budget) = (long.bytes(), BASE + per_update * updates);
            let each = bytes.saturating_sub(BASE) / updates;
            let [script, set] = long.script_and_set_usec();
            println!(
                "{updates:>7}  {traced:<5}  {bytes:>6}  {budget:>6}  {each:>10}  {script:>21.2}  {set:>6.2}  {:>5.1}",
                script / set
            );
            if bytes > budget {
                over.push((updates, bytes, budget));
            }
        }
        assert_eq!(over, [], "updates, bytes, budget");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_life_is_folded_in_one_go() {
    let mut long = Long::start(false).await;
    long.until(4_000).await;
    let start = Instant::now();
    let updates = long.store.updates_after(long.table(), 0, 5_000).await.expect("a log");
    let read = start.elapsed();
    let start = Instant::now();
    let mut fold = Fold::new(long.table());
    for logged in updates {
        fold.step(logged).expect("an update that fits");
    }
    let folded = start.elapsed();
    let stored = long.store.load(long.table()).await.expect("a load").expect("a table");
    assert_eq!(fold.state().expect("a state").table, stored.snapshot.table);
    println!("4,000 updates: read and decoded in {read:?}, folded in {folded:?} (target: 5 ms for 4,096)");
    println!("{} bytes in Redis", long.bytes());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_script_under_load() {
    let clocks =
        [("no clocks", Timer::Disarm, Guard::None), ("a clock each turn", Timer::Arm(30_000), Guard::Before)];
    for (name, timer, guard) in clocks {
        let redis = Redis::start();
        let store = RedisStore::connect(&redis.url(), Lifetimes::default(), None).expect("an address");
        store.check().await.expect("a Redis that works");
        let store = Arc::new(store);
        // Played beforehand, so that the client is no slower than it must be.
        let plays = (0..64).map(|seed| SelfPlay::endless(seed, "dev").take(400).collect::<Vec<_>>());
        let mut tables = tokio::task::JoinSet::new();
        for play in plays.collect::<Vec<_>>() {
            let store = store.clone();
            tables.spawn(async move {
                let mut expected = None;
                for (update, snapshot) in play {
                    let commit = Commit { timer, guard, ..in_turn(expected, update, &snapshot) };
                    match store.commit(&commit).await {
                        Ok(Committed::Done { version, .. }) => expected = Some(version),
                        other => panic!("a commit that must happen: {other:?}"),
                    }
                }
            });
        }
        let start = Instant::now();
        tables.join_all().await;
        let elapsed = start.elapsed();
        let stats = redis.ask(&["INFO", "commandstats"]);
        for line in stats.lines().filter(|line| line.starts_with("cmdstat_evalsha:")) {
            println!(
                "{name}: 64 tables, {} commits in {elapsed:?}: {line} (target: 25 usec_per_call)",
                64 * 400
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sweep_that_finds_nothing_is_cheap() {
    const SWEEPS: u32 = 200;
    let redis = Redis::start();
    let store = RedisStore::connect(&redis.url(), Lifetimes::default(), None).expect("an address");
    store.check().await.expect("a Redis that works");
    for tables in [0_u64, 10_000] {
        for seed in 0..tables {
            let (update, snapshot) = SelfPlay::plain(seed, "dev").next().expect("a creation");
            let commit = Commit { timer: Timer::Arm(3_600_000), ..in_turn(None, update, &snapshot) };
            assert!(matches!(store.commit(&commit).await, Ok(Committed::Done { .. })));
        }
        // The first sweep reads and writes the stamps of outages.
        assert_eq!(store.due(100, 15_000).await, Ok(Vec::new()));
        let (used, net, ours) = (redis_usec(&redis), redis_bytes(&redis), own_ticks());
        let start = Instant::now();
        for _ in 0..SWEEPS {
            assert_eq!(store.due(100, 15_000).await, Ok(Vec::new()));
        }
        let elapsed = start.elapsed() / SWEEPS;
        let used = redis_usec(&redis).saturating_sub(used) / u64::from(SWEEPS);
        let (into, out) = redis_bytes(&redis);
        let ours = own_ticks().saturating_sub(ours) * 10_000 / u64::from(SWEEPS);
        println!(
            "{tables} timers armed, none due: a sweep takes {elapsed:?}, {used} us of Redis, about {ours} us of this \
             process, {} bytes there and {} back",
            into.saturating_sub(net.0) / u64::from(SWEEPS),
            out.saturating_sub(net.1) / u64::from(SWEEPS),
        );
    }
}

/// One number of what Redis says of itself.
fn info(redis: &Redis, section: &str, field: &str) -> f64 {
    let info = redis.ask(&["INFO", section]);
    let line = info.lines().find_map(|line| line.strip_prefix(field));
    line.expect("a field").trim_start_matches(':').trim().parse().expect("a number")
}

/// Microseconds of CPU that Redis has used.
fn redis_usec(redis: &Redis) -> u64 {
    let seconds = info(redis, "cpu", "used_cpu_user:") + info(redis, "cpu", "used_cpu_sys:");
    whole(seconds * 1e6)
}

/// Bytes that Redis has read and written.
fn redis_bytes(redis: &Redis) -> (u64, u64) {
    let bytes = |field| whole(info(redis, "stats", field));
    (bytes("total_net_input_bytes:"), bytes("total_net_output_bytes:"))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and positive")]
fn whole(number: f64) -> u64 {
    number as u64
}

/// CPU that this process has used, in hundredths of a second; 0 where the system does not say.
fn own_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

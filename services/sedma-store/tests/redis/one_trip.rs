//! An accepted action is one command, seen from Redis.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use sedma_rules::Seat;
use sedma_table::contract::Game;
use sedma_table::store::{Holder, Lease, Store};

use crate::game::store;
use crate::redis::Redis;

/// What Redis was sent, from `MONITOR`.
struct Monitor(BufReader<TcpStream>);

impl Monitor {
    fn start(redis: &Redis) -> Self {
        let mut stream = TcpStream::connect(("127.0.0.1", redis.port())).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream.write_all(b"MONITOR\r\n").expect("a command");
        let mut lines = BufReader::new(stream);
        let mut answer = String::new();
        lines.read_line(&mut answer).expect("an answer");
        assert_eq!(answer, "+OK\r\n");
        Self(lines)
    }

    /// The names of the commands up to now, without those that scripts call and the watchdogs' pings.
    fn commands(&mut self, redis: &Redis) -> Vec<String> {
        redis.ask(&["ECHO", "that-was-all"]);
        let mut names = Vec::new();
        loop {
            let mut line = Vec::new();
            self.0.read_until(b'\n', &mut line).expect("a line");
            let line = String::from_utf8_lossy(&line);
            if line.contains("that-was-all") {
                return names;
            }
            let name = line.split('"').nth(1).expect("a command").to_uppercase();
            if !line.contains(" lua] ") && name != "PING" {
                names.push(name);
            }
        }
    }
}

/// Waits until what a start and a creation bring about in the background is over.
fn settled(redis: &Redis) {
    redis.until("all connections have their names", |redis| {
        let clients = redis.ask(&["CLIENT", "LIST"]);
        ["sedma-commands", "sedma-sweeper", "sedma-wakeups"].iter().all(|name| clients.contains(name))
    });
    redis.until("the creation's look at its listing is over", |redis| {
        redis.ask(&["INFO", "commandstats"]).contains("cmdstat_exists:")
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_action_is_one_evalsha_and_nothing_else() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let mut game = Game::create(&store, 1).await;
    settled(&redis);
    let mut monitor = Monitor::start(&redis);
    game.play(100).await;
    assert_eq!(monitor.commands(&redis), vec!["EVALSHA"; 100]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_is_one_trip_too_and_so_is_a_load() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let mut game = Game::create(&store, 2).await;
    let commit = game.propose().expect("a step");
    game.make(&commit).await;
    settled(&redis);
    let mut monitor = Monitor::start(&redis);
    let _conflict = store.commit(&commit).await;
    let _load = store.load(game.table()).await;
    assert_eq!(monitor.commands(&redis), ["EVALSHA", "GET"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sweep_that_finds_nothing_is_one_trip_and_stamps_are_two_more_now_and_then() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    Game::create(&store, 3).await;
    settled(&redis);
    let mut monitor = Monitor::start(&redis);
    let mut sweep = async || {
        assert_eq!(store.due(100, 3_600_000).await, Ok(Vec::new()));
        monitor.commands(&redis)
    };
    let look = [vec!["TIME"], vec!["ZRANGE"; 256]].concat();
    let stamps = [vec!["GET"; 256], vec!["SET"; 256]].concat();
    assert_eq!(sweep().await, [look.clone(), stamps].concat());
    assert_eq!(sweep().await, look);
    assert_eq!(sweep().await, look);
}

#[tokio::test(flavor = "multi_thread")]
async fn leases_are_one_transaction_a_table_and_a_look_is_one_command() {
    let redis = Redis::start();
    let store = store(&redis.url()).await;
    let (first, second) = (Game::create(&store, 4).await.table(), Game::create(&store, 5).await.table());
    settled(&redis);
    let mut monitor = Monitor::start(&redis);
    let lease = |table, seat| Lease { table, seat, holder: Holder(7) };
    let leases = [lease(first, Seat::One), lease(second, Seat::One), lease(first, Seat::Two)];
    let table = ["MULTI", "HSET", "PEXPIREAT", "PEXPIREAT", "EXEC"];
    store.hold(&leases, 30_000, false).await.expect("leases");
    assert_eq!(
        monitor.commands(&redis),
        [table.as_slice(), &table, &["SPUBLISH"; 2]].concat(),
        "they are new"
    );
    store.hold(&leases, 30_000, false).await.expect("renewals");
    assert_eq!(monitor.commands(&redis), [table, table].concat());
    store.hold(&leases[..1], 30_000, true).await.expect("a lease");
    assert_eq!(monitor.commands(&redis), [table.as_slice(), &["SPUBLISH"]].concat());
    assert_eq!(store.present(first).await.expect("who is present").len(), 2);
    assert_eq!(monitor.commands(&redis), ["HGETALL"]);
    store.release(&leases).await.expect("a release");
    assert_eq!(monitor.commands(&redis), ["HDEL", "SPUBLISH", "HDEL", "SPUBLISH"]);
    store.hold(&[], 30_000, true).await.expect("nothing");
    store.release(&[]).await.expect("nothing");
    assert_eq!(monitor.commands(&redis), Vec::<String>::new());
}

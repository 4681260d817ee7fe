//! Many tables at one replica, as fast as they can.

use std::time::Duration;

use futures_util::future::join_all;
use tests::views::legal;
use tests::{Client, NewTable, Process, Redis, Table};
use tokio::time::Instant;

use crate::ledger::{Ledger, open_book};
use crate::moves::{after, ended, turn};
use crate::scale::{full, of, tell};

/// When a table has played enough: so many cards, or until then.
#[derive(Clone, Copy, Debug)]
enum Enough {
    Cards(usize),
    Until(Instant),
}

impl Enough {
    fn is(self, played: usize) -> bool {
        match self {
            Enough::Cards(cards) => played >= cards,
            Enough::Until(time) => Instant::now() >= time,
        }
    }
}

/// A table that has played enough, and what was told of it.
struct Played {
    table: Table,
    ledger: Ledger,
    /// Revision and history of every update.
    told: Vec<(i64, bytes::Bytes)>,
}

/// Plays one table, each card as soon as the one before it is told. Nobody else acts there, so none is refused.
async fn play(door: &Client, number: usize, enough: Enough) -> Played {
    let table: Table = NewTable::classic().to(0).start(door).await;
    let mut watch = open_book(&table, door).await;
    let mut ledger = Ledger::default();
    let mut told = Vec::new();
    let started = table.revision().await;
    loop {
        let update = watch.update().await;
        told.push((update.revision, update.history.clone()));
        ledger.take(update.clone());
        if update.revision < started {
            continue;
        }
        if ended(&update) || enough.is(ledger.plays) {
            return Played { table, ledger, told };
        }
        let seat = table.seat(turn(&update));
        let words = legal(after(&update), seat.number);
        let word = &words[(ledger.plays * 7 + number) % words.len()];
        let played = seat.act_at(update.revision, word).await.expect("a legal card of the only one who acts");
        assert_eq!((played.revision, played.replayed), (update.revision + 1, false));
    }
}

/// What was told is what is written.
async fn compare(played: &Played, door: &Client) {
    let revision = played.table.revision().await;
    assert_eq!(played.told.last().map(|(last, _)| *last), Some(revision));
    let log = open_book(&played.table, door).await.updates_to(revision).await;
    let log = log.into_iter().map(|update| (update.revision, update.history));
    assert!(log.eq(played.told.iter().cloned()), "another history");
}

/// Callers who shared a connection to Redis cleared each other's transactions.
/// <https://github.com/redis/redis-rs/issues/1257> <https://github.com/redis/redis-rs/issues/565>
/// <https://github.com/redis/redis-rs/issues/1185>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d14_tables_that_share_a_replica_lose_no_card_at_full_speed() {
    let redis = Redis::start();
    let replica = Process::redis(&redis).await;
    let enough =
        if full() { Enough::Until(Instant::now() + Duration::from_mins(2)) } else { Enough::Cards(40) };
    let tables = of(12, 100);
    let mut doors = Vec::new();
    for _ in 0..10 {
        doors.push(replica.platform().await);
    }
    let played = join_all((0..tables).map(|n| play(&doors[n % doors.len()], n, enough))).await;
    for played in &played {
        compare(played, &doors[0]).await;
    }
    let plays: usize = played.iter().map(|played| played.ledger.plays).sum();
    let deals: usize = played.iter().map(|played| played.ledger.deals).sum();
    assert!(deals >= tables, "{deals} deals");
    tell("D14", &format!("{tables} tables, {plays} cards, {deals} deals, none lost and none refused"));
    drop((played, doors));
    replica.terminate().await;
}

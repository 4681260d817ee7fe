//! Many replicas look after the same clocks.

use futures_util::future::join_all;
use tests::timing::deadline;
use tests::views::{hand, legal, public};
use tests::{Client, NewTable, Process, Redis, Server, Table, Way, Wire, duration, ms, v1};
use v1::Actor;

use crate::ledger::audited;
use crate::moves::{after, ended, from_now_on, misses, slow_turns, turn};
use crate::scale::{of, tell};

/// How much later than its deadline an action is still taken, in milliseconds.
const GRACE: i64 = 500;

/// A table whose players are silent to its end, which comes with so many points.
async fn silent_table(door: &Client, points: i32) -> Table {
    let timing =
        v1::Timing { turn_timeout: Some(duration(200)), away_after: Some(0), ..v1::Timing::default() };
    let new = NewTable::classic().changed(|rules| rules.stop_at_points = Some(points)).to(1);
    new.timed(timing).start(door).await
}

/// Every turn was missed once, and not before its time; answers how many.
fn each_missed_once(updates: &[v1::Update]) -> usize {
    let started = updates.iter().position(|update| turn(update) > 0).expect("a match that starts");
    for pair in updates[started..].windows(2) {
        assert_eq!((pair[1].actor(), misses(&pair[1])), (Actor::Timeout, vec![turn(&pair[0])]));
        let until = deadline(after(&pair[0])).expect("a clock for every turn");
        assert!(ms(pair[1].time.as_ref()) >= until + GRACE, "a turn was missed before its time");
    }
    updates.len() - started - 1
}

/// A job that was due was done by every replica. <https://github.com/sidekiq-scheduler/sidekiq-scheduler/issues/156>
/// <https://github.com/airqo-platform/AirQo-api/pull/6995>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f08_every_turn_is_missed_once_though_a_replica_stands_still_for_a_while() {
    let redis = Redis::start();
    let mut replicas = Vec::new();
    for _ in 0..of(3, 5) {
        replicas.push(Process::redis(&redis).await);
    }
    let frozen = replicas.pop().expect("a replica");
    let (doomed, sound) = (frozen.platform().await, replicas[0].platform().await);
    let tables = join_all((0..of(24, 200)).map(|_| silent_table(&doomed, of(10, 50)))).await;

    // It stands still in the middle of its work, and goes on when others have long done what it was at.
    let first = tables[0].at(&sound);
    let mut watch = first.history().await;
    watch.until(|update| !misses(update).is_empty()).await;
    frozen.freeze();
    let mut gone = 0;
    while gone < 3 && !ended(&watch.update().await) {
        gone += 1;
    }
    frozen.thaw();

    let mut turns = 0;
    for table in &tables {
        table.at(&sound).history().await.until(ended).await;
        turns += each_missed_once(&audited(table, &sound).await);
    }
    tell(
        "F08",
        &format!("{} tables on {} replicas, {turns} turns missed, each once", tables.len(), of(3, 5)),
    );
    drop((watch, first, doomed, sound, tables));
    replicas.push(frozen);
    for replica in replicas {
        replica.terminate().await;
    }
}

/// What such a replica writes when it goes on: it arrives long after the turn is over, and is refused for the revision
/// that it was decided on. <https://github.com/sidekiq-scheduler/sidekiq-scheduler/issues/156>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f08_a_missed_turn_that_is_written_late_is_not_missed_again() {
    let redis = Redis::start();
    let wire = Wire::to_port(redis.port()).await;
    let late = Server::start(Server::config(Some(format!("redis://{}/", wire.address())))).await;
    let other = Process::redis(&redis).await;
    let door = other.platform().await;
    let new = NewTable::two().deal(&["8h 9h Jh Qh", "8c 9c Jc Qc"], "").timed(slow_turns());
    let table = new.start(&door).await;
    let mut watch = from_now_on(&table).await;

    // Only the late replica sees that the turn is over, and what it writes is held up.
    wire.hold_from(Way::ToServer, b"EVALSHA");
    let extended = table.extend(duration(1)).await;
    watch.until(|update| update.revision == extended.revision).await;
    other.freeze();
    wire.holds(Way::ToServer).await;
    other.thaw();
    let missed = watch.update().await;
    assert_eq!((missed.revision, misses(&missed)), (extended.revision + 1, vec![1]));

    // It arrives when another has done it. What is sent on the same connection afterwards is answered.
    wire.mend();
    let second = table.seat(2).at(&late.platform().await);
    let view = second.view().await;
    assert_eq!((public(&view).turn_seat, hand(&view, 2).as_str()), (2, "8c 9c Jc Qc"));
    let played = second.act(&legal(&view, 2)[0]).await.expect("the next turn");
    assert_eq!(played.revision, missed.revision + 1);
    let updates = audited(&table, &door).await;
    assert_eq!(updates.iter().map(|update| misses(update).len()).sum::<usize>(), 1);
    drop((watch, table, door, second));
    late.stop().await;
    other.terminate().await;
}

//! An outage is nobody's fault: what falls due while Redis or all replicas stand still gets its whole time again. A stop
//! that is too short to be one changes nothing.

use std::time::Duration;

use futures_util::future::join_all;
use tests::moves::misses;
use tests::timing::{deadline, duration, ms, waits, wall_ms};
use tests::v1::{self, Actor, event::Fact, watch_table_response::Payload};
use tests::views::{facts, public};
use tests::wait::PATIENCE;
use tests::{Client, NewTable, Redis, Table, Watch};
use tokio::time::{sleep, timeout};

use crate::course::{GRACE_MS, after};
use crate::proving;
use crate::replicas::Replicas;

/// Tables at different points of their turns.
const TABLES: i32 = 12;

/// Everything stands still for a while.
struct Stop {
    /// Time of a turn.
    turn_ms: i32,
    /// How long it lasts.
    lasts: Duration,
    /// What is an outage, where it is not what is one by default.
    outage_after: Option<&'static str>,
}

impl Stop {
    /// Longer than what is an outage.
    fn long() -> Self {
        if proving("PROVE_CLOCKS") {
            Self { turn_ms: 20_000, lasts: Duration::from_mins(1), outage_after: None }
        } else {
            Self { turn_ms: 1_000, lasts: Duration::from_secs(4), outage_after: Some("2s") }
        }
    }

    /// Shorter.
    fn short() -> Self {
        Self { turn_ms: 4_000, lasts: Duration::from_secs(1), outage_after: None }
    }

    /// Tables whose players will let their turn pass; the n-th has n parts of its turn left. Where turns are short one may
    /// be over before it is set: that table is left out.
    async fn tables(&self, door: &Client) -> Vec<Turn> {
        let timing = v1::Timing {
            turn_timeout: Some(duration(self.turn_ms)),
            away_after: Some(0),
            ..v1::Timing::default()
        };
        let turns = join_all((1..=TABLES).map(async |n| {
            let table = NewTable::two().timed(timing.clone()).start(door).await;
            let extended = table.extend(duration(self.turn_ms * n / TABLES)).await;
            let view = extended.view.as_ref().expect("a view");
            let until_ms = deadline(view).expect("a deadline");
            let runs = public(view).turn_seat == 1;
            runs.then_some(Turn { table, revision: extended.revision, fire_ms: until_ms + GRACE_MS })
        }));
        turns.await.into_iter().flatten().collect()
    }
}

/// A turn that runs.
struct Turn {
    table: Table,
    /// Revision since which its time runs.
    revision: i64,
    /// When it is missed, if nothing happens, in milliseconds of the store's clock.
    fire_ms: i64,
}

impl Turn {
    async fn watch(&self, door: &Client) -> Watch {
        self.table.at(door).history_after(self.revision).await
    }
}

async fn watch_all(turns: &[Turn], door: &Client) -> Vec<Watch> {
    join_all(turns.iter().map(|turn| turn.watch(door))).await
}

/// What comes up to the first missed turn.
async fn until_it_is_missed(watch: &mut Watch, stop: &Stop) -> Vec<v1::Update> {
    let missing = async {
        let mut updates: Vec<v1::Update> = Vec::new();
        while updates.last().is_none_or(|last| misses(last).is_empty()) {
            match watch.next().await.payload {
                Some(Payload::Update(update)) => updates.push(update),
                Some(Payload::Heartbeat(_)) => {}
                other => panic!("no update but {other:?}"),
            }
        }
        updates
    };
    let patience = Duration::from_millis(stop.turn_ms.unsigned_abs().into()) + PATIENCE;
    let updates = timeout(patience, missing).await.expect("a turn that is missed when its time is over");
    let missed = updates.last().expect("an update");
    assert_eq!((missed.actor(), misses(missed)), (Actor::Timeout, vec![1]));
    updates
}

/// What was seen at the tables.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    /// Turns that fell due during the stop.
    fell_due: usize,
    /// Turns that got their whole time again.
    extended: usize,
    /// Turns that were missed at the end of the time that they had from the start.
    missed_at_once: usize,
}

/// The update must give seat 1, whose turn it was and is, its whole time; answers until when, in milliseconds.
fn whole_time_again(update: &v1::Update, stop: &Stop) -> i64 {
    assert_eq!((update.actor(), update.seat), (Actor::Timeout, 0));
    let [Fact::DeadlineExtended(fact)] = facts(update)[..] else { panic!("{:?}", update.events) };
    let until_ms = ms(fact.deadline_time.as_ref());
    assert_eq!(waits(update), Some(stop.turn_ms.into()));
    assert_eq!(deadline(update.after.as_ref().expect("a view")), Some(until_ms));
    assert_eq!(after(update).turn_seat, 1);
    until_ms
}

/// Follows every table to its missed turn. Those that fell due between these instants were given their time again.
async fn after_an_outage(
    turns: &[Turn],
    watches: Vec<Watch>,
    stop: &Stop,
    [from_ms, until_ms]: [i64; 2],
) -> Seen {
    let mut seen = Seen::default();
    for (turn, mut watch) in turns.iter().zip(watches) {
        let updates = until_it_is_missed(&mut watch, stop).await;
        let [extended @ .., missed] = updates.as_slice() else { panic!("no update at all") };
        let mut fire_ms = turn.fire_ms;
        for update in extended {
            assert!(ms(update.time.as_ref()) >= fire_ms, "nothing was due yet: {update:?}");
            fire_ms = whole_time_again(update, stop) + GRACE_MS;
        }
        assert!(ms(missed.time.as_ref()) >= fire_ms, "a turn was missed before its time: {missed:?}");
        let fell_due = from_ms < turn.fire_ms && turn.fire_ms <= until_ms;
        assert!(
            !fell_due || !extended.is_empty(),
            "a turn fell due at {} in an outage from {from_ms} until {until_ms} and was missed: {missed:?}",
            turn.fire_ms
        );
        seen.fell_due += usize::from(fell_due);
        seen.extended += usize::from(!extended.is_empty());
        seen.missed_at_once += usize::from(extended.is_empty());
    }
    seen
}

/// Follows every table to its missed turn, which is the next thing that happens there.
async fn after_a_short_stop(turns: &[Turn], watches: Vec<Watch>, stop: &Stop) {
    for (turn, mut watch) in turns.iter().zip(watches) {
        let updates = until_it_is_missed(&mut watch, stop).await;
        assert_eq!(updates.len(), 1, "nothing else was to happen: {:?}", facts(&updates[0]));
        assert!(ms(updates[0].time.as_ref()) >= turn.fire_ms, "a turn was missed before its time");
    }
}

fn tell(who: &str, stop: &Stop, seen: &Seen) {
    let Seen { fell_due, extended, missed_at_once } = seen;
    println!(
        "{who} stood still for {:?}, a turn takes {} ms: {fell_due} turns fell due meanwhile and were not \
         missed; {extended} got their whole time again, {missed_at_once} were missed when the time they had was over",
        stop.lasts, stop.turn_ms
    );
    assert!(*fell_due > 0, "an outage in which nothing falls due shows nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_seat_times_out_while_redis_stands_still() {
    let (redis, stop) = (Redis::start(), Stop::long());
    let replicas = Replicas::start(&redis, stop.outage_after).await;
    let door = replicas.door().await;
    let turns = stop.tables(&door).await;
    // These live through it.
    let watches = watch_all(&turns, &door).await;

    redis.freeze();
    let from_ms = wall_ms();
    sleep(stop.lasts).await;
    let until_ms = wall_ms();
    redis.thaw();
    let seen = after_an_outage(&turns, watches, &stop, [from_ms, until_ms]).await;
    tell("Redis", &stop, &seen);
    replicas.terminate().await;
}

/// Two are killed and others come in their place; one is stopped in its tracks and goes on with what it had in mind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_seat_times_out_while_no_replica_runs() {
    let (redis, stop) = (Redis::start(), Stop::long());
    let mut replicas = Replicas::start(&redis, stop.outage_after).await;
    let turns = stop.tables(&replicas.door().await).await;

    let frozen = replicas.running.swap_remove(0);
    frozen.freeze();
    for killed in replicas.running.drain(..) {
        killed.kill_9().await;
    }
    let from_ms = wall_ms();
    sleep(stop.lasts).await;
    let until_ms = wall_ms();
    frozen.thaw();
    replicas.running.push(frozen);
    replicas.fill_up(stop.outage_after).await;
    let watches = watch_all(&turns, &replicas.door().await).await;
    let seen = after_an_outage(&turns, watches, &stop, [from_ms, until_ms]).await;
    tell("all replicas", &stop, &seen);
    replicas.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_stands_still_for_a_moment_gives_nobody_more_time() {
    let (redis, stop) = (Redis::start(), Stop::short());
    let replicas = Replicas::start(&redis, stop.outage_after).await;
    let door = replicas.door().await;
    let turns = stop.tables(&door).await;
    let watches = watch_all(&turns, &door).await;

    redis.freeze();
    sleep(stop.lasts).await;
    redis.thaw();
    after_a_short_stop(&turns, watches, &stop).await;
    replicas.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn replicas_that_stand_still_for_a_moment_give_nobody_more_time() {
    let (redis, stop) = (Redis::start(), Stop::short());
    let replicas = Replicas::start(&redis, stop.outage_after).await;
    let door = replicas.door().await;
    let turns = stop.tables(&door).await;
    let watches = watch_all(&turns, &door).await;

    for replica in &replicas.running {
        replica.freeze();
    }
    sleep(stop.lasts).await;
    for replica in &replicas.running {
        replica.thaw();
    }
    after_a_short_stop(&turns, watches, &stop).await;
    replicas.terminate().await;
}

//! Watchers who drop and come back again and again while bots play: at their last cursor or any earlier one, with the
//! mark of their history or without, at one replica or the other. Each is told every update in order, once from each
//! cursor on, and the same whoever tells it.

use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use prost::Message as _;
use tests::timing::duration;
use tests::v1::{self, watch_table_response::Payload};
use tests::{Chance, NewTable, Table, Watch, World};
use tokio::task::JoinSet;

use crate::pace::{against_bots, play};
use crate::proving;
use crate::whole_history::whole_history;

/// The number that everything follows from which is left to chance.
const SEED: usize = 20_260_802;
const TABLES: usize = 10;
/// Tables of them that are soon ahead of what a replica has at hand.
const FAST: usize = 2;
/// Time between two plays of a person, each of which three bots answer.
const PACE: Duration = Duration::from_millis(40);
const WATCHERS: usize = 50;
/// How often each watcher comes back, in a slice and in all.
const RETURNS: [usize; 2] = [6, 100];
/// Updates that a watcher waits for at most beyond those that he knows.
const MOST_NEW: usize = 3;
/// Whose hands the watchers see, in turns.
const SEATS: [&[i32]; 3] = [&[], &[1], &[1, 2, 3, 4]];

/// What the watchers did, counted.
#[derive(Debug, Default)]
struct Count {
    returns: usize,
    at_an_earlier_cursor: usize,
    without_a_mark: usize,
    at_the_other_replica: usize,
    updates: usize,
}

/// A watcher with all that it was ever told.
struct Watcher {
    /// The table at both replicas.
    doors: [Table; 2],
    /// The door where it was last.
    door: usize,
    seats: &'static [i32],
    /// The updates, encoded: that of revision n at n - 1.
    seen: Vec<Vec<u8>>,
    /// The mark of the history that came with each.
    marks: Vec<Bytes>,
    chance: Chance,
    count: Count,
}

impl Watcher {
    fn new(number: usize, tables: &[Table], world: &World) -> Self {
        let table = &tables[number % tables.len()];
        Self {
            doors: [table.at(world.a()), table.at(world.b())],
            door: 0,
            seats: SEATS[number % SEATS.len()],
            seen: Vec::new(),
            marks: Vec::new(),
            chance: Chance::new(SEED + number, "returns"),
            count: Count::default(),
        }
    }

    /// Goes on after this many updates; the server must confirm it.
    async fn resume(&mut self, cursor: usize, marked: bool) -> Watch {
        let history = cursor.checked_sub(1).filter(|_| marked).map(|last| self.marks[last].clone());
        let table = &self.doors[self.door];
        let after = i64::try_from(cursor).expect("a revision");
        let request = v1::WatchTableRequest {
            name: table.name.clone(),
            after_revision: Some(after),
            history: history.unwrap_or_default(),
            seats: self.seats.to_vec(),
            ..v1::WatchTableRequest::default()
        };
        let mut watch = table.platform.watch_table(request).await.expect("a watch");
        assert_eq!(watch.heartbeat().await.revision, after);
        watch
    }

    /// Comes back somewhere, reads on for a while, and drops the watch.
    async fn come_and_go(&mut self) {
        let known = self.seen.len();
        let cursor = if self.chance.once_in(2) { known } else { self.chance.below(known + 1) };
        let (marked, door) = (self.chance.once_in(2), self.chance.below(2));
        self.count.returns += 1;
        self.count.at_an_earlier_cursor += usize::from(cursor < known);
        self.count.without_a_mark += usize::from(!marked);
        self.count.at_the_other_replica += usize::from(door != self.door);
        self.door = door;
        let mut watch = self.resume(cursor, marked).await;
        let until = cursor + self.chance.below(known - cursor + MOST_NEW + 1);
        for before in cursor..until {
            self.take(before, &watch.update().await);
        }
    }

    /// Reads from its last cursor to the table's end.
    async fn finish(&mut self) {
        let (messages, status) = self.resume(self.seen.len(), true).await.rest().await;
        assert!(status.is_none(), "the watch broke off: {status:?}");
        assert!(matches!(messages.last().and_then(|last| last.payload.as_ref()), Some(Payload::End(_))));
        for message in messages {
            if let Some(Payload::Update(update)) = message.payload {
                self.take(self.seen.len(), &update);
            }
        }
    }

    /// The update after so many others. One that is known must be what it was, event by event and in the view after it.
    fn take(&mut self, before: usize, update: &v1::Update) {
        let next = i64::try_from(before + 1).expect("a revision");
        assert_eq!(update.revision, next, "a gap or a duplicate");
        let bytes = update.encode_to_vec();
        match self.seen.get(before) {
            Some(known) => assert!(*known == bytes, "revision {next} was told in two ways: {update:?}"),
            None => {
                self.seen.push(bytes);
                self.marks.push(update.history.clone());
            }
        }
        self.count.updates += 1;
    }
}

/// Tables where it goes on and on: of four bots with ten moves a second, and of a person with a hundred.
async fn tables(world: &World) -> Vec<Table> {
    let timing = v1::Timing { bot_delay: Some(duration(5)), ..v1::Timing::default() };
    let new = || NewTable::classic().with_bots(&[1, 2, 3, 4]).to(0).timed(timing.clone());
    let slow = join_all((FAST..TABLES).map(|n| new().create(world.door(n)))).await;
    let fast = join_all((0..FAST).map(|n| against_bots(world.door(n)))).await;
    fast.into_iter().chain(slow).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watchers_who_come_back_anywhere_are_told_one_history() {
    let [slice, whole] = RETURNS;
    let returns = if proving("PROVE_WATCH") { whole } else { slice };
    let world = World::redis().await;
    let tables = tables(&world).await;
    let mut playing = JoinSet::new();
    for table in &tables[..FAST] {
        let table = table.clone();
        playing.spawn(async move { play(&table, PACE, |_| false).await });
    }
    let watching = (0..WATCHERS).map(|number| {
        let mut watcher = Watcher::new(number, &tables, &world);
        tokio::spawn(async move {
            for _ in 0..returns {
                watcher.come_and_go().await;
            }
            watcher
        })
    });
    let watchers = join_all(watching).await.into_iter().map(|watcher| watcher.expect("a watcher"));
    let mut watchers: Vec<Watcher> = watchers.collect();
    assert_eq!(playing.len(), FAST, "somebody stopped playing");
    playing.shutdown().await;
    join_all(tables.iter().map(Table::close)).await;

    let mut total = Count::default();
    for watcher in &mut watchers {
        watcher.finish().await;
        let whole = whole_history(&watcher.doors[1 - watcher.door], watcher.seats).await;
        let whole: Vec<Vec<u8>> = whole.iter().map(prost::Message::encode_to_vec).collect();
        assert!(watcher.seen == whole, "a watcher was told another history than there is");
        total.returns += watcher.count.returns;
        total.at_an_earlier_cursor += watcher.count.at_an_earlier_cursor;
        total.without_a_mark += watcher.count.without_a_mark;
        total.at_the_other_replica += watcher.count.at_the_other_replica;
        total.updates += watcher.count.updates;
    }
    let Count { returns, at_an_earlier_cursor, without_a_mark, at_the_other_replica, updates } = total;
    println!(
        "{returns} times {WATCHERS} watchers of {TABLES} tables came back: {at_an_earlier_cursor} at an earlier cursor, \
         {without_a_mark} without a mark, {at_the_other_replica} at the other replica. {updates} updates were told: \
         0 gaps, 0 duplicates, and each watcher has the whole history"
    );
    world.stop().await;
}

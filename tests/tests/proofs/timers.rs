//! Each timer acts exactly once, not before its time, though one replica after the other is killed.

use futures_util::{StreamExt as _, stream};
use tests::again::while_refused_as;
use tests::timing::{duration, wall_ms};
use tests::v1;
use tests::views::public;
use tests::{Chance, Client, NewTable, Redis, Table, request_id, within};

use crate::course::{Acted, What, acted, ended};
use crate::figures::Figures;
use crate::proving;
use crate::replicas::Replicas;
use crate::whole_history::whole_history;

/// The number that everything follows from which is left to chance.
const SEED: usize = 20_260_801;
/// Tables that are worked on at a time.
const AT_A_TIME: usize = 32;

/// How much is tried.
struct Size {
    tables: usize,
    /// Replicas that are killed, one after the other.
    kills: usize,
    /// The longest time of a turn.
    turn_ms: usize,
    /// The longest time to join.
    join_ms: usize,
    /// Timers that must act while replicas are killed.
    timers: usize,
}

const SLICE: Size = Size { tables: 60, kills: 6, turn_ms: 500, join_ms: 4_000, timers: 60 };
const WHOLE: Size = Size { tables: 1_000, kills: 40, turn_ms: 2_500, join_ms: 30_000, timers: 1_000 };

/// A table that needs nobody, whatever it is that its clock times.
struct Timed {
    new: NewTable,
    /// Whether its clock is all that is left to end it.
    ends: bool,
}

impl Timed {
    /// The table with this number: each kind of timer has its share.
    fn new(number: usize, size: &Size, chance: &mut Chance) -> Self {
        let mut time = |most: usize| {
            let ms = 100 + chance.below(most);
            Some(duration(ms.try_into().expect("milliseconds")))
        };
        let (turn, delay, pause) = (time(size.turn_ms), time(size.turn_ms / 2), time(size.turn_ms));
        let join = time(size.join_ms);
        let base = v1::Timing { away_after: Some(0), ..v1::Timing::default() };
        let filling = v1::JoinTimeoutPolicy::FillWithBots.into();
        let (new, timing) = match number % 6 {
            // Silent players, all four or two of them among bots.
            0 | 1 => (NewTable::classic(), v1::Timing { turn_timeout: turn, ..base }),
            2 => {
                let new = NewTable::classic().with_bots(&[2, 4]);
                (new, v1::Timing { turn_timeout: turn, bot_delay: delay, ..base })
            }
            // Bots that pause after each deal.
            3 => {
                let timing = v1::Timing { bot_delay: Some(duration(1)), between_deals: pause, ..base };
                (NewTable::two().with_bots(&[1, 2]), timing)
            }
            // Nobody comes: bots do, or the table ends.
            4 => {
                let timing =
                    v1::Timing { join_timeout: join, join_timeout_policy: filling, bot_delay: delay, ..base };
                (NewTable::two().with_open_seats(), timing)
            }
            _ => (NewTable::two().with_open_seats(), v1::Timing { join_timeout: join, ..base }),
        };
        Self { new: new.to(0).timed(timing), ends: number % 6 == 5 }
    }
}

/// Closes a table at which other replicas' bots may act without a pause: where each of three tries met a newer state, the
/// refusal says that the same request is to be sent again.
async fn close_between_moves(table: &Table) {
    let request = v1::CloseTableRequest {
        name: table.name.clone(),
        request_id: request_id(),
        ..v1::CloseTableRequest::default()
    };
    let closed = while_refused_as("CONTENTION", async || table.platform.close_table(request.clone()).await);
    within("a closed table", closed).await;
}

/// The table goes on after all that has happened, or has ended by its clock: no timer was lost. Then closes it; answers
/// all that it came to.
async fn to_its_end(table: &Table, ends: bool) -> Vec<Acted> {
    let view = table.view().await;
    if ends {
        while !ended(public(&table.view().await)) {
            table.history_after(public(&view).revision).await.update().await;
        }
    } else {
        table.history_after(public(&view).revision).await.update().await;
        close_between_moves(table).await;
    }
    let history = whole_history(table, &[]).await;
    assert_eq!(
        history.last().map(|last| last.revision),
        Some(table.revision().await),
        "nothing after the end"
    );
    acted(&history)
}

async fn create(size: &Size, door: &Client) -> Vec<(Table, bool)> {
    let chance = &mut Chance::new(SEED, "timers");
    let timed: Vec<Timed> = (0..size.tables).map(|number| Timed::new(number, size, chance)).collect();
    let started = timed.into_iter().map(async |Timed { new, ends }| (new.start(door).await, ends));
    stream::iter(started).buffered(AT_A_TIME).collect().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_timer_acts_once_though_one_replica_after_the_other_is_killed() {
    let size = if proving("PROVE_CLOCKS") { WHOLE } else { SLICE };
    let redis = Redis::start();
    let mut replicas = Replicas::start(&redis, None).await;
    let tables = create(&size, &replicas.door().await).await;

    let chance = &mut Chance::new(SEED, "kills");
    let from_ms = wall_ms();
    for _ in 0..size.kills {
        replicas.lose_one(chance).await;
    }
    let until_ms = wall_ms();

    let door = &replicas.door().await;
    let ending = tables.iter().map(async |(table, ends)| to_its_end(&table.at(door), *ends).await);
    let acted: Vec<Vec<Acted>> = stream::iter(ending).buffer_unordered(AT_A_TIME).collect().await;
    let acted: Vec<Acted> = acted.into_iter().flatten().collect();
    replicas.terminate().await;

    let within = from_ms..until_ms;
    let meanwhile: Vec<Acted> =
        acted.iter().copied().filter(|timer| within.contains(&timer.fire_ms)).collect();
    println!(
        "{} timers at {} tables on three replicas, each acted once; {} of them in the {} s in which {} replicas were killed",
        acted.len(),
        size.tables,
        meanwhile.len(),
        (until_ms - from_ms) / 1_000,
        size.kills,
    );
    for what in What::ALL {
        let late: Figures =
            acted.iter().filter(|timer| timer.what == what).map(|timer| timer.late_ms).collect();
        println!("late  {:6} {}", format!("{what:?}"), late.line());
        assert_ne!(late, Figures::default(), "a kind of timer of which there was none");
    }
    let late: Figures = meanwhile.iter().map(|timer| timer.late_ms).collect();
    println!("late, in the time of the kills {late}");
    assert!(meanwhile.len() >= size.timers, "{} timers are too few", meanwhile.len());
}

//! A watcher who stops reading loses nothing by it, and slows nobody.

use std::time::Duration;

use futures_util::future::join;
use prost::Message as _;
use tests::timing::{ms, wall_ms};
use tests::{Client, Process, Redis, Table, Watch, Way, Wire, v1};

use crate::figures::Figures;
use crate::pace::{against_bots, persons_turn, play};
use crate::proving;

/// Bytes that the slow watcher takes before he reads: less than a few updates.
const STREAM_WINDOW: u32 = 4 * 1_024;
/// The same for his whole connection; HTTP/2 knows no less.
const CONNECTION_WINDOW: u32 = 65_535;

/// How much is played.
#[derive(Clone, Copy)]
struct Size {
    /// Updates that pass; more than a feed has at hand, and fewer than a table may have.
    updates: i64,
    /// Time between two plays of the person, which three bots answer.
    pace: Duration,
}

const SLICE: Size = Size { updates: 600, pace: Duration::from_millis(1) };
/// A minute.
const WHOLE: Size = Size { updates: 3_000, pace: Duration::from_millis(80) };

impl Size {
    /// Whether all is played: from here on the person does nothing.
    fn over(self, update: &v1::Update) -> bool {
        update.revision >= self.updates && persons_turn(update).is_some()
    }
}

/// A watch from the first update on that shows the person's hand.
async fn history(table: &Table, door: &Client) -> Watch {
    let mut watch = table.seat(1).at(door).watch_after(0, &[]).await;
    watch.heartbeat().await;
    watch
}

/// Reads until all is played; answers each update, and how long after it had happened it came, in milliseconds.
async fn read(mut watch: Watch, size: Size) -> Vec<(v1::Update, i64)> {
    let mut all: Vec<(v1::Update, i64)> = Vec::new();
    while all.last().is_none_or(|(last, _)| !size.over(last)) {
        let update = watch.update().await;
        let delay_ms = wall_ms() - ms(update.time.as_ref());
        let before = all.last().map_or(0, |(last, _)| last.revision);
        assert_eq!(update.revision, before + 1, "a gap or a duplicate");
        all.push((update, delay_ms));
    }
    all
}

/// What a prompt watcher met.
struct Met {
    updates: Vec<v1::Update>,
    delays: Figures,
}

/// All is played with one watcher who reads at once.
async fn with_a_prompt_watcher(process: &Process, table: &Table, size: Size) -> Met {
    let prompt = history(table, &process.platform().await).await;
    let reading = tokio::spawn(read(prompt, size));
    play(table, size.pace, |update| size.over(update)).await;
    let read = reading.await.expect("a watcher who reads to the end");
    let (updates, delays): (Vec<v1::Update>, Vec<i64>) = read.into_iter().unzip();
    Met { updates, delays: delays.into_iter().collect() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_who_stops_reading_is_told_all_of_it_later_and_slows_nobody() {
    let size = if proving("PROVE_WATCH") { WHOLE } else { SLICE };
    let redis = Redis::start();
    let process = Process::redis(&redis).await;
    let table = async || against_bots(&process.platform().await).await;
    let before = with_a_prompt_watcher(&process, &table().await, size).await;

    let (his, another) = (table().await, table().await);
    let wire = Wire::to(process.address()).await;
    let small = Client::connect_as(wire.address(), |endpoint| {
        endpoint.initial_stream_window_size(STREAM_WINDOW).initial_connection_window_size(CONNECTION_WINDOW)
    });
    let slow = history(&his, &small.await).await;
    let (beside, apart) =
        join(with_a_prompt_watcher(&process, &his, size), with_a_prompt_watcher(&process, &another, size))
            .await;
    let held = wire.passed(Way::ToClient);
    let late: Vec<v1::Update> = read(slow, size).await.into_iter().map(|(update, _)| update).collect();
    assert!(late == beside.updates, "the slow watcher was told something else");

    let bytes: usize = late.iter().map(v1::Update::encoded_len).sum();
    println!(
        "{} updates, {} KiB, passed a watcher who did not read: {} KiB reached him meanwhile, then all in order",
        late.len(),
        bytes / 1_024,
        held / 1_024
    );
    println!("a prompt watcher before that            {}", before.delays.line());
    println!("one at another table at the same time   {}", apart.delays.line());
    println!("one at the same table                   {}", beside.delays);
    let ratio = |hundredths| {
        let [with, without] = [&beside, &apart].map(|met| met.delays.quantile(hundredths).max(1));
        f64::from(i32::try_from(with).expect("ms")) / f64::from(i32::try_from(without).expect("ms"))
    };
    println!("same table to other table: p50 {:.2}, p90 {:.2}, p99 {:.2}", ratio(50), ratio(90), ratio(99));
    assert!(held < u64::from(STREAM_WINDOW) * 2, "{held} bytes: he was to be held up by his window");
    process.terminate().await;
}

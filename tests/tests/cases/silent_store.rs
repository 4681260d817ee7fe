//! A store that stops answering and keeps its connections.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::{join, join_all, join3};
use tests::again::patiently;
use tests::server::{serving, status};
use tests::views::legal;
use tests::wait::PATIENCE;
use tests::{Client, NewTable, Process, Redis, Table, Usage, Watch, reason, v1, within};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};
use tonic_health::pb::health_check_response::ServingStatus;

use crate::ledger::{Ledger, audited, open_book};
use crate::moves::{after, turn};
use crate::scale::{full, of, tell};

/// Tables that are played meanwhile.
const TABLES: usize = 8;
/// Cards that each table plays before the store falls silent, and again when it is back.
const CARDS: usize = 6;
/// How long the store is silent at full length.
const MINUTE: Duration = Duration::from_mins(1);
/// Memory that a replica may take for what waits meanwhile.
const MORE: u64 = 64 * 1_024 * 1_024;
/// How long an update is waited for before it is asked whether it can come.
const SECOND: Duration = Duration::from_secs(1);
/// How often it is looked whether something has come about.
const POLL: Duration = Duration::from_millis(10);

/// What has come to be at all tables.
#[derive(Debug)]
struct Course {
    /// Cards played at each table.
    cards: Vec<AtomicUsize>,
    /// Cards refused at each table.
    refused: Vec<AtomicUsize>,
    /// Calls of each visitor that were refused.
    visits: Vec<AtomicUsize>,
    /// Whether the store stands still.
    silent: AtomicBool,
    over: AtomicBool,
}

impl Course {
    fn new(visitors: usize) -> Self {
        let zeros = |count| (0..count).map(|_| AtomicUsize::new(0)).collect();
        Self {
            cards: zeros(TABLES),
            refused: zeros(TABLES),
            visits: zeros(visitors),
            silent: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// How much of something each table has.
    fn counts(of: &[AtomicUsize]) -> Vec<usize> {
        of.iter().map(|count| count.load(Ordering::Relaxed)).collect()
    }

    /// Waits until each table has so much more of something than it had.
    async fn each_has(what: &str, of: &[AtomicUsize], had: &[usize], more: usize) {
        let all = async {
            while Self::counts(of).iter().zip(had).any(|(count, had)| count < &(had + more)) {
                sleep(POLL).await;
            }
        };
        within(what, all).await;
    }
}

/// The next update, which comes when the store is back.
async fn next_update(watch: &mut Watch, course: &Course) -> v1::Update {
    let mut waited = 0;
    loop {
        if let Ok(update) = timeout(SECOND, watch.update()).await {
            return update;
        }
        waited = if course.silent.load(Ordering::Relaxed) { 0 } else { waited + 1 };
        assert!(waited < PATIENCE.as_secs(), "no update though the store is back");
    }
}

/// Plays one table until all is over, through both doors in turns. A card that is refused is sent again as it is.
async fn play(doors: [Client; 2], number: usize, course: &Course) -> Table {
    let table = NewTable::classic().to(0).start(&doors[0]).await;
    let mut watch = open_book(&table, &doors[1]).await;
    let started = table.revision().await;
    let mut ledger = Ledger::default();
    loop {
        let update = next_update(&mut watch, course).await;
        ledger.take(update.clone());
        if update.revision < started {
            continue;
        }
        if course.is_over() {
            return table;
        }
        let seat = table.seat(turn(&update));
        let word = legal(after(&update), seat.number).into_iter().next().expect("a card");
        let card = seat.card_request(update.revision, &word);
        let tries = AtomicUsize::new(number);
        let (played, _) = patiently(async || {
            let door = &doors[tries.fetch_add(1, Ordering::Relaxed) % 2];
            let answer = seat.at(door).client.play_card(card.clone()).await;
            course.refused[number].fetch_add(usize::from(answer.is_err()), Ordering::Relaxed);
            answer
        })
        .await;
        assert_eq!(played.revision, update.revision + 1, "each card once, and nothing else");
        course.cards[number].fetch_add(1, Ordering::Relaxed);
    }
}

/// Somebody who calls without a pause, whatever is answered: one makes tables, the next one reads.
async fn visit(door: Client, number: usize, course: &Course) {
    let name = NewTable::classic().create(&door).await.name;
    while !course.is_over() {
        let get = v1::GetTableRequest { name: name.clone(), ..v1::GetTableRequest::default() };
        let create = NewTable::classic().request;
        patiently(async || {
            let answer = match number % 2 {
                0 => door.get_table(get.clone()).await.map(drop),
                _ => door.create_table(create.clone()).await.map(drop),
            };
            course.visits[number].fetch_add(usize::from(answer.is_err()), Ordering::Relaxed);
            if course.is_over() { Ok(()) } else { answer }
        })
        .await;
    }
}

/// The store falls silent and comes back; answers how much memory the replicas have taken meanwhile.
async fn falls_silent(redis: &Redis, replicas: &[Process], course: &Course) -> Vec<u64> {
    let nothing = vec![0; TABLES];
    Course::each_has("cards", &course.cards, &nothing, CARDS).await;
    let memory = || replicas.iter().map(|replica| Usage::of(replica.id()).memory).collect::<Vec<u64>>();
    let before = memory();
    course.silent.store(true, Ordering::Relaxed);
    redis.freeze();
    if full() {
        sleep(MINUTE).await;
    }
    // A player may wait for an update, but each visitor has a call that must end.
    Course::each_has("calls that end", &course.visits, &Course::counts(&course.visits), 1).await;
    let taken = memory().iter().zip(before).map(|(now, before)| now.saturating_sub(before)).collect();
    redis.thaw();
    course.silent.store(false, Ordering::Relaxed);
    Course::each_has("cards again", &course.cards, &Course::counts(&course.cards), CARDS).await;
    course.over.store(true, Ordering::Relaxed);
    taken
}

/// Redis stood still, and whoever had asked it waited for ever. <https://github.com/redis-rs/redis-rs/issues/395>
/// <https://github.com/redis-rs/redis-rs/issues/392> <https://github.com/redis-rs/redis-rs/issues/1442>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m03_while_the_store_stands_still_calls_end_and_then_all_goes_on() {
    let redis = Redis::start();
    let replicas = [Process::redis(&redis).await, Process::redis(&redis).await];
    let mut doors = Vec::new();
    for _ in 0..TABLES {
        doors.push([replicas[0].platform().await, replicas[1].platform().await]);
    }
    let course = Course::new(of(20, 200));
    let players = doors.iter().enumerate().map(|(n, doors)| play(doors.clone(), n, &course));
    let visitors = (0..of(20, 200)).map(|n| visit(doors[n % TABLES][n / 2 % 2].clone(), n, &course));
    let (tables, _, taken) =
        join3(join_all(players), join_all(visitors), falls_silent(&redis, &replicas, &course)).await;
    for table in &tables {
        audited(table, &doors[0][1]).await;
    }
    assert!(taken.iter().all(|bytes| *bytes <= MORE), "bytes of each replica: {taken:?}");
    let sum = |of: &[AtomicUsize]| Course::counts(of).iter().sum::<usize>();
    tell(
        "M03",
        &format!(
            "{} cards, none lost and none twice, {} of them refused meanwhile, and {} other calls; the replicas took {taken:?} \
             bytes more",
            sum(&course.cards),
            sum(&course.refused),
            sum(&course.visits)
        ),
    );
    drop((tables, doors));
    for replica in replicas {
        replica.terminate().await;
    }
}

/// A replica that is started meanwhile says what it waits for, and needs no other start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m03_a_replica_that_starts_while_the_store_stands_still_says_why_it_is_not_ready() {
    let redis = Redis::start();
    redis.freeze();
    let replica = Process::listen(&redis.url()).await;
    let line = replica.says("waiting for the store").await;
    assert!(line.contains("\"why\":\"no connection: "), "{line}");
    assert_eq!(status(replica.address()).await, ServingStatus::NotServing);
    let door = replica.platform().await;
    let early = door.create_table(NewTable::two().request).await.expect_err("a table that nobody keeps");
    assert_eq!(reason(&early), "STORE_UNAVAILABLE", "{early:?}");
    redis.thaw();
    serving(replica.address()).await;
    NewTable::two().start(&door).await;
    drop(door);
    replica.terminate().await;
}

/// An address whose connections are never accepted nor refused, for as long as what holds it lives.
async fn black_hole() -> (SocketAddr, impl Drop) {
    struct Held(Vec<TcpStream>, #[expect(dead_code, reason = "it listens")] tokio::net::TcpListener);
    impl Drop for Held {
        fn drop(&mut self) {
            self.0.clear();
        }
    }
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut held = Vec::new();
    // Once its queue is full, whoever asks for a connection gets no answer at all.
    while let Ok(connected) = timeout(Duration::from_millis(500), TcpStream::connect(address)).await {
        held.push(connected.unwrap());
    }
    (address, Held(held, listener))
}

/// The same where not even a connection comes about.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m03_a_replica_whose_store_can_t_be_connected_to_says_so_and_ends_when_it_is_told_to() {
    let (address, hole) = black_hole().await;
    let replica = Process::listen(&format!("redis://{address}/")).await;
    let (line, health) = join(replica.says("waiting for the store"), status(replica.address())).await;
    assert!(line.contains("\"why\":\"no connection: "), "{line}");
    assert_eq!(health, ServingStatus::NotServing);
    replica.terminate().await;
    drop(hole);
}

//! Calls that their clients give up while the store is slow.

use std::time::Duration;

use futures_util::future::join_all;
use tests::errors::retry_delay;
use tests::timing::waits;
use tests::views::{facts, legal};
use tests::{Client, NewTable, Process, Redis, Table, Watch, Way, Wire, reason, v1, within};
use v1::event::Fact;

use crate::ledger::{Ledger, open_book};
use crate::moves::{after, slow_turns, turn};
use crate::scale::{of, tell};
use tests::Chance;

/// How much later the store's answers come.
const SLOW: Duration = Duration::from_millis(10);
/// A call is given up after at most so many milliseconds.
const MOST_MS: usize = 20;
/// Tables at which cards are given up, all at the same time.
const TABLES: usize = 8;
/// A turn's time, in milliseconds.
const HOUR: i64 = 60 * 60 * 1_000;

/// What became of the cards of one table.
#[derive(Debug, Default)]
struct Tally {
    /// Cards that were sent.
    sent: usize,
    /// Of these the ones whose first sending was answered in time.
    answered: usize,
    /// Of those that were given up the ones that had happened all the same.
    happened: usize,
    /// How often the store was too late with an answer.
    too_late: usize,
}

/// Sends a card and gives it up after some time. Says whether it was answered before.
async fn give_up(client: &Client, request: v1::PlayCardRequest, chance: &mut Chance) -> bool {
    let patience = Duration::from_millis(u64::try_from(chance.below(MOST_MS + 1)).unwrap());
    match tokio::time::timeout(patience, client.play_card(request)).await {
        Ok(answer) => {
            answer.expect("a legal card");
            true
        }
        Err(_given_up) => false,
    }
}

/// Sends a card until it is known what became of it, as a client does whose answer is that the store can't be reached:
/// on a machine that stands still for a while no answer comes in time. Answers how often that was so as well.
async fn known(client: &Client, request: v1::PlayCardRequest) -> (v1::PlayCardResponse, usize) {
    let mut too_late = 0;
    loop {
        match client.play_card(request.clone()).await {
            Ok(answer) => return (answer, too_late),
            Err(status) => {
                assert_eq!(reason(&status), "STORE_UNAVAILABLE", "{status:?}");
                tokio::time::sleep(retry_delay(&status).expect("a pause")).await;
                too_late += 1;
            }
        }
    }
}

/// Plays so many cards at a table, each of which is given up and then sent again at the other door.
async fn hurried_table(doors: [Client; 2], number: usize, cards: usize) -> Tally {
    let mut chance = Chance::new(number, "calls that are given up");
    let table: Table = NewTable::classic().to(0).timed(slow_turns()).start(&doors[0]).await;
    let mut watch: Watch = open_book(&table, &doors[1]).await;
    let mut told = watch.updates_to(table.revision().await).await;
    let (mut ledger, mut tally) = (Ledger::default(), Tally::default());
    for update in &told {
        ledger.take(update.clone());
    }
    for n in 0..cards {
        let last = told.last().unwrap();
        let seat = table.seat(turn(last));
        let word = legal(after(last), seat.number).into_iter().next().expect("a card");
        let request = seat.card_request(last.revision, &word);
        let revision = last.revision + 1;
        let answered = give_up(&seat.at(&doors[n % 2]).client, request.clone(), &mut chance).await;
        let (again, too_late) =
            within("an answer", known(&seat.at(&doors[(n + 1) % 2]).client, request)).await;
        assert!(again.replayed || !answered);
        let update = watch.update().await;
        assert_eq!((again.revision, update.revision), (revision, revision));
        assert_eq!((update.seat, waits(&update)), (seat.number, Some(HOUR)), "the next turn's time runs");
        let played = |update: &v1::Update| -> Vec<Fact> {
            let facts = facts(update).into_iter();
            facts.filter(|fact| matches!(fact, Fact::CardPlayed(_))).cloned().collect()
        };
        assert_eq!(again.update.as_ref().map(played), Some(played(&update)), "the answer is the log's");
        ledger.take(update.clone());
        told.push(update);
        tally.sent += 1;
        tally.answered += usize::from(answered);
        tally.happened += usize::from(again.replayed && !answered);
        tally.too_late += too_late;
    }
    assert_eq!(ledger.plays, cards);
    let revision = table.at(&doors[0]).revision().await;
    let log = open_book(&table, &doors[0]).await.updates_to(revision).await;
    assert!(log == told, "what was told is not what was written");
    tally
}

/// A client that went away stopped its call half-way, with the state written and its event not.
/// <https://github.com/quickwit-oss/quickwit/issues/4675> <https://github.com/oxidecomputer/dropshot/pull/701>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d12_a_card_that_its_client_gives_up_is_played_whole_or_not_at_all() {
    let redis = Redis::start();
    let wire = Wire::to_port(redis.port()).await;
    wire.slow(Way::ToClient, SLOW);
    let url = format!("redis://{}/", wire.address());
    let flags = ["--redis-url", &url, "--drain-delay", "0ms", "--drain-spread", "100ms", "--allow-scripted"];
    let mut servers = Vec::new();
    for _ in 0..2 {
        servers.push(Process::start(&flags).await);
    }
    let mut doors = Vec::new();
    for _ in 0..TABLES {
        doors.push([servers[0].platform().await, servers[1].platform().await]);
    }
    let cards = of(24, 2_000 / TABLES);
    let tables = doors.into_iter().enumerate().map(|(n, doors)| hurried_table(doors, n, cards));
    let tallies = join_all(tables).await;
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    let (sent, answered, happened) =
        (sum(|tally| tally.sent), sum(|tally| tally.answered), sum(|tally| tally.happened));
    assert_eq!(sent, TABLES * cards);
    assert!(sum(|tally| tally.too_late) <= TABLES, "a call that was given up holds up others: {tallies:?}");
    let not_at_all = sent - answered - happened;
    assert!(happened > 0 && not_at_all > 0, "both must come to be: {tallies:?}");
    tell(
        "D12",
        &format!(
            "{sent} cards: {answered} answered in time, {happened} given up and played, {not_at_all} given up and not"
        ),
    );
    for server in servers {
        server.terminate().await;
    }
}

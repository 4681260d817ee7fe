//! All replicas die at once.

use tests::views::{facts, game, hand, public};
use tests::{Process, Redis, Table, Watch, cards, text, v1};
use v1::event::Fact;

use crate::deals::{HANDS, PLAYS, STOCK, TRICK, deal, play_on};
use crate::ledger::{audited, count};

/// Reads a watch that breaks off after this update; answers the last revision and history that it told.
async fn broke_off(watch: Watch, told: &v1::Update) -> (i64, Vec<u8>) {
    let (messages, status) = watch.rest().await;
    assert!(status.is_some(), "a watch of a killed process ended as if all were well");
    let last = messages.last().map(|last| (last.revision, last.history.to_vec()));
    last.unwrap_or_else(|| (told.revision, told.history.to_vec()))
}

/// The cards that were drawn, in order.
fn drawn(updates: &[v1::Update]) -> String {
    let drawn = updates.iter().flat_map(facts).filter_map(|fact| match fact {
        Fact::OwnCardsDrawn(drawn) => Some(text(&drawn.cards)),
        _ => None,
    });
    drawn.collect::<Vec<_>>().join(" ")
}

/// A restart dealt other cards, and who stalled until it came had the better ones.
/// <https://github.com/terraforming-mars/terraforming-mars/issues/3739>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e09_when_all_replicas_are_killed_in_a_trick_the_same_cards_are_there_after() {
    let redis = Redis::start();
    let dying = [Process::redis(&redis).await, Process::redis(&redis).await];
    let doors = [dying[0].platform().await, dying[1].platform().await];
    let new = deal().pausing_between_deals();
    let table = new.start(&doors[0]).await;
    let mut watches = Vec::new();
    for (seat, n) in (1..=4).zip(0..) {
        let mut watch = table.seat(seat).at(&doors[n % 2]).watch().await;
        watch.snapshot().await;
        watches.push(watch);
    }
    table.play(&TRICK[..2]).await;
    let mut told = Vec::new();
    for watch in &mut watches {
        told.extend(watch.updates_to(table.revision().await).await.pop());
    }
    let before = table.view_of(&[1, 2, 3, 4]).await;
    for (seat, dealt) in (1..).zip(HANDS) {
        let played = game(&before).trick.iter().filter(|play| play.seat == seat).count();
        assert_eq!(hand(&before, seat).split_whitespace().count(), cards(dealt).len() - played);
    }
    // One more card is on its way to the watches, or has arrived.
    table.play(&TRICK[2..3]).await;
    let before = table.view_of(&[1, 2, 3, 4]).await;
    for process in dying {
        process.kill_9().await;
    }
    let mut seen = Vec::new();
    for (watch, told) in watches.into_iter().zip(&told) {
        seen.push(broke_off(watch, told).await);
    }

    let living = [Process::redis(&redis).await, Process::redis(&redis).await];
    let doors = [living[0].platform().await, living[1].platform().await];
    let tables: Vec<Table> = doors.iter().map(|door| table.at(door)).collect();
    for table in &tables {
        assert_eq!(table.view_of(&[1, 2, 3, 4]).await, before, "hands, turn, trick and revision");
    }
    let mut resumed = Vec::new();
    for (seat, (revision, history)) in (1..=4).zip(&seen) {
        let mut watch =
            tables[usize::try_from(seat).unwrap() % 2].seat(seat).watch_after(*revision, history).await;
        assert_eq!(watch.heartbeat().await.revision, *revision, "no reset: it is the same history");
        resumed.push(watch);
    }
    tables[0].play(&TRICK[3..]).await;
    play_on(&tables[1], PLAYS - TRICK.len()).await;
    let last = tables[0].revision().await;
    for (watch, (revision, _)) in resumed.iter_mut().zip(&seen) {
        let updates = watch.updates_to(last).await;
        assert_eq!(updates[0].revision, revision + 1);
    }
    let history = audited(&tables[0], &doors[1]).await;
    assert_eq!(drawn(&history), STOCK, "the stock is what it was");
    assert_eq!(count(&history, |fact| matches!(fact, Fact::DealEnded(_))), 1);
    assert_eq!(public(&tables[0].view().await).phase(), v1::TablePhase::BetweenDeals);
    drop((resumed, tables, doors));
    for process in living {
        process.terminate().await;
    }
}

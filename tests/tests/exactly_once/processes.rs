//! Two processes on one Redis are one service: neither is missed when it dies.

use tests::views::{facts, game, public};
use tests::{Process, Redis, Table, Watch, cards, text, v1};
use v1::event::Fact;
use v1::watch_table_response::Payload;

use crate::deals::{HANDS, PLAYS, STOCK, TRICK, deal, next_play};

/// Watches all seats from the first update on, as a platform may.
async fn whole_history(table: &Table) -> Watch {
    let request = v1::WatchTableRequest {
        name: table.name.clone(),
        after_revision: Some(0),
        seats: vec![1, 2, 3, 4],
        ..v1::WatchTableRequest::default()
    };
    table.platform.watch_table(request).await.expect("a watch")
}

/// The cards that were drawn, in order.
fn drawn(updates: &[v1::Update]) -> String {
    let facts = updates.iter().flat_map(facts);
    let drawn = facts.filter_map(|fact| match fact {
        Fact::OwnCardsDrawn(drawn) => Some(text(&drawn.cards)),
        _ => None,
    });
    drawn.collect::<Vec<_>>().join(" ")
}

/// How many deals ended.
fn ended(updates: &[v1::Update]) -> usize {
    updates.iter().flat_map(facts).filter(|fact| matches!(fact, Fact::DealEnded(_))).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_alternate_between_two_processes_and_watchers_on_both_see_one_history() {
    let redis = Redis::start();
    let processes = [Process::redis(&redis).await, Process::redis(&redis).await];
    let doors = [processes[0].platform().await, processes[1].platform().await];
    let table = deal().start(&doors[0]).await;
    let tables = [table.clone(), table.at(&doors[1])];
    let mut watches = [whole_history(&tables[0]).await, whole_history(&tables[1]).await];
    for watch in &mut watches {
        watch.heartbeat().await;
    }
    for (n, play) in TRICK.iter().enumerate() {
        tables[n % 2].play(&[play]).await;
    }
    for n in TRICK.len()..PLAYS {
        let (seat, request) = next_play(&tables[n % 2]).await;
        tables[n % 2].seat(seat).client.play_card(request).await.expect("a legal play");
    }
    let last = table.revision().await;
    let mut histories = Vec::new();
    for watch in &mut watches {
        histories.push(watch.updates_to(last).await);
    }
    let bytes = |updates: &[v1::Update]| -> Vec<Vec<u8>> {
        updates.iter().map(prost::Message::encode_to_vec).collect()
    };
    assert_eq!(bytes(&histories[0]), bytes(&histories[1]));
    assert_eq!(drawn(&histories[0]), STOCK);
    assert_eq!(ended(&histories[0]), 1);
    drop((watches, tables, table, doors));
    for process in processes {
        process.terminate().await;
    }
}

/// After every action the process that took it is killed; the other one, which knows the table from before the action or
/// not at all, must show the very same and take the next action.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_killed_between_any_two_actions_takes_nothing_with_it() {
    let redis = Redis::start();
    let mut playing = Process::redis(&redis).await;
    let mut table = deal().start(&playing.platform().await).await;
    let first = table.view_of(&[1, 2, 3, 4]).await;
    for (seat, hand) in (1..).zip(HANDS) {
        let mut dealt = cards(hand);
        dealt.sort_by_key(|card| (card.suit, card.rank));
        assert_eq!(tests::views::hand(&first, seat), text(&dealt));
    }
    for n in 0..PLAYS {
        let standing = Process::redis(&redis).await;
        let other = table.at(&standing.platform().await);
        let (seat, request) = next_play(&table).await;
        if n % 2 == 1 {
            other.view().await;
        }
        table.seat(seat).client.play_card(request).await.expect("a legal play");
        let before = table.view_of(&[1, 2, 3, 4]).await;
        playing.kill_9().await;
        assert_eq!(other.view_of(&[1, 2, 3, 4]).await, before, "after play {n}");
        (playing, table) = (standing, other);
    }
    let mut watch = whole_history(&table).await;
    watch.heartbeat().await;
    let updates = watch.updates_to(table.revision().await).await;
    assert_eq!(drawn(&updates), STOCK);
    assert_eq!(ended(&updates), 1);
    assert_eq!(game(&table.view().await).deal, 2, "the next deal was dealt with the last card");
    playing.kill_9().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_of_a_killed_process_goes_on_at_the_other_without_gap_or_duplicate() {
    let redis = Redis::start();
    let (dying, living) = (Process::redis(&redis).await, Process::redis(&redis).await);
    let table = deal().start(&living.platform().await).await;
    let mut watch = whole_history(&table.at(&dying.platform().await)).await;
    watch.heartbeat().await;
    let before = table.revision().await;
    let mut seen = watch.updates_to(before).await;
    table.play(&TRICK[..2]).await;
    seen.push(watch.update().await);
    dying.kill_9().await;
    // What was on its way may still come; the stream does not end as if all were well.
    let (rest, status) = watch.rest().await;
    assert!(status.is_some(), "a broken watch ended OK");
    seen.extend(rest.into_iter().filter_map(|message| match message.payload {
        Some(Payload::Update(update)) => Some(update),
        _ => None,
    }));
    table.play(&TRICK[2..]).await;
    let (revision, history) = seen.last().map(|update| (update.revision, update.history.clone())).unwrap();
    let request = v1::WatchTableRequest {
        name: table.name.clone(),
        after_revision: Some(revision),
        history,
        seats: vec![1, 2, 3, 4],
        ..v1::WatchTableRequest::default()
    };
    let mut resumed = table.platform.watch_table(request).await.unwrap();
    resumed.heartbeat().await;
    seen.extend(resumed.updates_to(before + 4).await);
    let mut whole = whole_history(&table).await;
    whole.heartbeat().await;
    assert_eq!(seen, whole.updates_to(before + 4).await);
    living.terminate().await;
}

/// What was acknowledged by a process that died is answered by the other one: the card is played once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_repeated_after_its_process_died_is_answered_by_the_other() {
    let redis = Redis::start();
    let (dying, living) = (Process::redis(&redis).await, Process::redis(&redis).await);
    let creation = deal();
    let request = creation.request.clone();
    let table = creation.start(&dying.platform().await).await;
    let other = table.at(&living.platform().await);
    let card = table.seat(1).card_request(table.revision().await, "8h");
    let played = table.seat(1).client.play_card(card.clone()).await.unwrap();
    dying.kill_9().await;
    let again = other.seat(1).client.play_card(card).await.unwrap();
    assert_eq!((again.replayed, again.revision, again.update), (true, played.revision, played.update));
    let created = other.platform.create_table(request).await.unwrap();
    assert!(created.replayed);
    assert_eq!(public(created.view.as_ref().unwrap()).name, table.name);
    let tokens: Vec<&String> = created.seat_tokens.iter().map(|token| &token.token).collect();
    assert_eq!(tokens, table.seats.iter().map(|seat| &seat.token).collect::<Vec<_>>());
    drop(other);
    living.terminate().await;
}

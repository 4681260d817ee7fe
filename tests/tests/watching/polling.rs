//! `ListUpdates`: the same history as a watch tells, in pages.

use tests::v1;
use tests::views::public;
use tests::{Client, NewTable, Table, World, on_each_store, reason};
use v1::ResetReason;

use crate::sights::{after, ended, four_bots, history, next_action, updates_after};

/// All pages after a revision, each at another door; the last one is the first that brings nothing.
async fn pages(doors: [&Client; 2], first: v1::ListUpdatesRequest) -> Vec<v1::ListUpdatesResponse> {
    let (mut pages, mut request) = (Vec::new(), first);
    loop {
        let page = doors[pages.len() % 2].list_updates(request.clone()).await.expect("a page of updates");
        assert!(page.reset.is_none(), "{:?}", page.reset);
        request.history = page.history.clone();
        request.after_revision = page.updates.last().map_or(request.after_revision, |last| last.revision);
        let empty = page.updates.is_empty();
        pages.push(page);
        if empty {
            return pages;
        }
    }
}

fn whole(pages: Vec<v1::ListUpdatesResponse>) -> Vec<v1::Update> {
    pages.into_iter().flat_map(|page| page.updates).collect()
}

on_each_store! {
    async fn pages_of_any_size_add_up_to_what_a_watch_tells(world: &World) {
        let table = four_bots().create(world.a()).await.at(world.b());
        let told = history(&table).await;
        let newest = told.last().unwrap().revision;
        for size in [0, 1, 7, 200, i32::MAX] {
            let request = v1::ListUpdatesRequest { page_size: size, ..updates_after(&table, 0) };
            let pages = pages([world.a(), world.b()], request).await;
            let most = if size == 0 { 50 } else { size.min(200) };
            for page in &pages {
                assert!(page.updates.len() <= usize::try_from(most).unwrap());
                assert_eq!(page.revision, newest);
                let last = page.updates.last().map(|last| &last.history);
                assert!(last.is_none_or(|last| *last == page.history));
            }
            assert!(whole(pages) == told, "pages of {size}");
        }
    }

    async fn a_page_begins_after_any_revision(world: &World) {
        let table = four_bots().create(world.a()).await.at(world.b());
        let told = history(&table).await;
        for (n, seen) in told.iter().enumerate() {
            let request = v1::ListUpdatesRequest {
                history: seen.history.clone(),
                omit_view: true,
                ..updates_after(&table, seen.revision)
            };
            let page = world.door(n).list_updates(request).await.unwrap();
            let next = told.get(n + 1).map(|next| v1::Update { after: None, ..next.clone() });
            assert_eq!(page.updates.first(), next.as_ref());
        }
    }

    async fn a_poller_plays_a_whole_match(world: &World) {
        let table = NewTable::two().with_bots(&[2]).to(1).start(world.a()).await.at(world.b());
        let person = table.seat(1);
        let mut request = updates_after(&table, 0);
        loop {
            let page = person.client.list_updates(request.clone()).await.unwrap();
            let Some(last) = page.updates.last() else { continue };
            assert!(page.updates.iter().all(|update| after(update).seats.len() == 1));
            (request.after_revision, request.history) = (last.revision, page.history.clone());
            if ended(last) {
                break;
            }
            if let Some((1, word)) = next_action(after(last)) {
                person.act_at(last.revision, &word).await.expect("a legal action");
            }
        }
        let all = whole(pages([&person.client, &table.seat(1).client], updates_after(&table, 0)).await);
        assert_eq!(i64::try_from(all.len()).unwrap(), table.revision().await);
    }

    async fn a_history_that_is_none_of_the_tables_starts_over(world: &World) {
        let table = NewTable::two().start(world.a()).await.at(world.b());
        let revision = table.revision().await;
        let good = world.b().list_updates(updates_after(&table, revision)).await.unwrap();
        assert_eq!((good.updates.len(), good.reset.clone()), (0, None));
        let other = NewTable::two().start(world.a()).await;
        let foreign = world.b().list_updates(updates_after(&other, revision)).await.unwrap().history;
        assert_ne!(foreign, good.history);
        for (after_revision, history) in [(revision + 1, Vec::new()), (revision, foreign.to_vec()), (1, foreign.to_vec())] {
            let request = v1::ListUpdatesRequest { history: history.into(), ..updates_after(&table, after_revision) };
            let page = world.b().list_updates(request).await.unwrap();
            let reset = page.reset.expect("a reset");
            assert_eq!((reset.reason(), page.updates.len(), page.revision), (ResetReason::Rewound, 0, revision));
            assert_eq!(public(&reset.snapshot.unwrap()).revision, revision);
            assert_eq!(page.history, good.history, "one goes on from the snapshot");
        }
    }

    async fn a_seat_is_told_its_own_cards_and_a_spectator_nobodys(world: &World) {
        let table = NewTable::two().with_bots(&[1, 2]).to(1).create(world.a()).await.at(world.b());
        let told = history(&table).await;
        let spectator = table.spectator().await;
        assert!(whole(pages([&spectator, world.b()], updates_after(&table, 0)).await) == told);
        let asking = v1::ListUpdatesRequest { seats: vec![1], ..updates_after(&table, 0) };
        assert_eq!(reason(&spectator.list_updates(asking.clone()).await.unwrap_err()), "SEAT_FORBIDDEN");
        let one = whole(pages([world.a(), world.b()], asking).await);
        assert!(one.iter().all(|update| after(update).seats.len() == 1));
        let missing = v1::ListUpdatesRequest { seats: vec![3], ..updates_after(&table, 0) };
        assert_eq!(reason(&world.a().list_updates(missing).await.unwrap_err()), "INVALID_FIELD");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_is_lost_is_told_and_not_hidden() {
    let world = World::redis().await;
    let table: Table = NewTable::two().start(world.a()).await.at(world.b());
    let revision = table.revision().await;
    let redis = world.its_redis();
    for key in redis.ask(&["KEYS", "e:*"]).lines() {
        redis.ask(&["DEL", key]);
    }
    for after_revision in [0, 1] {
        let page = world.b().list_updates(updates_after(&table, after_revision)).await.unwrap();
        let reset = page.reset.expect("a reset");
        assert_eq!((reset.reason(), page.revision), (ResetReason::LogLost, revision));
    }
    let mut watch = table.history().await;
    let message = watch.next().await;
    assert!(
        matches!(message.payload, Some(v1::watch_table_response::Payload::Reset(reset)) if reset.reason() == ResetReason::LogLost)
    );
    world.stop().await;
}

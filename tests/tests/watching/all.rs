//! One stream over all tables of a platform.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use tests::v1::{self, watch_table_response::Payload};
use tests::views::public;
use tests::watch_all::Said;
use tests::{
    Client, NewTable, Table, WatchAll, World, on_each_store, once_the_store_is_back, reason, within,
};

use crate::sights::{after, ended, fields, four_bots, history, timeless, two_bots, watch};

async fn all(client: &Client) -> WatchAll {
    client.watch_tables(v1::WatchTablesRequest::default()).await.expect("a watch over all tables")
}

/// The next table's snapshot, by its name.
async fn snapshot(watch: &mut WatchAll) -> (String, v1::TableView) {
    match watch.next().await {
        Said::Of(name, v1::WatchTableResponse { payload: Some(Payload::Snapshot(view)), .. }) => (name, view),
        other => panic!("no snapshot but {other:?}"),
    }
}

/// Follows the stream until so many tables have ended; answers each one's updates, which must have no gap.
async fn until_ended(watch: &mut WatchAll, tables: usize) -> BTreeMap<String, Vec<v1::Update>> {
    let (mut told, mut over): (BTreeMap<String, Vec<v1::Update>>, _) = (BTreeMap::new(), BTreeSet::new());
    while over.len() < tables {
        match watch.next().await {
            Said::Of(name, message) => match message.payload.unwrap() {
                Payload::Update(update) => {
                    assert!(!over.contains(&name), "{name} goes on after its end");
                    assert_eq!((update.revision, &update.history), (message.revision, &message.history));
                    let updates = told.entry(name).or_default();
                    let next = updates.last().map_or(1, |last| last.revision + 1);
                    assert_eq!(update.revision, next, "a gap or a duplicate");
                    updates.push(update);
                }
                Payload::End(_) => assert!(over.insert(name), "a table ends once"),
                other => panic!("neither update nor end but {other:?}"),
            },
            Said::Stream(Payload::Heartbeat(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    told
}

on_each_store! {
    async fn tables_that_are_there_come_with_a_snapshot_but_those_that_have_ended(world: &World) {
        let mut tables = Vec::new();
        for n in 0..3 {
            tables.push(NewTable::two().start(world.door(n)).await);
        }
        tables.pop().unwrap().close().await;
        let mut watch = all(world.b()).await;
        let mut seen = BTreeMap::new();
        for _ in &tables {
            let (name, view) = snapshot(&mut watch).await;
            seen.insert(name, timeless(&view));
        }
        for table in &tables {
            assert_eq!(seen[&table.name], timeless(&table.view().await));
            let left = table.seat(2).leave().await.unwrap();
            let (name, update) = watch.update().await;
            assert_eq!((name, update.revision), (table.name.clone(), left.revision));
        }
    }

    async fn every_table_created_later_is_told_from_its_first_update_to_its_end(world: &World) {
        let mut watch = all(world.b()).await;
        // Some are made at the replica that is watched, some at the other; they play while they are found.
        let tables = join_all((0..12).map(|n| four_bots().create(world.door(n)))).await;
        let told = until_ended(&mut watch, tables.len()).await;
        assert_eq!(told.len(), tables.len());
        for table in &tables {
            assert!(told[&table.name] == history(table).await, "{}", table.name);
        }
    }

    async fn the_platform_sees_the_hands_that_it_asks_for(world: &World) {
        let request = v1::WatchTablesRequest { seats: vec![1, 3], ..v1::WatchTablesRequest::default() };
        let mut watch = world.b().watch_tables(request).await.unwrap();
        for (new, seen) in [(NewTable::classic(), vec![1, 3]), (NewTable::two(), vec![1])] {
            let table = new.start(world.a()).await;
            let revision = table.revision().await;
            let mut newest = watch.update().await;
            while newest.1.revision < revision {
                newest = watch.update().await;
            }
            assert_eq!(newest.0, table.name);
            assert_eq!(after(&newest.1).seats.iter().map(|seat| seat.seat).collect::<Vec<_>>(), seen);
            let view = table.view_of(&seen).await;
            assert_eq!(timeless(after(&newest.1)), timeless(&view));
        }
    }

    async fn a_label_picks_the_tables_of_one_backend(world: &World) {
        let labelled = |value: &str| {
            let mut new = NewTable::two();
            new.request.labels = [("backend".to_owned(), value.to_owned())].into();
            new.request.external_ref = format!("match of {value}");
            new
        };
        let mine = labelled("one").start(world.a()).await;
        let theirs = labelled("two").start(world.a()).await;
        let picking = |value: &str| v1::WatchTablesRequest {
            label_key: "backend".into(),
            label_value: value.into(),
            ..v1::WatchTablesRequest::default()
        };
        let mut watch = world.b().watch_tables(picking("one")).await.unwrap();
        let first = watch.try_next().await.unwrap().unwrap();
        assert_eq!((&first.name, first.external_ref.as_str()), (&mine.name, "match of one"));
        let new = labelled("one").create(world.a()).await;
        let other = labelled("two").create(world.a()).await;
        NewTable::two().create(world.a()).await;
        let created = watch.try_next().await.unwrap().unwrap();
        assert_eq!((&created.name, created.external_ref.as_str()), (&new.name, "match of one"));
        theirs.close().await;
        let closed = mine.close().await;
        let (name, update) = watch.update().await;
        assert_eq!((name, update.revision), (mine.name.clone(), closed.revision));
        let end = watch.try_next().await.unwrap().unwrap();
        assert_eq!((&end.name, end.external_ref.as_str()), (&mine.name, ""), "it is told once");
        let mut any = world.b().watch_tables(picking("")).await.unwrap();
        let seen = BTreeSet::from([snapshot(&mut any).await.0, snapshot(&mut any).await.0]);
        assert_eq!(seen, BTreeSet::from([new.name.clone(), other.name.clone()]));
    }

    async fn a_client_goes_on_where_it_was_by_cursors(world: &World) {
        let table = two_bots(5).create(world.a()).await;
        let quick = four_bots().create(world.a()).await;
        let whole = history(&quick).await;
        let seen = &whole[2];
        let mut first = watch(world.a(), &table, Some(0)).await;
        first.heartbeat().await;
        let last = first.updates_to(6).await.pop().unwrap();
        let cursor = |name: &str, update: &v1::Update| v1::TableCursor {
            name: name.to_owned(),
            after_revision: update.revision,
            history: update.history.clone(),
        };
        let request = v1::WatchTablesRequest {
            cursors: vec![cursor(&table.name, &last), cursor(&quick.name, seen)],
            ..v1::WatchTablesRequest::default()
        };
        let mut watch = world.b().watch_tables(request).await.unwrap();
        let mut revisions = BTreeMap::from([(table.name.clone(), last.revision), (quick.name.clone(), seen.revision)]);
        let mut ends = 0;
        while revisions[&table.name] < 30 || ends < 1 {
            let Said::Of(name, message) = watch.next().await else { panic!("only tables are told here") };
            let before = revisions.insert(name.clone(), message.revision).expect("one of the two tables");
            match message.payload.unwrap() {
                Payload::Heartbeat(_) => assert_eq!(message.revision, before, "here it goes on"),
                Payload::Update(update) => assert_eq!(update.revision, before + 1, "a gap or a duplicate"),
                Payload::End(_) => ends += 1,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(revisions[&quick.name], whole.last().unwrap().revision, "one that ended meanwhile is told to its end");
        table.close().await;
    }

    async fn a_backend_plays_all_its_tables_from_one_stream(world: &World) {
        let request = v1::WatchTablesRequest { seats: vec![1, 2], ..v1::WatchTablesRequest::default() };
        let mut watch = world.a().watch_tables(request).await.unwrap();
        let tables = join_all((0..4).map(|n| NewTable::two().to(1).start(world.door(n)))).await;
        let by_name: BTreeMap<String, &Table> = tables.iter().map(|table| (table.name.clone(), table)).collect();
        let mut over = 0;
        let mut acted: BTreeMap<String, i64> = BTreeMap::new();
        while over < tables.len() {
            let (name, update) = match watch.next().await {
                Said::Of(name, message) => match message.payload.unwrap() {
                    Payload::Update(update) => (name, update),
                    Payload::End(_) => {
                        over += 1;
                        continue;
                    }
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            };
            let turn = public(after(&update)).turn_revision;
            if ended(&update) || acted.get(&name).is_some_and(|acted| *acted >= turn) {
                continue;
            }
            if let Some((seat, word)) = crate::sights::next_action(after(&update)) {
                by_name[&name].seat(seat).act_at(update.revision, &word).await.expect("a legal action");
                acted.insert(name, turn);
            }
        }
    }

    async fn only_a_platform_watches_all_tables_and_says_what_it_means(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        for client in [&table.seat(1).client, &table.spectator().await] {
            let refused = client.watch_tables(v1::WatchTablesRequest::default()).await.unwrap_err();
            assert_eq!(reason(&refused), "PLATFORM_ONLY");
        }
        let with = |change: fn(&mut v1::WatchTablesRequest)| {
            let mut request = v1::WatchTablesRequest::default();
            change(&mut request);
            request
        };
        for (field, request) in [
            ("seats[0]", with(|r| r.seats = vec![0])),
            ("seats[1]", with(|r| r.seats = vec![1, 5])),
            ("label_value", with(|r| r.label_value = "without a key".into())),
            ("label_key", with(|r| r.label_key = "x".repeat(65))),
            ("cursors[0].name", with(|r| r.cursors = vec![v1::TableCursor::default()])),
            ("cursors", with(|r| r.cursors = vec![v1::TableCursor::default(); 129])),
            ("cursors[0].after_revision", with(|r| r.cursors = vec![v1::TableCursor { name: format!("tables/{}", "a".repeat(26)), after_revision: -1, ..v1::TableCursor::default() }])),
            ("cursors[0].history", with(|r| r.cursors = vec![v1::TableCursor { name: format!("tables/{}", "a".repeat(26)), history: vec![1].into(), ..v1::TableCursor::default() }])),
        ] {
            assert_eq!(fields(&world.b().watch_tables(request).await.unwrap_err()), [field]);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_is_gone_is_told_as_lost_and_the_others_go_on() {
    let world = World::redis().await;
    let (going, staying) = (NewTable::two().start(world.a()).await, NewTable::two().start(world.a()).await);
    let mut watch = all(world.b()).await;
    for _ in 0..2 {
        snapshot(&mut watch).await;
    }
    going.lose(world.its_redis());
    match watch.next().await {
        Said::Lost(name, lost) => {
            assert_eq!((name, lost.reason()), (going.name.clone(), v1::ErrorReason::TableNotFound));
            assert!(!lost.text.is_empty());
        }
        other => panic!("nothing lost but {other:?}"),
    }
    let left = staying.seat(1).leave().await.unwrap();
    assert_eq!(watch.update().await.1.revision, left.revision);
    world.stop().await;
}

/// A table that a client knew is gone, as after a failover that lost its creation, and its platform makes it again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_was_told_as_lost_is_told_again_when_it_is_made_anew() {
    let world = World::redis().await;
    let new = NewTable::two();
    let request = new.request.clone();
    let table = new.create(world.a()).await;
    table.lose(world.its_redis());
    let cursor =
        v1::TableCursor { name: table.name.clone(), after_revision: 1, ..v1::TableCursor::default() };
    let request_all = v1::WatchTablesRequest { cursors: vec![cursor], ..v1::WatchTablesRequest::default() };
    let mut watch = world.b().watch_tables(request_all).await.unwrap();
    for _ in 0..2 {
        match watch.next().await {
            Said::Lost(name, lost) => {
                assert_eq!((name, lost.reason()), (table.name.clone(), v1::ErrorReason::TableNotFound));
            }
            other => panic!("nothing lost but {other:?}"),
        }
        let made = world.a().create_table(request.clone()).await.expect("the same table");
        assert_eq!(
            (public(&made.view.expect("a view")).name.clone(), made.replayed),
            (table.name.clone(), false)
        );
        let (name, update) = within("the table that was made anew", watch.update()).await;
        assert_eq!((name, update.revision), (table.name.clone(), 1));
        table.lose(world.its_redis());
    }
    world.stop().await;
}

/// As a watch of one table does, it goes on as soon as the store does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_away_for_a_while_ends_no_watch_over_all_tables() {
    let world = World::redis().await;
    let table = NewTable::two().start(world.a()).await;
    let mut watch = all(world.b()).await;
    assert_eq!(snapshot(&mut watch).await.0, table.name);
    world.its_redis().freeze();
    let its_view = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
    // Each takes as long as two looks for new tables do.
    for _ in 0..2 {
        let refused = world.b().get_table(its_view.clone()).await.expect_err("a store that does not answer");
        assert_eq!(reason(&refused), "STORE_UNAVAILABLE");
    }
    world.its_redis().thaw();
    let request = NewTable::two().request;
    let made = once_the_store_is_back(async || world.a().clone().create_table(request.clone()).await).await;
    let (name, update) = within("the table that was made meanwhile", watch.update()).await;
    assert_eq!((name, update.revision), (public(&made.view.expect("a view")).name.clone(), 1));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_cursor_names_and_is_not_there_is_told_as_lost() {
    let world = World::redis().await;
    let (good, damaged) = (NewTable::two().start(world.a()).await, NewTable::two().start(world.a()).await);
    let id = damaged.name.strip_prefix("tables/").unwrap();
    let key = world.its_redis().ask(&["KEYS", &format!("t:*{id}")]);
    world.its_redis().ask(&["SETRANGE", key.trim(), "30", "no snapshot at all"]);
    let none = format!("tables/{}", "a".repeat(26));
    let cursor = |name: &str| v1::TableCursor {
        name: name.to_owned(),
        after_revision: 1,
        ..v1::TableCursor::default()
    };
    let cursors = vec![cursor(&none), cursor(&damaged.name), cursor(&good.name)];
    let request = v1::WatchTablesRequest { cursors, ..v1::WatchTablesRequest::default() };
    let mut watch = world.b().watch_tables(request).await.unwrap();
    let mut told = BTreeMap::new();
    for _ in 0..3 {
        match watch.next().await {
            Said::Lost(name, lost) => told.insert(name, Some(lost.reason())),
            Said::Of(name, _) => told.insert(name, None),
            other @ Said::Stream(_) => panic!("{other:?}"),
        };
    }
    let reasons = [
        (none, Some(v1::ErrorReason::TableNotFound)),
        (damaged.name, Some(v1::ErrorReason::Invariant)),
        (good.name, None),
    ];
    assert_eq!(told, BTreeMap::from(reasons));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drain_ends_the_stream_as_planned() {
    let world = World::redis().await;
    let table = NewTable::two().start(world.a()).await;
    let mut watch = all(world.b()).await;
    assert_eq!(snapshot(&mut watch).await.0, table.name);
    let stopping = world.stop();
    let reading = async {
        match watch.next().await {
            Said::Stream(Payload::PlannedEnd(end)) => {
                assert_eq!(end.reason(), v1::PlannedEndReason::Draining);
            }
            other => panic!("no planned end but {other:?}"),
        }
        assert_eq!(watch.try_next().await.unwrap(), None);
    };
    tokio::join!(stopping, reading);
}

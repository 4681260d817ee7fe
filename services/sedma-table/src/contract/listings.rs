//! Cases about listings: newest first, each table once.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::task::JoinSet;

use crate::contract::games::Game;
use crate::contract::sample::SelfPlay;
use crate::ids::{TableId, Tenant};
use crate::store::{ListCursor, Listed, Store};

fn tenant(name: &str) -> Tenant {
    Tenant::new(name).expect("a tenant's name")
}

fn cursor(row: &Listed) -> ListCursor {
    ListCursor { created_ms: row.created_ms, table: row.stored.snapshot.table.setup().id }
}

/// All rows, read in pages of this size. Only the last page may be short.
async fn pages_of<S: Store>(store: &Arc<S>, tenant: &Tenant, size: usize) -> Vec<Listed> {
    let mut rows: Vec<Listed> = Vec::new();
    loop {
        let page = store.list(tenant, rows.last().map(cursor), size).await.expect("a page");
        assert!(page.len() <= size);
        let last = page.len() < size;
        rows.extend(page);
        if last {
            return rows;
        }
    }
}

pub(super) async fn pages<S: Store>(store: Arc<S>) {
    let mut created: Vec<TableId> = Vec::new();
    for seed in 0..150 {
        created.push(Game::create(&store, 2_000 + seed).await.table());
    }
    created.sort_unstable();
    let dev = tenant("dev");
    let whole = pages_of(&store, &dev, 1_000).await;
    assert!(whole.windows(2).all(|pair| cursor(&pair[0]) > cursor(&pair[1])), "newest first");
    let mut listed: Vec<TableId> = whole.iter().map(|row| cursor(row).table).collect();
    listed.sort_unstable();
    assert_eq!(listed, created, "each table once");
    for size in [1, 7, 50, 150] {
        assert_eq!(pages_of(&store, &dev, size).await, whole, "pages of {size}");
    }
    // Tables made while somebody pages come on nobody's later page.
    let half = store.list(&dev, None, 75).await.expect("a page");
    Game::create(&store, 3_000).await;
    let rest = store.list(&dev, half.last().map(cursor), 1_000).await.expect("a page");
    assert_eq!([half, rest].concat(), whole);
}

pub(super) async fn newest_state<S: Store>(store: Arc<S>) {
    let mut first = Game::create(&store, 52).await;
    let mut second = Game::create(&store, 53).await;
    first.play(9).await;
    second.play(5).await;
    let rows = store.list(&tenant("dev"), None, 10).await.expect("a page");
    assert_eq!(rows.len(), 2);
    for game in [&first, &second] {
        let row = rows.iter().find(|row| cursor(row).table == game.table()).expect("a row");
        assert_eq!(row.stored, *game.newest());
        let log = store.updates_after(game.table(), 0, 1).await.expect("a log");
        assert_eq!(row.created_ms, log[0].time_ms, "it was created when its first update was made");
    }
}

pub(super) async fn tenants<S: Store>(store: Arc<S>) {
    let ours = Game::created(&store, SelfPlay::plain(54, "acme")).await;
    let theirs = Game::created(&store, SelfPlay::plain(55, "acme-2")).await;
    let tables = async |name| -> Vec<TableId> {
        let rows = store.list(&tenant(name), None, 10).await.expect("a page");
        rows.iter().map(|row| cursor(row).table).collect()
    };
    assert_eq!(tables("acme").await, [ours.table()]);
    assert_eq!(tables("acme-2").await, [theirs.table()]);
    assert_eq!(tables("acme-3").await, []);
}

pub(super) async fn nothing<S: Store>(store: Arc<S>) {
    let game = Game::create(&store, 56).await;
    let dev = tenant("dev");
    assert_eq!(store.list(&dev, None, 0).await, Ok(Vec::new()));
    let before_all = ListCursor { created_ms: 0, table: game.table() };
    assert_eq!(store.list(&dev, Some(before_all), 10).await, Ok(Vec::new()));
}

/// What was created from an instant on; every row of it as the log says.
async fn created_since<S: Store>(
    store: &Arc<S>,
    name: &str,
    since_ms: i64,
    limit: usize,
) -> Vec<(i64, TableId)> {
    let rows = store.created_since(&tenant(name), since_ms, limit).await.expect("rows");
    assert!(rows.is_sorted(), "the oldest first, ties by id");
    assert!(rows.iter().all(|(created_ms, _)| *created_ms >= since_ms), "none from before");
    rows
}

pub(super) async fn since<S: Store>(store: Arc<S>) {
    assert_eq!(created_since(&store, "dev", 0, 10).await, []);
    let first = Game::create(&store, 57).await;
    let log = store.updates_after(first.table(), 0, 1).await.expect("a log");
    let created_ms = log[0].time_ms;
    let row = (created_ms, first.table());
    assert_eq!(created_since(&store, "dev", 0, 10).await, [row]);
    assert_eq!(created_since(&store, "dev", created_ms, 10).await, [row], "at that instant is since it");
    assert_eq!(created_since(&store, "dev", created_ms + 1, 10).await, []);
    assert_eq!(created_since(&store, "dev", 0, 0).await, []);

    let mut second = Game::create(&store, 58).await;
    second.play(9).await;
    let rows = created_since(&store, "dev", created_ms, 10).await;
    let mut tables: Vec<TableId> = rows.iter().map(|(_, table)| *table).collect();
    assert!(rows.contains(&row));
    tables.sort_unstable();
    let mut both = [first.table(), second.table()];
    both.sort_unstable();
    assert_eq!(tables, both, "what it has become since makes it no younger");
}

pub(super) async fn since_pages<S: Store>(store: Arc<S>) {
    for seed in 0..300 {
        Game::create(&store, 6_000 + seed).await;
        if seed % 10 == 0 {
            Game::created(&store, SelfPlay::plain(7_000 + seed, "acme")).await;
        }
    }
    let whole = created_since(&store, "dev", 0, 1_000).await;
    let mut listed: Vec<(i64, TableId)> = pages_of(&store, &tenant("dev"), 100)
        .await
        .iter()
        .map(cursor)
        .map(|row| (row.created_ms, row.table))
        .collect();
    listed.reverse();
    assert_eq!(whole, listed, "the same tables at the same instants as a listing has");
    assert_eq!(created_since(&store, "acme", 0, 1_000).await.len(), 30);
    assert_eq!(created_since(&store, "nobody", 0, 1_000).await, []);
    for limit in [1, 7, 150, 299, 300] {
        assert_eq!(created_since(&store, "dev", 0, limit).await, whole[..limit], "the first {limit}");
    }
    for from in [1, 100, 299] {
        let (since_ms, _) = whole[from];
        let first = whole.partition_point(|(created_ms, _)| *created_ms < since_ms);
        assert_eq!(created_since(&store, "dev", since_ms, 1_000).await, whole[first..]);
        let page = &whole[first..(first + 20).min(whole.len())];
        assert_eq!(created_since(&store, "dev", since_ms, 20).await, page);
    }
}

pub(super) async fn followed<S: Store>(store: Arc<S>) {
    const CROWD: usize = 200;
    let mut makers = JoinSet::new();
    for maker in 0..4 {
        let store = store.clone();
        makers.spawn(async move {
            for seed in 0..CROWD / 4 {
                Game::create(&store, 8_000 + 1_000 * maker + seed as u64).await;
            }
        });
    }
    let mut found: BTreeSet<(i64, TableId)> = BTreeSet::new();
    let mut over = false;
    while !over {
        // One more look after all of them are there.
        over = makers.is_empty();
        // What is created while it is looked for may be found after what was created later.
        let since_ms = found.last().map_or(0, |(created_ms, _)| *created_ms - 1_000);
        found.extend(created_since(&store, "dev", since_ms, CROWD).await);
        while makers.try_join_next().is_some() {}
        tokio::task::yield_now().await;
    }
    assert_eq!(found.len(), CROWD);
}

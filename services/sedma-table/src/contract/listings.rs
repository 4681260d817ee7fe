//! Cases about listings: newest first, each table once.

use std::sync::Arc;

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

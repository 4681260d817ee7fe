//! Cases about leases. No case knows the time but from the store, whose clock says when a lease is over.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sedma_rules::Seat;

use crate::contract::games::{Game, loads};
use crate::ids::TableId;
use crate::store::{Holder, Lease, Store};

/// A lease that no case sees the end of.
const LONG: i64 = 3_600_000;
/// One that is over soon.
const SHORT: i64 = 60;
/// How long one waits before he looks again.
const POLL: Duration = Duration::from_millis(2);

/// Two replicas.
const HERE: Holder = Holder(0x0123_4567_89ab_cdef);
const THERE: Holder = Holder(u64::MAX);

fn lease(table: TableId, seat: Seat, holder: Holder) -> Lease {
    Lease { table, seat, holder }
}

async fn hold<S: Store>(store: &Arc<S>, leases: &[Lease], lasts_ms: i64) {
    store.hold(leases, lasts_ms, false).await.expect("leases");
}

/// Who is present, and until when.
async fn present<S: Store>(store: &Arc<S>, table: TableId) -> BTreeMap<Seat, i64> {
    let present = store.present(table).await.expect("who is present");
    assert!(present.is_sorted_by_key(|present| present.seat), "in the order of seats");
    let seats: BTreeMap<Seat, i64> = present.iter().map(|present| (present.seat, present.until_ms)).collect();
    assert_eq!(seats.len(), present.len(), "each seat once");
    seats
}

/// The seats that are present.
async fn seats<S: Store>(store: &Arc<S>, table: TableId) -> Vec<Seat> {
    present(store, table).await.into_keys().collect()
}

/// When leases that were given between two looks at the clock are over.
#[derive(Clone, Copy)]
struct Over {
    from_ms: i64,
    to_ms: i64,
}

/// Gives leases for so long.
async fn held<S: Store>(store: &Arc<S>, leases: &[Lease], lasts_ms: i64) -> Over {
    let before = store.now_ms();
    hold(store, leases, lasts_ms).await;
    Over { from_ms: before + lasts_ms, to_ms: store.now_ms() + lasts_ms }
}

/// Waits until a seat is present no more, and looks each time whether it must be or must not.
async fn leaves<S: Store>(store: &Arc<S>, table: TableId, seat: Seat, over: Over) {
    let Over { from_ms, to_ms } = over;
    loop {
        let before = store.now_ms();
        let there = present(store, table).await.get(&seat).copied();
        let after = store.now_ms();
        let Some(until_ms) = there else {
            assert!(after >= from_ms, "gone at {after}, before {from_ms}");
            return;
        };
        assert!(before < to_ms, "there at {before}, after {to_ms}");
        assert!((from_ms..=to_ms).contains(&until_ms), "{until_ms} is not from {from_ms} to {to_ms}");
        tokio::time::sleep(POLL).await;
    }
}

pub(super) async fn until_over<S: Store>(store: Arc<S>) {
    let table = Game::create(&store, 80).await.table();
    assert_eq!(seats(&store, table).await, []);
    let over = held(&store, &[lease(table, Seat::Two, HERE)], 300).await;
    leaves(&store, table, Seat::Two, over).await;
    assert_eq!(seats(&store, table).await, []);
}

pub(super) async fn later<S: Store>(store: Arc<S>) {
    let table = Game::create(&store, 81).await.table();
    hold(&store, &[lease(table, Seat::One, THERE)], SHORT).await;
    let over = held(&store, &[lease(table, Seat::One, HERE)], 300).await;
    leaves(&store, table, Seat::One, over).await;
}

pub(super) async fn released<S: Store>(store: Arc<S>) {
    let table = Game::create(&store, 82).await.table();
    hold(&store, &[lease(table, Seat::One, HERE), lease(table, Seat::One, THERE)], LONG).await;
    store.release(&[lease(table, Seat::One, HERE)]).await.expect("a release");
    assert_eq!(seats(&store, table).await, [Seat::One]);
    store.release(&[lease(table, Seat::One, THERE)]).await.expect("a release");
    assert_eq!(seats(&store, table).await, []);
}

pub(super) async fn gone<S: Store>(store: Arc<S>) {
    let table = Game::create(&store, 83).await.table();
    let all = Seat::ALL.map(|seat| lease(table, seat, Holder::PLATFORM));
    hold(&store, &all, LONG).await;
    store.release(&all[1..3]).await.expect("a release");
    assert_eq!(seats(&store, table).await, [Seat::One, Seat::Four]);
    // Whoever comes late, or never held it, is told nothing else.
    for _ in 0..2 {
        store.release(&all).await.expect("a release");
        assert_eq!(seats(&store, table).await, []);
    }
    store.release(&[]).await.expect("nothing to give up");
    store.hold(&[], LONG, true).await.expect("nothing to hold");
    hold(&store, &all[..1], LONG).await;
    assert_eq!(seats(&store, table).await, [Seat::One], "it can be held again");
}

pub(super) async fn renewed<S: Store>(store: Arc<S>) {
    let table = Game::create(&store, 84).await.table();
    let mine = [lease(table, Seat::Three, HERE)];
    let mut until_ms = 0;
    for time in 0..5 {
        let Over { from_ms, to_ms } = held(&store, &mine, LONG + 1_000 * time).await;
        let renewed_ms = present(&store, table).await[&Seat::Three];
        assert!((from_ms..=to_ms).contains(&renewed_ms));
        assert!(renewed_ms > until_ms, "{renewed_ms} after {until_ms}");
        until_ms = renewed_ms;
    }
    // Whoever has a long lease can make it a short one, and have it again when it is over.
    let over = held(&store, &mine, SHORT).await;
    leaves(&store, table, Seat::Three, over).await;
    hold(&store, &mine, LONG).await;
    assert_eq!(seats(&store, table).await, [Seat::Three]);
}

pub(super) async fn short<S: Store>(store: Arc<S>) {
    let table = Game::create(&store, 85).await.table();
    hold(&store, &[lease(table, Seat::One, Holder::PLATFORM)], LONG).await;
    let long = present(&store, table).await;
    let short = |holder| [lease(table, Seat::One, holder), lease(table, Seat::Two, holder)];
    hold(&store, &short(HERE), SHORT).await;
    let over = held(&store, &short(THERE), SHORT).await;
    leaves(&store, table, Seat::Two, over).await;
    assert_eq!(present(&store, table).await, long);
}

pub(super) async fn seats_by_table<S: Store>(store: Arc<S>) {
    let (first, second) = (Game::create(&store, 86).await.table(), Game::create(&store, 87).await.table());
    let leases = [
        lease(first, Seat::Four, HERE),
        lease(second, Seat::Three, HERE),
        lease(first, Seat::One, THERE),
        lease(second, Seat::Two, HERE),
        lease(first, Seat::Four, THERE),
    ];
    hold(&store, &leases, LONG).await;
    assert_eq!(seats(&store, first).await, [Seat::One, Seat::Four]);
    assert_eq!(seats(&store, second).await, [Seat::Two, Seat::Three]);
    store.release(&leases[..3]).await.expect("a release");
    assert_eq!(seats(&store, first).await, [Seat::Four]);
    assert_eq!(seats(&store, second).await, [Seat::Two]);
}

pub(super) async fn no_state<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 88).await;
    game.play(5).await;
    let log = store.updates_after(game.table(), 0, 100).await.expect("a log");
    let mine = lease(game.table(), Seat::One, HERE);
    store.hold(&[mine], LONG, true).await.expect("a lease");
    assert_eq!(loads(&store, game.table()).await, *game.newest());
    store.release(&[mine]).await.expect("a release");
    store.hold(&[mine], LONG, true).await.expect("a lease");
    assert_eq!(loads(&store, game.table()).await, *game.newest());
    assert_eq!(store.updates_after(game.table(), 0, 100).await.expect("a log"), log);
    assert_eq!(store.versions(&[game.table()]).await, Ok(vec![Some(game.version())]));

    // Nor does what happens at the table change who is there.
    game.play(5).await;
    assert_eq!(seats(&store, game.table()).await, [Seat::One]);
}

pub(super) async fn no_table<S: Store>(store: Arc<S>) {
    let table = TableId::from_bytes([89; 16]);
    let over = held(&store, &[lease(table, Seat::One, HERE)], SHORT).await;
    assert_eq!(store.load(table).await, Ok(None));
    leaves(&store, table, Seat::One, over).await;
}

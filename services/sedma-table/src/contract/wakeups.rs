//! Cases about wake-ups: they may come twice, but whoever waits is woken.

use std::sync::Arc;
use std::time::Duration;

use sedma_rules::Seat;

use crate::contract::games::{Game, commit, happens};
use crate::contract::sample::SelfPlay;
use crate::ids::TableId;
use crate::store::{Holder, Lease, Store, Wake, Wakeups};

/// How long a wake-up may take. Generous: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits for one wake-up.
async fn woken(wakeups: &mut Wakeups) {
    tokio::time::timeout(PATIENCE, wakeups.changed())
        .await
        .expect("a wake-up in time")
        .expect("an open store");
}

pub(super) async fn stands<S: Store>(store: Arc<S>) {
    let game = Game::create(&store, 41).await;
    woken(&mut store.subscribe(game.table())).await;
}

pub(super) async fn after_a_commit<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 42).await;
    let mut wakeups = store.subscribe(game.table());
    woken(&mut wakeups).await;
    for _ in 0..20 {
        wakeups.mark_unchanged();
        game.play(1).await;
        woken(&mut wakeups).await;
    }
}

pub(super) async fn everybody<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 43).await;
    let mut subscribers: Vec<Wakeups> = (0..50).map(|_| store.subscribe(game.table())).collect();
    for wakeups in &mut subscribers {
        woken(wakeups).await;
    }
    let mut late = store.subscribe(game.table());
    woken(&mut late).await;
    subscribers.push(late);
    for wakeups in &mut subscribers {
        wakeups.mark_unchanged();
    }
    game.play(1).await;
    for wakeups in &mut subscribers {
        woken(wakeups).await;
    }
}

pub(super) async fn before_creation<S: Store>(store: Arc<S>) {
    let mut play = SelfPlay::plain(44, "dev");
    let mut wakeups = store.subscribe(play.table());
    woken(&mut wakeups).await;
    wakeups.mark_unchanged();
    happens(&store, &commit(None, &play.next().expect("a creation"))).await;
    woken(&mut wakeups).await;
}

pub(super) async fn dropped<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 45).await;
    let mut stays = store.subscribe(game.table());
    for _ in 0..10 {
        let mut leaves = store.subscribe(game.table());
        woken(&mut leaves).await;
        drop(leaves);
        stays.mark_unchanged();
        game.play(1).await;
        woken(&mut stays).await;
    }
    // And when all have left, a new one is served again.
    drop(stays);
    let mut returns = store.subscribe(game.table());
    woken(&mut returns).await;
    returns.mark_unchanged();
    game.play(1).await;
    woken(&mut returns).await;
}

/// Waits until a wake-up is as it must be; what it is then.
async fn wakes(wakeups: &mut Wakeups, so: impl FnMut(&Wake) -> bool) -> Wake {
    let woken = wakeups.wait_for(so);
    *tokio::time::timeout(PATIENCE, woken).await.expect("a wake-up in time").expect("an open store")
}

/// A subscription that stands, and what it is at.
async fn standing<S: Store>(store: &Arc<S>, table: TableId) -> (Wakeups, Wake) {
    let mut wakeups = store.subscribe(table);
    woken(&mut wakeups).await;
    let wake = *wakeups.borrow_and_update();
    (wakeups, wake)
}

fn lease(table: TableId, seat: Seat) -> Lease {
    Lease { table, seat, holder: Holder(7) }
}

pub(super) async fn first<S: Store>(store: Arc<S>) {
    let table = Game::create(&store, 46).await.table();
    let (_first, wake) = standing(&store, table).await;
    assert!(wake.updates != 0 && wake.presence != 0, "{wake:?}");
    let (_second, wake) = standing(&store, table).await;
    assert!(wake.updates != 0 && wake.presence != 0, "{wake:?}");
}

pub(super) async fn for_updates<S: Store>(store: Arc<S>) {
    let mut game = Game::create(&store, 47).await;
    let (mut wakeups, mut wake) = standing(&store, game.table()).await;
    for _ in 0..20 {
        game.play(1).await;
        let updates = wake.updates;
        let next = wakes(&mut wakeups, |wake| wake.updates != updates).await;
        assert_eq!(next.presence, wake.presence);
        wake = next;
    }
}

pub(super) async fn for_presence<S: Store>(store: Arc<S>) {
    let game = Game::create(&store, 48).await;
    let (mut wakeups, mut wake) = standing(&store, game.table()).await;
    let leases = [lease(game.table(), Seat::One), lease(game.table(), Seat::Two)];
    for _ in 0..10 {
        for news in [true, false] {
            if news {
                store.hold(&leases, 60_000, true).await.expect("leases");
            } else {
                store.release(&leases).await.expect("a release");
            }
            let presence = wake.presence;
            let next = wakes(&mut wakeups, |wake| wake.presence != presence).await;
            assert_eq!(next.updates, wake.updates);
            // Each look finds what the news was about.
            let seats = store.present(game.table()).await.expect("who is present").len();
            assert_eq!(seats, if news { 2 } else { 0 });
            wake = next;
        }
    }
}

pub(super) async fn no_news<S: Store>(store: Arc<S>) {
    let (mut game, other) = (Game::create(&store, 49).await, Game::create(&store, 50).await);
    let (mut wakeups, wake) = standing(&store, game.table()).await;
    let own = [lease(game.table(), Seat::One)];
    store.hold(&own, 60_000, false).await.expect("a lease");
    // One that was not there is news, whatever is said of it.
    let wake = wakes(&mut wakeups, |next| next.presence != wake.presence).await;
    store.hold(&own, 60_000, false).await.expect("a renewal");
    store.hold(&[lease(other.table(), Seat::One)], 60_000, true).await.expect("another table's lease");
    // What comes after it is the first that is heard of.
    game.play(1).await;
    let next = wakes(&mut wakeups, |next| *next != wake).await;
    assert_eq!(next.presence, wake.presence);
}

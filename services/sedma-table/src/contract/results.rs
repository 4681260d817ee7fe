//! Cases about results: every end is told to every group of consumers until it was acknowledged.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use sedma_rules::{Preset, RuleOptions};

use crate::contract::games::{Game, loads};
use crate::contract::sample::SelfPlay;
use crate::ids::{TableId, Tenant};
use crate::limits::MAX_GROUPS;
use crate::result::{Filed, Group, Outcome, ResultId};
use crate::setup::Results;
use crate::store::{Store, StoreError};

/// Long enough that nothing is given twice while a case runs.
const LATE: u32 = 3_600_000;

fn dev() -> Tenant {
    Tenant::new("dev").expect("a tenant")
}

fn group(name: &str) -> Group {
    Group::new(name).expect("a group")
}

fn short(seed: u64, tenant: &str) -> SelfPlay {
    let options = RuleOptions { match_target: 1, ..Preset::Classic.options(4) };
    SelfPlay::by_rules(seed, tenant, options)
}

/// A match of a deal or two, played to its end.
async fn played<S: Store>(store: &Arc<S>, play: SelfPlay) -> Game<S> {
    let mut game = Game::created(store, play).await;
    game.play(usize::MAX).await;
    assert!(game.newest().snapshot.table.is_ended());
    game
}

fn id(filed: &Filed) -> ResultId {
    ResultId { table: filed.result.table, version: filed.version }
}

/// All that a group is given now.
async fn all<S: Store>(store: &Arc<S>, tenant: &Tenant, group: &Group, again_ms: u32) -> Vec<Filed> {
    let mut found = Vec::new();
    loop {
        let taken = store.claim(tenant, group, 10, again_ms).await.expect("an answer");
        assert!(taken.len() <= 10);
        if taken.is_empty() {
            return found;
        }
        found.extend(taken);
    }
}

async fn acknowledged<S: Store>(store: &Arc<S>, group: &Group, ids: &[ResultId]) -> Vec<bool> {
    store.acknowledge(&dev(), group, ids).await.expect("an answer")
}

pub(super) async fn filed<S: Store>(store: Arc<S>) {
    let books = group("books");
    assert_eq!(all(&store, &dev(), &books, LATE).await, []);
    let running = Game::created(&store, short(1, "dev")).await;
    let game = played(&store, short(2, "dev")).await;
    let given = all(&store, &dev(), &books, LATE).await;
    let [filed] = given.as_slice() else { panic!("{given:?}") };
    assert_eq!(filed.version, game.version());
    let table = &game.newest().snapshot.table;
    assert_eq!(Some(&filed.result), table.result().as_ref());
    assert_eq!((filed.result.outcome, filed.result.revision), (Outcome::Finished, table.revision()));
    let log = store.updates_after(game.table(), table.revision() - 1, 1).await.expect("a log");
    assert_eq!(filed.time_ms, log[0].time_ms, "the result is of the very commit that ended the table");
    assert!(!loads(&store, running.table()).await.snapshot.table.is_ended());
}

pub(super) async fn again<S: Store>(store: Arc<S>) {
    let books = group("books");
    played(&store, short(1, "dev")).await;
    let first = store.claim(&dev(), &books, 10, 50).await.expect("an answer");
    assert_eq!(first.len(), 1);
    let mut again = Vec::new();
    while again.is_empty() {
        again = store.claim(&dev(), &books, 10, LATE).await.expect("an answer");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(again, first, "the consumer that had it first did not acknowledge it");
    assert_eq!(all(&store, &dev(), &books, LATE).await, []);
    assert_eq!(acknowledged(&store, &books, &[id(&first[0])]).await, [true]);
    assert_eq!(acknowledged(&store, &books, &[id(&first[0])]).await, [false], "it was already");
    assert_eq!(all(&store, &dev(), &books, 0).await, []);
}

pub(super) async fn shared<S: Store>(store: Arc<S>) {
    let mut ended = BTreeSet::new();
    for seed in 0..24 {
        ended.insert(played(&store, short(seed, "dev")).await.table());
    }
    let consumers = (0..4).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { all(&store, &dev(), &group("books"), LATE).await })
    });
    let mut given: Vec<TableId> = Vec::new();
    for consumer in consumers.collect::<Vec<_>>() {
        given.extend(consumer.await.expect("a consumer").iter().map(|filed| filed.result.table));
    }
    assert_eq!(given.len(), 24, "each was given to one of the four");
    assert_eq!(given.into_iter().collect::<BTreeSet<_>>(), ended);
}

pub(super) async fn tenants<S: Store>(store: Arc<S>) {
    let (books, acme) = (group("books"), Tenant::new("acme").expect("a tenant"));
    let game = played(&store, short(1, "dev")).await;
    assert_eq!(all(&store, &acme, &books, LATE).await, []);
    // One of their own beside it, which they were told of.
    let beside = SelfPlay::in_bucket(game.table().bucket(), 2..100_000, |seed| short(seed, "acme"));
    let own = played(&store, beside).await;
    let told = all(&store, &acme, &books, LATE).await;
    assert_eq!(told.iter().map(|filed| filed.result.table).collect::<Vec<_>>(), [own.table()]);
    let theirs = ResultId { table: game.table(), version: game.version() };
    assert_eq!(store.acknowledge(&acme, &books, &[theirs]).await, Ok(vec![false]));
    assert_eq!(all(&store, &dev(), &books, LATE).await.len(), 1);
}

pub(super) async fn groups<S: Store>(store: Arc<S>) {
    let (books, ratings) = (group("books"), group("ratings"));
    played(&store, short(1, "dev")).await;
    let first = all(&store, &dev(), &books, LATE).await;
    assert_eq!(acknowledged(&store, &ratings, &[id(&first[0])]).await, [false], "it was given none");
    assert_eq!(all(&store, &dev(), &ratings, LATE).await, first, "a new group gets what is kept");
    assert_eq!(acknowledged(&store, &books, &[id(&first[0])]).await, [true]);
    played(&store, short(2, "dev")).await;
    let second = all(&store, &dev(), &books, LATE).await;
    assert_eq!((second.len(), &second), (1, &all(&store, &dev(), &ratings, LATE).await));
    let both = [id(&first[0]), id(&second[0])];
    assert_eq!(acknowledged(&store, &ratings, &both).await, [true, true]);
    assert_eq!(acknowledged(&store, &books, &both).await, [false, true]);
    let listed = store.list(&dev(), None, 10).await.expect("a page");
    let listed: Vec<TableId> = listed.iter().map(|row| row.stored.snapshot.table.setup().id).collect();
    assert_eq!(listed, [], "what is in everybody's books is listed no more");
    assert!(loads(&store, first[0].result.table).await.snapshot.table.is_ended(), "and can still be read");
    let late = group("late");
    assert_eq!(all(&store, &dev(), &late, LATE).await, [], "all groups that were known had acknowledged it");
}

pub(super) async fn other_version<S: Store>(store: Arc<S>) {
    let books = group("books");
    let game = played(&store, short(1, "dev")).await;
    let given = store.claim(&dev(), &books, 10, 0).await.expect("an answer");
    let mut other = id(&given[0]);
    other.version.token = [0; 8];
    let nowhere = ResultId { table: TableId::from_bytes([1; 16]), version: game.version() };
    assert_eq!(acknowledged(&store, &books, &[other, nowhere]).await, [false, false]);
    assert_eq!(all(&store, &dev(), &books, LATE).await, given);
}

pub(super) async fn none<S: Store>(store: Arc<S>) {
    let game = played(&store, short(1, "dev").without_result()).await;
    assert_eq!(game.newest().snapshot.table.setup().results, Results::None);
    assert_eq!(all(&store, &dev(), &group("books"), LATE).await, []);
}

pub(super) async fn quota<S: Store>(store: Arc<S>) {
    for number in 0..MAX_GROUPS {
        all(&store, &dev(), &group(&format!("group-{number}")), LATE).await;
    }
    let more = store.claim(&dev(), &group("more"), 10, LATE).await;
    assert_eq!(more, Err(StoreError::TooManyGroups));
    all(&store, &dev(), &group("group-0"), LATE).await;
    all(&store, &Tenant::new("acme").expect("a tenant"), &group("more"), LATE).await;
}

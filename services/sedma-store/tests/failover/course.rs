//! Players who go on whatever happens, and what they had to put up with.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use sedma_store::{Lifetimes, RedisStore};
use sedma_table::contract::Game;
use sedma_table::store::{Commit, Committed, Store, StoreError, Stored};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// Tables in play.
const TABLES: u64 = 12;
/// How long a player thinks: so long that no match ends while sentinels make up their minds.
const PACE: Duration = Duration::from_millis(150);
/// How long whatever is waited for may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long the store may be away for a player.
const LONGEST: Duration = Duration::from_secs(10);

/// Tables that are being played.
pub(crate) struct Course {
    stop: Arc<AtomicBool>,
    made: Arc<AtomicUsize>,
    players: Vec<JoinHandle<Seen>>,
}

/// What one player met.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Updates that were acknowledged.
    pub(crate) acknowledged: usize,
    /// Acknowledged ones that the store did not have later.
    pub(crate) lost: usize,
    /// How often the table went back.
    pub(crate) rewinds: usize,
    /// Calls that the store was unavailable to.
    pub(crate) refused: usize,
    /// The longest time without an answer.
    pub(crate) longest: Duration,
}

/// A store at this address that works.
pub(crate) async fn store(url: &str) -> Arc<RedisStore> {
    let store = Arc::new(RedisStore::connect(url, Lifetimes::default(), None).expect("an address"));
    store.check().await.expect("a store that works");
    store
}

impl Course {
    /// Begins to play.
    pub(crate) async fn begin(store: &Arc<RedisStore>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let made = Arc::new(AtomicUsize::new(0));
        let mut players = Vec::new();
        // Each course has tables of its own.
        #[allow(clippy::items_after_statements, reason = "it belongs to the loop")]
        static SEED: AtomicU64 = AtomicU64::new(100);
        for _ in 0..TABLES {
            let seed = SEED.fetch_add(1, Ordering::Relaxed);
            let game = Game::create(store, seed).await;
            players.push(tokio::spawn(play(game, stop.clone(), made.clone())));
        }
        Self { stop, made, players }
    }

    /// Waits until so many more updates were made.
    pub(crate) async fn more(&self, count: usize) {
        let wanted = self.made.load(Ordering::Relaxed) + count;
        let reached = async {
            while self.made.load(Ordering::Relaxed) < wanted {
                tokio::time::sleep(PACE).await;
            }
        };
        tokio::time::timeout(PATIENCE, reached).await.expect("players who go on");
    }

    /// Ends it, and tells what all players met together.
    pub(crate) async fn end(self, what: &str) -> Seen {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = Seen::default();
        for player in self.players {
            let seen =
                tokio::time::timeout(PATIENCE, player).await.expect("a player ends").expect("a player");
            all.acknowledged += seen.acknowledged;
            all.lost += seen.lost;
            all.rewinds += seen.rewinds;
            all.refused += seen.refused;
            all.longest = all.longest.max(seen.longest);
        }
        println!("{what}: {all:?}");
        assert!(all.longest < LONGEST, "{what}: a player waited for {:?}", all.longest);
        all
    }
}

/// Plays a table until it is told to stop, then looks whether its log has each update once.
async fn play(mut game: Game<RedisStore>, stop: Arc<AtomicBool>, made: Arc<AtomicUsize>) -> Seen {
    let (store, table) = (game.store.clone(), game.table());
    let mut newest = game.newest().clone();
    let first = newest.version.revision;
    let mut steps: Vec<Commit> = Vec::new();
    let mut seen = Seen::default();
    let mut well = now();
    while !stop.load(Ordering::Relaxed)
        || newest.version.revision < first + i64::try_from(steps.len()).expect("a length")
    {
        let at =
            usize::try_from(newest.version.revision - first).expect("a table that was not lost altogether");
        if at == steps.len() {
            game.follow(newest.clone());
            match game.propose() {
                Some(commit) => steps.push(commit),
                None => break,
            }
        }
        let commit = Commit { expected: Some(newest.version), ..steps[at].clone() };
        match store.commit(&commit).await {
            Ok(Committed::Done { version, .. }) => {
                seen.acknowledged += 1;
                made.fetch_add(1, Ordering::Relaxed);
                newest = Stored { version, snapshot: commit.snapshot.clone(), fire_ms: 0 };
            }
            // An earlier sending, or a history that a failover took back.
            Ok(Committed::Conflict(there)) => {
                let behind = newest.version.revision - there.version.revision;
                seen.lost += usize::try_from(behind.max(0)).expect("a number");
                seen.rewinds += usize::from(behind > 0);
                newest = *there;
            }
            Ok(other) => panic!("{table}: {other:?}"),
            Err(StoreError::Unavailable(_)) => {
                seen.refused += 1;
                seen.longest = seen.longest.max(well.elapsed());
                tokio::time::sleep(PACE).await;
                continue;
            }
            Err(error) => panic!("{table}: {error}"),
        }
        seen.longest = seen.longest.max(well.elapsed());
        tokio::time::sleep(PACE).await;
        well = now();
    }
    let log = store.updates_after(table, first, usize::MAX).await.expect("the log");
    assert_eq!(log.len(), usize::try_from(newest.version.revision - first).expect("a length"));
    for (logged, step) in log.iter().zip(&steps) {
        assert_eq!(logged.update, step.update, "{table}: each update once and in order");
    }
    seen
}

/// Waits until each of these tables is played on.
pub(crate) async fn goes_on(store: &Arc<RedisStore>, game: &mut Game<RedisStore>) {
    let going = async {
        let commit = game.propose().expect("a step");
        while !matches!(store.commit(&commit).await, Ok(Committed::Done { .. } | Committed::Conflict(_))) {
            tokio::time::sleep(PACE).await;
        }
    };
    tokio::time::timeout(PATIENCE, going).await.expect("the table is played on");
    game.follow(store.load(game.table()).await.expect("a load").expect("a table"));
}

#[allow(clippy::disallowed_methods, reason = "measures how long another process is away")]
fn now() -> Instant {
    Instant::now()
}

//! A table in a store, with the hand that plays it.

use std::sync::Arc;

use crate::clock::{self, Timer};
use crate::contract::sample::{SelfPlay, Step};
use crate::ids::{TableId, Version};
use crate::store::{Commit, Committed, Guard, Store, Stored};

/// A table that plays itself into a store.
pub struct Game<S> {
    /// Where it is kept.
    pub store: Arc<S>,
    play: SelfPlay,
    newest: Stored,
}

impl<S: Store> Game<S> {
    /// Creates a plain table of the tenant `dev`.
    pub async fn create(store: &Arc<S>, seed: u64) -> Self {
        Self::created(store, SelfPlay::plain(seed, "dev")).await
    }

    /// Creates this table.
    pub async fn created(store: &Arc<S>, mut play: SelfPlay) -> Self {
        let step = play.next().expect("a table begins");
        let commit = Commit { timer: clock::timer(None, &step.0, &step.1.table), ..commit(None, &step) };
        let newest = makes(store, &commit, 0).await;
        Self { store: store.clone(), play, newest }
    }

    /// The table.
    pub fn table(&self) -> TableId {
        self.play.table()
    }

    /// What the last commit wrote.
    pub fn newest(&self) -> &Stored {
        &self.newest
    }

    /// The version that the last commit made.
    pub fn version(&self) -> Version {
        self.newest.version
    }

    /// The next commit, not made yet. Each call gives the next step of the table.
    pub fn propose(&mut self) -> Option<Commit> {
        let step = self.play.next()?;
        let timer = clock::timer(Some(&self.newest.snapshot.table), &step.0, &step.1.table);
        Some(Commit { timer, ..commit(Some(self.newest.version), &step) })
    }

    /// The next commit, with this timer and this guard instead of the table's own. Not made yet.
    pub(super) fn with(&mut self, timer: Timer, guard: Guard) -> Commit {
        Commit { timer, guard, ..self.propose().expect("a step") }
    }

    /// Notes what the table has become, by whatever way.
    pub fn follow(&mut self, newest: Stored) {
        self.newest = newest;
    }

    /// Makes a commit that must happen.
    pub async fn make(&mut self, commit: &Commit) -> Version {
        self.newest = makes(&self.store, commit, self.newest.fire_ms).await;
        self.newest.version
    }

    /// Plays so many steps; fewer where the table ends.
    pub async fn play(&mut self, steps: usize) {
        for _ in 0..steps {
            let Some(commit) = self.propose() else { return };
            self.make(&commit).await;
        }
    }
}

/// Makes a commit that must happen; the table as it is then. `fire_ms` is when its timer fired before.
async fn makes<S: Store>(store: &Arc<S>, commit: &Commit, fire_ms: i64) -> Stored {
    match store.commit(commit).await {
        Ok(Committed::Done { version, time_ms }) => {
            assert_eq!(version.revision, commit.snapshot.table.revision());
            let fire_ms = commit.timer.fires_at(fire_ms, time_ms);
            Stored { version, snapshot: commit.snapshot.clone(), fire_ms }
        }
        other => panic!("a commit that must happen: {other:?}"),
    }
}

/// The commit of a step of a table that has no clocks.
pub(super) fn commit(expected: Option<Version>, (update, snapshot): &Step) -> Commit {
    let (update, snapshot) = (update.clone(), snapshot.clone());
    let result = snapshot.table.result().map(Arc::new);
    Commit { expected, update, snapshot, timer: Timer::Disarm, guard: Guard::None, result }
}

/// Makes a commit that must happen.
pub(super) async fn happens<S: Store>(store: &Arc<S>, commit: &Commit) -> Version {
    makes(store, commit, 0).await.version
}

/// Makes a commit that must conflict; the newer state that comes back.
pub(super) async fn conflicts<S: Store>(store: &Arc<S>, commit: &Commit) -> Stored {
    match store.commit(commit).await {
        Ok(Committed::Conflict(stored)) => *stored,
        other => panic!("a commit that must conflict: {other:?}"),
    }
}

/// Loads a table that must be there.
pub(super) async fn loads<S: Store>(store: &Arc<S>, table: TableId) -> Stored {
    store.load(table).await.expect("a load").expect("a table")
}

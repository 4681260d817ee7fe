//! A table in a store, with the hand that plays it.

use std::sync::Arc;

use crate::contract::sample::{SelfPlay, Step};
use crate::ids::{TableId, Version};
use crate::store::{Commit, Committed, Store, Stored};

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
        let version = happens(store, &commit(None, &step)).await;
        let newest = Stored { version, snapshot: step.1 };
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
        Some(commit(Some(self.newest.version), &step))
    }

    /// Notes that this commit has happened, by whatever way.
    pub fn follow(&mut self, commit: &Commit, version: Version) {
        self.newest = Stored { version, snapshot: commit.snapshot.clone() };
    }

    /// Makes a commit that must happen.
    pub async fn make(&mut self, commit: &Commit) -> Version {
        let version = happens(&self.store, commit).await;
        self.follow(commit, version);
        version
    }

    /// Plays so many steps; fewer where the table ends.
    pub async fn play(&mut self, steps: usize) {
        for _ in 0..steps {
            let Some(commit) = self.propose() else { return };
            self.make(&commit).await;
        }
    }
}

/// The commit of a step.
pub(super) fn commit(expected: Option<Version>, (update, snapshot): &Step) -> Commit {
    Commit { expected, update: update.clone(), snapshot: snapshot.clone() }
}

/// Makes a commit that must happen.
pub(super) async fn happens<S: Store>(store: &Arc<S>, commit: &Commit) -> Version {
    match store.commit(commit).await {
        Ok(Committed::Done { version, .. }) => {
            assert_eq!(version.revision, commit.snapshot.table.revision());
            version
        }
        other => panic!("a commit that must happen: {other:?}"),
    }
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

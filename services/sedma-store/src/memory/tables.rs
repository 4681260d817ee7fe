//! Tables, their logs, the listing, who is present at them, and when each is swept.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use sedma_table::store::{
    Commit, Committed, DueTable, Guard, Lease, ListCursor, Listed, Present, StoreError, Stored,
};
use sedma_table::{Filed, Group, Logged, ResultId, TableId, TableResult, Tenant, Version};

use crate::lifetimes::{Lifetimes, Stay};
use crate::limits::{MEMORY_SWEEP, MEMORY_TABLES};
use crate::memory::leases::Leases;
use crate::memory::results::Results;
use crate::memory::timers::Timers;

/// All tables of this process.
#[derive(Debug, Default)]
pub(super) struct Tables {
    kept: HashMap<TableId, Kept>,
    /// Each tenant's tables by creation.
    listing: BTreeMap<Tenant, BTreeSet<(i64, TableId)>>,
    /// Every table by the time it dies.
    dying: BTreeSet<(i64, TableId)>,
    timers: Timers,
    leases: Leases,
    results: Results,
    /// The newest time that was given out: a clock that is set back does not turn a log around.
    newest_ms: i64,
}

#[derive(Debug)]
struct Kept {
    stored: Stored,
    log: Vec<Logged>,
    created_ms: i64,
    dies_ms: i64,
}

impl Tables {
    /// The time that is given out where the clock says this.
    pub(super) fn now_ms(&mut self, now_ms: i64) -> i64 {
        self.newest_ms = self.newest_ms.max(now_ms);
        self.newest_ms
    }

    /// Compares and writes, like the script that Redis runs.
    pub(super) fn commit(
        &mut self,
        commit: &Commit,
        token: [u8; 8],
        now_ms: i64,
        lifetimes: &Lifetimes,
    ) -> Result<Committed, StoreError> {
        let now_ms = self.now_ms(now_ms);
        self.sweep(now_ms);
        let table = commit.snapshot.table.setup().id;
        let there = self.kept.get(&table).filter(|kept| kept.dies_ms > now_ms);
        match (there, commit.expected) {
            (None, Some(_)) => return Ok(Committed::Missing),
            (Some(kept), expected) if Some(kept.stored.version) != expected => {
                return Ok(Committed::Conflict(Box::new(kept.stored.clone())));
            }
            (None, None) if self.kept.len() >= MEMORY_TABLES => {
                let full = format!(
                    "{MEMORY_TABLES} tables are all that the memory store holds; those whose results are \
                     acknowledged, or that file none, are given up sooner"
                );
                return Err(StoreError::Unavailable(full));
            }
            _ => {}
        }
        let was_ms = there.map_or(0, |kept| kept.stored.fire_ms);
        let fired = was_ms > 0 && now_ms >= was_ms;
        match commit.guard {
            Guard::Before if fired => return Ok(Committed::Expired),
            Guard::After if !fired => return Ok(Committed::Early { fire_ms: was_ms }),
            _ => {}
        }
        let fire_ms = commit.timer.fires_at(was_ms, now_ms);
        let version = Version { revision: commit.snapshot.table.revision(), token };
        let stored = Stored { version, snapshot: commit.snapshot.clone(), fire_ms };
        let logged = Logged { version, time_ms: now_ms, update: commit.update.clone() };
        let Stay { ms, at_least } = lifetimes.after(commit);
        let before_ms = there.filter(|_| at_least).map_or(0, |kept| kept.dies_ms);
        // What a table waits for may be further off than its lifetime.
        let dies_ms = now_ms.max(fire_ms).saturating_add(ms).max(before_ms);
        self.write(table, stored, logged, now_ms, dies_ms);
        if let Some(result) = &commit.result {
            let result = TableResult::clone(result);
            let tenant = &commit.snapshot.table.setup().tenant;
            self.results.file(tenant, Filed { version, time_ms: now_ms, result });
        }
        Ok(Committed::Done { version, time_ms: now_ms })
    }

    fn write(&mut self, table: TableId, stored: Stored, logged: Logged, now_ms: i64, dies_ms: i64) {
        if let Some(kept) = self.kept.get_mut(&table).filter(|kept| kept.dies_ms > now_ms) {
            self.dying.remove(&(kept.dies_ms, table));
            self.timers.set(table, kept.stored.fire_ms, stored.fire_ms);
            kept.stored = stored;
            kept.log.push(logged);
            kept.dies_ms = dies_ms;
        } else {
            self.remove(table);
            self.timers.set(table, 0, stored.fire_ms);
            let tenant = stored.snapshot.table.setup().tenant.clone();
            self.listing.entry(tenant).or_default().insert((now_ms, table));
            self.kept.insert(table, Kept { stored, log: vec![logged], created_ms: now_ms, dies_ms });
        }
        self.dying.insert((dies_ms, table));
    }

    /// A table that has not died.
    fn living(&self, table: TableId, now_ms: i64) -> Option<&Kept> {
        self.kept.get(&table).filter(|kept| kept.dies_ms > now_ms)
    }

    pub(super) fn load(&self, table: TableId, now_ms: i64) -> Option<Stored> {
        self.living(table, now_ms).map(|kept| kept.stored.clone())
    }

    pub(super) fn updates_after(&self, table: TableId, after: i64, limit: usize, now_ms: i64) -> Vec<Logged> {
        let Some(kept) = self.living(table, now_ms) else { return Vec::new() };
        let after = usize::try_from(after).unwrap_or(0);
        kept.log.iter().skip(after).take(limit).cloned().collect()
    }

    /// Newest first; ties by id, the highest first.
    pub(super) fn list(
        &self,
        tenant: &Tenant,
        after: Option<ListCursor>,
        limit: usize,
        now_ms: i64,
    ) -> Vec<Listed> {
        let Some(rows) = self.listing.get(tenant) else { return Vec::new() };
        let end = after.map_or(Bound::Unbounded, |cursor| Bound::Excluded((cursor.created_ms, cursor.table)));
        rows.range((Bound::Unbounded, end))
            .rev()
            .filter_map(|(_, table)| self.living(*table, now_ms))
            .map(|kept| Listed { created_ms: kept.created_ms, stored: kept.stored.clone() })
            .take(limit)
            .collect()
    }

    /// Oldest first; ties by id.
    pub(super) fn created_since(&self, tenant: &Tenant, since_ms: i64, limit: usize) -> Vec<(i64, TableId)> {
        let rows = self.listing.get(tenant).into_iter();
        let first = (since_ms, TableId::from_bytes([0; 16]));
        rows.flat_map(|rows| rows.range(first..)).take(limit).copied().collect()
    }

    pub(super) fn hold(&mut self, lease: &Lease, lasts_ms: i64, now_ms: i64) -> Result<bool, StoreError> {
        let now_ms = self.now_ms(now_ms);
        self.leases.hold(lease, now_ms.saturating_add(lasts_ms), now_ms)
    }

    pub(super) fn release(&mut self, lease: &Lease, now_ms: i64) {
        let now_ms = self.now_ms(now_ms);
        self.leases.release(lease, now_ms);
    }

    pub(super) fn present(&mut self, table: TableId, now_ms: i64) -> Vec<Present> {
        let now_ms = self.now_ms(now_ms);
        self.leases.present(table, now_ms)
    }

    pub(super) fn claim(
        &mut self,
        tenant: &Tenant,
        group: &Group,
        limit: usize,
        again_ms: u32,
        (now_ms, lifetimes): (i64, &Lifetimes),
    ) -> Result<Vec<Filed>, StoreError> {
        let now_ms = self.now_ms(now_ms);
        self.sweep(now_ms);
        let times = (now_ms, lifetimes.result_ms());
        let mut claimed = self.results.claim(tenant, group, limit, again_ms, times)?;
        claimed.retain(|filed| self.living(filed.result.table, now_ms).is_some());
        Ok(claimed)
    }

    /// Answers whether the result was the group's to acknowledge.
    pub(super) fn acknowledge(
        &mut self,
        tenant: &Tenant,
        group: &Group,
        id: ResultId,
        (now_ms, lifetimes): (i64, &Lifetimes),
    ) -> bool {
        let now_ms = self.now_ms(now_ms);
        let (was_theirs, done) = self.results.acknowledge(tenant, group, id);
        if done {
            self.results.forget(id.table);
            if let Some(kept) = self.kept.get_mut(&id.table) {
                self.dying.remove(&(kept.dies_ms, id.table));
                kept.dies_ms = now_ms.saturating_add(lifetimes.acknowledged_ms());
                self.dying.insert((kept.dies_ms, id.table));
                if let Some(rows) = self.listing.get_mut(tenant) {
                    rows.remove(&(kept.created_ms, id.table));
                }
            }
        }
        was_theirs
    }

    /// Tables whose timers have fired. The timer of a table that has died goes with it.
    pub(super) fn due(&mut self, limit: usize, outage_after_ms: u64, now_ms: i64) -> Vec<DueTable> {
        let now_ms = self.now_ms(now_ms);
        let due = self.timers.due(now_ms, limit, outage_after_ms);
        let (living, dead): (Vec<_>, Vec<_>) =
            due.into_iter().partition(|due| self.living(due.table, now_ms).is_some());
        for DueTable { table, .. } in dead {
            self.remove(table);
        }
        living
    }

    /// Forgets a few of the tables that have died.
    fn sweep(&mut self, now_ms: i64) {
        for _ in 0..MEMORY_SWEEP {
            match self.dying.first() {
                Some((dies_ms, table)) if *dies_ms <= now_ms => {
                    let table = *table;
                    self.remove(table);
                }
                _ => return,
            }
        }
    }

    fn remove(&mut self, table: TableId) {
        let Some(kept) = self.kept.remove(&table) else { return };
        self.dying.remove(&(kept.dies_ms, table));
        self.timers.set(table, kept.stored.fire_ms, 0);
        self.leases.forget(table);
        self.results.forget(table);
        let tenant = &kept.stored.snapshot.table.setup().tenant;
        if let Some(rows) = self.listing.get_mut(tenant) {
            rows.remove(&(kept.created_ms, table));
            if rows.is_empty() {
                self.listing.remove(tenant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sedma_rules::Seat;
    use sedma_table::clock::Timer;
    use sedma_table::contract::SelfPlay;
    use sedma_table::store::Holder;

    use super::*;

    const HOUR: i64 = 3_600_000;
    /// When the timer of each table here fires after its last update.
    const TIMER: i64 = 30_000;
    /// So that it dies an hour after its last update.
    const LIFE: i64 = HOUR - TIMER;

    fn kept_for(ms: i64) -> Lifetimes {
        let time = std::time::Duration::from_millis(ms.unsigned_abs());
        Lifetimes { open: time, ended: time, result: time }
    }

    fn step(play: &mut SelfPlay, expected: Option<Version>) -> Commit {
        let (update, snapshot) = play.next().unwrap();
        let result = snapshot.table.result().map(Arc::new);
        Commit {
            expected,
            update,
            snapshot,
            timer: Timer::Arm(TIMER.unsigned_abs()),
            guard: Guard::None,
            result,
        }
    }

    fn done(committed: Result<Committed, StoreError>) -> (Version, i64) {
        match committed {
            Ok(Committed::Done { version, time_ms }) => (version, time_ms),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_table_dies_its_lifetime_after_its_last_update() {
        let (mut tables, mut play) = (Tables::default(), SelfPlay::plain(1, "dev"));
        let table = play.table();
        let (first, _) = done(tables.commit(&step(&mut play, None), [1; 8], 0, &kept_for(LIFE)));
        let next = step(&mut play, Some(first));
        let (second, _) = done(tables.commit(&next, [2; 8], HOUR - 1, &kept_for(LIFE)));
        assert!(tables.load(table, 2 * HOUR - 2).is_some());
        assert!(tables.load(table, 2 * HOUR - 1).is_none());
        assert!(tables.updates_after(table, 0, 10, 2 * HOUR).is_empty());
        assert!(tables.list(&Tenant::new("dev").unwrap(), None, 10, 2 * HOUR).is_empty());
        let late = step(&mut play, Some(second));
        assert_eq!(tables.commit(&late, [3; 8], 2 * HOUR, &kept_for(3_600_000)), Ok(Committed::Missing));
    }

    #[test]
    fn what_has_died_is_swept_by_later_commits_and_leaves_nothing() {
        let mut tables = Tables::default();
        for seed in 0..100 {
            done(tables.commit(&step(&mut SelfPlay::plain(seed, "dev"), None), [1; 8], 0, &kept_for(LIFE)));
        }
        for seed in 100..110 {
            done(tables.commit(
                &step(&mut SelfPlay::plain(seed, "acme"), None),
                [1; 8],
                HOUR,
                &kept_for(LIFE),
            ));
        }
        assert_eq!((tables.kept.len(), tables.dying.len(), tables.listing.len()), (10, 10, 1));
        assert_eq!(tables.timers.armed(), 10);
    }

    #[test]
    fn a_table_outlives_its_timer_by_its_lifetime_and_then_is_never_due() {
        let mut tables = Tables::default();
        let creation = step(&mut SelfPlay::plain(1, "dev"), None);
        let table = creation.snapshot.table.setup().id;
        done(tables.commit(&creation, [1; 8], 0, &kept_for(5)));
        assert_eq!(tables.due(10, HOUR.unsigned_abs(), TIMER - 1), []);
        assert_eq!(tables.due(10, HOUR.unsigned_abs(), TIMER), [DueTable { table, outage: false }]);
        assert_eq!(tables.due(10, HOUR.unsigned_abs(), TIMER + 5), []);
        assert_eq!((tables.kept.len(), tables.timers.armed()), (0, 0));
    }

    #[test]
    fn a_table_that_dies_takes_its_leases_along() {
        let mut tables = Tables::default();
        let creation = step(&mut SelfPlay::plain(1, "dev"), None);
        let table = creation.snapshot.table.setup().id;
        done(tables.commit(&creation, [1; 8], 0, &kept_for(LIFE)));
        let lease = Lease { table, seat: Seat::One, holder: Holder::PLATFORM };
        tables.hold(&lease, 9 * HOUR, 0).unwrap();
        assert_eq!(tables.present(table, HOUR - 1), [Present { seat: Seat::One, until_ms: 9 * HOUR }]);
        done(tables.commit(&step(&mut SelfPlay::plain(2, "dev"), None), [1; 8], HOUR, &kept_for(LIFE)));
        assert_eq!((tables.leases.tables(), tables.present(table, HOUR)), (0, Vec::new()));
    }

    #[test]
    fn a_dead_table_can_be_made_anew_with_a_log_of_its_own() {
        let mut tables = Tables::default();
        let creation = step(&mut SelfPlay::plain(1, "dev"), None);
        let table = creation.snapshot.table.setup().id;
        done(tables.commit(&creation, [1; 8], 0, &kept_for(LIFE)));
        let (version, _) = done(tables.commit(&creation, [2; 8], HOUR, &kept_for(LIFE)));
        let log = tables.updates_after(table, 0, 10, HOUR);
        assert_eq!(log.iter().map(|logged| logged.version).collect::<Vec<_>>(), [version]);
        assert_eq!(tables.list(&Tenant::new("dev").unwrap(), None, 10, HOUR).len(), 1);
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_turn_a_log_around() {
        let (mut tables, mut play) = (Tables::default(), SelfPlay::plain(1, "dev"));
        let (first, at) = done(tables.commit(&step(&mut play, None), [1; 8], 5 * HOUR, &kept_for(LIFE)));
        let (_, later) =
            done(tables.commit(&step(&mut play, Some(first)), [2; 8], 4 * HOUR, &kept_for(LIFE)));
        assert!(later >= at);
    }

    #[test]
    fn a_result_lives_with_its_table_and_lets_it_go_when_it_is_acknowledged() {
        let (dev, books) = (Tenant::new("dev").unwrap(), Group::new("books").unwrap());
        let times = Lifetimes { result: std::time::Duration::from_hours(9), ..kept_for(HOUR) };
        let (mut tables, mut at) = (Tables::default(), None);
        let mut play = SelfPlay::plain(1, "dev");
        let table = play.table();
        while at.is_none_or(|_| !tables.kept[&table].stored.snapshot.table.is_ended()) {
            at = Some(done(tables.commit(&step(&mut play, at), [1; 8], 0, &times)).0);
        }
        assert!(tables.load(table, 9 * HOUR - 1).is_some());
        let given = tables.claim(&dev, &books, 10, 0, (HOUR, &times)).unwrap();
        let id = ResultId { table, version: given[0].version };
        assert!(tables.acknowledge(&dev, &books, id, (2 * HOUR, &times)));
        assert!(tables.load(table, 3 * HOUR - 1).is_some() && tables.load(table, 3 * HOUR).is_none());
        assert_eq!(tables.results.kept(), 0);
    }
}

//! Results that wait for the platform's consumers.

use std::collections::{BTreeMap, HashMap};

use sedma_table::limits::MAX_GROUPS;
use sedma_table::store::StoreError;
use sedma_table::{Filed, Group, ResultId, TableId, Tenant};

/// All results of this process.
#[derive(Debug, Default)]
pub(super) struct Results {
    filed: HashMap<TableId, Kept>,
    outboxes: BTreeMap<Tenant, Outbox>,
    /// The number of the newest result.
    newest: u64,
}

#[derive(Debug)]
struct Kept {
    filed: Filed,
    tenant: Tenant,
    number: u64,
}

/// A tenant's results.
#[derive(Debug, Default)]
struct Outbox {
    /// In the order they were filed in.
    kept: BTreeMap<u64, TableId>,
    groups: BTreeMap<Group, Part>,
}

/// What a group has to do with them.
#[derive(Debug, Default)]
struct Part {
    /// The newest result that it was told of.
    told: u64,
    /// What it has not acknowledged, with when it is given again.
    pending: BTreeMap<TableId, i64>,
    seen_ms: i64,
}

impl Part {
    /// Whether the group has no need of a result any more.
    fn done_with(&self, number: u64, table: TableId) -> bool {
        self.told >= number && !self.pending.contains_key(&table)
    }
}

impl Results {
    /// Files a result; an earlier one of the same table is superseded.
    pub(super) fn file(&mut self, tenant: &Tenant, filed: Filed) {
        let table = filed.result.table;
        self.forget(table);
        self.newest = self.newest.saturating_add(1);
        self.outboxes.entry(tenant.clone()).or_default().kept.insert(self.newest, table);
        self.filed.insert(table, Kept { filed, tenant: tenant.clone(), number: self.newest });
    }

    /// The table is gone, and its result with it, or the result was acknowledged by all.
    pub(super) fn forget(&mut self, table: TableId) {
        let Some(Kept { tenant, number, .. }) = self.filed.remove(&table) else { return };
        let Some(outbox) = self.outboxes.get_mut(&tenant) else { return };
        outbox.kept.remove(&number);
        for part in outbox.groups.values_mut() {
            part.pending.remove(&table);
        }
    }

    pub(super) fn claim(
        &mut self,
        tenant: &Tenant,
        group: &Group,
        limit: usize,
        again_ms: u32,
        (now_ms, forget_ms): (i64, i64),
    ) -> Result<Vec<Filed>, StoreError> {
        let outbox = self.outboxes.entry(tenant.clone()).or_default();
        outbox.groups.retain(|_, part| now_ms.saturating_sub(part.seen_ms) <= forget_ms);
        if outbox.groups.len() >= MAX_GROUPS && !outbox.groups.contains_key(group) {
            return Err(StoreError::TooManyGroups);
        }
        let part = outbox.groups.entry(group.clone()).or_default();
        part.seen_ms = now_ms;
        for (number, table) in outbox.kept.range(part.told.saturating_add(1)..) {
            part.pending.insert(*table, now_ms);
            part.told = *number;
        }
        let mut due: Vec<(i64, TableId)> =
            part.pending.iter().filter(|(_, at)| **at <= now_ms).map(|(table, at)| (*at, *table)).collect();
        due.sort_unstable();
        due.truncate(limit);
        for (_, table) in &due {
            part.pending.insert(*table, now_ms.saturating_add(again_ms.into()));
        }
        Ok(due.iter().filter_map(|(_, table)| Some(self.filed.get(table)?.filed.clone())).collect())
    }

    /// Whether the result was the group's to acknowledge, and whether all groups have now.
    pub(super) fn acknowledge(&mut self, tenant: &Tenant, group: &Group, id: ResultId) -> (bool, bool) {
        let kept = self.filed.get(&id.table).filter(|kept| kept.tenant == *tenant);
        let Some(number) = kept.filter(|kept| kept.filed.version == id.version).map(|kept| kept.number)
        else {
            return (false, false);
        };
        let Some(outbox) = self.outboxes.get_mut(tenant) else { return (false, false) };
        let pending = outbox.groups.get_mut(group).and_then(|part| part.pending.remove(&id.table));
        let done = pending.is_some() && outbox.groups.values().all(|part| part.done_with(number, id.table));
        (pending.is_some(), done)
    }

    /// How many results are kept.
    #[cfg(test)]
    pub(super) fn kept(&self) -> usize {
        self.filed.len()
    }
}

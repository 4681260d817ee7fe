//! Results that wait for the platform's consumers: who has taken which, and when one that was not acknowledged is given
//! again.
//!
//! A commit that ends a table files its result in the bucket's outbox. Each group of consumers has a part beside it: how
//! far it was told, and what of that it has not acknowledged. Two scripts change these, each in one bucket; who belongs
//! to the groups that a result waits for is one hash a tenant.

use std::sync::atomic::{AtomicU8, Ordering};

use redis::{Script, Value};
use sedma_table::limits::MAX_GROUPS;
use sedma_table::store::StoreError;
use sedma_table::{Filed, Group, ResultId, TableId, Tenant};

use crate::codec;
use crate::lifetimes::Lifetimes;
use crate::limits::GROUP_NOTED;
use crate::redis::batch::Batch;
use crate::redis::failure::{Class, Failure};
use crate::redis::keys;
use crate::redis::reader::{Part, Reader};
use crate::redis::rows;
use crate::redis::unavailable;

/// One of the two scripts.
struct Source {
    text: &'static str,
    digest: String,
}

impl Source {
    fn new(text: &'static str) -> Self {
        Self { text, digest: Script::new(text).get_hash().to_owned() }
    }
}

/// A row of an outbox, and the version of the result that is meant; empty where it is gone.
type Row = (TableId, Vec<u8>);

/// What this process does for consumers.
pub(super) struct Results {
    claim: Source,
    acknowledge: Source,
    pub(super) lifetimes: Lifetimes,
    /// The bucket that the next look begins with: where not all can give something, each has its turn.
    turn: AtomicU8,
}

impl Results {
    pub(super) fn new(lifetimes: Lifetimes) -> Self {
        Self {
            claim: Source::new(include_str!("claim.lua")),
            acknowledge: Source::new(include_str!("acknowledge.lua")),
            lifetimes,
            turn: AtomicU8::new(0),
        }
    }

    /// Up to `limit` results for a group.
    pub(super) async fn claim(
        &self,
        reader: &Reader<'_>,
        tenant: &Tenant,
        group: &Group,
        limit: usize,
        again_ms: u32,
    ) -> Result<Vec<Filed>, StoreError> {
        self.note(reader, tenant, group).await?;
        loop {
            let taken = self.take(reader, tenant, group, limit, again_ms).await?;
            let (results, gone) = self.read(reader, &taken).await?;
            let dropped = self.drop_from(reader, tenant, group, &gone).await;
            // They are taken again, and found gone again.
            if let Err(error) = &dropped {
                tracing::debug!(%error, "results that are gone stay in the outbox for now");
            }
            if !results.is_empty() || gone.is_empty() || dropped.is_err() {
                return Ok(results);
            }
        }
    }

    /// Takes up to `limit` for a group.
    async fn take(
        &self,
        reader: &Reader<'_>,
        tenant: &Tenant,
        group: &Group,
        limit: usize,
        again_ms: u32,
    ) -> Result<Vec<TableId>, StoreError> {
        let mut buckets = filled(reader, tenant).await.map_err(unavailable)?;
        // Where not all can give something, each has its turn to be first.
        let first = self.turn.fetch_add(1, Ordering::Relaxed);
        let before_first = buckets.partition_point(|bucket| *bucket < first);
        buckets.rotate_left(before_first);
        let (mut taken, mut left) = (Vec::new(), limit);
        while let Some(share) = left.checked_div(buckets.len().min(left)) {
            let asked: Vec<u8> = buckets.drain(..buckets.len().min(left)).collect();
            let call = |bucket| Call {
                bucket,
                keys: vec![keys::outbox(bucket, tenant), keys::part(bucket, tenant, group)],
                arguments: vec![share.to_string().into(), again_ms.to_string().into()],
            };
            let calls: Vec<Call> = asked.into_iter().map(call).collect();
            let answers = some(run(reader, &self.claim, &calls).await).map_err(unavailable)?;
            for answer in answers.into_iter().flatten() {
                let Value::Array(members) = answer else { return Err(unavailable(Failure::misfit())) };
                taken.extend(members.iter().filter_map(rows::member_table));
            }
            left = limit.saturating_sub(taken.len());
        }
        Ok(taken)
    }

    /// Reads what was taken, the oldest first; answers also what has outlived itself. One that can't be read hides no
    /// other.
    async fn read(
        &self,
        reader: &Reader<'_>,
        taken: &[TableId],
    ) -> Result<(Vec<Filed>, Vec<Row>), StoreError> {
        if taken.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut batch = Batch::new();
        for table in taken {
            batch.cmd(table.bucket(), "GET").arg(keys::result(*table));
        }
        let answers = some(reader.parts("GET", &batch).await).map_err(unavailable)?;
        let (mut results, mut gone) = (Vec::new(), Vec::new());
        for (table, answer) in taken.iter().zip(answers) {
            // What its node does not tell now is given again later.
            let Some(answer) = answer else { continue };
            match answer {
                Value::Nil => gone.push((*table, Vec::new())),
                Value::BulkString(bytes) => match codec::decode_result(*table, &bytes) {
                    Ok(filed) => results.push(filed),
                    Err(error) => tracing::error!(%table, %error, "a result can't be read; it stays"),
                },
                _ => return Err(unavailable(Failure::misfit())),
            }
        }
        results.sort_by_key(|filed: &Filed| filed.time_ms);
        Ok((results, gone))
    }

    /// A group has no more need of these.
    pub(super) async fn acknowledge(
        &self,
        reader: &Reader<'_>,
        tenant: &Tenant,
        group: &Group,
        results: &[ResultId],
    ) -> Result<Vec<bool>, StoreError> {
        let results: Vec<Row> =
            results.iter().map(|id| (id.table, codec::version_bytes(id.version).to_vec())).collect();
        self.drop_from(reader, tenant, group, &results).await
    }

    async fn drop_from(
        &self,
        reader: &Reader<'_>,
        tenant: &Tenant,
        group: &Group,
        results: &[Row],
    ) -> Result<Vec<bool>, StoreError> {
        if results.is_empty() {
            return Ok(Vec::new());
        }
        let (known, _) = self.known(reader, tenant).await?;
        let others: Vec<&Group> =
            known.iter().map(|(other, _)| other).filter(|other| *other != group).collect();
        let call = |(table, version): &Row| {
            let bucket = table.bucket();
            let mut keys = vec![
                keys::result(*table),
                keys::outbox(bucket, tenant),
                keys::blob(*table),
                keys::log(*table),
                keys::listing(bucket, tenant),
                keys::part(bucket, tenant, group),
            ];
            keys.extend(others.iter().map(|other| keys::part(bucket, tenant, other)));
            let kept = self.lifetimes.acknowledged_ms().to_string().into();
            Call { bucket, keys, arguments: vec![table.as_bytes().to_vec(), version.clone(), kept] }
        };
        let calls: Vec<Call> = results.iter().map(call).collect();
        let answers: Result<Vec<Value>, Failure> =
            run(reader, &self.acknowledge, &calls).await.into_iter().collect();
        let answers = answers.map_err(unavailable)?;
        Ok(answers.into_iter().map(|answer| answer == Value::Int(1)).collect())
    }

    /// Makes a group known, and forgets those that have taken nothing for as long as results are kept.
    async fn note(&self, reader: &Reader<'_>, tenant: &Tenant, group: &Group) -> Result<(), StoreError> {
        let (known, stale) = self.known(reader, tenant).await?;
        let now_ms = reader.nodes.now_ms();
        let noted = known.iter().find(|(other, _)| other == group).map(|(_, seen_ms)| *seen_ms);
        if noted.is_none() && known.len() >= MAX_GROUPS {
            return Err(StoreError::TooManyGroups);
        }
        let noted_ms = i64::try_from(GROUP_NOTED.as_millis()).unwrap_or(i64::MAX);
        if noted.is_some_and(|seen_ms| now_ms.saturating_sub(seen_ms) < noted_ms) {
            return Ok(());
        }
        let mut batch = Batch::new();
        let (bucket, key) = (keys::GROUPS_BUCKET, keys::groups(tenant));
        batch.cmd(bucket, "HSET").arg(&key).arg(group.as_str()).arg(now_ms);
        for stale in &stale {
            batch.cmd(bucket, "HDEL").arg(&key).arg(stale);
        }
        batch.cmd(bucket, "PEXPIRE").arg(&key).arg(self.lifetimes.result_ms());
        match reader.pipeline("HSET", &batch).await {
            // A full Redis can't note it, and is emptied by groups that go on.
            Err(failure) if noted.is_none() => Err(unavailable(failure)),
            Err(failure) => {
                tracing::debug!(failure = failure.text, "it is not noted that a group has taken results");
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }

    /// The groups that are known, with when each took results last; and the names of those that are forgotten.
    async fn known(
        &self,
        reader: &Reader<'_>,
        tenant: &Tenant,
    ) -> Result<(Vec<(Group, i64)>, Vec<Vec<u8>>), StoreError> {
        let mut command = redis::cmd("HGETALL");
        command.arg(keys::groups(tenant));
        let answer = reader.command("HGETALL", keys::GROUPS_BUCKET, &command).await.map_err(unavailable)?;
        let Value::Map(fields) = answer else { return Err(unavailable(Failure::misfit())) };
        let oldest_ms = reader.nodes.now_ms().saturating_sub(self.lifetimes.result_ms());
        let (mut known, mut stale) = (Vec::new(), Vec::new());
        for field in fields {
            let (Value::BulkString(name), Value::BulkString(seen)) = field else { continue };
            let text = |bytes| str::from_utf8(bytes).ok();
            let seen_ms =
                text(&seen).and_then(|seen| seen.parse().ok()).filter(|seen_ms| *seen_ms >= oldest_ms);
            match text(&name).and_then(Group::new).zip(seen_ms) {
                Some(group) => known.push(group),
                None => stale.push(name),
            }
        }
        Ok((known, stale))
    }
}

/// The buckets in which a tenant has results, as far as their nodes answer.
async fn filled(reader: &Reader<'_>, tenant: &Tenant) -> Result<Vec<u8>, Failure> {
    let mut batch = Batch::new();
    for bucket in 0..=u8::MAX {
        batch.cmd(bucket, "EXISTS").arg(keys::outbox(bucket, tenant));
    }
    let answers = some(reader.parts("EXISTS", &batch).await)?;
    let filled = (0..=u8::MAX).zip(answers).filter(|(_, there)| *there == Some(Value::Int(1)));
    Ok(filled.map(|(bucket, _)| bucket).collect())
}

/// What answered. A node that is lost takes along only what it has; where none answers that is told.
fn some(parts: Vec<Part>) -> Result<Vec<Option<Value>>, Failure> {
    if let [Err(failure), rest @ ..] = parts.as_slice()
        && rest.iter().all(Result::is_err)
    {
        return Err(failure.clone());
    }
    Ok(parts.into_iter().map(Result::ok).collect())
}

/// One run of a script.
struct Call {
    bucket: u8,
    keys: Vec<String>,
    arguments: Vec<Vec<u8>>,
}

/// Runs a script with each of these keys and arguments, in their buckets. A node that has forgotten it is brought it,
/// and asked again only for what it did not run.
async fn run(reader: &Reader<'_>, source: &Source, calls: &[Call]) -> Vec<Part> {
    let batch = |calls: &[(usize, &Call)], name: &str, script: &str| {
        let mut batch = Batch::new();
        for (_, call) in calls {
            let command = batch.cmd(call.bucket, name).arg(script).arg(call.keys.len());
            for key in &call.keys {
                command.arg(key);
            }
            for argument in &call.arguments {
                command.arg(argument);
            }
        }
        batch
    };
    let all: Vec<(usize, &Call)> = calls.iter().enumerate().collect();
    let mut parts = reader.parts("EVALSHA", &batch(&all, "EVALSHA", &source.digest)).await;
    let unknown = |at: usize| {
        parts.get(at).is_some_and(|part| matches!(part, Err(failure) if failure.class == Class::NoScript))
    };
    let again: Vec<(usize, &Call)> = all.into_iter().filter(|(at, _)| unknown(*at)).collect();
    if !again.is_empty() {
        let answers = reader.parts("EVAL", &batch(&again, "EVAL", source.text)).await;
        for ((at, _), answer) in again.into_iter().zip(answers) {
            if let Some(part) = parts.get_mut(at) {
                *part = answer;
            }
        }
    }
    parts
}

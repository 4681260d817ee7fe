//! One commit: one trip to the script. And what to do when no answer comes back.

use std::sync::atomic::{AtomicU64, Ordering};

use redis::{Cmd, Script, Value};
use sedma_table::clock::Timer;
use sedma_table::store::{Commit, Committed, Guard, StoreError, Stored};
use sedma_table::{TableId, Tenant, Version};
use tokio::time::Instant;

use crate::codec;
use crate::lifetimes::{Lifetimes, Stay};
use crate::limits::{COMMIT_DEADLINE, COMMIT_SENDINGS, RESEND_PAUSE, RESEND_PAUSE_MAX, SETTLE_STEP};
use crate::redis::failure::{Class, Failure};
use crate::redis::keys;
use crate::redis::nodes::Nodes;
use crate::redis::reader::Reader;
use crate::redis::span::{Operation, traced};
use crate::secrets::random;

/// A connection is waited for in steps, for its node may be replaced meanwhile.
fn pause_end(deadline: Instant) -> Instant {
    let step = Instant::now().checked_add(SETTLE_STEP).unwrap_or(deadline);
    step.min(deadline)
}

/// The one script that changes tables.
pub(super) const SCRIPT: &str = include_str!("commit.lua");
/// How many of its arguments are keys.
const KEYS: usize = 4;
/// The same where a result is filed.
const KEYS_AT_AN_END: usize = 6;

/// Commits of this process that were found to have happened at an earlier sending.
static RESOLVED: AtomicU64 = AtomicU64::new(0);

/// How many commits of this process were resolved by their tokens.
pub(super) fn resolved() -> u64 {
    RESOLVED.load(Ordering::Relaxed)
}

/// Sends commits.
pub(super) struct Committer {
    script: &'static str,
    digest: String,
    lifetimes: Lifetimes,
}

/// What the script answered.
enum Answer {
    Done {
        time_ms: i64,
    },
    Conflict(Vec<u8>),
    Missing,
    Early {
        fire_ms: i64,
    },
    Expired,
    /// The log is not as long as the table has revisions.
    Log {
        length: i64,
    },
}

/// A commit ready to be sent, as often as it takes: the token makes it one and the same.
#[cfg_attr(feature = "mutants", derive(Clone))]
pub(super) struct Parcel {
    table: TableId,
    /// What the script compares with; empty for a table that must not exist.
    expected: Vec<u8>,
    pub(super) version: Version,
    update: Vec<u8>,
    snapshot: Vec<u8>,
    stay: Stay,
    result: Option<Vec<u8>>,
    tenant: Tenant,
    timer: Timer,
    guard: Guard,
}

impl Committer {
    pub(super) fn new(lifetimes: Lifetimes) -> Self {
        #[cfg(feature = "mutants")]
        let script = crate::redis::mutants::script();
        #[cfg(not(feature = "mutants"))]
        let script = SCRIPT;
        Self { script, digest: Script::new(script).get_hash().to_owned(), lifetimes }
    }

    /// Makes a commit happen once, or says that it did not, or that nobody knows.
    pub(super) async fn deliver(&self, nodes: &Nodes, parcel: &Parcel) -> Result<Committed, StoreError> {
        let deadline = Instant::now().checked_add(COMMIT_DEADLINE).unwrap_or_else(Instant::now);
        let mut pause = RESEND_PAUSE;
        let (mut uncertain, mut elsewhere): (Option<Failure>, Option<Failure>) = (None, None);
        for _ in 0..COMMIT_SENDINGS {
            match self.send(nodes, parcel).await {
                Ok(answer) => match parcel.settle(nodes, answer, uncertain.is_some()).await {
                    Ok(settled) => return settled,
                    // The look into the log failed; the whole question is asked again.
                    Err(failure) => uncertain = Some(failure),
                },
                Err(failure) if failure.class == Class::Unknown => uncertain = Some(failure),
                // Nothing happened, and the map says where to go.
                Err(failure) if failure.class == Class::Elsewhere => {
                    nodes.look_again().await;
                    elsewhere = Some(failure);
                }
                // Nothing happened now, but an earlier sending may have: only an answer ends that.
                Err(failure) if uncertain.is_none() || failure.class == Class::Broken => {
                    return Err(StoreError::Unavailable(failure.text));
                }
                Err(_) => {}
            }
            if Instant::now() >= deadline {
                break;
            }
            tokio::time::sleep(pause).await;
            if let Ok(node) = nodes.of_bucket(parcel.table.bucket()) {
                node.commands.settle(pause_end(deadline)).await;
            }
            pause = pause.saturating_mul(2).min(RESEND_PAUSE_MAX);
        }
        if let (None, Some(failure)) = (&uncertain, elsewhere) {
            return Err(StoreError::Unavailable(failure.text));
        }
        let why = uncertain.map_or_else(|| "no answer".to_owned(), |failure| failure.text);
        Err(StoreError::Unavailable(format!("the commit may or may not have happened: {why}")))
    }

    /// Removes a timer whose table is gone, in one step with the look whether it still is: the script does so where it
    /// misses a table. No table has the version that it is asked for here, so it changes nothing else.
    pub(super) async fn forget_timer(&self, reader: &Reader<'_>, table: TableId) -> Result<(), Failure> {
        let run = |name, script: &str| {
            let mut command = redis::cmd(name);
            let timers = keys::timers(table.bucket());
            command
                .arg(script)
                .arg(KEYS)
                .arg(keys::blob(table))
                .arg(keys::log(table))
                .arg(&timers)
                .arg(&timers);
            let no_version = Version { revision: 0, token: [0; 8] };
            command.arg(&codec::version_bytes(no_version)).arg("").arg("").arg("").arg("").arg("");
            command.arg(table.as_bytes()).arg("").arg("").arg("").arg("");
            command
        };
        match reader.command("EVALSHA", table.bucket(), &run("EVALSHA", &self.digest)).await {
            Err(failure) if failure.class == Class::NoScript => {
                reader.command("EVAL", table.bucket(), &run("EVAL", self.script)).await.map(drop)
            }
            answer => answer.map(drop),
        }
    }

    /// Makes a commit ready to be sent.
    pub(super) fn pack(&self, commit: &Commit) -> Result<Parcel, StoreError> {
        let table = commit.snapshot.table.setup().id;
        let unfit = |unfit: codec::Unfit| unfit.of(table);
        let edition = commit.snapshot.table.setup().edition;
        let update = codec::encode_update(edition, &commit.update).map_err(unfit)?;
        let snapshot = codec::encode_snapshot(&commit.snapshot).map_err(unfit)?;
        let result = commit.result.as_ref().map(|result| codec::encode_result(edition, result));
        let result = result.transpose().map_err(unfit)?;
        let token = random().map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let version = Version { revision: commit.snapshot.table.revision(), token };
        let expected =
            commit.expected.map_or_else(Vec::new, |version| codec::version_bytes(version).to_vec());
        let stay = self.lifetimes.after(commit);
        let tenant = commit.snapshot.table.setup().tenant.clone();
        let (timer, guard) = (commit.timer, commit.guard);
        Ok(Parcel { table, expected, version, update, snapshot, stay, result, tenant, timer, guard })
    }

    /// One sending. A script that the server has forgotten is brought along, which costs a second trip; it is not
    /// loaded first, for that would go to another node than the keys in a cluster.
    async fn send(&self, nodes: &Nodes, parcel: &Parcel) -> Result<Answer, Failure> {
        match parcel.run(nodes, "EVALSHA", &self.digest).await {
            Err(failure) if failure.class == Class::NoScript => parcel.run(nodes, "EVAL", self.script).await,
            answer => answer,
        }
    }
}

impl Parcel {
    fn command(&self, name: &str, script: &str) -> Cmd {
        let mut command = redis::cmd(name);
        command
            .arg(script)
            .arg(if self.result.is_some() { KEYS_AT_AN_END } else { KEYS })
            .arg(keys::blob(self.table))
            .arg(keys::log(self.table))
            .arg(keys::listing(self.table.bucket(), &self.tenant))
            .arg(keys::timers(self.table.bucket()));
        if self.result.is_some() {
            command.arg(keys::result(self.table)).arg(keys::outbox(self.table.bucket(), &self.tenant));
        }
        command
            .arg(&self.expected)
            .arg(&self.version.revision.to_be_bytes())
            .arg(&self.version.token)
            .arg(&self.update)
            .arg(&self.snapshot)
            .arg(self.stay.ms)
            .arg(self.table.as_bytes())
            .arg(keys::channel(self.table));
        match self.timer {
            Timer::Keep => command.arg("keep"),
            Timer::Disarm => command.arg("disarm"),
            Timer::Arm(ms) => command.arg(ms),
        };
        command.arg(match self.guard {
            Guard::None => "",
            Guard::Before => "before",
            Guard::After => "after",
        });
        match &self.result {
            Some(result) => command.arg(result),
            None => command.arg(if self.stay.at_least { "least" } else { "" }),
        };
        command
    }

    async fn run(&self, nodes: &Nodes, name: &'static str, script: &str) -> Result<Answer, Failure> {
        let command = self.command(name, script);
        let node = nodes.of_bucket(self.table.bucket())?;
        traced(&node.server, Operation::Commit(name), async {
            let live = node.commands.live().await?;
            let asked = Instant::now();
            let answer = Answer::read(live.command(&command).await?).ok_or_else(Failure::misfit)?;
            if let Answer::Done { time_ms } = answer {
                node.server.clock.told_ms(asked, time_ms);
            }
            Ok(answer)
        })
        .await
    }

    /// What an answer means. A conflict with a commit of the same token is no conflict: an earlier sending made it.
    async fn settle(
        &self,
        nodes: &Nodes,
        answer: Answer,
        sent_before: bool,
    ) -> Result<Result<Committed, StoreError>, Failure> {
        let Self { table, version, .. } = self;
        let done = |time_ms| Ok(Ok(Committed::Done { version: *version, time_ms }));
        let blob = match answer {
            Answer::Done { time_ms } => return done(time_ms),
            Answer::Missing => return Ok(Ok(Committed::Missing)),
            Answer::Early { fire_ms } => return Ok(Ok(Committed::Early { fire_ms })),
            Answer::Expired => return Ok(Ok(Committed::Expired)),
            Answer::Log { length } => {
                let expected = version.revision.saturating_sub(1);
                let what = format!("its log holds {length} updates where {expected} are due");
                return Ok(Err(StoreError::Damaged { table: *table, what }));
            }
            Answer::Conflict(blob) => blob,
        };
        let there = codec::read_version(&blob);
        let mine = there == Some(*version);
        let passed = there.is_some_and(|there| there.revision > version.revision);
        if mine || (sent_before && passed) {
            match self.stamped(nodes).await? {
                Some(time_ms) => {
                    RESOLVED.fetch_add(1, Ordering::Relaxed);
                    tracing::info!(
                        target: "sedma_store::redis",
                        table = %self.table,
                        revision = self.version.revision,
                        "a commit was resolved by its token: an earlier sending had made it"
                    );
                    return done(time_ms);
                }
                None if mine => {
                    let what = "its log lacks the newest update".to_owned();
                    return Ok(Err(StoreError::Damaged { table: *table, what }));
                }
                None => {}
            }
        }
        let stored: Result<Stored, StoreError> = codec::decode_blob(*table, &blob);
        Ok(stored.map(|stored| Committed::Conflict(Box::new(stored))))
    }

    /// When the log's element at this commit's revision was written, if this commit wrote it.
    async fn stamped(&self, nodes: &Nodes) -> Result<Option<i64>, Failure> {
        let mut command = redis::cmd("LINDEX");
        command.arg(keys::log(self.table)).arg(self.version.revision.saturating_sub(1));
        let node = nodes.of_bucket(self.table.bucket())?;
        let value = traced(&node.server, Operation::Command("LINDEX"), async {
            node.commands.live().await?.command(&command).await
        })
        .await?;
        let Value::BulkString(element) = value else { return Ok(None) };
        let stamp = codec::read_stamp(&element);
        Ok(stamp.filter(|(token, _)| *token == self.version.token).map(|(_, time_ms)| time_ms))
    }
}

impl Answer {
    fn read(value: Value) -> Option<Self> {
        let Value::Array(values) = value else { return None };
        let mut values = values.into_iter();
        let Value::BulkString(word) = values.next()? else { return None };
        match (word.as_slice(), values.next(), values.next()) {
            (b"OK", Some(Value::Int(time_ms)), None) => Some(Self::Done { time_ms }),
            (b"CONFLICT", Some(Value::BulkString(blob)), None) => Some(Self::Conflict(blob)),
            (b"MISSING", None, None) => Some(Self::Missing),
            (b"EARLY", Some(Value::Int(fire_ms)), None) => Some(Self::Early { fire_ms }),
            (b"EXPIRED", None, None) => Some(Self::Expired),
            (b"LOG", Some(Value::Int(length)), None) => Some(Self::Log { length }),
            _ => None,
        }
    }
}

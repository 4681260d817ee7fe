//! How well this Redis keeps what it has acknowledged: read from its own settings, at start and every now and then.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use redis::Value;
use sedma_table::durability::{Durability, Fsync, Node};
use tokio::time::Instant;

use crate::limits::DURABILITY_AGAIN;
use crate::redis::failure::{Class, Failure};
use crate::redis::nodes::{self, Nodes};
use crate::redis::text::text;

/// What is asked for.
const SETTINGS: [&str; 6] = [
    "appendonly",
    "appendfsync",
    "no-appendfsync-on-rewrite",
    "maxmemory",
    "maxmemory-policy",
    "min-replicas-to-write",
];

/// What was read last.
pub(super) struct Looks {
    every: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next: Option<Instant>,
    /// What each node said last, by its address.
    said: BTreeMap<String, Node>,
    found: Option<Durability>,
}

impl Looks {
    pub(super) fn new(every: Duration) -> Self {
        Self { every, state: Mutex::default() }
    }

    /// What was found last; `None` where nothing was, as by a Redis that keeps its settings to itself.
    pub(super) fn last(&self) -> Option<Durability> {
        self.lock().found.clone()
    }

    /// Reads the settings of all nodes where it is time to.
    pub(super) async fn look(&self, nodes: &Nodes) {
        if self.lock().next.is_some_and(|next| Instant::now() < next) {
            return;
        }
        let nodes = nodes.all();
        let answers = join_all(nodes.iter().map(|node| settings(node))).await;
        let mut state = self.lock();
        let (mut said, mut unreached) = (BTreeMap::new(), false);
        for (node, answer) in nodes.iter().zip(answers) {
            let place = node.server.place().to_string();
            let known = match answer {
                Ok(node) => Some(node),
                Err(failure) => {
                    tracing::debug!(%place, failure = failure.text, "Redis does not say how it keeps its data");
                    let away = failure.class != Class::Broken;
                    unreached |= away;
                    // One that is away for a moment is set up as it was.
                    state.said.remove(&place).filter(|_| away)
                }
            };
            said.extend(known.map(|known| (place, known)));
        }
        let known: Vec<Node> = said.values().cloned().collect();
        let found =
            if known.len() == nodes.len() { Durability::of(known) } else { Durability::of_some(known) };
        state.said = said;
        let first = state.next.is_none();
        let pause = if unreached { self.every.min(DURABILITY_AGAIN) } else { self.every };
        state.next = Instant::now().checked_add(pause);
        if first || state.found != found {
            tell(found.as_ref());
            state.found = found;
        }
    }

    /// Nothing panics while the lock is held, so what it guards is whole whatever the flag says.
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn tell(found: Option<&Durability>) {
    let Some(found) = found else {
        tracing::warn!(
            "how well Redis keeps what it acknowledges is not known: it does not tell its settings"
        );
        return;
    };
    tracing::info!(level = ?found.level, nodes = found.nodes.len(), "{}", found.level.loses());
    for node in found.nodes.iter().filter(|node| node.policy != "noeviction") {
        tracing::warn!(
            policy = node.policy,
            max_memory = node.max_memory,
            "Redis would throw tables away when its memory is full; say `CONFIG SET maxmemory-policy noeviction`"
        );
    }
}

/// How one node is set up. Where it keeps its settings to itself, as a rented one may, what it tells of its state shows
/// the least of it: how often its log goes to disk is not in there.
async fn settings(node: &nodes::Node) -> Result<Node, Failure> {
    let live = node.sweeper.live().await?;
    let info = live.command(&redis::cmd("INFO")).await?;
    let info = |name: &str| {
        let mut lines = text(&info).unwrap_or_default().lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
    };
    let mut get = redis::cmd("CONFIG");
    get.arg("GET");
    for setting in SETTINGS {
        get.arg(setting);
    }
    let fields = match live.command(&get).await {
        Ok(Value::Map(fields)) => fields,
        Ok(_) => return Err(Failure::misfit()),
        Err(failure) if failure.class == Class::Broken => Vec::new(),
        Err(failure) => return Err(failure),
    };
    let setting = |name: &str| {
        fields.iter().find(|(key, _)| text(key) == Some(name)).and_then(|(_, value)| text(value))
    };
    let policy = setting("maxmemory-policy").or(info("maxmemory_policy")).ok_or_else(Failure::misfit)?;
    let max_memory = number(setting("maxmemory").or(info("maxmemory"))).ok_or_else(Failure::misfit)?;
    let fsync = match (setting("appendonly"), setting("appendfsync")) {
        // While its log is rewritten, nothing is written to disk.
        (Some("yes"), Some(_)) if setting("no-appendfsync-on-rewrite") == Some("yes") => Fsync::No,
        (Some("yes"), Some("always")) => Fsync::Always,
        (Some("yes"), Some("everysec")) => Fsync::EverySecond,
        (Some("yes"), Some(_)) => Fsync::No,
        (Some("no"), _) => Fsync::Never,
        _ => match info("aof_enabled") {
            Some("1") => Fsync::No,
            Some("0") => Fsync::Never,
            _ => return Err(Failure::misfit()),
        },
    };
    Ok(Node {
        fsync,
        max_memory,
        policy: policy.to_owned(),
        min_replicas: number(setting("min-replicas-to-write")).unwrap_or(0),
        replicas: number(info("connected_slaves")).unwrap_or(0),
    })
}

fn number<T: std::str::FromStr>(text: Option<&str>) -> Option<T> {
    text?.parse().ok()
}

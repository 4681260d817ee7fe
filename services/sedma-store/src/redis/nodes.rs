//! The nodes of a store, and which of them has which bucket.
//!
//! The map is kept by a task of its own: one look at a time, after trouble and every now and then. A node's connections
//! are made when the map names it and go when it no longer does; who waits for wake-ups moves along.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use sedma_table::TableId;
use sedma_table::store::Wakeups;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::limits::{MAP_EVERY, MAP_PAUSE, MAP_WAIT, SENTINEL_EVERY};
use crate::redis::address::{Address, Manner, Place, Topology};
use crate::redis::connection::{Connection, OnPush};
use crate::redis::failure::Failure;
use crate::redis::sentinel;
use crate::redis::server::Server;
use crate::redis::slots::{self, Owners};
use crate::redis::wakeups::Subscriptions;

/// One node and the connections to it.
pub(super) struct Node {
    /// Which of the nodes that this process has known.
    number: u32,
    pub(super) server: Arc<Server>,
    /// For what callers wait for.
    pub(super) commands: Connection,
    /// For reads of many keys and for housekeeping.
    pub(super) sweeper: Connection,
    pub(super) subscriptions: Subscriptions,
}

/// Nodes that this process has known so far.
static KNOWN: AtomicU32 = AtomicU32::new(0);

impl Node {
    /// The connection that actions go by, if one stands: another number for each that any node of this process has had.
    pub(super) fn incarnation(&self) -> Option<u64> {
        let generation = self.commands.generation()?;
        Some(u64::from(self.number).rotate_right(32) | generation)
    }

    fn of(server: Server) -> Arc<Self> {
        let server = Arc::new(server);
        let nothing: OnPush = Arc::new(|_| ());
        Arc::new(Self {
            number: KNOWN.fetch_add(1, Ordering::Relaxed),
            commands: Connection::keep(server.clone(), "sedma-commands", nothing.clone()),
            sweeper: Connection::keep(server.clone(), "sedma-sweeper", nothing),
            subscriptions: Subscriptions::keep(server.clone()),
            server,
        })
    }
}

/// Who has what, by place in `nodes`; `None` where nobody has.
struct Map {
    nodes: Vec<Arc<Node>>,
    buckets: Vec<Option<usize>>,
    config: Option<usize>,
    /// Who waits for wake-ups of buckets that nobody has.
    homeless: Subscriptions,
}

/// All nodes.
pub(super) struct Nodes {
    /// Held for writing only while it is changed, which waits for nothing.
    map: RwLock<Map>,
    /// Wakes the task that looks.
    trouble: Arc<Notify>,
    /// How many looks have ended; `None` where there is no map to look at.
    looks: Option<watch::Sender<u64>>,
}

/// The nodes while a store lives, and the task that looks at the map.
pub(super) struct KeptNodes {
    pub(super) nodes: Arc<Nodes>,
    task: Option<JoinHandle<()>>,
}

impl Drop for KeptNodes {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl KeptNodes {
    /// Begins to connect, in the background.
    pub(super) fn keep(address: Address) -> Self {
        let Address { topology, manner } = address;
        match topology {
            Topology::One(place) => Self { nodes: Nodes::one(Server::at(manner, place, None)), task: None },
            Topology::Sentinel { sentinels, service } => {
                let server = Server::of_sentinels(manner, sentinels.clone(), service.clone());
                let nodes = Nodes::one(server);
                let task = tokio::spawn(follow(nodes.clone(), sentinels, service));
                Self { nodes, task: Some(task) }
            }
            Topology::Cluster(seeds) => {
                let nodes = Arc::new(Nodes {
                    map: RwLock::new(Map::of(Vec::new(), vec![None; 256], None)),
                    trouble: Arc::default(),
                    looks: Some(watch::Sender::new(0)),
                });
                let task = tokio::spawn(look(nodes.clone(), manner, seeds));
                Self { nodes, task: Some(task) }
            }
        }
    }
}

impl Map {
    fn of(nodes: Vec<Arc<Node>>, buckets: Vec<Option<usize>>, config: Option<usize>) -> Self {
        Self { nodes, buckets, config, homeless: Subscriptions::homeless() }
    }

    fn node(&self, index: Option<usize>) -> Option<&Arc<Node>> {
        self.nodes.get(index?)
    }

    fn subscriptions(&self, bucket: u8) -> &Subscriptions {
        let index = self.buckets.get(usize::from(bucket)).copied().flatten();
        self.node(index).map_or(&self.homeless, |node| &node.subscriptions)
    }
}

impl Nodes {
    fn one(server: Server) -> Arc<Self> {
        let map = Map::of(vec![Node::of(server)], vec![Some(0); 256], Some(0));
        Arc::new(Self { map: RwLock::new(map), trouble: Arc::default(), looks: None })
    }

    /// Nothing panics while the lock is held, so what it guards is whole whatever the flag says.
    fn read<T>(&self, look: impl FnOnce(&Map) -> T) -> T {
        look(&self.map.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<Arc<Node>> {
        self.read(|map| map.nodes.clone())
    }

    /// The node that has a bucket.
    pub(super) fn of_bucket(&self, bucket: u8) -> Result<Arc<Node>, Failure> {
        self.read(|map| map.node(map.buckets.get(usize::from(bucket)).copied().flatten()).cloned())
            .ok_or_else(|| self.nobody())
    }

    /// The node that has `sedma:config`.
    pub(super) fn of_config(&self) -> Result<Arc<Node>, Failure> {
        self.read(|map| map.node(map.config).cloned()).ok_or_else(|| self.nobody())
    }

    fn nobody(&self) -> Failure {
        self.trouble.notify_one();
        Failure::not_sent("no node of the cluster is known to have it")
    }

    /// Wake-ups of a table, wherever its bucket goes.
    pub(super) fn subscribe(&self, table: TableId) -> Wakeups {
        self.read(|map| map.subscriptions(table.bucket()).subscribe(table))
    }

    /// The store's clock: the latest of what its nodes say, as a commit to any of them must not be later than it.
    pub(super) fn now_ms(&self) -> i64 {
        let told = self.read(|map| map.nodes.iter().filter_map(|node| node.server.clock.told_now_ms()).max());
        told.unwrap_or_else(crate::clock::now_ms)
    }

    /// The map is no longer right: waits until it was looked at again, shortly. At once where there is none.
    pub(super) async fn look_again(&self) {
        let Some(looks) = &self.looks else { return };
        let mut looks = looks.subscribe();
        let seen = *looks.borrow_and_update();
        self.trouble.notify_one();
        let _ = tokio::time::timeout(MAP_WAIT, looks.wait_for(|count| *count > seen)).await;
    }

    /// Waits for the first look to end, shortly.
    pub(super) async fn looked(&self) {
        let Some(looks) = &self.looks else { return };
        let _ = tokio::time::timeout(MAP_WAIT, looks.subscribe().wait_for(|count| *count > 0)).await;
    }

    /// Takes the map over. Nodes that stay keep their connections.
    fn take(&self, owners: &Owners, manner: &Manner) {
        let mut map = self.map.write().unwrap_or_else(PoisonError::into_inner);
        let mut nodes: Vec<Arc<Node>> = Vec::new();
        let mut index_of = |place: &Option<Place>| {
            let place = place.as_ref()?;
            let known = nodes.iter().position(|node| *node.server.place() == *place);
            Some(known.unwrap_or_else(|| {
                let kept = map.nodes.iter().find(|node| *node.server.place() == *place).cloned();
                let server = || Server::at(manner.clone(), place.clone(), Some(self.trouble.clone()));
                nodes.push(kept.unwrap_or_else(|| {
                    tracing::info!(node = %place, "a node of the cluster");
                    Node::of(server())
                }));
                nodes.len().saturating_sub(1)
            }))
        };
        let buckets: Vec<Option<usize>> = owners.buckets.iter().map(&mut index_of).collect();
        let config = index_of(&owners.config);
        let old = std::mem::replace(&mut *map, Map::of(nodes, buckets, config));
        let before = old.nodes.iter().map(|node| &node.subscriptions).chain([&old.homeless]);
        for subscriptions in before {
            let stays = |table: TableId| {
                std::ptr::eq(map.subscriptions(table.bucket()).topics(), subscriptions.topics())
            };
            for (table, sender) in subscriptions.give_away(stays) {
                map.subscriptions(table.bucket()).adopt(table, sender);
            }
        }
    }
}

/// Looks at the map for as long as the store lives.
async fn look(nodes: Arc<Nodes>, manner: Manner, seeds: Vec<Place>) {
    let mut known = None;
    loop {
        let mut places: Vec<Place> = nodes.all().iter().map(|node| (*node.server.place()).clone()).collect();
        places.extend(seeds.iter().filter(|seed| !places.contains(seed)).cloned().collect::<Vec<_>>());
        match slots::ask(&manner, places).await {
            Ok(owners) if known.as_ref() != Some(&owners) => {
                nodes.take(&owners, &manner);
                known = Some(owners);
            }
            Ok(_) => {}
            Err(why) => tracing::warn!(why, "no node of the cluster tells its map"),
        }
        if let Some(looks) = &nodes.looks {
            looks.send_modify(|count| *count = count.saturating_add(1));
        }
        let again = Instant::now().checked_add(jittered(MAP_PAUSE)).unwrap_or_else(Instant::now);
        let _ = tokio::time::timeout(jittered(MAP_EVERY), nodes.trouble.notified()).await;
        tokio::time::sleep_until(again).await;
    }
}

/// Asks the sentinels now and then where the primary is. The one before takes writes for a while after it was replaced,
/// and nobody tells those who are connected to it.
async fn follow(nodes: Arc<Nodes>, sentinels: Vec<Place>, service: String) {
    loop {
        tokio::time::sleep(jittered(SENTINEL_EVERY)).await;
        let Some(node) = nodes.all().into_iter().next() else { return };
        if let Some(primary) = sentinel::agreed(&sentinels, &service).await
            && primary != *node.server.place()
        {
            tracing::info!(%primary, "the sentinels name another primary");
            node.server.replaced();
        }
    }
}

/// Half as long, as long, or anything between.
fn jittered(pause: Duration) -> Duration {
    let share = f64::from(getrandom::u32().unwrap_or(u32::MAX)) / f64::from(u32::MAX);
    pause.mul_f64(1.0 - share / 2.0)
}

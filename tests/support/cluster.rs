//! Several real redis-servers that work together, for one test: a cluster, or a primary with a replica and sentinels.
//!
//! Beside `redis.rs`, which the test crates bring along as `redis`.

#![allow(dead_code, unreachable_pub, reason = "each test crate uses its part of it")]
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use crate::redis::Redis;

/// Slots of a cluster.
const SLOTS: usize = 16_384;

/// Masters that share the slots, and replicas of each.
pub struct Cluster {
    /// All servers: the first ones were born masters, the others their replicas in turn.
    pub nodes: Vec<Redis>,
    masters: usize,
}

impl Cluster {
    /// One that is whole: every replica has caught up, every node knows that all slots are served.
    pub fn start(masters: usize, replicas: usize) -> Self {
        let nodes: Vec<Redis> = (0..masters * (1 + replicas)).map(|_| Redis::start_node()).collect();
        let first = nodes[0].port().to_string();
        let bus = nodes[0].bus().to_owned();
        for (index, node) in nodes.iter().enumerate() {
            let epoch = (index + 1).to_string();
            node.ask(&["CLUSTER", "SET-CONFIG-EPOCH", &epoch]);
            if index < masters {
                let (from, to) = (SLOTS * index / masters, SLOTS * (index + 1) / masters - 1);
                node.ask(&["CLUSTER", "ADDSLOTSRANGE", &from.to_string(), &to.to_string()]);
            }
            if index > 0 {
                node.ask(&["CLUSTER", "MEET", "127.0.0.1", &first, &bus]);
            }
        }
        let all = format!("cluster_known_nodes:{}\r", nodes.len());
        for node in &nodes {
            node.until("all nodes know each other", |node| node.ask(&["CLUSTER", "INFO"]).contains(&all));
        }
        for (index, node) in nodes.iter().enumerate().skip(masters) {
            let master = nodes[index % masters].ask(&["CLUSTER", "MYID"]);
            node.until("it becomes a replica", |node| node.ask(&["CLUSTER", "REPLICATE", &master]) == "OK");
        }
        let cluster = Self { nodes, masters };
        cluster.whole();
        cluster
    }

    /// The address of the store: two of its nodes.
    pub fn url(&self) -> String {
        format!("redis-cluster://127.0.0.1:{},127.0.0.1:{}", self.nodes[0].port(), self.nodes[1].port())
    }

    /// Waits until all nodes are there, in the same view, and all replicas have caught up.
    pub fn whole(&self) {
        for node in &self.nodes {
            node.until("all slots are served", |node| {
                node.ask(&["CLUSTER", "INFO"]).contains("cluster_state:ok")
            });
            node.until("all nodes see no failure, and as many masters as there were", |node| {
                let rows = node.ask(&["CLUSTER", "NODES"]);
                let masters = rows.lines().filter(|row| row.contains("master") && row.contains('-'));
                let owners = masters.filter(|row| row.split(' ').count() > 8).count();
                !rows.contains("fail") && owners == self.masters
            });
            node.until("replicas have caught up", |node| {
                let info = node.ask(&["INFO", "replication"]);
                info.contains("role:master") || info.contains("master_link_status:up")
            });
        }
    }

    /// The servers that are masters just now, by their places.
    pub fn masters(&self) -> Vec<usize> {
        let is_master = |node: &Redis| node.try_ask(&["ROLE"]).is_some_and(|role| role.starts_with("master"));
        (0..self.nodes.len()).filter(|place| is_master(&self.nodes[*place])).collect()
    }

    /// A replica of a master, by their places.
    pub fn replica_of(&self, master: usize) -> usize {
        let port = format!("master_port:{}\r", self.nodes[master].port());
        let follows = |node: &Redis| node.ask(&["INFO", "replication"]).contains(&port);
        (0..self.nodes.len()).find(|place| follows(&self.nodes[*place])).expect("a replica")
    }

    /// Empties every node.
    pub fn flush(&self) {
        for master in self.masters() {
            self.nodes[master].ask(&["FLUSHALL"]);
        }
    }
}

/// A primary, a replica, and three sentinels that look after them.
pub struct Sentinels {
    /// The two servers; which of them is the primary may change.
    pub nodes: Vec<Redis>,
    /// The sentinels.
    pub sentinels: Vec<Redis>,
}

impl Sentinels {
    /// A set that is whole.
    pub fn start() -> Self {
        let arguments = ["--save", "", "--appendonly", "no", "--repl-diskless-sync-delay", "0"];
        let nodes: Vec<Redis> = (0..2).map(|_| Redis::start_with(&arguments)).collect();
        let port = nodes[0].port().to_string();
        nodes[1].ask(&["REPLICAOF", "127.0.0.1", &port]);
        nodes[1].until("the replica has caught up", |node| {
            node.ask(&["INFO", "replication"]).contains("master_link_status:up")
        });
        let sentinels: Vec<Redis> = (0..3).map(|_| Redis::start_sentinel(&port)).collect();
        let set = Self { nodes, sentinels };
        set.whole();
        set
    }

    /// The address of the store.
    pub fn url(&self) -> String {
        let hosts: Vec<String> =
            self.sentinels.iter().map(|sentinel| format!("127.0.0.1:{}", sentinel.port())).collect();
        format!("redis-sentinel://{}/tables", hosts.join(","))
    }

    /// Waits until each sentinel knows the others and a replica that has caught up, and that none is down.
    pub fn whole(&self) {
        let replica = &self.nodes[1 - self.primary()];
        replica.until("the other one follows", |node| {
            answer(node, &["INFO", "replication"]).contains("master_link_status:up")
        });
        for sentinel in &self.sentinels {
            sentinel.until("the sentinels know all servers", |sentinel| {
                let info = answer(sentinel, &["INFO", "sentinel"]);
                info.contains("status=ok") && info.contains("slaves=1") && info.contains("sentinels=3")
            });
            sentinel.until("the replica is well", |sentinel| {
                let replicas = answer(sentinel, &["SENTINEL", "REPLICAS", "tables"]);
                !replicas.contains("_down") && replicas.contains("master-link-status\nok")
            });
        }
    }

    /// Whether every sentinel names this one as the primary.
    pub fn agree_on(&self, place: usize) -> bool {
        let port = self.nodes[place].port().to_string();
        let names = |sentinel: &Redis| answer(sentinel, &["SENTINEL", "GET-MASTER-ADDR-BY-NAME", "tables"]);
        self.sentinels.iter().all(|sentinel| names(sentinel).ends_with(&port))
    }

    /// The place of the primary that all sentinels agree on.
    pub fn primary(&self) -> usize {
        let port = self.sentinels[0].ask(&["SENTINEL", "GET-MASTER-ADDR-BY-NAME", "tables"]);
        let port = port.lines().last().unwrap_or_default().to_owned();
        self.nodes.iter().position(|node| node.port().to_string() == port).expect("one of the servers")
    }
}

/// What a server answers that is waited for; nothing where the connection went, as sentinels end all of a server's whose
/// role they change.
pub fn answer(redis: &Redis, command: &[&str]) -> String {
    redis.try_ask(command).unwrap_or_default()
}

//! How well a store keeps what was acknowledged, as it says of itself.

/// What a store that keeps tables on several levels of care can lose. Higher is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing is written to disk as it happens.
    D0,
    /// Written to disk, once a second or when the system likes.
    D1,
    /// On disk before it is acknowledged.
    D2,
    /// The same, and at a replica. No store here waits for that.
    D3,
    /// The same, and no primary acknowledges without replicas. No store here waits for that.
    D4,
}

impl Level {
    /// Its number.
    pub const fn number(self) -> u8 {
        match self {
            Self::D0 => 0,
            Self::D1 => 1,
            Self::D2 => 2,
            Self::D3 => 3,
            Self::D4 => 4,
        }
    }

    /// What can be lost on it, for people.
    pub const fn loses(self) -> &'static str {
        match self {
            Self::D0 => "A restart of the store loses every table since its last dump, or all of them.",
            Self::D1 => {
                "A crash of the store may lose up to about two seconds of what was acknowledged; a failover, what the \
                 replica had not got yet."
            }
            Self::D2 => {
                "A crash of the store loses nothing, where its disk keeps what it says it has; a failover may lose what \
                 the replica had not got yet."
            }
            Self::D3 => {
                "A failover loses something only where a replica is promoted that had not got it yet."
            }
            Self::D4 => {
                "As D3, and a primary that is cut off from its replicas stops to acknowledge within seconds."
            }
        }
    }
}

/// When a Redis writes its log to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fsync {
    /// There is no log.
    Never,
    /// When the system likes.
    No,
    /// Once a second.
    EverySecond,
    /// Before each answer.
    Always,
}

/// How one node of a store is set up. As it says itself, so a platform can see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// When it writes to disk.
    pub fsync: Fsync,
    /// Bytes that it may use; 0 = as many as there are.
    pub max_memory: i64,
    /// What it does when it has used them: `noeviction`, or which keys it throws away.
    pub policy: String,
    /// Replicas that must be there for it to accept a write.
    pub min_replicas: u32,
    /// Replicas that are connected to it.
    pub replicas: u32,
}

impl Node {
    /// How well it keeps what it has acknowledged.
    pub fn level(&self) -> Level {
        match self.fsync {
            Fsync::Never => Level::D0,
            Fsync::No | Fsync::EverySecond => Level::D1,
            Fsync::Always => Level::D2,
        }
    }

    /// Whether it throws tables away when its memory is full. (All keys of a table have an end, so a policy for such keys
    /// alone meets them too.)
    pub fn evicts(&self) -> bool {
        self.max_memory > 0 && self.policy != "noeviction"
    }
}

/// How well a store keeps what was acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Durability {
    /// The level of its worst node.
    pub level: Level,
    /// Its nodes; none for a store in this process.
    pub nodes: Vec<Node>,
}

impl Durability {
    /// A store that is lost with its process.
    pub const IN_PROCESS: Self = Self { level: Level::D0, nodes: Vec::new() };

    /// A store of these nodes; `None` of none.
    pub fn of(nodes: Vec<Node>) -> Option<Self> {
        let level = nodes.iter().map(Node::level).min()?;
        Some(Self { level, nodes })
    }

    /// What is known of a store of which some nodes said nothing. One node that can lose everything is enough to know the
    /// worst.
    pub fn of_some(nodes: Vec<Node>) -> Option<Self> {
        let can_lose_all = nodes.iter().any(|node| node.level() == Level::D0 || node.evicts());
        can_lose_all.then_some(Self { level: Level::D0, nodes })
    }

    /// Whether a node throws tables away when its memory is full.
    pub fn evicts(&self) -> bool {
        self.nodes.iter().any(Node::evicts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(fsync: Fsync) -> Node {
        Node { fsync, max_memory: 0, policy: "noeviction".into(), min_replicas: 0, replicas: 0 }
    }

    #[test]
    fn the_worst_node_counts() {
        let levels = |fsyncs: &[Fsync]| Durability::of(fsyncs.iter().copied().map(node).collect());
        let level = |fsyncs| levels(fsyncs).map(|found| found.level);
        assert_eq!(level(&[Fsync::Always, Fsync::Always]), Some(Level::D2));
        assert_eq!(level(&[Fsync::Always, Fsync::EverySecond]), Some(Level::D1));
        assert_eq!(level(&[Fsync::Never, Fsync::Always]), Some(Level::D0));
        assert_eq!(level(&[]), None);
    }

    #[test]
    fn of_a_part_of_the_nodes_only_the_worst_is_known() {
        let evicts = Node { max_memory: 1, policy: "allkeys-lru".into(), ..node(Fsync::Always) };
        for worst in [evicts, node(Fsync::Never)] {
            let known = Durability::of_some(vec![node(Fsync::Always), worst]).unwrap();
            assert_eq!((known.level, known.nodes.len()), (Level::D0, 2));
        }
        assert_eq!(Durability::of_some(vec![node(Fsync::Always)]), None);
    }

    #[test]
    fn a_node_evicts_where_its_memory_has_a_bound_and_its_policy_takes_keys() {
        let evicts = |max_memory, policy: &str| {
            Node { max_memory, policy: policy.into(), ..node(Fsync::Always) }.evicts()
        };
        assert!(evicts(1, "allkeys-lru") && evicts(1, "volatile-ttl"));
        assert!(!evicts(1, "noeviction") && !evicts(0, "allkeys-lru"));
    }
}

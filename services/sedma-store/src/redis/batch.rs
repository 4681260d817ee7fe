//! Several commands at once, each for a bucket, to be sent to whichever nodes have these.

use redis::Pipeline;

/// Commands of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// All of them, for a store that is one node.
    pub(super) whole: Pipeline,
    /// The bucket of each.
    pub(super) buckets: Vec<u8>,
    /// Whether each node is asked for its time first.
    pub(super) timed: bool,
}

impl Batch {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// One in which each node is asked for its time before all else.
    pub(super) fn timed() -> Self {
        let mut batch = Self { timed: true, ..Self::default() };
        batch.whole.cmd("TIME");
        batch
    }

    /// Begins the next command; its arguments follow. Commands of one bucket stay in their order.
    pub(super) fn cmd(&mut self, bucket: u8, name: &str) -> &mut Pipeline {
        self.buckets.push(bucket);
        self.whole.cmd(name)
    }

    pub(super) fn len(&self) -> usize {
        self.buckets.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// Some of the commands, by their places, in that order.
    pub(super) fn part(&self, places: &[usize]) -> Pipeline {
        let mut part = Pipeline::new();
        if self.timed {
            part.cmd("TIME");
        }
        let mut wanted = places.iter().copied().peekable();
        for (place, command) in self.whole.cmd_iter().skip(usize::from(self.timed)).enumerate() {
            if wanted.next_if_eq(&place).is_some() {
                part.add_command(command.clone());
            }
        }
        part
    }
}

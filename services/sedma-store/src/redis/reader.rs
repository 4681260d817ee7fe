//! Reads, which may be sent again: a second sending finds what the first one would have. So may some writes, whose
//! second sending changes nothing.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use futures_util::future::join_all;
use redis::{Cmd, Pipeline, ServerError, Value};
use tokio::time::Instant;

use crate::limits::READ_SENDINGS;
use crate::redis::batch::Batch;
use crate::redis::clock;
use crate::redis::connection::Connection;
use crate::redis::failure::{Class, Failure};
use crate::redis::nodes::{Node, Nodes};
use crate::redis::span::{Operation, traced};

/// How reads are sent: on which connection of a node, and whether each is told to the tracer.
pub(super) struct Reader<'a> {
    pub(super) nodes: &'a Nodes,
    pub(super) lane: Lane,
    /// Sweeps carry no spans: nobody waits for them.
    pub(super) traced: bool,
}

/// Which of a node's connections.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lane {
    Commands,
    Sweeper,
}

/// The answer to one command of a batch, or why there is none.
pub(super) type Part = Result<Value, Failure>;

impl Reader<'_> {
    /// One command about a bucket.
    pub(super) async fn command(
        &self,
        name: &'static str,
        bucket: u8,
        command: &Cmd,
    ) -> Result<Value, Failure> {
        let operation = Operation::Command(name);
        let mut sendings = 1;
        loop {
            let failure = match self.nodes.of_bucket(bucket) {
                Ok(node) => {
                    let sent = async { self.connection(&node).live().await?.command(command).await };
                    match self.trace(&node, operation, sent).await {
                        Ok(value) => return Ok(value),
                        Err(failure) => failure,
                    }
                }
                Err(failure) => failure,
            };
            if sendings >= READ_SENDINGS || !self.again(&failure).await {
                return Err(failure);
            }
            sendings = sendings.saturating_add(1);
        }
    }

    /// Several commands of one kind, one pipeline a node, all nodes at once. An error among the answers is an error of
    /// the whole; only what met one is sent again.
    pub(super) async fn pipeline(&self, name: &'static str, batch: &Batch) -> Result<Vec<Value>, Failure> {
        self.parts(name, batch).await.into_iter().collect()
    }

    /// The same where what failed leaves the other answers: those of other nodes, and of buckets that don't move.
    pub(super) async fn parts(&self, name: &'static str, batch: &Batch) -> Vec<Part> {
        self.send(name, batch).await.into_iter().map(|(_, part)| part).collect()
    }

    /// The same for a timed batch: each answer with the time of its node, in milliseconds since the Unix epoch.
    pub(super) async fn timed(&self, batch: &Batch) -> Vec<(i64, Part)> {
        self.send("ZRANGE", batch).await
    }

    async fn send(&self, name: &'static str, batch: &Batch) -> Vec<(i64, Part)> {
        let mut answers = vec![(0, Err(Failure::not_sent("it was not sent"))); batch.len()];
        let mut waiting: Vec<usize> = (0..batch.len()).collect();
        let mut sendings = 1;
        while !waiting.is_empty() {
            let mut by_node: BTreeMap<usize, (Arc<Node>, Vec<usize>)> = BTreeMap::new();
            for place in std::mem::take(&mut waiting) {
                let bucket = batch.buckets.get(place).copied().unwrap_or_default();
                match self.nodes.of_bucket(bucket) {
                    Ok(node) => {
                        let key = Arc::as_ptr(&node) as usize;
                        by_node.entry(key).or_insert_with(|| (node, Vec::new())).1.push(place);
                    }
                    Err(failure) => set(&mut answers, place, (0, Err(failure))),
                }
            }
            let sent = by_node
                .into_values()
                .map(|(node, places)| async move { (self.part(name, &node, batch, &places).await, places) });
            let mut elsewhere = false;
            for (part, places) in join_all(sent).await {
                let (now_ms, parts) = match part {
                    Ok(answered) => answered,
                    Err(failure) => (0, vec![Err(failure); places.len()]),
                };
                for (place, part) in places.into_iter().zip(parts) {
                    if let Err(failure) = &part
                        && failure.is_passing()
                    {
                        elsewhere |= failure.class == Class::Elsewhere;
                        waiting.push(place);
                    }
                    set(&mut answers, place, (now_ms, part));
                }
            }
            if sendings >= READ_SENDINGS {
                return answers;
            }
            if elsewhere {
                self.nodes.look_again().await;
            }
            waiting.sort_unstable();
            sendings = sendings.saturating_add(1);
        }
        answers
    }

    async fn part(
        &self,
        name: &'static str,
        node: &Node,
        batch: &Batch,
        places: &[usize],
    ) -> Result<(i64, Vec<Part>), Failure> {
        let part: Pipeline;
        let pipeline = if places.len() == batch.len() {
            &batch.whole
        } else {
            part = batch.part(places);
            &part
        };
        let asked = Instant::now();
        let sent = async { parts(self.connection(node).live().await?.pipeline(pipeline).await?) };
        let mut parts = self.trace(node, Operation::Pipeline(name, pipeline.len()), sent).await?;
        if !batch.timed {
            return Ok((0, parts));
        }
        let time = parts.first().and_then(|time| time.as_ref().ok());
        let told = time.and_then(clock::read_us).ok_or_else(Failure::misfit)?;
        node.server.clock.told_us(asked, told);
        drop(parts.remove(0));
        Ok((told.div_euclid(1_000), parts))
    }

    /// Whether it may be sent once more, after the look at the map that this takes where it is another one.
    async fn again(&self, failure: &Failure) -> bool {
        if failure.class == Class::Elsewhere {
            self.nodes.look_again().await;
        }
        failure.is_passing()
    }

    fn connection<'n>(&self, node: &'n Node) -> &'n Connection {
        match self.lane {
            Lane::Commands => &node.commands,
            Lane::Sweeper => &node.sweeper,
        }
    }

    async fn trace<T>(
        &self,
        node: &Node,
        operation: Operation,
        sent: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        if self.traced { traced(&node.server, operation, sent).await } else { sent.await }
    }
}

fn set(answers: &mut [(i64, Part)], place: usize, answer: (i64, Part)) {
    if let Some(slot) = answers.get_mut(place) {
        *slot = answer;
    }
}

/// Each answer for itself; an error where there is nothing else.
fn parts(answers: Vec<Value>) -> Result<Vec<Part>, Failure> {
    let part = |answer: Value| match error(&answer) {
        Some(error) => Err(Failure::from(error)),
        None => Ok(answer),
    };
    let parts: Vec<Part> = answers.into_iter().map(part).collect();
    match parts.first() {
        Some(Err(failure)) if parts.iter().all(Result::is_err) => Err(failure.clone()),
        _ => Ok(parts),
    }
}

/// The error that an answer is, or that one of several commands in a transaction met.
fn error(answer: &Value) -> Option<&ServerError> {
    match answer {
        Value::ServerError(error) => Some(error),
        Value::Array(answers) => answers.iter().find_map(error),
        _ => None,
    }
}

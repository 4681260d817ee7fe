//! Reads, which may be sent again: a second sending finds what the first one would have. So may some writes, whose
//! second sending changes nothing.

use std::future::Future;

use redis::{Cmd, Pipeline, ServerError, Value};

use crate::limits::READ_SENDINGS;
use crate::redis::connection::Connection;
use crate::redis::failure::{Class, Failure};
use crate::redis::server::Server;
use crate::redis::span::{Operation, traced};

/// How reads are sent: on which connection, and whether each is told to the tracer.
pub(super) struct Reader<'a> {
    pub(super) server: &'a Server,
    pub(super) connection: &'a Connection,
    /// Sweeps carry no spans: nobody waits for them.
    pub(super) traced: bool,
}

impl Reader<'_> {
    /// One command.
    pub(super) async fn command(&self, name: &'static str, command: &Cmd) -> Result<Value, Failure> {
        let operation = Operation::Command(name);
        let mut sendings = 1;
        loop {
            let sent = async { self.connection.live().await?.command(command).await };
            match self.trace(operation, sent).await {
                Err(failure) if failure.class == Class::Unknown && sendings < READ_SENDINGS => {}
                result => return result,
            }
            sendings = sendings.saturating_add(1);
        }
    }

    /// Several commands of one kind. An error among the answers is an error of the whole.
    pub(super) async fn pipeline(
        &self,
        name: &'static str,
        pipeline: &Pipeline,
    ) -> Result<Vec<Value>, Failure> {
        let operation = Operation::Pipeline(name, pipeline.len());
        let mut sendings = 1;
        loop {
            let sent = async { no_error(self.connection.live().await?.pipeline(pipeline).await?) };
            match self.trace(operation, sent).await {
                Err(failure) if failure.class == Class::Unknown && sendings < READ_SENDINGS => {}
                result => return result,
            }
            sendings = sendings.saturating_add(1);
        }
    }

    async fn trace<T>(
        &self,
        operation: Operation,
        sent: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        if self.traced { traced(self.server, operation, sent).await } else { sent.await }
    }
}

fn no_error(answers: Vec<Value>) -> Result<Vec<Value>, Failure> {
    match answers.iter().find_map(error) {
        Some(error) => Err(Failure::from(error)),
        None => Ok(answers),
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

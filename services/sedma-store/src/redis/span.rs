//! One CLIENT span per call to Redis, by the stable database conventions of OpenTelemetry. Names and numbers only:
//! never a key, a value or a query text, for those are hands and seeds.

use std::future::Future;

use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use crate::redis::failure::Failure;
use crate::redis::server::Server;

/// What a call does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// One command.
    Command(&'static str),
    /// The commit script, by the command that runs it.
    Commit(&'static str),
    /// Several commands of one kind in one go.
    Pipeline(&'static str, usize),
}

/// Runs a call inside its span, and notes on it how the call failed, if it did.
pub(super) async fn traced<T>(
    server: &Server,
    operation: Operation,
    call: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let span = open(server, operation);
    let result = call.instrument(span.clone()).await;
    if let Err(failure) = &result {
        span.record("db.response.status_code", failure.code.as_str());
        span.record("error.type", failure.code.as_str());
        span.record("otel.status_code", "ERROR");
    }
    result
}

fn open(server: &Server, operation: Operation) -> Span {
    let name = match operation {
        Operation::Command(command) | Operation::Commit(command) | Operation::Pipeline(command, 1) => {
            command.to_owned()
        }
        Operation::Pipeline(command, _) => format!("PIPELINE {command}"),
    };
    let place = server.place();
    let span = tracing::info_span!(
        target: "sedma_store::redis",
        "redis",
        otel.name = name,
        otel.kind = "client",
        otel.status_code = Empty,
        db.system.name = "redis",
        db.operation.name = name,
        db.operation.batch.size = Empty,
        db.stored_procedure.name = Empty,
        db.response.status_code = Empty,
        error.r#type = Empty,
        server.address = place.host,
        server.port = place.port,
    );
    match operation {
        Operation::Commit(_) => {
            span.record("db.stored_procedure.name", "commit");
        }
        // One command alone is no batch.
        Operation::Pipeline(_, size) if size > 1 => {
            span.record("db.operation.batch.size", size);
        }
        Operation::Command(_) | Operation::Pipeline(..) => {}
    }
    span
}

//! The server with deliberate faults built in, of which the environment variable `SEDMA_MUTANT` names one. Takes the
//! address of its Redis. Built with the feature `mutants` only, for what measures tests.

#![allow(clippy::expect_used, reason = "a process of tests fails as tests do")]

use sedmad::config::LogFormat;
use sedmad::{run, shutdown, telemetry};
use tests::Server;

fn main() {
    let config = Server::config(std::env::args().nth(1));
    let runtime = telemetry::runtime(None).expect("a runtime");
    let telemetry = runtime.block_on(async { telemetry::start(LogFormat::Json) });
    let ended = runtime.block_on(async { run(config, |_| {}, shutdown()).await });
    telemetry.finish(&runtime);
    ended.expect("a server that drains");
}

//! `sedmad`: the server.

use std::process::ExitCode;

use clap::Parser;
use sedma_grpc::Ended;
use sedma_store::StartError;
use sedmad::{Args, Config, RunError, run, shutdown, telemetry};

/// A bad configuration (sysexits' `EX_USAGE`), found before anything is opened.
const EXIT_USAGE: u8 = 64;
/// A defect: a handler panicked while the server ran (`EX_SOFTWARE`).
const EXIT_SOFTWARE: u8 = 70;

/// Deals, referees, scores and remembers games of the Sedma family over gRPC.
#[derive(Debug, Parser)]
#[command(name = "sedmad", version)]
struct Command {
    #[command(flatten)]
    args: Args,
}

fn main() -> ExitCode {
    let args = match Command::try_parse() {
        Ok(command) => command.args,
        Err(error) => {
            // The help and the version are told the same way, and are no errors.
            let told = error.print();
            return if error.use_stderr() || told.is_err() {
                ExitCode::from(EXIT_USAGE)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let config = match Config::try_from(&args) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("sedmad: {error}");
            return ExitCode::from(EXIT_USAGE);
        }
    };
    let runtime = match telemetry::runtime(args.workers) {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("sedmad: the runtime could not be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let telemetry = runtime.block_on(async { telemetry::start(args.log) });
    let ended = runtime.block_on(async { run(config, |_| {}, shutdown()).await });
    let lost = telemetry.finish(&runtime);
    match ended {
        Ok(how) => {
            let panics = sedma_grpc::panics();
            eprintln!("sedmad: {}; panics {panics}, spans lost {lost}", how_it_ended(how));
            if panics == 0 { ExitCode::SUCCESS } else { ExitCode::from(EXIT_SOFTWARE) }
        }
        Err(error) => {
            eprintln!("sedmad: {error}");
            match error {
                RunError::Store(StartError::Address(_)) => ExitCode::from(EXIT_USAGE),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn how_it_ended(how: Ended) -> &'static str {
    match how {
        Ended::Drained => "drained",
        Ended::CutOff => "ended with its grace over; what was left was cut off",
    }
}

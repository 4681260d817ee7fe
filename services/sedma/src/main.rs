//! `sedma`: the command line.

mod demo;
mod rules;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Games of the Sedma family over gRPC, from the command line.
#[derive(Debug, Parser)]
#[command(name = "sedma", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Starts a server, plays a whole match on it with a client for every seat and one spectator, and checks that all of
    /// them saw the same history.
    Demo(demo::Args),
    /// Explains a preset: how it is played, its options, its source. Without a name it lists all presets.
    Rules(rules::Args),
}

fn main() -> ExitCode {
    let Cli { command } = Cli::parse();
    let done = match command {
        Command::Demo(args) => demo::run(&args),
        Command::Rules(args) => rules::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sedma: {error:#}");
            ExitCode::FAILURE
        }
    }
}

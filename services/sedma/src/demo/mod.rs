//! `sedma demo`: a whole match, as separate gRPC clients see it.
//!
//! The platform creates a table with named players. Each player is a client of its own, with its own connection and seat
//! token: it says "here", hands in entropy, watches, and plays when its own view says that it may. A spectator watches
//! with a watch token. In the end all of them must have seen the same public history.

mod client;
mod narrator;
mod player;
mod watcher;

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::Args as ClapArgs;
use sedma_proto::v1;
use serde::Serialize;
use tokio::task::JoinSet;

use client::{Client, Link};
use narrator::Narrator;
use player::Player;
use watcher::Seen;

/// No match of any preset takes so long.
const LONGEST: Duration = Duration::from_mins(5);

/// Flags of `sedma demo`.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Args {
    /// Rules to play by; RulesService.ListPresets has the names.
    #[arg(long, default_value = "classic")]
    preset: String,
    /// How many play. Without it as many as the preset takes.
    #[arg(long)]
    seats: Option<i32>,
    /// Redis to keep the table in. Without it the server keeps it in its memory.
    #[arg(long, env = "REDIS_URL", hide_env_values = true)]
    redis_url: Option<String>,
    /// Chooses the players' cards; the cards they are dealt are random all the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Prints the last line alone.
    #[arg(long)]
    quiet: bool,
}

/// The last line.
#[derive(Debug, Serialize)]
struct Report {
    preset: String,
    store: &'static str,
    deals: usize,
    tricks: usize,
    points: i32,
    updates: i64,
    winner_seats: Vec<i32>,
    game_points: Vec<i32>,
}

/// Runs the demo.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let server = client::Server::start(args.redis_url.clone().filter(|url| !url.is_empty())).await?;
        let report =
            tokio::time::timeout(LONGEST, play(args, &server)).await.context("the match took too long")?;
        server.stop().await?;
        println!("{}", serde_json::to_string(&report?)?);
        ensure!(sedmad::panics() == 0, "a handler of the server panicked");
        Ok(())
    })
}

async fn play(args: &Args, server: &client::Server) -> anyhow::Result<Report> {
    let platform = Client::connect(&server.address, None).await?;
    let (table, tokens) = create(&platform, args).await?;
    let watch_token = platform.watch_token(&table).await?;

    let spectator = Client::connect(&server.address, Some(watch_token)).await?;
    let narrator = Narrator::new(!args.quiet);
    narrator.say(&format!("{table}: {} on {}, {} seats", args.preset, server.store, tokens.len()));
    let mut clients = JoinSet::new();
    let watch = watcher::follow(spectator, table.clone(), narrator);
    clients.spawn(watch);
    for (seat, token) in tokens {
        let link = Link { table: table.clone(), seat };
        let client = Client::connect(&server.address, Some(token)).await?;
        clients.spawn(Player::new(client, link, args.seed).play());
    }
    let mut seen: Vec<Seen> = Vec::new();
    while let Some(ended) = clients.join_next().await {
        seen.push(ended??);
    }
    report(args, server.store, &seen)
}

/// Creates the table, and answers its name and the players' tokens.
async fn create(platform: &Client, args: &Args) -> anyhow::Result<(String, Vec<(i32, String)>)> {
    let rules =
        v1::SedmaRules { preset: args.preset.clone(), seats: args.seats, ..v1::SedmaRules::default() };
    let seats = platform.seats_of(&rules).await?;
    let request = v1::CreateTableRequest {
        request_id: client::request_id(),
        rules: Some(v1::GameRules {
            game: Some(v1::game_rules::Game::Sedma(rules)),
            ..v1::GameRules::default()
        }),
        spectators: v1::SpectatorPolicy::Allowed.into(),
        seats: (1..=seats)
            .map(|n| v1::NewSeat {
                player_id: format!("demo-{n}"),
                display_name: format!("Player {n}"),
                ..v1::NewSeat::default()
            })
            .collect(),
        ..v1::CreateTableRequest::default()
    };
    let created = platform.create(request).await?;
    let name =
        created.view.and_then(|view| view.table).map(|table| table.name).context("no table in the answer")?;
    Ok((name, created.seat_tokens.into_iter().map(|token| (token.seat, token.token)).collect()))
}

/// Holds the clients' histories against each other and adds up what they say.
fn report(args: &Args, store: &'static str, seen: &[Seen]) -> anyhow::Result<Report> {
    let Some(first) = seen.first() else { bail!("nobody watched") };
    for other in seen {
        ensure!(other.public == first.public, "two clients saw different histories");
    }
    let table = first.last.as_ref().and_then(|view| view.table.as_ref()).context("no view was seen")?;
    ensure!(table.phase() == v1::TablePhase::Finished, "the match did not end");
    let Some(v1::public_table::Game::Sedma(game)) = &table.game else { bail!("no game was played") };
    Ok(Report {
        preset: args.preset.clone(),
        store,
        deals: first.deals,
        tricks: first.tricks,
        points: first.points,
        updates: table.revision,
        winner_seats: table.winner_seats.clone(),
        game_points: game.sides.iter().map(|side| side.game_points).collect(),
    })
}

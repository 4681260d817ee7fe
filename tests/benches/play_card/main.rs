//! What the service costs over the least that any service could do.
//!
//! Side by side on one machine and in one process: `PlayCard` on Redis, and a bare tonic handler that makes the same script
//! call with as many bytes and neither checks a token, parses, referees nor renders. Prints throughput at 64 calls in flight
//! and latencies at half of that, as ratios of pairs that ran one after the other; then how long a drain with 2,000 open
//! watches takes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that can't go on stops"
)]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

mod bare;
mod drain;
mod load;
mod raw;
mod service;

use std::time::Duration;

use load::{Figures, Target};
use tests::{Redis, Server};

/// Calls in flight, each on a table of its own.
const IN_FLIGHT: usize = 64;
/// Connections they share.
const CONNECTIONS: usize = 8;
/// Pairs that are run; the medians are printed.
const PAIRS: usize = 5;
/// Calls of each run.
const CALLS: usize = 12_800;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let redis = Redis::start();
        let server = Server::redis(&redis).await;
        let (plays, sizes) = service::record(&server, &redis).await;
        println!("PlayCard against a bare handler with the same script call; {IN_FLIGHT} in flight, {CONNECTIONS} connections");
        println!(
            "bytes: request {}, response {}, update {}, snapshot {}",
            sizes.request, sizes.response, sizes.update, sizes.snapshot
        );
        let mut ratios = Vec::new();
        let mut tails = Vec::new();
        for pair in 1..=PAIRS {
            let full = pair_of(&server, &redis, (&plays, &sizes), None).await;
            let ratio = full.0.per_second / full.1.per_second;
            let half = pair_of(&server, &redis, (&plays, &sizes), Some(full.0.per_second / 2.0)).await;
            let tail = half.0.p99.as_secs_f64() / half.1.p99.as_secs_f64();
            println!("pair {pair}  full   service {}", full.0);
            println!("               bare    {}   throughput ratio {ratio:.2}", full.1);
            println!("        half   service {}", half.0);
            println!("               bare    {}   p99 ratio {tail:.2}", half.1);
            ratios.push(ratio);
            tails.push(tail);
        }
        println!("median throughput ratio {:.2} (budget: at least 0.80)", median(&mut ratios));
        println!("median p99 ratio at half load {:.2} (budget: at most 2.00)", median(&mut tails));
        server.stop().await;
        drain::run().await;
    });
}

/// The service and the bare handler, one after the other. `rate` in calls per second, or as fast as they go.
async fn pair_of(
    server: &Server,
    redis: &Redis,
    (plays, sizes): (&service::Plays, &service::Sizes),
    rate: Option<f64>,
) -> (Figures, Figures) {
    let service = service::Tables::open(server, plays, IN_FLIGHT, CONNECTIONS).await;
    let of_service = load::run(&Target::Service(service), CALLS, rate).await;
    let bare = bare::Tables::open(redis, sizes, IN_FLIGHT, CONNECTIONS).await;
    let of_bare = load::run(&Target::Bare(bare), CALLS, rate).await;
    (of_service, of_bare)
}

fn median(of: &mut [f64]) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

/// How long a worker waits between two calls at a rate.
fn pause(rate: f64) -> Duration {
    Duration::from_secs_f64(IN_FLIGHT as f64 / rate)
}

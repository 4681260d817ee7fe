//! The proofs: thousands of faults of four kinds under play on three replicas, and nothing is lost or done twice.

use std::time::Duration;

use tests::{Chance, Redis, Strike};

use crate::campaign::{Campaign, Plan, Report};
use crate::proving;
use crate::service::{Service, ordinary};

/// The number that everything follows from which is left to chance.
const SEED: usize = 20_261_130;
const REPLICAS: usize = 3;
/// Longer than a replica waits for an answer of Redis.
const LONGEST_STOP_MS: usize = 3_000;

fn plan(seed: usize) -> Plan {
    Plan { seed: SEED + seed, tables: 8, life: 400, pace_ms: 20, patience: Duration::from_secs(30) }
}

/// How many faults: a slice or all.
fn size(slice: usize, whole: usize) -> usize {
    if proving() { whole } else { slice }
}

/// Prints what a proof came to, and holds it to what must be.
fn settle(what: &str, report: &Report, resolved: usize) {
    println!("{what}: {}; {resolved} commits resolved by their token", report.line());
    println!(
        "  0 accepted updates lost, 0 done twice, each clock's turn once, each watcher told all in order"
    );
    assert_eq!(report.findings, [], "{what}");
    assert!(report.timers > 0 && report.bots > 0, "clocks and bots are part of it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_accepted_is_lost_or_done_twice_though_wires_break() {
    let chance = &mut Chance::new(SEED, "wires");
    let service = Service::start(Redis::start_durable(), REPLICAS, ordinary()).await;
    let campaign = Campaign::begin(service.doors.clone(), plan(1)).await;
    let faults = size(60, 1_000);
    while service.struck().iter().sum::<usize>() < faults {
        service.strike(chance).await;
        if chance.once_in(40) {
            service.cut(chance);
        }
    }
    let report = campaign.end().await;
    let struck: Vec<String> =
        Strike::KINDS.iter().zip(service.struck()).map(|(kind, count)| format!("{count} {kind}")).collect();
    let resolved = service.resolved();
    settle(&format!("faults of wires ({})", struck.join(", ")), &report, resolved);
    assert!(resolved >= size(1, 50), "only {resolved} commits were resolved by their token");
    service.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_accepted_is_lost_or_done_twice_though_replicas_are_killed() {
    let chance = &mut Chance::new(SEED, "replicas");
    let mut service = Service::start(Redis::start_durable(), REPLICAS, ordinary()).await;
    let campaign = Campaign::begin(service.doors.clone(), plan(2)).await;
    let kills = size(6, 200);
    for _ in 0..kills {
        campaign.plays(chance.below(12)).await;
        service.kill_replica(chance).await;
    }
    let report = campaign.end().await;
    settle(&format!("{kills} kills of a replica"), &report, service.resolved());
    service.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_accepted_is_lost_or_done_twice_though_a_durable_redis_is_killed() {
    let chance = &mut Chance::new(SEED, "Redis");
    let mut service = Service::start(Redis::start_durable(), REPLICAS, ordinary()).await;
    let campaign = Campaign::begin(service.doors.clone(), plan(3)).await;
    let kills = size(4, 50);
    for _ in 0..kills {
        campaign.plays(chance.below(60)).await;
        service.kill_redis(chance).await;
    }
    let report = campaign.end().await;
    settle(&format!("{kills} kills of Redis, which had all on disk"), &report, service.resolved());
    service.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_accepted_is_lost_or_done_twice_though_processes_stand_still() {
    let chance = &mut Chance::new(SEED, "stops");
    let service = Service::start(Redis::start_durable(), REPLICAS, ordinary()).await;
    let campaign = Campaign::begin(service.doors.clone(), plan(4)).await;
    let stops = size(5, 100);
    for _ in 0..stops {
        campaign.plays(chance.below(24)).await;
        let ms = 100 + chance.below(LONGEST_STOP_MS - 100);
        service.stop_one(chance, ms).await;
    }
    let report = campaign.end().await;
    settle(&format!("{stops} stops of Redis or a replica"), &report, service.resolved());
    service.terminate().await;
}

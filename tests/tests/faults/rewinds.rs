//! A Redis that loses what it had taken: each watcher of a table that lost something is told so, nothing is mixed, and the
//! checker finds the losses. That is the control of the other proofs.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tests::{Chance, Redis};

use crate::aof::lose_commits;
use crate::campaign::{Campaign, Plan, Report};
use crate::checker::Finding;
use crate::proving;
use crate::service::{Service, ordinary, pass};

const SEED: usize = 20_261_201;
const REPLICAS: usize = 3;
/// Commits that are lost at once.
const LOST: usize = 50;
/// How long everybody holds still before Redis dies, so that all has been told, in milliseconds.
const QUIET_MS: usize = 1_000;

/// Tables that last: one that is made when Redis dies would be lost as a whole.
fn plan(seed: usize) -> Plan {
    Plan { seed: SEED + seed, tables: 8, life: 4_000, pace_ms: 20, patience: Duration::from_secs(30) }
}

/// Kills Redis in a quiet moment and starts it on a file that is cut by its last commits.
pub(crate) async fn rewind(service: &mut Service, campaign: &Campaign, commits: usize) {
    campaign.stage.still.store(true, Ordering::Relaxed);
    pass(QUIET_MS).await;
    service.redis.kill();
    lose_commits(&service.redis, commits);
    service.redis.launch();
    campaign.stage.still.store(false, Ordering::Relaxed);
    campaign.goes_on().await;
}

/// Tables with such findings.
fn tables(report: &Report, so: impl Fn(&Finding) -> bool) -> BTreeSet<&str> {
    report.findings.iter().filter(|(_, finding)| so(finding)).map(|(table, _)| table.as_str()).collect()
}

/// Holds what was lost to what must be: it was announced, and nothing else is wrong, but for what is excused. How much it
/// was.
pub(crate) fn settle(
    what: &str,
    report: &Report,
    excused: impl Fn(&str, &Finding) -> bool,
) -> (usize, usize) {
    let lost = report.count(|finding| matches!(finding, Finding::Lost { .. }));
    let resets = report.count(|finding| matches!(finding, Finding::Reset { .. }));
    let worse: Vec<_> = report
        .findings
        .iter()
        .filter(|(table, finding)| !finding.is_loss() && !excused(table, finding))
        .collect();
    println!("{what}: {}", report.line());
    println!(
        "  {lost} accepted updates lost, {resets} watchers reset; nothing mixed, all that was told and is gone announced"
    );
    assert!(worse.is_empty(), "{what}: {worse:?}");
    (lost, resets)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_cut_by_its_last_commits_is_announced_to_each_watcher_and_found_by_the_checker() {
    let rounds = if proving() { 5 } else { 1 };
    let mut service = Service::start(Redis::start_durable(), REPLICAS, ordinary()).await;
    let campaign = Campaign::begin(service.doors.clone(), plan(1)).await;
    for _ in 0..rounds {
        campaign.plays(2 * LOST).await;
        rewind(&mut service, &campaign, LOST).await;
    }
    let report = campaign.end().await;
    let (lost, resets) =
        settle(&format!("{rounds} times the last {LOST} commits cut off"), &report, |_, _| false);
    let losers = tables(&report, |finding| matches!(finding, Finding::Lost { .. }));
    for table in &losers {
        for number in 0..2 {
            let told = report.findings.iter().any(|(of, finding)| {
                of == table && matches!(finding, Finding::Reset { watcher, .. } if *watcher == number)
            });
            assert!(told, "watcher {number} of {table} was told nothing of what it lost");
        }
    }
    assert!(lost > 0 && resets >= 2 * losers.len(), "{lost} lost at {losers:?}, {resets} resets");
    service.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_redis_that_writes_once_a_second_loses_is_announced() {
    let chance = &mut Chance::new(SEED, "once a second");
    let kills = if proving() { 50 } else { 3 };
    let redis = Redis::start_with(&["--save", "", "--appendonly", "yes", "--appendfsync", "everysec"]);
    let mut service = Service::start(redis, REPLICAS, ordinary()).await;
    let campaign = Campaign::begin(service.doors.clone(), plan(2)).await;
    for _ in 0..kills {
        campaign.plays(chance.below(60)).await;
        service.kill_redis(chance).await;
    }
    let report = campaign.end().await;
    settle(&format!("{kills} kills of Redis that writes to disk once a second"), &report, |_, _| false);
    service.terminate().await;
}

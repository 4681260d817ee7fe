//! Primaries that are killed, and that hand over as planned, under play on three replicas of the service: in a cluster of
//! three masters with a replica each, and in a primary with a replica that sentinels look after.
//!
//! A failover may lose what the replica had not got. What must not be: that anything is done twice or mixed, that a watcher
//! is not told of what he knew and is gone, that somebody waits for long.

use std::time::Duration;

use tests::{Chance, Process, Redis};
use tokio::task::block_in_place;

use crate::campaign::{Campaign, Plan};
use crate::checker::Finding;
use crate::cluster::{Cluster, Sentinels, answer};
use crate::proving;
use crate::rewinds::settle;
use crate::service::Doors;

const SEED: usize = 20_261_202;
const REPLICAS: usize = 3;
/// Plays between one failover and the next.
const BETWEEN: usize = 60;
/// The longest that a player may get errors.
const LONGEST: Duration = Duration::from_secs(10);

/// Tables that last: one that is made while a primary dies may be lost as a whole.
fn plan(seed: usize) -> Plan {
    Plan { seed: SEED + seed, tables: 8, life: 4_000, pace_ms: 20, patience: Duration::from_secs(30) }
}

fn rounds() -> usize {
    if proving() { 10 } else { 1 }
}

/// Plays on three replicas while something is done over and over.
async fn under_play(what: &str, seed: usize, url: &str, mut step: impl FnMut(&mut Chance)) {
    let mut processes = Vec::new();
    for _ in 0..REPLICAS {
        processes.push(Process::start(&["--allow-scripted", "--redis-url", url]).await);
    }
    let campaign = Campaign::begin(Doors::to(&processes).await, plan(seed)).await;
    let chance = &mut Chance::new(SEED + seed, "failovers");
    for _ in 0..rounds() {
        campaign.plays(BETWEEN).await;
        // It waits for servers; players go on meanwhile.
        block_in_place(|| step(chance));
    }
    campaign.plays(BETWEEN).await;
    let report = campaign.end().await;
    // While two primaries take writes, what the one refuses the other may accept from another sending of the request.
    let reset = |table: &str| {
        let told = |finding: &Finding| matches!(finding, Finding::Reset { .. });
        report.findings.iter().any(|(of, finding)| of == table && told(finding))
    };
    let two_primaries =
        |table: &str, finding: &Finding| matches!(finding, Finding::RefusedStands { .. }) && reset(table);
    settle(&format!("{} {what}", rounds()), &report, two_primaries);
    assert!(report.longest < LONGEST, "{what}: a table was away for {:?}", report.longest);
    for process in processes {
        process.terminate().await;
    }
}

/// Any master, and its replica.
fn pair(cluster: &Cluster, chance: &mut Chance) -> (usize, usize) {
    let master = *chance.pick(&cluster.masters());
    (master, cluster.replica_of(master))
}

fn leads(node: &Redis) -> bool {
    node.try_ask(&["ROLE"]).is_some_and(|role| role.starts_with("master"))
}

/// Tells a replica to take over until it has. Redis gives an order up after 5 seconds: masters that voted a moment ago do
/// not vote again at once.
fn take_over(replica: &Redis) {
    for _ in 0..4 {
        assert_eq!(replica.ask(&["CLUSTER", "FAILOVER"]), "OK");
        for _ in 0..300 {
            if leads(replica) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    panic!("the replica does not take over");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn planned_failovers_of_a_cluster_under_play() {
    let cluster = block_in_place(|| Cluster::start(3, 1));
    under_play("planned failovers of a cluster's masters", 1, &cluster.url(), |chance| {
        let (_, replica) = pair(&cluster, chance);
        take_over(&cluster.nodes[replica]);
        cluster.whole();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn kills_of_a_clusters_masters_under_play() {
    let mut cluster = block_in_place(|| Cluster::start(3, 1));
    let url = cluster.url();
    under_play("kills of a cluster's masters", 2, &url, |chance| {
        let (master, replica) = pair(&cluster, chance);
        cluster.nodes[master].kill();
        cluster.nodes[replica].until("it takes over", leads);
        cluster.nodes[master].launch();
        cluster.whole();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn planned_failovers_by_sentinels_under_play() {
    let set = block_in_place(Sentinels::start);
    under_play("planned failovers by sentinels", 3, &set.url(), |_| {
        let new = 1 - set.primary();
        set.sentinels[0].until("a failover begins", |sentinel| {
            answer(sentinel, &["SENTINEL", "FAILOVER", "tables"]) == "OK"
        });
        set.sentinels[0].until("all agree on the new primary", |_| set.agree_on(new));
        set.whole();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn kills_of_a_primary_that_sentinels_look_after_under_play() {
    let mut set = block_in_place(Sentinels::start);
    let url = set.url();
    under_play("kills of a primary under sentinels", 4, &url, |_| {
        let old = set.primary();
        set.nodes[old].kill();
        set.sentinels[0].until("all agree on the new primary", |_| set.agree_on(1 - old));
        set.nodes[1 - old].until("it takes over", leads);
        set.nodes[old].launch();
        set.whole();
    })
    .await;
}

//! How soon the checker finds each deliberate fault: the same few histories for all of them, of two replicas under
//! faults. Without a fault none of them has a finding.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use sedmad::mutants::{Mutant, VARIABLE};
use tests::{Chance, Process, Redis};

use crate::campaign::{Campaign, Plan};
use crate::checker::Finding;
use crate::lost_basis::judged_on_what_is_lost;
use crate::rewinds::rewind;
use crate::service::{Service, Start};

/// Histories in which each fault must show itself.
const HISTORIES: usize = 20;
/// Of so many histories the first is of wires and replicas that break, one of a Redis that loses commits under play, and
/// one of a single commit that was judged on what is lost.
const KINDS: usize = 3;
/// Commits that it loses.
const LOST: usize = 12;
/// Strikes in a history.
const STRIKES: usize = 12;
const SEED: usize = 20_261_301;
/// Histories that are told at a time.
const AT_A_TIME: usize = 4;

/// A server with this fault.
fn faulty(mutant: Option<Mutant>) -> Start {
    let name = mutant.map(Mutant::name).unwrap_or_default();
    Box::new(move |redis_url| {
        let name = name.clone();
        Box::pin(
            async move { Process::run("sedmad_with_a_fault", &[&redis_url], &[(VARIABLE, &name)]).await },
        )
    })
}

/// What is wrong with one history.
async fn history(mutant: Option<Mutant>, number: usize) -> Vec<(String, Finding)> {
    let chance = &mut Chance::new(SEED + number, "a history");
    let mut service = Service::start(Redis::start_durable(), 2, faulty(mutant)).await;
    if number % KINDS == 2 {
        let findings = judged_on_what_is_lost(&mut service, number / KINDS).await;
        service.kill().await;
        let worse = findings.into_iter().filter(|finding| !finding.is_loss());
        return worse.map(|finding| (String::new(), finding)).collect();
    }
    // Longer than a replica needs to find out that Redis is mute.
    let patience = Duration::from_secs(if mutant.is_some() { 8 } else { 20 });
    let plan = Plan { seed: SEED + number, tables: 4, life: 1_000, pace_ms: 4, patience };
    let campaign = Campaign::begin(service.doors.clone(), plan).await;
    let rewinds = number % KINDS == 1;
    if rewinds {
        campaign.plays(3 * LOST).await;
        rewind(&mut service, &campaign, LOST).await;
        campaign.plays(3 * LOST).await;
    } else {
        for strike in 0..STRIKES {
            service.strike(chance).await;
            if strike % (STRIKES / 2) == 1 {
                service.kill_replica(chance).await;
            }
        }
    }
    let report = campaign.end().await;
    service.kill().await;
    report.findings.into_iter().filter(|(_, finding)| !rewinds || !finding.is_loss()).collect()
}

/// The number of the first history that shows a fault, and what it shows.
async fn found(mutant: Mutant) -> Option<(usize, Vec<(String, Finding)>)> {
    for number in 0..HISTORIES {
        let findings = history(Some(mutant), number).await;
        if !findings.is_empty() {
            return Some((number + 1, findings));
        }
    }
    None
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_fault_is_found_within_some_histories() {
    let all = Mutant::ALL.into_iter().map(async |mutant| (mutant, found(mutant).await));
    let all: Vec<_> = stream::iter(all).buffered(AT_A_TIME).collect().await;
    for (mutant, found) in all {
        let Some((number, findings)) = found else {
            panic!("{mutant:?} is not found in {HISTORIES} histories");
        };
        println!("{mutant:?} is found in history {number}: {:?}", kinds(&findings));
    }
}

/// How many findings there are of each kind.
fn kinds(findings: &[(String, Finding)]) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for (_, finding) in findings {
        let text = format!("{finding:?}");
        let kind = text.split([' ', '(']).next().expect("a word").to_owned();
        *kinds.entry(kind).or_insert(0) += 1;
    }
    kinds
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_fault_nothing_is_found() {
    let histories = (0..HISTORIES).map(async |number| (number, history(None, number).await));
    let found: Vec<_> = stream::iter(histories).buffer_unordered(AT_A_TIME).collect().await;
    for (number, found) in found {
        assert_eq!(found, [], "history {number}");
    }
    println!("{HISTORIES} histories without a fault: nothing is found");
}

//! A commit that is on its way when Redis loses what it was judged on, and another history takes its place: the revision
//! is the same again, and only the token tells that it is not what it was.

use std::time::Duration;

use tests::views::{legal, public};
use tests::{Chance, Client, NewTable, Redis, Seat, Table};

use crate::aof::lose_commits;
use crate::campaign::Plan;
use crate::checker::{Finding, check};
use crate::players::{Stage, read, sent};
use crate::service::{Service, insist, ordinary, pass};
use crate::story::{Call, Outcome, Story};

const SEED: usize = 20_261_401;
const ALL: [i32; 4] = [1, 2, 3, 4];
/// How often a card is tried: Redis has just been started.
const TRIES: usize = 40;

/// A table under two replicas, and what its players did.
struct Course {
    stage: Stage,
    chance: Chance,
    table: Table,
    calls: Vec<Call>,
}

impl Course {
    /// Whose turn it is, and what he may do, as whichever replica says.
    async fn turn(&mut self) -> (Seat, i64, Vec<String>) {
        let request = tests::v1::GetTableRequest {
            name: self.table.name.clone(),
            seats: ALL.to_vec(),
            ..Default::default()
        };
        let ask = |client: Client| {
            let request = request.clone();
            async move { client.get_table(request).await }
        };
        let asked = insist(&self.stage.doors, &mut self.chance, "GetTable", ask).await;
        let view = asked.expect("the table").view.expect("a view");
        let seat = public(&view).turn_seat;
        (self.table.seat(seat).clone(), public(&view).revision, legal(&view, seat))
    }

    /// Plays any card but this one at a replica, until it is accepted or has had its chances; the card.
    async fn play(&mut self, replica: usize, but: Option<&str>) -> String {
        let mut played = String::new();
        for _ in 0..TRIES {
            let (seat, revision, choices) = self.turn().await;
            let card = choices.into_iter().find(|card| Some(card.as_str()) != but).expect("another card");
            let request = seat.card_request(revision, &card);
            let door = self.stage.doors.of(replica);
            let call = sent(&self.stage, seat.at(&door), request, &card).await;
            let accepted = matches!(call.outcome, Outcome::Accepted { .. });
            self.calls.push(call);
            played = card;
            if accepted {
                break;
            }
            pass(50).await;
        }
        played
    }
}

/// What is wrong after it.
pub(crate) async fn judged_on_what_is_lost(service: &mut Service, number: usize) -> Vec<Finding> {
    let plan = Plan { seed: SEED, tables: 1, life: 1_000, pace_ms: 1, patience: Duration::from_secs(10) };
    let stage = Stage::new(service.doors.clone(), plan);
    let table = NewTable::classic().to(0).start(&stage.doors.of(0)).await;
    let chance = Chance::new(SEED + number, "a lost basis");
    let mut course = Course { stage: stage.clone(), chance, table, calls: Vec::new() };
    for _ in 0..=number % 8 {
        course.play(0, None).await;
    }
    let lost = course.play(1, None).await;
    // The first replica judges the next card on what will be lost.
    let (seat, revision, choices) = course.turn().await;
    service.hold(0);
    let request = seat.card_request(revision, &choices[0]);
    let (door, card) = (stage.doors.of(0), choices[0].clone());
    let on_its_way = tokio::spawn(async move { sent(&stage, seat.at(&door), request, &card).await });
    service.holds(0).await;
    service.redis.kill();
    lose_commits(&service.redis, 1);
    service.redis.launch();
    let waiting = std::mem::replace(&mut course.stage.doors, service.doors.only(1));
    course.play(1, Some(&lost)).await;
    course.stage.doors = waiting;
    service.let_go(0);
    course.calls.push(on_its_way.await.expect("a call"));
    for _ in 0..4 {
        course.play(0, None).await;
    }
    let Course { stage, mut chance, table, calls } = course;
    let read = read(&stage, &mut chance, &table.name, &ALL).await;
    check(&Story { calls, ..read })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_was_judged_on_what_is_lost_is_judged_anew() {
    let mut service = Service::start(Redis::start_durable(), 2, ordinary()).await;
    let findings = judged_on_what_is_lost(&mut service, 0).await;
    assert!(matches!(findings.as_slice(), [Finding::Lost { .. }]), "one card is lost: {findings:?}");
    service.terminate().await;
}

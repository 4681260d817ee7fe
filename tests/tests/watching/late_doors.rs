//! Every door that a spectator has: whatever comes out of it says nothing of what is younger than the delay.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use tests::errors::{metadata, try_refusal};
use tests::v1::{self, watch_table_response::Payload};
use tests::views::public;
use tests::{Client, Table, World, duration, ms, on_each_store, request_id};
use tonic::Status;

use crate::sights::{after, ended, timeless, two_bots, updates_after, watch};

const DELAY_MS: i64 = 400;

/// What came out of a door, and when it had come at the latest.
struct Out {
    door: &'static str,
    /// Milliseconds since the epoch, by the clock of the machine that Redis runs on too.
    came_ms: i64,
    told: Told,
}

enum Told {
    /// A view of the table, without hands.
    View(Box<v1::TableView>),
    /// Scores up to a revision.
    Score(Box<v1::GetScoreResponse>),
    /// Updates, and the revision up to which there are some.
    Updates(Vec<v1::Update>, i64),
    /// A revision and nothing else.
    Revision(i64),
    /// Nothing about the table.
    Nothing,
}

fn now_ms() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "the test's own clock is what the delay is measured by")]
    let now = SystemTime::now();
    i64::try_from(now.duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// The first refusal at each door that stays shut.
type Said = BTreeMap<&'static str, Status>;

/// Whatever number a refusal has may be a revision: in its details, beside its reason, or in its words.
fn refused(status: &Status) -> Told {
    let details = try_refusal(status).map_or(0, |refusal| refusal.revision.max(refusal.turn_revision));
    let beside = metadata(status).into_values().filter_map(|value| value.parse().ok()).max().unwrap_or(0);
    Told::Revision(details.max(beside))
}

/// Of what he may not do at all nothing but that is told, whatever has happened at the table.
fn always_the_same(said: &mut Said, door: &'static str, status: &Status) -> Told {
    let told = refused(status);
    let first = said.entry(door).or_insert_with(|| status.clone());
    assert_eq!(
        (first.code(), first.message(), first.details()),
        (status.code(), status.message(), status.details())
    );
    told
}

/// Knocks at each door that answers once.
async fn knock(spectator: &Client, table: &Table, round: i64, said: &mut Said, out: &mut Vec<Out>) {
    let name = table.name.clone();
    let mut keep = |door, told| out.push(Out { door, came_ms: now_ms(), told });
    let reading = v1::GetTableRequest { name: name.clone(), ..v1::GetTableRequest::default() };
    match spectator.get_table(reading.clone()).await {
        Ok(answer) => keep("GetTable", Told::View(answer.view.unwrap().into())),
        Err(status) => keep("GetTable", refused(&status)),
    }
    // One that the table has reached already, and one that it has not.
    for min in [round, 4_000] {
        let asked = v1::GetTableRequest { min_revision: Some(min), ..reading.clone() };
        match spectator.get_table(asked).await {
            Ok(answer) => keep("GetTable from", Told::View(answer.view.unwrap().into())),
            Err(status) => keep("GetTable from", refused(&status)),
        }
    }
    match spectator.get_score(v1::GetScoreRequest { name: name.clone(), min_revision: None }).await {
        Ok(answer) => keep("GetScore", Told::Score(answer.into())),
        Err(status) => keep("GetScore", refused(&status)),
    }
    match spectator.list_updates(updates_after(table, round)).await {
        Ok(page) => match page.reset {
            Some(reset) => keep("ListUpdates", Told::View(reset.snapshot.unwrap().into())),
            None => keep("ListUpdates", Told::Updates(page.updates, page.revision)),
        },
        Err(status) => keep("ListUpdates", refused(&status)),
    }
    // What he may not do at all must not tell where the table is either.
    let join = v1::JoinTableRequest {
        name: name.clone(),
        request_id: request_id(),
        ..v1::JoinTableRequest::default()
    };
    keep("JoinTable", always_the_same(said, "JoinTable", &spectator.join_table(join).await.unwrap_err()));
    let play = v1::PlayCardRequest {
        name: name.clone(),
        expected_revision: round.max(1),
        card: Some(tests::card("7h")),
        ..v1::PlayCardRequest::default()
    };
    keep("PlayCard", always_the_same(said, "PlayCard", &spectator.play_card(play).await.unwrap_err()));
    let legal = v1::ListLegalActionsRequest { name, ..v1::ListLegalActionsRequest::default() };
    keep(
        "ListLegalActions",
        always_the_same(said, "ListLegalActions", &spectator.list_legal_actions(legal).await.unwrap_err()),
    );
}

/// Listens at the door that stays open, from this revision on or anew, until the table has ended or `enough` has come.
async fn listen(spectator: &Client, table: &Table, from: Option<i64>, enough: i64) -> Vec<Out> {
    let mut out = Vec::new();
    let mut stream = watch(spectator, table, from).await.with_presence();
    loop {
        let Ok(Some(message)) = stream.try_next().await else { return out };
        let told = match message.payload.unwrap() {
            Payload::Snapshot(view) => Told::View(view.into()),
            Payload::Update(update) => Told::Updates(vec![update], message.revision),
            Payload::Reset(reset) => Told::View(reset.snapshot.unwrap().into()),
            Payload::Heartbeat(_) => Told::Revision(message.revision),
            Payload::Pending(_) => Told::Nothing,
            other => panic!("nothing of this should come: {other:?}"),
        };
        out.push(Out { door: "WatchTable", came_ms: now_ms(), told });
        if message.revision >= enough {
            return out;
        }
    }
}

/// What the platform knows by now: every update by its revision, with its instant and what spectators see after it.
struct Truth(BTreeMap<i64, (i64, v1::Update)>);

impl Truth {
    async fn of(table: &Table) -> Self {
        let mut updates = BTreeMap::new();
        loop {
            let last = updates.last_key_value().map_or(0, |(revision, _)| *revision);
            let page = table.platform.list_updates(updates_after(table, last)).await.unwrap();
            if page.updates.is_empty() {
                return Self(updates);
            }
            updates.extend(page.updates.into_iter().map(|u| (u.revision, (ms(u.time.as_ref()), u))));
        }
    }

    /// The newest revision that may have been told by an instant.
    fn newest(&self, came_ms: i64) -> i64 {
        let old = self.0.iter().filter(|(_, (time_ms, _))| time_ms + DELAY_MS <= came_ms);
        old.map(|(revision, _)| *revision).max().unwrap_or(0)
    }

    fn check(&self, out: &Out) -> i64 {
        let newest = self.newest(out.came_ms);
        let told = match &out.told {
            Told::Nothing => 0,
            Told::Revision(revision) => *revision,
            Told::Score(score) => score.revision,
            Told::View(view) => {
                let revision = public(view).revision;
                // Whatever is in it is what it was after that update: nothing of a later one has slipped in.
                assert_eq!(timeless(view), timeless(after(&self.0[&revision].1)), "{}", out.door);
                revision
            }
            Told::Updates(updates, revision) => {
                for update in updates {
                    assert_eq!(*update, self.0[&update.revision].1, "{}", out.door);
                }
                updates.iter().map(|update| update.revision).fold(*revision, i64::max)
            }
        };
        assert!(told <= newest, "{} told of {told} when {newest} was the newest old enough", out.door);
        told
    }
}

on_each_store! {
    async fn no_door_says_anything_of_what_is_younger_than_the_delay(world: &World) {
        let mut new = two_bots(12);
        new.request.spectator_delay = Some(duration(i32::try_from(DELAY_MS).unwrap()));
        let table = new.create(world.a()).await.at(world.b());
        let spectators = [table.at(world.a()).spectator().await, table.spectator().await];
        let resumed = listen(&spectators[0], &table, Some(0), 100);
        let fresh = listen(&spectators[1], &table, None, 100);
        let knocking = async {
            let (mut out, mut said) = (Vec::new(), Said::new());
            while table.revision().await < 120 {
                for (round, spectator) in spectators.iter().enumerate() {
                    let round = i64::try_from(round + out.len()).unwrap() % 60;
                    knock(spectator, &table, round, &mut said, &mut out).await;
                }
            }
            out
        };
        let (one, two, three) = tokio::join!(resumed, fresh, knocking);
        let truth = Truth::of(&table).await;
        let mut told: BTreeMap<&str, (usize, i64)> = BTreeMap::new();
        for out in one.iter().chain(&two).chain(&three) {
            let revision = truth.check(out);
            let so_far = told.entry(out.door).or_default();
            *so_far = (so_far.0 + 1, so_far.1.max(revision));
        }
        for door in ["GetTable", "GetTable from", "GetScore", "ListUpdates", "WatchTable"] {
            assert!(told[door].0 > 10 && told[door].1 > 10, "{door} told nothing: {told:?}");
        }
        for door in ["JoinTable", "PlayCard", "ListLegalActions"] {
            assert_eq!(told[door].1, 0, "{door}");
        }
        // Once the table has ended everything is shown at every door.
        let revision = table.close().await.revision;
        let reading = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
        assert_eq!(public(&spectators[0].get_table(reading).await.unwrap().view.unwrap()).revision, revision);
        let page = spectators[1].list_updates(updates_after(&table, revision - 1)).await.unwrap();
        assert!(ended(&page.updates[0]));
    }
}

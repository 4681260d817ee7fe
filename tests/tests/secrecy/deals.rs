//! Many deals, every viewer.

use std::env;

use futures_util::future::join_all;
use tests::v1::TablePhase;
use tests::views::public;
use tests::{Client, Server};

use crate::chance::Chance;
use crate::compare::{differences, leaks};
use crate::gather::gather;
use crate::permute::unseen_elsewhere;
use crate::plan::{CLASSIC, Game, Plan, TWO};
use crate::story::Story;
use crate::viewer::Viewer;

/// Deals of both games together, each looked at by one viewer in turn. With `SECRECY_DEALS` in the environment there
/// are so many, each looked at by every viewer.
const DEALS: usize = 500;
/// Deals that are played at the same time.
const LANES: usize = 16;

/// Where a match was cut: the table's phase, and the number of the deal.
type Situation = (TablePhase, i32);

/// Situations that a random choice of cuts must have hit.
const WANTED: [Situation; 6] = [
    (TablePhase::Playing, 1),
    (TablePhase::Playing, 2),
    (TablePhase::BetweenDeals, 1),
    (TablePhase::Finished, 1),
    (TablePhase::Closed, 1),
    (TablePhase::Closed, 2),
];

#[tokio::test]
async fn no_viewer_of_four_seats_can_tell_other_hidden_cards() {
    try_all(CLASSIC).await;
}

#[tokio::test]
async fn no_viewer_of_two_seats_can_tell_other_hidden_cards() {
    try_all(TWO).await;
}

async fn try_all(game: Game) {
    let asked = env::var("SECRECY_DEALS").ok().map(|deals| deals.parse().expect("SECRECY_DEALS is a number"));
    let deals = asked.unwrap_or(DEALS) / 2;
    let server = Server::memory().await;
    let door = server.platform().await;
    let lanes = (0..LANES).map(|lane| {
        let door = door.clone();
        tokio::spawn(async move {
            let mut situations = Vec::new();
            for number in (lane..deals).step_by(LANES) {
                let mut viewers = Viewer::all(game.seats);
                if asked.is_none() {
                    viewers = vec![viewers.swap_remove(number % viewers.len())];
                }
                situations.push(try_one(&door, Plan::new(game, number), &viewers).await);
            }
            situations
        })
    });
    let mut situations = Vec::new();
    for lane in join_all(lanes).await {
        situations.extend(lane.expect("a lane in which nothing is betrayed"));
    }
    server.stop().await;
    for situation in WANTED {
        assert!(deals < DEALS / 2 || situations.contains(&situation), "no cut was in {situation:?}");
    }
}

/// A story, and for each of the viewers the same with other cards hidden from him. Answers where it was cut.
async fn try_one(door: &Client, plan: Plan, viewers: &[Vec<Viewer>]) -> Situation {
    let name = plan.to_string();
    let (story, first) = Story::begin(door, plan).await;
    let mut got = Vec::new();
    for viewer in viewers.iter().flatten() {
        got.push(gather(&story, &first, *viewer).await);
    }
    let mut got = got.into_iter();
    for alike in viewers {
        let mut chance = Chance::new(story.plan.number, "other cards");
        let packs = unseen_elsewhere(&story.plan.packs, &story.seen, alike[0], &mut chance);
        let second = story.again(door, &packs).await;
        for (viewer, got) in alike.iter().zip(got.by_ref()) {
            let leaks = leaks(&got, &story.seen, *viewer);
            assert!(leaks.is_empty(), "{name}: {viewer} is shown hidden cards:\n{}", leaks.join("\n"));
            let told = differences(&got, &gather(&story, &second, *viewer).await);
            assert!(told.is_empty(), "{name}: {viewer} can tell other hidden cards:\n{}", told.join("\n"));
        }
    }
    (public(&story.view).phase(), story.seen.deal())
}

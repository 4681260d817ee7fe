//! Many deals, every viewer.

use std::env;

use futures_util::future::join_all;
use tests::{Client, Server};

use crate::chance::Chance;
use crate::compare::{differences, leaks};
use crate::gather::gather;
use crate::permute::unseen_elsewhere;
use crate::plan::{CLASSIC, Game, Plan, TWO};
use crate::story::Story;
use crate::viewer::Viewer;

/// Deals of both games together; `SECRECY_DEALS` in the environment may raise it.
const DEALS: u64 = 80;
/// Deals played at the same time, each lane on a connection of its own.
const LANES: u64 = 32;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_viewer_of_four_seats_can_tell_other_hidden_cards() {
    try_all(CLASSIC).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_viewer_of_two_seats_can_tell_other_hidden_cards() {
    try_all(TWO).await;
}

async fn try_all(game: Game) {
    let asked = env::var("SECRECY_DEALS").ok().map(|deals| deals.parse().expect("SECRECY_DEALS is a number"));
    let deals = asked.unwrap_or(DEALS).max(DEALS) / 2;
    let server = Server::memory().await;
    let door = server.platform().await;
    let lanes = (0..LANES).map(|lane| {
        let door = door.clone();
        tokio::spawn(async move {
            for number in (lane..deals).step_by(usize::try_from(LANES).expect("few lanes")) {
                try_one(&door, Plan::new(game, number)).await;
            }
        })
    });
    for lane in join_all(lanes).await {
        lane.expect("a lane in which nothing is betrayed");
    }
    server.stop().await;
}

/// A story, and for each viewer the same with other cards hidden from him.
async fn try_one(door: &Client, plan: Plan) {
    let name =
        format!("deal {} of {}, cut {:?}, then {:?}", plan.number, plan.game.preset, plan.cut, plan.ending);
    let (story, first) = Story::begin(door, plan).await;
    let viewers = Viewer::all(story.plan.game.seats);
    let got = join_all(viewers.iter().map(|viewer| gather(&story, &first, *viewer))).await;
    for (viewer, got) in viewers.into_iter().zip(got) {
        let leaks = leaks(&got, &story.seen, viewer);
        assert!(leaks.is_empty(), "{name}: {viewer} was shown hidden cards:\n{}", leaks.join("\n"));

        let mut chance = Chance::new(story.plan.number, &viewer.to_string());
        let packs = unseen_elsewhere(&story.plan.packs, &story.seen, viewer, &mut chance);
        let second = story.again(door, &packs).await;
        let differences = differences(&got, &gather(&story, &second, viewer).await);
        assert!(
            differences.is_empty(),
            "{name}: {viewer} can tell other hidden cards:\n{}",
            differences.join("\n")
        );
    }
}

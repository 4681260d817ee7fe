//! Many deals, every game, every viewer.

use std::env;

use futures_util::future::join_all;
use tests::{Client, Server, v1};

use crate::chance::Chance;
use crate::compare::{differences, leaks};
use crate::games::{GAMES, Game};
use crate::gather::gather;
use crate::permute::{Moved, unseen_elsewhere};
use crate::plan::Plan;
use crate::story::Story;
use crate::tally::{Tally, Trial};
use crate::viewer::Viewer;

/// Deals of a game, each looked at by one viewer in turn; a game with a larger share has so many times as many. With
/// `SECRECY_DEALS` in the environment there are so many of all games together, but no fewer than without, each looked at
/// by every viewer.
const SHARE: usize = 20;
/// Deals that are played at the same time.
const LANES: usize = 16;

/// A preset that nobody tried could betray anything.
#[tokio::test]
async fn every_game_that_is_offered_is_tried() {
    let server = Server::memory().await;
    let answered = server.platform().await.list_presets(v1::ListPresetsRequest {}).await.expect("presets");
    let mut offered: Vec<(String, i32)> = Vec::new();
    for preset in answered.presets {
        offered.extend(preset.seat_counts.iter().map(|seats| (preset.name.clone(), *seats)));
    }
    let mut tried = GAMES.map(|game| (game.preset.to_owned(), game.seats));
    offered.sort_unstable();
    tried.sort_unstable();
    assert_eq!(offered, tried);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_viewer_can_tell_other_hidden_cards() {
    let asked: Option<usize> =
        env::var("SECRECY_DEALS").ok().map(|deals| deals.parse().expect("SECRECY_DEALS is a number"));
    let shares: usize = GAMES.iter().map(|game| game.share).sum();
    let share = asked.map_or(SHARE, |deals| deals.div_ceil(shares).max(SHARE));
    let deals: Vec<(Game, usize)> = GAMES
        .into_iter()
        .flat_map(|game| (0..share * game.share).map(move |number| (game, number)))
        .collect();
    let server = Server::memory().await;
    let door = server.platform().await;
    let lanes = (0..LANES).map(|lane| {
        let (door, deals) = (door.clone(), deals.clone());
        tokio::spawn(async move {
            let mut trials = Vec::new();
            for (game, number) in deals.into_iter().skip(lane).step_by(LANES) {
                let mut viewers = Viewer::all(game.seats);
                if asked.is_none() {
                    viewers = vec![viewers.swap_remove(number % viewers.len())];
                }
                let trying = Box::pin(try_one(&door, Plan::new(game, number), &viewers));
                trials.push(trying.await);
            }
            trials
        })
    });
    let mut trials = Vec::new();
    for lane in join_all(lanes).await {
        trials.extend(lane.expect("a lane in which nothing is betrayed"));
    }
    server.stop().await;
    let tally = Tally::new(trials, share);
    tally.check();
}

/// A story, and for each of the viewers the same with other cards hidden from him.
async fn try_one(door: &Client, plan: Plan, viewers: &[Vec<Viewer>]) -> Trial {
    let name = plan.to_string();
    let (story, first) = Story::begin(door, plan).await;
    let mut got = Vec::new();
    for viewer in viewers.iter().flatten() {
        got.push(gather(&story, &first, *viewer).await);
    }
    let mut got = got.into_iter();
    let mut looks = Vec::new();
    for alike in viewers {
        let Story { plan, seen, course, .. } = &story;
        let mut chance = Chance::new(plan.number, "other cards");
        let packs = unseen_elsewhere(&plan.packs, seen, course, alike[0], &mut chance);
        looks.push(Moved::between(&plan.packs, &packs, seen, course));
        let second = story.again(door, &packs).await;
        for (viewer, got) in alike.iter().zip(got.by_ref()) {
            let leaks = leaks(&got, seen, *viewer);
            assert!(leaks.is_empty(), "{name}: {viewer} is shown hidden cards:\n{}", leaks.join("\n"));
            let told = differences(&got, &gather(&story, &second, *viewer).await);
            assert!(told.is_empty(), "{name}: {viewer} can tell other hidden cards:\n{}", told.join("\n"));
        }
    }
    Trial::of(&story, looks)
}

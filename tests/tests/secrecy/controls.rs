//! That the comparison can fail: on tables where somebody is shown what he should not be, as far as it knows.

use tests::{Client, Server};

use crate::answer::Answer;
use crate::chance::Chance;
use crate::compare::{differences, leaks};
use crate::gather::gather;
use crate::permute::{seen_elsewhere, unseen_elsewhere};
use crate::plan::{CLASSIC, Ending, Plan, TWO};
use crate::story::{Story, Told};
use crate::viewer::Viewer;

/// Stories of each game that a control is tried on.
const STORIES: usize = 3;

/// A story with what the holder of seat 1 got, who has cards in his hand.
struct Sample {
    story: Story,
    got: Vec<Answer>,
}

const HOLDER: Viewer = Viewer::Seat(1);

impl Sample {
    async fn all(door: &Client) -> Vec<Self> {
        let mut samples = Vec::new();
        for game in [CLASSIC, TWO] {
            let plans = (0..).map(|number| Plan::new(game, number));
            let mut plans = plans.filter(|plan| plan.ending == Ending::Open);
            let wanted = samples.len() + STORIES;
            while samples.len() < wanted {
                let plan = plans.next().expect("a plan");
                let (story, told) = Story::begin(door, plan).await;
                if !story.seen.hand(1).is_empty() {
                    let got = gather(&story, &told, HOLDER).await;
                    samples.push(Self { story, got });
                }
            }
        }
        samples
    }

    /// What the holder of seat 1 can tell this table apart from the first one by.
    async fn tells(&self, second: &Told) -> Vec<String> {
        differences(&self.got, &gather(&self.story, second, HOLDER).await)
    }
}

fn notices(told: &[String], method: &str) -> bool {
    told.iter().any(|difference| difference.starts_with(method))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seen_card_that_lies_elsewhere_is_noticed() {
    let server = Server::memory().await;
    let door = server.platform().await;
    for sample in Sample::all(&door).await {
        let story = &sample.story;
        let packs = seen_elsewhere(&story.plan.packs, &story.seen, 1).expect("a card to move");
        let told = sample.tells(&story.again(&door, &packs).await).await;
        assert!(notices(&told, "GetTable"), "{}: {told:?}", story.plan);
        assert!(notices(&told, "WatchTable, message 0 of the snapshot"), "{}: {told:?}", story.plan);
        assert!(told.iter().any(|told| told.contains("of the history")), "{}: {told:?}", story.plan);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_who_is_shown_too_much_is_noticed() {
    let server = Server::memory().await;
    let door = server.platform().await;
    for sample in Sample::all(&door).await {
        let story = &sample.story;
        assert_eq!(leaks(&sample.got, &story.seen, HOLDER), [""; 0], "{}", story.plan);
        // What seat 1 is shown, as if a spectator or seat 2 had been.
        for viewer in [Viewer::Spectator, Viewer::Seat(2)] {
            let shown = leaks(&sample.got, &story.seen, viewer);
            assert!(notices(&shown, "GetTable"), "{}, {viewer}: {shown:?}", story.plan);
            assert!(notices(&shown, "WatchTable"), "{}, {viewer}: {shown:?}", story.plan);

            let mut chance = Chance::new(story.plan.number, "other cards");
            let packs = unseen_elsewhere(&story.plan.packs, &story.seen, viewer, &mut chance);
            let told = sample.tells(&story.again(&door, &packs).await).await;
            assert!(notices(&told, "GetTable"), "{}, {viewer}: {told:?}", story.plan);
        }
    }
    server.stop().await;
}

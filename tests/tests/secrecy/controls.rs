//! That the comparison can fail: on tables where somebody is shown what he should not be, as far as it knows.

use tests::v1::Card;
use tests::views::public;
use tests::{Client, Server, card};

use crate::answer::Answer;
use crate::chance::Chance;
use crate::compare::{differences, leaks};
use crate::games::{CERVENA, CLASSIC, Game, RED_KING, RISTIKONTRA, TWO};
use crate::gather::gather;
use crate::permute::{seen_elsewhere, unseen_elsewhere};
use crate::plan::{Cut, Ending, Plan};
use crate::story::{Story, Told};
use crate::viewer::Viewer;

/// Deals among which there must be those of the kind that a control is tried on.
const PLANS: usize = 200;

/// A story with what a viewer got, and cards that he has seen.
struct Sample {
    story: Story,
    viewer: Viewer,
    got: Vec<Answer>,
    known: Vec<Card>,
}

impl Sample {
    /// So many stories by these plans where this viewer knows such cards, and one of them could lie elsewhere. He is not to
    /// act: with another hand, what he may not do at the first table could be done at the second.
    async fn all(
        door: &Client,
        plans: impl Iterator<Item = Plan>,
        wanted: usize,
        viewer: Viewer,
        known: impl Fn(&Story) -> Vec<Card>,
    ) -> Vec<Self> {
        let mut samples = Vec::new();
        for plan in plans {
            let (story, told) = Story::begin(door, plan).await;
            let waits = viewer.seat() != Some(public(&story.view).turn_seat);
            let known = known(&story);
            if waits
                && seen_elsewhere(&story.plan.packs, &story.seen, &story.course, viewer, &known).is_some()
            {
                let got = gather(&story, &told, viewer).await;
                samples.push(Self { story, viewer, got, known });
            }
            if samples.len() == wanted {
                return samples;
            }
        }
        panic!("{} such deals, {wanted} were wanted", samples.len());
    }

    /// What the viewer can tell this table apart from the first one by.
    async fn tells(&self, second: &Told) -> Vec<String> {
        differences(&self.got, &gather(&self.story, second, self.viewer).await)
    }

    /// What he can tell a table apart by where one of the cards that he knows lies elsewhere.
    async fn tells_of_a_known_card(&self, door: &Client) -> Vec<String> {
        let Story { plan, seen, course, .. } = &self.story;
        let packs = seen_elsewhere(&plan.packs, seen, course, self.viewer, &self.known);
        self.tells(&self.story.again(door, &packs.expect("a card to move")).await).await
    }
}

/// Plans of a game's matches that go on.
fn plans(game: Game) -> impl Iterator<Item = Plan> {
    (0..PLANS).map(move |number| Plan::new(game, number)).filter(|plan| plan.ending == Ending::Open)
}

const HOLDER: Viewer = Viewer::Seat(1);

fn own_hand(story: &Story) -> Vec<Card> {
    story.course.hand(1)
}

/// The cards of seat 1 or 3 that both of them know: they have exchanged hands.
fn exchanged(story: &Story, seat: i32) -> Vec<Card> {
    let knows = |seat: i32, card: &Card| story.seen.by(Viewer::Seat(seat), story.seen.deal(), *card);
    let hand = story.course.hand(seat).into_iter();
    hand.filter(|card| knows(1, card) && knows(3, card)).collect()
}

/// What came unseen from the stock in the running deal.
fn from_the_stock(story: &Story) -> Vec<Card> {
    story.course.played_from_stock()
}

fn notices(told: &[String], method: &str) -> bool {
    told.iter().any(|difference| difference.starts_with(method))
}

#[track_caller]
fn all_is_noticed(told: &[String], sample: &Sample) {
    for method in ["GetTable", "WatchTable, message 0 of the snapshot"] {
        assert!(notices(told, method), "{}: {told:?}", sample.story.plan);
    }
    history_is_noticed(told, sample);
}

#[track_caller]
fn history_is_noticed(told: &[String], sample: &Sample) {
    assert!(told.iter().any(|told| told.contains("of the history")), "{}: {told:?}", sample.story.plan);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seen_card_that_lies_elsewhere_is_noticed() {
    let server = Server::memory().await;
    let door = server.platform().await;
    for game in [CLASSIC, TWO, RED_KING, CERVENA, RISTIKONTRA] {
        for sample in Sample::all(&door, plans(game), 1, HOLDER, own_hand).await {
            all_is_noticed(&sample.tells_of_a_known_card(&door).await, &sample);
        }
        for sample in Sample::all(&door, plans(game), 1, HOLDER, |story| story.course.drawn(1)).await {
            all_is_noticed(&sample.tells_of_a_known_card(&door).await, &sample);
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hand_that_was_exchanged_is_noticed_by_the_two_and_by_nobody_else() {
    let server = Server::memory().await;
    let door = server.platform().await;
    for viewer in [HOLDER, Viewer::Seat(3)] {
        let [own, given] = if viewer == HOLDER { [1, 3] } else { [3, 1] };
        let known = |story: &Story| {
            if exchanged(story, given).is_empty() { Vec::new() } else { exchanged(story, own) }
        };
        // The leader of the second deal has just answered.
        let plans = plans(CERVENA).map(|plan| plan.cut_at(Cut::AfterDeal(3)));
        for mut sample in Sample::all(&door, plans, 1, viewer, known).await {
            all_is_noticed(&sample.tells_of_a_known_card(&door).await, &sample);
            let shown = leaks(&sample.got, &sample.story.seen, Viewer::Seat(2));
            assert!(notices(&shown, "GetTable"), "{}: {shown:?}", sample.story.plan);
            assert_eq!(leaks(&sample.got, &sample.story.seen, viewer), [""; 0], "{}", sample.story.plan);
            // The hand that he gave away was his own.
            sample.known = exchanged(&sample.story, given);
            history_is_noticed(&sample.tells_of_a_known_card(&door).await, &sample);
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_that_came_from_the_stock_is_noticed_by_everybody() {
    let server = Server::memory().await;
    let door = server.platform().await;
    for viewer in [HOLDER, Viewer::Spectator] {
        for sample in Sample::all(&door, plans(RISTIKONTRA), 1, viewer, from_the_stock).await {
            history_is_noticed(&sample.tells_of_a_known_card(&door).await, &sample);
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_who_is_shown_too_much_is_noticed() {
    let server = Server::memory().await;
    let door = server.platform().await;
    for game in [CLASSIC, TWO, RED_KING, RISTIKONTRA] {
        for sample in Sample::all(&door, plans(game), 1, HOLDER, own_hand).await {
            let story = &sample.story;
            assert_eq!(leaks(&sample.got, &story.seen, HOLDER), [""; 0], "{}", story.plan);
            // What seat 1 is shown, as if a spectator or seat 2 had been.
            for viewer in [Viewer::Spectator, Viewer::Seat(2)] {
                let shown = leaks(&sample.got, &story.seen, viewer);
                assert!(notices(&shown, "GetTable"), "{}, {viewer}: {shown:?}", story.plan);
                assert!(notices(&shown, "WatchTable"), "{}, {viewer}: {shown:?}", story.plan);

                let mut chance = Chance::new(story.plan.number, "other cards");
                let packs =
                    unseen_elsewhere(&story.plan.packs, &story.seen, &story.course, viewer, &mut chance);
                let told = sample.tells(&story.again(&door, &packs).await).await;
                assert!(notices(&told, "GetTable"), "{}, {viewer}: {told:?}", story.plan);
            }
        }
    }
    server.stop().await;
}

/// The rules of the table name the soloist's card to everybody; that it is in a hand is another matter.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_soloists_card_in_a_hand_is_noticed() {
    let server = Server::memory().await;
    let door = server.platform().await;
    let king = card("Kh");
    let held = |story: &Story| own_hand(story).into_iter().filter(|card| *card == king).collect();
    let plans = plans(RED_KING).map(|plan| plan.cut_at(Cut::After(5)));
    for sample in Sample::all(&door, plans, 2, HOLDER, held).await {
        let shown = leaks(&sample.got, &sample.story.seen, Viewer::Seat(2));
        assert!(shown.iter().any(|shown| shown.contains("Kh")), "{}: {shown:?}", sample.story.plan);
        all_is_noticed(&sample.tells_of_a_known_card(&door).await, &sample);
    }
    server.stop().await;
}

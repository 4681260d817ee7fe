//! Everything that a viewer can get at a table.

use prost::bytes::Bytes;
use tests::v1::{self, watch_table_response::Payload};
use tests::views::public;
use tests::{Client, cards, within};
use tonic::Streaming;

use crate::action::{Action, play};
use crate::answer::Answer;
use crate::ask::{ask, ask_for, watch};
use crate::chance::Chance;
use crate::seen::About;
use crate::story::{Story, Told};
use crate::viewer::Viewer;

/// How many cards a player tries to play that he does not have.
const PROBES: usize = 2;

/// Everything that this viewer got while the story happened, and gets now.
pub(crate) async fn gather(story: &Story, told: &Told, viewer: Viewer) -> Vec<Answer> {
    let client = viewer.client(&told.table).await;
    let his = told.answers.iter().filter(|(of, _)| *of == viewer);
    let mut gathering = Gathering {
        story,
        told,
        viewer,
        client,
        name: told.table.name.clone(),
        chance: Chance::new(story.plan.number, "answers"),
        got: his.map(|(_, answer)| answer.clone()).collect(),
    };
    gathering.watches().await;
    gathering.reads().await;
    gathering.others().await;
    gathering.comes_back().await;
    gathering.repeats().await;
    gathering.probes().await;
    if viewer == Viewer::Platform {
        gathering.lists().await;
    }
    gathering.got
}

struct Gathering<'a> {
    story: &'a Story,
    told: &'a Told,
    viewer: Viewer,
    client: Client,
    name: String,
    /// The same at every table of the story.
    chance: Chance,
    got: Vec<Answer>,
}

impl Gathering<'_> {
    fn now(&self) -> About {
        About::State(self.story.revision())
    }

    /// The whole history and a snapshot of now, with or without the views.
    async fn watches(&mut self) {
        for after_revision in [Some(0), None] {
            let request = v1::WatchTableRequest {
                name: self.name.clone(),
                after_revision,
                omit_view: self.chance.once_in(2),
                ..v1::WatchTableRequest::default()
            };
            match watch(&self.client, request).await {
                Ok(stream) => {
                    within("a whole watch", self.follow(stream, after_revision.is_some())).await;
                }
                Err(status) => self.got.push(Answer::refusal("WatchTable".to_owned(), &status)),
            }
        }
    }

    /// Reads a watch up to the newest revision, or to its end where the table has one.
    async fn follow(&mut self, mut stream: Streaming<Bytes>, history: bool) {
        let newest = self.story.revision();
        let ended = self.story.has_ended();
        let which = if history { "history" } else { "snapshot" };
        let mut told = 0;
        while let Some(raw) = stream.message().await.expect("a watch that does not break off") {
            let what = format!("WatchTable, message {told} of the {which}");
            let (answer, message) = Answer::message::<v1::WatchTableResponse>(what, raw);
            let at = message.revision;
            match message.payload {
                Some(Payload::Heartbeat(_)) if told > 0 => continue,
                Some(Payload::Update(_)) => self.got.push(answer.about([About::Update(at)])),
                _ => self.got.push(answer.about([self.now()])),
            }
            told += 1;
            if at == newest && !ended {
                return;
            }
        }
        assert!(ended, "a watch of a table that goes on ended");
    }

    async fn reads(&mut self) {
        let name = || self.name.clone();
        let min_revision = self.chance.once_in(2).then_some(self.story.revision());
        let table = v1::GetTableRequest { name: name(), min_revision, seats: Vec::new() };
        let actions = v1::ListLegalActionsRequest { name: name(), min_revision, seat: 0 };
        let score = v1::GetScoreRequest { name: name(), min_revision };
        let got = [
            ask(&self.client, table, "").await,
            ask(&self.client, actions, "").await,
            ask(&self.client, score, "").await,
        ];
        self.take(got);
    }

    /// What is another seat's. The platform may see it: not what this is about.
    async fn others(&mut self) {
        if self.viewer == Viewer::Platform {
            return;
        }
        let name = self.name.clone();
        let seat = self.viewer.seat().map_or(1, |seat| seat % self.story.plan.game.seats + 1);
        let seats = vec![seat];
        let how = &format!("of seat {seat}");
        let answer = match self.chance.below(4) {
            0 => ask(&self.client, v1::GetTableRequest { name, seats, min_revision: None }, how).await,
            1 => ask(&self.client, v1::ListLegalActionsRequest { name, seat, min_revision: None }, how).await,
            2 => match watch(&self.client, v1::WatchTableRequest { name, seats, ..Default::default() }).await
            {
                Ok(_) => panic!("{} watches what another seat sees", self.viewer),
                Err(status) => Answer::refusal(format!("WatchTable {how}"), &status),
            },
            _ => {
                let (card, expected_revision) = (self.cards_of_others()[0], self.story.revision());
                let card = Some(card);
                let request =
                    v1::PlayCardRequest { name, expected_revision, seat, card, ..Default::default() };
                ask(&self.client, request, how).await
            }
        };
        assert!(answer.refused, "{} {}: {}", self.viewer, answer.what, answer.text());
        self.take([answer]);
    }

    /// Comes back to his seat where he was there before, or tries to start what runs already. Nothing changes.
    async fn comes_back(&mut self) {
        let here = |action: &Action| matches!(action, Action::Join { .. }) && action.by() == self.viewer;
        let is_here = self.story.actions.iter().any(here);
        let (name, request_id) = (self.name.clone(), tests::request_id());
        let answer = match self.chance.below(4) {
            0 => ask(&self.client, v1::StartTableRequest { name, request_id }, "again").await,
            1 => {
                let request = v1::StartNextDealRequest { name, expected_revision: 1, ..Default::default() };
                ask(&self.client, request, "on revision 1").await
            }
            _ if is_here || self.viewer == Viewer::Spectator => {
                let request = v1::JoinTableRequest { name, request_id, ..Default::default() };
                ask(&self.client, request, "again").await
            }
            _ => return,
        };
        self.take([answer]);
    }

    /// Sends his last play again, with the same id.
    async fn repeats(&mut self) {
        let plays = (1..).zip(&self.story.actions).filter_map(|(revision, action)| match action {
            Action::Play { card, .. } if action.by() == self.viewer => Some((revision, *card)),
            _ => None,
        });
        if let Some((revision, card)) = plays.last() {
            let again = play(&self.told.table, self.viewer, card, revision).await;
            self.take([again]);
        }
    }

    /// Plays cards that he does not have, on the newest view and on the first one; out of turn one of his own as well.
    async fn probes(&mut self) {
        let newest = self.story.revision();
        let mut tried: Vec<_> = self.cards_of_others().into_iter().map(|card| (card, newest)).collect();
        tried.push((tried[0].0, 1));
        let own = self.viewer.seat().and_then(|seat| self.story.seen.hand(seat).first().copied());
        let his_turn = self.viewer.seat() == Some(public(&self.story.view).turn_seat);
        tried.extend(own.filter(|_| !his_turn).map(|card| (card, newest)));
        let mut got = Vec::new();
        for (card, revision) in tried {
            let (name, expected_revision) = (self.name.clone(), revision);
            let request =
                v1::PlayCardRequest { name, expected_revision, card: Some(card), ..Default::default() };
            let how = format!("{} on revision {revision}", cards::text([&card]));
            let answer = ask(&self.client, request, &how).await.asked(card);
            assert!(answer.refused, "{} was accepted: {}", answer.what, answer.text());
            got.push(answer);
        }
        self.take(got);
    }

    /// Some cards that he does not have, the same at every table of the story.
    fn cards_of_others(&self) -> Vec<v1::Card> {
        let hand = self.viewer.seat().map_or_else(Vec::new, |seat| self.story.seen.hand(seat));
        let mut others = cards::canonical();
        others.retain(|card| !hand.contains(card));
        self.chance.clone().shuffle(&mut others);
        others.truncate(PROBES);
        others
    }

    /// The table's row, and its rematch's. They are the newest of their story when they are listed.
    async fn lists(&mut self) {
        let rows = if public(&self.story.view).rematch.is_empty() { 1 } else { 2 };
        let request = v1::ListTablesRequest {
            page_size: rows,
            external_ref: self.story.plan.request(&[]).external_ref,
            ..v1::ListTablesRequest::default()
        };
        let (answer, listed) = ask_for(&self.client, request, "").await;
        let last = listed.as_ref().and_then(|page| page.tables.last());
        assert_eq!(last.map(|row| &row.name), Some(&self.name), "the newest table of the story");
        self.take([answer]);
    }

    /// Takes answers about the table as it is now.
    fn take(&mut self, answers: impl IntoIterator<Item = Answer>) {
        let now = self.now();
        self.got.extend(answers.into_iter().map(|answer| answer.about([now])));
    }
}

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

/// How many cards a player asks for that he does not have.
const PROBES: usize = 3;

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
                Ok(stream) => self.follow(stream, after_revision.is_some()).await,
                Err(status) => self.got.push(Answer::refusal("WatchTable".to_owned(), &status)),
            }
        }
    }

    /// Reads a watch up to the newest revision, or to its end where the table has one.
    async fn follow(&mut self, mut stream: Streaming<Bytes>, history: bool) {
        let newest = self.story.revision();
        for n in 0.. {
            let read = within("the next message of a watch", stream.message()).await;
            let Some(raw) = read.expect("a watch that does not break off") else { return };
            let what = format!("message {n} of WatchTable, {}", if history { "history" } else { "snapshot" });
            let (answer, message) = Answer::message::<v1::WatchTableResponse>(what, raw);
            let at = message.revision;
            match message.payload {
                Some(Payload::Heartbeat(_)) if n > 0 => continue,
                Some(Payload::Update(_)) => self.got.push(answer.about([About::Update(at)])),
                _ => self.got.push(answer.about([self.now()])),
            }
            if at == newest && !self.story.has_ended() {
                return;
            }
        }
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
        let name = || self.name.clone();
        let seat = self.viewer.seat().map_or(1, |seat| seat % self.story.plan.game.seats + 1);
        let how = &format!("of seat {seat}");
        let mut got = Vec::new();
        let request = v1::GetTableRequest { name: name(), seats: vec![seat], min_revision: None };
        got.push(ask(&self.client, request, how).await);
        let request = v1::ListLegalActionsRequest { name: name(), seat, min_revision: None };
        got.push(ask(&self.client, request, how).await);
        let seats = vec![seat];
        let request = v1::WatchTableRequest { name: name(), seats, ..v1::WatchTableRequest::default() };
        if let Err(status) = watch(&self.client, request).await {
            got.push(Answer::refusal(format!("WatchTable {how}"), &status));
        }
        for card in self.probe_cards().into_iter().take(2) {
            let request = v1::PlayCardRequest {
                name: name(),
                expected_revision: self.story.revision(),
                seat,
                card: Some(card),
                ..v1::PlayCardRequest::default()
            };
            got.push(ask(&self.client, request, how).await.asked(card));
        }
        assert!(got.iter().all(|answer| answer.refused), "another seat's is not refused");
        self.take(got);
    }

    /// Comes back to the seat, and starts what runs already.
    async fn comes_back(&mut self) {
        if self.viewer == Viewer::Platform {
            return;
        }
        let (name, request_id) = (self.name.clone(), tests::request_id());
        let request = v1::JoinTableRequest { name, request_id, ..v1::JoinTableRequest::default() };
        let joined = ask(&self.client, request, "again").await;
        let request = v1::StartTableRequest { name: self.name.clone(), ..v1::StartTableRequest::default() };
        let started = ask(&self.client, request, "again").await;
        let request = v1::StartNextDealRequest {
            name: self.name.clone(),
            expected_revision: 1,
            ..v1::StartNextDealRequest::default()
        };
        let dealt = ask(&self.client, request, "on revision 1").await;
        self.take([joined, started, dealt]);
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

    /// Plays cards that he does not have, on the newest view and on the oldest; out of turn one of his own as well.
    async fn probes(&mut self) {
        let newest = self.story.revision();
        let mut tried: Vec<_> = self.probe_cards().into_iter().map(|card| (card, newest)).collect();
        tried.extend(tried.first().map(|(card, _)| (*card, 1)));
        let own = self.viewer.seat().and_then(|seat| self.story.seen.hand(seat).first().copied());
        let his_turn = self.viewer.seat() == Some(public(&self.story.view).turn_seat);
        if let Some(own) = own {
            tried.extend([(own, 1)]);
            tried.extend((!his_turn).then_some((own, newest)));
        }
        let mut got = Vec::new();
        for (card, revision) in tried {
            let request = v1::PlayCardRequest {
                name: self.name.clone(),
                expected_revision: revision,
                card: Some(card),
                ..v1::PlayCardRequest::default()
            };
            let how = format!("{} on revision {revision}", cards::text([&card]));
            let answer = ask(&self.client, request, &how).await.asked(card);
            assert!(answer.refused, "{} was accepted: {}", answer.what, answer.text());
            got.push(answer);
        }
        self.take(got);
    }

    /// Some cards that he does not have.
    fn probe_cards(&self) -> Vec<v1::Card> {
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

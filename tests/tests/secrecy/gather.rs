//! Everything that a viewer can get at a table.

use prost::bytes::Bytes;
use tests::v1::{self, watch_table_response::Payload};
use tests::views::public;
use tests::{Client, within};
use tonic::Streaming;

use crate::action::{Action, take_turn};
use crate::answer::Answer;
use crate::ask::{ask, ask_for, watch};
use crate::chance::Chance;
use crate::seen::About;
use crate::story::{Story, Told};
use crate::turn::{self, Asking, Turn};
use crate::viewer::Viewer;

/// How many cards a viewer tries to play that he does not have.
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
    gathering.pages().await;
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
            let (answer, message) = Answer::message::<v1::WatchTableResponse>(what, &raw);
            let at = message.revision;
            match message.payload {
                Some(Payload::Heartbeat(_) | Payload::Presence(_)) if told > 0 => continue,
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

    /// A page of the history, after one update or another.
    async fn pages(&mut self) {
        let newest = usize::try_from(self.story.revision()).expect("a revision");
        let after_revision = i64::try_from(self.chance.below(newest)).expect("a revision");
        let request = v1::ListUpdatesRequest {
            name: self.name.clone(),
            after_revision,
            omit_view: self.chance.once_in(2),
            ..v1::ListUpdatesRequest::default()
        };
        let (answer, page) = ask_for(&self.client, request, &format!("after {after_revision}")).await;
        let updates = page.map(|page| page.updates).unwrap_or_default();
        self.got.push(answer.about(updates.iter().map(|update| About::Update(update.revision))));
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
        let answer = match self.chance.below(5) {
            0 => ask(&self.client, v1::GetTableRequest { name, seats, min_revision: None }, how).await,
            3 => {
                let request = v1::ListUpdatesRequest { name, seats, ..v1::ListUpdatesRequest::default() };
                ask(&self.client, request, how).await
            }
            1 => ask(&self.client, v1::ListLegalActionsRequest { name, seat, min_revision: None }, how).await,
            2 => match watch(&self.client, v1::WatchTableRequest { name, seats, ..Default::default() }).await
            {
                Ok(_) => panic!("{} watches what another seat sees", self.viewer),
                Err(status) => Answer::refusal(format!("WatchTable {how}"), &status),
            },
            _ => {
                let mut turns = turn::OTHERS.to_vec();
                turns.push(turn::card(self.cards_of_others()[0]));
                let turn = *self.chance.pick(&turns);
                let asking = self.asking(self.story.revision(), seat);
                turn::take(&self.client, &turn, asking).await
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

    /// Takes his last turn again, with the same id.
    async fn repeats(&mut self) {
        let turns = (1..).zip(&self.story.actions).filter_map(|(revision, action)| match action {
            Action::Turn { turn, .. } if action.by() == self.viewer => Some((revision, *turn)),
            _ => None,
        });
        if let Some((revision, turn)) = turns.last() {
            let again = take_turn(&self.told.table, self.viewer, &turn, revision).await;
            self.take([again]);
        }
    }

    /// Tries what he may not do now: every kind of turn, on the newest view; and one on the first view.
    async fn probes(&mut self) {
        let newest = self.story.revision();
        let turns = self.forbidden();
        let tried = turns.iter().map(|turn| (turn, newest)).chain([(&turns[0], 1)]);
        let mut got = Vec::new();
        for (turn, revision) in tried {
            let answer = turn::take(&self.client, turn, self.asking(revision, 0)).await;
            assert!(answer.refused, "{} was accepted: {}", answer.what, answer.text());
            got.push(match turn::named(turn) {
                Some(card) => answer.asked(card),
                None => answer,
            });
        }
        self.take(got);
    }

    /// Cards that he does not have, with and without a marriage, one that he has, and what is no play of a card: as far
    /// as he may not.
    fn forbidden(&self) -> Vec<Turn> {
        let legal = self.viewer.seat().map_or_else(Vec::new, |seat| turn::legal(&self.story.view, seat));
        let foreign = self.cards_of_others();
        let mut turns: Vec<Turn> = foreign.iter().map(|card| turn::card(*card)).collect();
        turns.push(turn::announcement(foreign[0]));
        let own = self.hand().into_iter().flat_map(|card| [turn::card(card), turn::announcement(card)]);
        let (plays, announcements): (Vec<_>, Vec<_>) =
            own.filter(|turn| !legal.contains(turn)).partition(|turn| turn::kind(turn) == turn::Kind::Card);
        turns.extend(plays.first());
        turns.extend(announcements.first());
        turns.extend(turn::OTHERS.iter().filter(|turn| !legal.contains(turn)));
        turns
    }

    fn asking(&self, expected_revision: i64, seat: i32) -> Asking {
        Asking { name: self.name.clone(), request_id: String::new(), expected_revision, seat }
    }

    fn hand(&self) -> Vec<v1::Card> {
        self.viewer.seat().map_or_else(Vec::new, |seat| self.story.course.hand(seat))
    }

    /// Some cards that he does not have, the same at every table of the story.
    fn cards_of_others(&self) -> Vec<v1::Card> {
        let hand = self.hand();
        let mut others = self.story.plan.game.pack();
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

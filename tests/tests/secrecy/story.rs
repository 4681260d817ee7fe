//! A random match up to its cut, and the same match at another table.

use tests::v1::event::Fact;
use tests::views::{facts, public};
use tests::{Client, Seat, Table, Watch, v1, within};

use crate::action::Action;
use crate::answer::Answer;
use crate::ask::ask_for;
use crate::chance::Chance;
use crate::course::Course;
use crate::plan::{Cut, Ending, Plan, SCRIPTED};
use crate::rules::Rules;
use crate::seen::{About, Seen};
use crate::turn;
use crate::viewer::Viewer;

/// What happened at the first table of a deal.
pub(crate) struct Story {
    pub(crate) plan: Plan,
    /// The first action was done on revision 1, and each was one update.
    pub(crate) actions: Vec<Action>,
    /// Who has seen what by now.
    pub(crate) seen: Seen,
    /// Who has what, and what everybody has learnt about it.
    pub(crate) course: Course,
    /// The view after the last action, with every hand.
    pub(crate) view: v1::TableView,
}

/// A table where the story happened, with what everybody was answered meanwhile.
pub(crate) struct Told {
    pub(crate) table: Table,
    pub(crate) answers: Vec<(Viewer, Answer)>,
}

impl Story {
    /// Plays a new match to its cut.
    pub(crate) async fn begin(door: &Client, plan: Plan) -> (Self, Told) {
        let told = Told::create(door, &plan, &plan.packs).await;
        let mut watch = all_seeing(&told.table, plan.game.seats, 0).await;
        let first = within("the first update", watch.update()).await;
        let view = first.after.clone().expect("the view");
        let course = Course::new(Rules::of(&view), &plan.packs);
        let mut story = Self { plan, actions: Vec::new(), seen: Seen::default(), course, view };
        story.follow(&first);
        let mut telling = Telling { story, told, watch, since_the_deal: None };
        telling.joins().await;
        telling.plays().await;
        telling.ending().await;
        (telling.story, telling.told)
    }

    /// The same actions at a new table with these packs.
    pub(crate) async fn again(&self, door: &Client, packs: &[v1::ScriptedPack]) -> Told {
        let mut told = Told::create(door, &self.plan, packs).await;
        for (revision, action) in (1..).zip(&self.actions) {
            told.perform(action, revision).await;
        }
        told
    }

    fn follow(&mut self, update: &v1::Update) {
        self.seen.follow(update);
        self.course.follow(update);
    }

    /// The newest revision.
    pub(crate) fn revision(&self) -> i64 {
        public(&self.view).revision
    }

    /// Whether the table has ended.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(public(&self.view).phase(), v1::TablePhase::Finished | v1::TablePhase::Closed)
    }
}

impl Told {
    async fn create(door: &Client, plan: &Plan, packs: &[v1::ScriptedPack]) -> Self {
        let (answer, created) = ask_for(door, plan.request(packs), "").await;
        let created = created.unwrap_or_else(|| panic!("no table: {}", answer.text()));
        let name = public(created.view.as_ref().expect("a view")).name.clone();
        let seats = created.seat_tokens.iter().map(|token| Seat::new(door, &name, token)).collect();
        let table = Table { platform: door.clone(), name, seats };
        Self { table, answers: vec![(Viewer::Platform, answer.about([About::Update(1)]))] }
    }

    async fn perform(&mut self, action: &Action, revision: i64) {
        let answer = action.perform(&self.table, revision).await;
        assert!(!answer.refused, "{action:?} on revision {revision} was refused: {}", answer.text());
        self.answers.push((action.by(), answer));
    }
}

/// A watch that shows every hand, after this revision.
async fn all_seeing(table: &Table, seats: i32, revision: i64) -> Watch {
    let request = v1::WatchTableRequest {
        name: table.name.clone(),
        after_revision: Some(revision),
        seats: (1..=seats).collect(),
        ..v1::WatchTableRequest::default()
    };
    table.platform.watch_table(request).await.expect("a watch of all seats")
}

/// A story while it happens.
struct Telling {
    story: Story,
    told: Told,
    watch: Watch,
    /// Plays and starts of deals since the first deal ended.
    since_the_deal: Option<usize>,
}

impl Telling {
    async fn happens(&mut self, action: Action) {
        let revision = self.story.revision();
        self.told.perform(&action, revision).await;
        self.story.actions.push(action);
        if self.story.has_ended() {
            // The watch has ended as well.
            self.watch = all_seeing(&self.told.table, self.story.plan.game.seats, revision).await;
        }
        let update = within("the update of an action", self.watch.update()).await;
        assert_eq!(update.revision, revision + 1, "an action is one update");
        let ended = facts(&update).iter().any(|fact| matches!(fact, Fact::DealEnded(_)));
        self.since_the_deal = self.since_the_deal.map(|done| done + 1).or(ended.then_some(0));
        self.story.follow(&update);
        self.story.view = update.after.expect("the view");
    }

    async fn joins(&mut self) {
        for join in self.story.plan.joins.clone() {
            self.happens(join).await;
        }
    }

    async fn plays(&mut self) {
        let chance = &mut Chance::new(self.story.plan.number, "plays");
        let mut done = 0;
        while !self.story.has_ended() && !self.is_cut(done) {
            let action = self.next(chance);
            self.happens(action).await;
            done += 1;
        }
    }

    /// The last deal that is scripted comes to no end.
    fn is_cut(&self, done: usize) -> bool {
        let last_deal = usize::try_from(self.story.seen.deal()) == Ok(SCRIPTED);
        last_deal
            || match self.story.plan.cut {
                Cut::After(actions) => done >= actions,
                Cut::AfterDeal(actions) => self.since_the_deal.is_some_and(|done| done >= actions),
            }
    }

    fn next(&self, chance: &mut Chance) -> Action {
        let view = &self.story.view;
        if public(view).phase() == v1::TablePhase::BetweenDeals {
            let seats: Vec<i32> = (0..=self.story.plan.game.seats).collect();
            return Action::NextDeal { seat: *chance.pick(&seats) };
        }
        let seat = public(view).turn_seat;
        Action::Turn { seat, turn: turn::pick(&turn::legal(view, seat), chance) }
    }

    async fn ending(&mut self) {
        let ended = self.story.has_ended();
        match self.story.plan.ending {
            Ending::Left(seat) if !ended => self.happens(Action::Leave { seat }).await,
            Ending::Revoked(seat) if !ended => self.happens(Action::Revoke { seat }).await,
            Ending::Closed if !ended => self.happens(Action::Close).await,
            Ending::Rematch(seat) => {
                if !ended {
                    self.happens(Action::Close).await;
                }
                self.happens(Action::Rematch { seat }).await;
            }
            Ending::Open | Ending::Left(_) | Ending::Revoked(_) | Ending::Closed => {}
        }
    }
}

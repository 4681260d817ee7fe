//! Play while something happens: tables of all kinds, one after the other at each place, until it is over.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use tests::timing::duration;
use tests::views::public;
use tests::{Chance, Client, NewTable, Seat, v1};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::checker::{Finding, check};
use crate::players::{News, Players, Stage, Watcher, close, read};
use crate::service::{Doors, insist, pass};
use crate::story::{By, Call, Outcome, Story};

/// Updates that each table must still come to when all faults are over.
const GOES_ON: i64 = 4;

/// A kind of table.
struct Kind {
    new: fn() -> NewTable,
    bots: &'static [usize],
    silent: &'static [i32],
    /// In milliseconds; 0 for no clock.
    turn_ms: i32,
}

const KINDS: [Kind; 4] = [
    Kind { new: NewTable::classic, bots: &[], silent: &[], turn_ms: 0 },
    Kind { new: NewTable::two, bots: &[], silent: &[], turn_ms: 2_000 },
    Kind { new: NewTable::classic, bots: &[2, 4], silent: &[], turn_ms: 700 },
    Kind { new: NewTable::classic, bots: &[], silent: &[2, 3], turn_ms: 150 },
];

impl Kind {
    fn request(&self) -> v1::CreateTableRequest {
        let bot_delay = Some(duration(30));
        let base = v1::Timing { bot_delay, away_after: Some(0), ..v1::Timing::default() };
        let timing = match self.turn_ms {
            0 => base,
            ms => v1::Timing { turn_timeout: Some(duration(ms)), ..base },
        };
        (self.new)().with_bots(self.bots).to(0).timed(timing).request
    }
}

/// How a campaign is set up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: usize,
    pub(crate) tables: usize,
    /// Revisions after which a table makes room for another one.
    pub(crate) life: i64,
    /// How long a player thinks at least, in milliseconds.
    pub(crate) pace_ms: usize,
    /// How long a table may go without news when all is well.
    pub(crate) patience: Duration,
}

impl Stage {
    /// Nobody plays yet.
    pub(crate) fn new(doors: Doors, plan: Plan) -> Self {
        Self {
            doors,
            since: Instant::now(),
            over: Arc::new(AtomicBool::new(false)),
            still: Arc::new(AtomicBool::new(false)),
            plays: Arc::new(AtomicI64::new(0)),
            life: plan.life,
            pace_ms: plan.pace_ms,
            patience: plan.patience,
        }
    }
}

/// A campaign that is on.
pub(crate) struct Campaign {
    pub(crate) stage: Stage,
    places: JoinSet<Vec<Story>>,
    /// How far each place's table is.
    far: Vec<Arc<AtomicI64>>,
}

impl Campaign {
    /// Begins to play; answers when each place has a table that goes.
    pub(crate) async fn begin(doors: Doors, plan: Plan) -> Self {
        let stage = Stage::new(doors, plan);
        let mut campaign = Self { stage, places: JoinSet::new(), far: Vec::new() };
        for place in 0..plan.tables {
            let far = Arc::new(AtomicI64::new(0));
            let chance = Chance::new(plan.seed * 1_000 + place, "a place");
            campaign.places.spawn(one_after_the_other(campaign.stage.clone(), place, chance, far.clone()));
            campaign.far.push(far);
        }
        campaign.goes_on().await;
        campaign
    }

    /// Waits until each place's table has gone on by some updates, or it is clear that one does not.
    pub(crate) async fn goes_on(&self) {
        let from: Vec<i64> = self.far.iter().map(|far| far.load(Ordering::Relaxed)).collect();
        let since = Instant::now();
        let behind = |(far, from): (&Arc<AtomicI64>, &i64)| far.load(Ordering::Relaxed) < from + GOES_ON;
        while self.far.iter().zip(&from).any(behind) && since.elapsed() < self.stage.patience {
            pass(20).await;
        }
    }

    /// Waits until so many more plays were accepted, or it is clear that there are none.
    pub(crate) async fn plays(&self, count: usize) {
        let until = self.stage.plays.load(Ordering::Relaxed) + i64::try_from(count).expect("a count");
        let since = Instant::now();
        while self.stage.plays.load(Ordering::Relaxed) < until && since.elapsed() < self.stage.patience {
            pass(2).await;
        }
    }

    /// Ends play, and tells what there is to tell.
    pub(crate) async fn end(mut self) -> Report {
        let from: Vec<i64> = self.far.iter().map(|far| far.load(Ordering::Relaxed)).collect();
        self.goes_on().await;
        let mut report = Report::default();
        for (place, (far, from)) in self.far.iter().zip(from).enumerate() {
            if far.load(Ordering::Relaxed) < from + GOES_ON {
                report
                    .findings
                    .push((String::new(), Finding::Trouble(format!("place {place} stands still"))));
            }
        }
        self.stage.over.store(true, Ordering::Relaxed);
        while let Some(stories) = self.places.join_next().await {
            for story in stories.expect("a place") {
                report.add(&story);
            }
        }
        report
    }
}

/// One table after the other, each until it has had its time or play is over.
async fn one_after_the_other(
    stage: Stage,
    place: usize,
    mut chance: Chance,
    far: Arc<AtomicI64>,
) -> Vec<Story> {
    let mut stories = Vec::new();
    while !stage.over.load(Ordering::Relaxed) {
        match sit_down(&stage, &KINDS[place % KINDS.len()], &mut chance).await {
            Ok((table, players)) => stories.push(life(&stage, &table, players, &mut chance, &far).await),
            Err(why) => stories.push(Story { troubles: vec![why], ..Story::default() }),
        }
    }
    stories
}

/// Makes a table, and seats its players.
async fn sit_down(stage: &Stage, kind: &Kind, chance: &mut Chance) -> Result<(String, Players), String> {
    let request = kind.request();
    let ask = |client: Client| {
        let request = request.clone();
        async move { client.create_table(request).await }
    };
    let created = insist(&stage.doors, chance, "CreateTable", ask).await?;
    let view = public(created.view.as_ref().expect("a view"));
    let (table, all) = (view.name.clone(), view.seats.iter().map(|seat| seat.seat).collect());
    let door = stage.doors.of(0);
    let seats: Vec<Seat> = created.seat_tokens.iter().map(|token| Seat::new(&door, &table, token)).collect();
    for seat in &seats {
        let request = v1::JoinTableRequest {
            name: table.clone(),
            request_id: tests::request_id(),
            ..Default::default()
        };
        let ask = |client: Client| {
            let (client, request) = (seat.at(&client).client, request.clone());
            let client = client.with_deadline(Duration::from_secs(1));
            async move { client.join_table(request).await }
        };
        insist(&stage.doors, chance, "JoinTable", ask).await?;
    }
    let players = Players {
        stage: stage.clone(),
        seats,
        all,
        chance: Chance::new(chance.below(usize::MAX), "players"),
        silent: kind.silent,
        acted: 0,
    };
    Ok((table, players))
}

/// A table from its first update to its last.
async fn life(
    stage: &Stage,
    table: &str,
    mut players: Players,
    chance: &mut Chance,
    far: &AtomicI64,
) -> Story {
    let all = players.all.clone();
    let mut watcher = |purpose| {
        let chance = Chance::new(chance.below(usize::MAX), purpose);
        Watcher::new(stage, chance, table, all.clone())
    };
    let second = tokio::spawn(watcher("second watcher").until_the_end());
    let mut first = watcher("first watcher");
    let (mut calls, mut silent, mut closed) = (Vec::new(), Instant::now(), None);
    let mut troubles = Vec::new();
    loop {
        match first.look().await {
            News::End => break,
            News::Some => {
                silent = Instant::now();
                far.fetch_add(1, Ordering::Relaxed);
            }
            // Whatever was sent may be lost: whose turn it is asks once more.
            News::None => players.acted = 0,
        }
        let over = stage.over.load(Ordering::Relaxed) || first.revision() >= stage.life;
        if over && closed.is_none() {
            closed = Some(Instant::now());
            troubles.extend(close(stage, chance, table).await.err());
            silent = Instant::now();
        }
        if closed.is_some_and(|closed: Instant| closed.elapsed() > 2 * stage.patience) {
            troubles.push(format!("{table} was closed and goes on after {}", first.revision()));
            break;
        }
        if silent.elapsed() > stage.patience && !stage.still.load(Ordering::Relaxed) {
            troubles.push(format!("{table} stands still after {}", first.revision()));
            break;
        }
        if let Some(view) = first.view.clone().filter(|_| closed.is_none())
            && !players.act(&view, &mut calls).await
        {
            // It is not known what became of it: looks again, at another replica.
            first.leave();
        }
    }
    let abort = second.abort_handle();
    let (told, trouble) = match timeout(2 * stage.patience, second).await {
        Ok(ended) => ended.expect("a watcher"),
        Err(_) => {
            abort.abort();
            (Vec::new(), Some(format!("a watcher of {table} is told news without an end")))
        }
    };
    let mut story = read(stage, chance, table, &all).await;
    story.calls = calls;
    story.watchers = vec![first.told, told];
    story.troubles.extend(troubles.into_iter().chain(trouble));
    story
}

/// What a campaign came to.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// What must not be, by table.
    pub(crate) findings: Vec<(String, Finding)>,
    pub(crate) tables: usize,
    pub(crate) updates: usize,
    pub(crate) requests: usize,
    pub(crate) accepted: usize,
    /// Requests that were accepted and had been before.
    pub(crate) replayed: usize,
    pub(crate) refused: usize,
    /// Sendings whose callers were told nothing.
    pub(crate) unknown: usize,
    /// Turns that a clock ended, and moves of bots.
    pub(crate) timers: usize,
    pub(crate) bots: usize,
    /// Updates that watchers were told.
    pub(crate) told: usize,
    /// The longest that a table went from a sending without an answer until one was accepted.
    pub(crate) longest: Duration,
}

/// The longest time from a sending without an answer, with nothing accepted after it, until something was.
fn outage(calls: &[Call]) -> Duration {
    let mut calls: Vec<&Call> = calls.iter().collect();
    calls.sort_by_key(|call| call.over_ns);
    let (mut since, mut longest_ns) = (None, 0);
    for call in calls {
        match call.outcome {
            Outcome::Unknown => since = since.or(Some(call.sent_ns)),
            Outcome::Accepted { .. } => {
                longest_ns = longest_ns.max(since.take().map_or(0, |since| call.over_ns - since));
            }
            Outcome::Refused | Outcome::Expired => {}
        }
    }
    Duration::from_nanos(u64::try_from(longest_ns).expect("a time"))
}

impl Report {
    fn add(&mut self, story: &Story) {
        self.findings.extend(check(story).into_iter().map(|finding| (story.table.clone(), finding)));
        self.tables += 1;
        self.updates += story.log.len();
        self.timers += story.log.iter().filter(|entry| entry.by == By::Clock).count();
        self.bots += story.log.iter().filter(|entry| entry.by == By::Bot).count();
        self.told += story.watchers.iter().map(Vec::len).sum::<usize>();
        let mut requests: BTreeMap<&str, Vec<&Call>> = BTreeMap::new();
        for call in &story.calls {
            requests.entry(&call.request).or_default().push(call);
        }
        self.requests += requests.len();
        self.longest = self.longest.max(outage(&story.calls));
        let any = |so: fn(&Outcome) -> bool| {
            requests.values().filter(|calls| calls.iter().any(|call| so(&call.outcome))).count()
        };
        self.accepted += any(|outcome| matches!(outcome, Outcome::Accepted { .. }));
        self.replayed += any(|outcome| matches!(outcome, Outcome::Accepted { replayed: true, .. }));
        self.refused += any(|outcome| matches!(outcome, Outcome::Refused | Outcome::Expired));
        self.unknown += story.calls.iter().filter(|call| call.outcome == Outcome::Unknown).count();
    }

    /// How many findings are such.
    pub(crate) fn count(&self, so: impl Fn(&Finding) -> bool) -> usize {
        self.findings.iter().filter(|(_, finding)| so(finding)).count()
    }

    /// The figures in one line.
    pub(crate) fn line(&self) -> String {
        format!(
            "{} tables, {} updates, of them {} of clocks and {} of bots; {} requests: {} accepted ({} found out by a \
             repeat), {} refused, {} sendings without an answer; {} messages to watchers; \
             the longest outage {:.1} s",
            self.tables,
            self.updates,
            self.timers,
            self.bots,
            self.requests,
            self.accepted,
            self.replayed,
            self.refused,
            self.unknown,
            self.told,
            self.longest.as_secs_f64(),
        )
    }
}

//! What every store must do, as one suite of cases that read like transcripts. An adapter's own tests run it:
//!
//! ```text
//! sedma_table::contract::run(async || MyStore::empty()).await;
//! ```
//!
//! Tables that play themselves are in [`SelfPlay`].

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test suite: it fails by panicking"
)]

mod clock;
mod commits;
mod fires;
mod games;
mod listings;
mod logs;
mod outages;
mod presence;
mod results;
mod sample;
mod shared;
mod timers;
mod wakeups;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

pub use fires::{Eager, fired_once};
pub use games::Game;
pub use sample::{Dice, SelfPlay, Step};

use crate::store::Store;

/// How long one case may take before it counts as stuck.
const CASE_TIMEOUT: Duration = Duration::from_mins(1);

/// One case: a sentence that a store must make true, and the transcript that shows whether it does.
pub struct Case<S> {
    /// The sentence.
    pub name: &'static str,
    transcript: fn(Arc<S>) -> Transcript,
}

type Transcript = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Lists cases with their sentences.
macro_rules! cases {
    ($($name:literal => $transcript:path,)*) => {
        vec![$(Case { name: $name, transcript: |store| Box::pin($transcript(store)) },)*]
    };
}

/// All cases.
pub fn cases<S: Store>() -> Vec<Case<S>> {
    let mut all = of_tables();
    all.extend(of_timers());
    all
}

/// Cases about what happens when time has passed.
fn of_timers<S: Store>() -> Vec<Case<S>> {
    cases![
        "an armed timer is due at its time, and not before" => timers::at_its_time,
        "a kept timer stays, an armed one moves, a disarmed one is none" => timers::moved,
        "a commit that must come before the timer does so, or is expired and writes nothing" => timers::before,
        "a commit that must come after the timer does so, or is early and writes nothing" => timers::after,
        "twenty racing commits after one timer: one happens" => timers::raced,
        "an ended table is never due" => timers::ended,
        "due pages through many tables, each of them once" => timers::pages,
        "what fell due while nobody swept is an outage's until it got its time again" => outages::told,
        "what fell due before the first sweep of all is no outage's" => outages::fresh,
        "a table that waits for nothing has its whole time again after an outage" => outages::untimed,
        "200 timers fired by three servers at once: each acts once" => fires::timers,
        "four bots and three servers: a whole match, each play once" => fires::bots,
    ]
}

/// All other cases.
fn of_tables<S: Store>() -> Vec<Case<S>> {
    cases![
        "a created table is there" => commits::created_is_there,
        "a table is created once: a second creation conflicts and returns the first" => commits::created_once,
        "a commit on the newest version happens, and is what a load returns" => commits::on_the_newest,
        "a commit on a stale version conflicts and returns the newer state" => commits::stale,
        "a commit on the right revision with another token conflicts" => commits::other_token,
        "a commit on a table that is not there is missing, and makes none" => commits::missing,
        "a repeat of a commit that happened conflicts with itself" => commits::repeated,
        "a commit that skips a revision is refused" => commits::skipped,
        "twenty racing commits on one version: one happens" => commits::raced,
        "twenty racing creations of one table: one happens" => commits::raced_creations,
        "two tables don't get into each other's way" => commits::two_tables,
        "every commit has a token of its own" => commits::tokens,
        "an ended table is still there, and takes the link to its rematch" => commits::ended,
        "a table that is not there has no state, no log and no version" => logs::nothing,
        "updates_after returns the log in order from any point" => logs::from_any_point,
        "an update comes back as it was written, at the time that its commit said" => logs::as_written,
        "times in a log never go back" => logs::times,
        "a refused commit leaves no trace in the log" => logs::no_trace,
        "replaying the log gives the stored state" => logs::replayed,
        "a whole eventful table comes back from its log and its snapshots" => logs::eventful,
        "versions of many tables come in the order they were asked for" => logs::versions,
        "subscribe wakes when the subscription stands" => wakeups::stands,
        "subscribe wakes after a commit" => wakeups::after_a_commit,
        "everybody who waits for a table is woken, the late one too" => wakeups::everybody,
        "a subscription to a table that is not there yet wakes when it is made" => wakeups::before_creation,
        "dropping one subscriber leaves the others theirs" => wakeups::dropped,
        "a commit wakes for updates and not for presence" => wakeups::for_updates,
        "news of presence wakes for it and not for updates" => wakeups::for_presence,
        "a renewal that is no news wakes nobody, and a lease that was not there somebody" => wakeups::no_news,
        "a first wake-up is for both" => wakeups::first,
        "list shows newest first, pages without gap or double" => listings::pages,
        "list shows the newest state of each table" => listings::newest_state,
        "another tenant's tables aren't listed" => listings::tenants,
        "a page of nothing is empty" => listings::nothing,
        "created_since finds what was created from an instant on, oldest first" => listings::since,
        "created_since pages from any instant, and knows no other tenant's tables" => listings::since_pages,
        "created_since finds each table of a crowd that is created meanwhile" => listings::followed,
        "the store's clock is the one that commits are stamped by" => clock::stamps,
        "the store's clock never goes back" => clock::forward,
        "a held seat is present until its lease is over" => presence::until_over,
        "a seat that two hold is present until the later lease is over" => presence::later,
        "who gives a lease up leaves another's alone" => presence::released,
        "a lease that is given up is gone at once" => presence::gone,
        "to renew a lease prolongs it" => presence::renewed,
        "a short lease does not shorten another's long one" => presence::short,
        "seats are told in their order, and each table's by themselves" => presence::seats_by_table,
        "leases leave the table, its revision and its log as they are" => presence::no_state,
        "a table that is not there can have leases" => presence::no_table,
        "the commit that ends a table files its result" => results::filed,
        "a result that a group has not acknowledged is given to it again" => results::again,
        "four consumers of one group share 24 results, each is given once" => results::shared,
        "another tenant is given no result, and can't acknowledge one" => results::tenants,
        "each group is given each result, and it is kept until all have acknowledged it" => results::groups,
        "an acknowledgement of another version is passed over" => results::other_version,
        "a table that is to file no result files none" => results::none,
        "a tenant has a bounded number of groups" => results::quota,
        "a store that works says so" => works,
    ]
}

impl<S: Store> Case<S> {
    /// Plays the case on an empty store. Panics where the store does not do what the sentence says.
    pub async fn play(&self, store: Arc<S>) {
        let played = tokio::spawn((self.transcript)(store));
        match tokio::time::timeout(CASE_TIMEOUT, played).await {
            Ok(Ok(())) => println!("ok      {}", self.name),
            Ok(Err(panic)) => panic!("FAILED  {}: {panic}", self.name),
            Err(elapsed) => panic!("STUCK   {}: {elapsed}", self.name),
        }
    }
}

/// Plays every case, each on a store of its own.
pub async fn run<S: Store>(make: impl AsyncFn() -> S) {
    for case in cases::<S>() {
        case.play(Arc::new(make().await)).await;
    }
}

async fn works<S: Store>(store: Arc<S>) {
    store.check().await.expect("a store that works");
}

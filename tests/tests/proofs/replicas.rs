//! Three processes on one Redis, of which one dies now and then.

use std::time::Duration;

use tests::{Chance, Client, Process, Redis};
use tokio::task::block_in_place;

/// How many there are.
const REPLICAS: usize = 3;
/// The longest time for which all of them live.
const LIFE_MS: usize = 1_200;
/// The longest time for which one is missing.
const DEATH_MS: usize = 600;

/// The replicas of one service.
pub(crate) struct Replicas<'a> {
    redis: &'a Redis,
    /// Those that run.
    pub(crate) running: Vec<Process>,
}

impl<'a> Replicas<'a> {
    /// Three that take this for an outage, or what is one by default; one of them has looked after the clocks, for what
    /// falls due before the first look of all is no outage's.
    pub(crate) async fn start(redis: &'a Redis, outage_after: Option<&str>) -> Self {
        let mut replicas = Self { redis, running: Vec::new() };
        replicas.fill_up(outage_after).await;
        let swept = |redis: &Redis| redis.ask(&["KEYS", "al:*"]).lines().count() == 256;
        block_in_place(|| redis.until("all buckets were swept", swept));
        replicas
    }

    /// Starts those that are missing.
    pub(crate) async fn fill_up(&mut self, outage_after: Option<&str>) {
        let url = self.redis.url();
        let mut flags =
            vec!["--allow-scripted", "--redis-url", &url, "--drain-delay", "0s", "--drain-spread", "0s"];
        flags.extend(outage_after.map(|time| ["--outage-after", time]).into_iter().flatten());
        while self.running.len() < REPLICAS {
            self.running.push(Process::start(&flags).await);
        }
    }

    /// A client of one that runs.
    pub(crate) async fn door(&self) -> Client {
        self.running.last().expect("a replica").platform().await
    }

    /// After a while kills one of them, whichever, and after another while starts one in its place.
    pub(crate) async fn lose_one(&mut self, chance: &mut Chance) {
        pass(chance.below(LIFE_MS)).await;
        let victim = chance.below(self.running.len());
        self.running.swap_remove(victim).kill_9().await;
        pass(chance.below(DEATH_MS)).await;
        self.fill_up(None).await;
    }

    /// Ends all; no handler of any of them may have panicked.
    pub(crate) async fn terminate(self) {
        for process in self.running {
            process.terminate().await;
        }
    }
}

/// Lets some time pass: what is proven is that it does not matter when something happens.
async fn pass(ms: usize) {
    tokio::time::sleep(Duration::from_millis(ms.try_into().expect("milliseconds"))).await;
}

//! Closed load as fast as it goes, or paced; latencies from when a call was meant to start.

use std::fmt;
use std::time::Duration;

use hdrhistogram::Histogram;
use tokio::time::{Instant, sleep_until};

use crate::{IN_FLIGHT, bare, pause, service};

/// What is called.
pub(crate) enum Target {
    Service(service::Tables),
    Bare(bare::Tables),
}

/// What came out.
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>7.0}/s  p50 {:>8.2?}  p99 {:>8.2?}", self.per_second, self.p50, self.p99)
    }
}

/// So many calls over all workers.
pub(crate) async fn run(target: &Target, calls: usize, rate: Option<f64>) -> Figures {
    let each = calls / IN_FLIGHT;
    let begun = Instant::now();
    let workers: Vec<_> = (0..IN_FLIGHT)
        .map(|worker| match target {
            Target::Service(tables) => tokio::spawn(paced(begun, worker, each, rate, tables.player(worker))),
            Target::Bare(tables) => tokio::spawn(paced(begun, worker, each, rate, tables.caller(worker))),
        })
        .collect();
    let mut all = Histogram::<u64>::new(3).unwrap();
    for worker in workers {
        all.add(worker.await.unwrap()).unwrap();
    }
    let at = |quantile| Duration::from_nanos(all.value_at_quantile(quantile));
    Figures { per_second: all.len() as f64 / begun.elapsed().as_secs_f64(), p50: at(0.5), p99: at(0.99) }
}

/// One caller of one table.
pub(crate) trait Caller: Send + 'static {
    fn call(&mut self) -> impl Future<Output = ()> + Send;
}

async fn paced(
    begun: Instant,
    worker: usize,
    calls: usize,
    rate: Option<f64>,
    mut caller: impl Caller,
) -> Histogram<u64> {
    let mut times = Histogram::new(3).unwrap();
    let gap = rate.map(pause);
    // Workers don't start in step.
    let mut due = begun + gap.unwrap_or_default().mul_f64(worker as f64 / IN_FLIGHT as f64);
    for _ in 0..calls {
        let meant = match gap {
            Some(gap) => {
                sleep_until(due).await;
                let meant = due;
                due += gap;
                meant
            }
            None => Instant::now(),
        };
        caller.call().await;
        times.record(u64::try_from(meant.elapsed().as_nanos()).unwrap()).unwrap();
    }
    times
}

/// A connection, shared by the workers that fall on it.
pub(crate) fn spread<T: Clone>(over: &[T], worker: usize) -> T {
    over[worker % over.len()].clone()
}

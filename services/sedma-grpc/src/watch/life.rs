//! What ends a watch or makes it speak though nothing happens: its age, its token, its caller's deadline, a drain, the
//! next heartbeat.

use std::time::Duration;

use sedma_proto::v1::PlannedEndReason;
use sedma_table::store::Store;
use sedma_table::{Failure, Reason, Refusal};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::call::Context;
use crate::chance::{after, jittered, part_of};
use crate::limits::{HEARTBEAT, MAX_WATCH_AGE};
use crate::service::Service;

/// A stream's own life.
pub(crate) struct Life {
    planned: (Instant, PlannedEndReason),
    deadline: Option<Instant>,
    draining: watch::Receiver<Option<Duration>>,
    heartbeat: Instant,
}

/// What a stream's own life brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Nothing was said for a while.
    Heartbeat,
    /// The stream ends as planned.
    PlannedEnd(PlannedEndReason),
}

impl Life {
    /// The life of a stream that begins now.
    pub(crate) fn new<S: Store>(service: &Service<S>, context: &Context) -> Self {
        let life = (after(jittered(MAX_WATCH_AGE, 10)), PlannedEndReason::Lifetime);
        let planned = match context.token_expires_s {
            Some(expires_s) => {
                let left_ms = expires_s.saturating_mul(1_000).saturating_sub(service.now_ms());
                let expiry = after(Duration::from_millis(u64::try_from(left_ms).unwrap_or(0)));
                if expiry < life.0 { (expiry, PlannedEndReason::Token) } else { life }
            }
            None => life,
        };
        Self {
            planned,
            deadline: context.deadline.map(after),
            draining: service.drain.subscribe(),
            heartbeat: after(HEARTBEAT),
        }
    }

    /// Something was said: the next heartbeat is that much later.
    pub(crate) fn spoke(&mut self) {
        self.heartbeat = after(jittered(HEARTBEAT, 10));
    }

    /// Whether the stream is over though it has more to say: a reader who is always behind never waits for a
    /// [`sign`](Self::sign).
    pub(crate) fn over(&mut self) -> Result<Option<PlannedEndReason>, Failure> {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(deadline());
        }
        let spread = *self.draining.borrow();
        if let Some(spread) = spread.filter(|_| self.planned.1 != PlannedEndReason::Draining) {
            self.planned = (after(part_of(spread)), PlannedEndReason::Draining);
        }
        Ok((now >= self.planned.0).then_some(self.planned.1))
    }

    /// Waits for what comes first. May be dropped at any time and asked again.
    pub(crate) async fn sign(&mut self) -> Result<Sign, Failure> {
        loop {
            let never = after(MAX_WATCH_AGE.saturating_mul(2));
            tokio::select! {
                biased;
                () = sleep_until(self.deadline.unwrap_or(never)) => return Err(deadline()),
                () = sleep_until(self.planned.0) => return Ok(Sign::PlannedEnd(self.planned.1)),
                spread = drained(&mut self.draining), if self.planned.1 != PlannedEndReason::Draining => {
                    self.planned = (after(part_of(spread)), PlannedEndReason::Draining);
                }
                () = sleep_until(self.heartbeat) => return Ok(Sign::Heartbeat),
            }
        }
    }
}

/// Waits until the server drains.
async fn drained(draining: &mut watch::Receiver<Option<Duration>>) -> Duration {
    // Looks at the value first: the drain may have begun before this watch did.
    let begun = draining.wait_for(Option::is_some).await.ok().and_then(|spread| *spread);
    match begun {
        Some(spread) => spread,
        None => std::future::pending().await,
    }
}

fn deadline() -> Failure {
    Refusal::new(
        Reason::Deadline,
        "The stream reached its caller's deadline; open it again, a watch from its last revision.",
    )
    .into()
}

//! Redis' clock, as far as this process knows it: from the times that answers bring, and a clock of its own that runs
//! on between them.
//!
//! An answer was given somewhere between its question and its arrival, so it leaves a range for what Redis' clock says
//! now. An estimate that an answer allows stays as it is, any other one moves to the nearest that it allows. So a slow
//! answer spoils nothing, answers may come in any order, and while both clocks run alike the estimate only gets better.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use redis::Value;
use tokio::time::Instant;

use crate::clock;
use crate::limits::CLOCK_STANDS_STILL;

/// The clock of one Redis.
#[derive(Debug)]
pub(super) struct Clock {
    /// When this process began to listen.
    start: Instant,
    /// What Redis' clock said then, in microseconds; [`UNKNOWN`] before the first answer.
    origin_us: AtomicI64,
    /// The newest time that was given out.
    newest_ms: AtomicI64,
}

/// No answer has brought the time yet.
const UNKNOWN: i64 = i64::MIN;

impl Clock {
    pub(super) fn new() -> Self {
        let (origin_us, newest_ms) = (AtomicI64::new(UNKNOWN), AtomicI64::new(UNKNOWN));
        Self { start: Instant::now(), origin_us, newest_ms }
    }

    /// Milliseconds since the Unix epoch; this machine's own before the first answer.
    pub(super) fn now_ms(&self) -> i64 {
        self.at(Instant::now())
    }

    /// The same; nothing before the first answer.
    pub(super) fn told_now_ms(&self) -> Option<i64> {
        (self.origin_us.load(Ordering::Relaxed) != UNKNOWN).then(|| self.now_ms())
    }

    /// An answer to `TIME` just came to a question that was asked then.
    pub(super) fn told_us(&self, asked: Instant, us: i64) {
        self.hear(us..=us, asked, Instant::now());
    }

    /// The same for an answer of whole milliseconds.
    pub(super) fn told_ms(&self, asked: Instant, ms: i64) {
        let us = ms.saturating_mul(1_000);
        self.hear(us..=us.saturating_add(999), asked, Instant::now());
    }

    fn hear(&self, us: RangeInclusive<i64>, asked: Instant, answered: Instant) {
        let earliest = us.start().saturating_sub(self.since_us(answered));
        let latest = us.end().saturating_sub(self.since_us(asked));
        let moved = |origin_us| match origin_us {
            UNKNOWN => i64::midpoint(earliest, latest),
            known => known.max(earliest).min(latest),
        };
        let _ = self.origin_us.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |us| Some(moved(us)));
    }

    fn at(&self, now: Instant) -> i64 {
        let now_ms = match self.origin_us.load(Ordering::Relaxed) {
            UNKNOWN => clock::now_ms(),
            origin_us => origin_us.saturating_add(self.since_us(now)).div_euclid(1_000),
        };
        let newest_ms = self.newest_ms.fetch_max(now_ms, Ordering::Relaxed);
        let behind_ms = u64::try_from(newest_ms.saturating_sub(now_ms)).unwrap_or(0);
        if Duration::from_millis(behind_ms) <= CLOCK_STANDS_STILL {
            return newest_ms.max(now_ms);
        }
        // To stand still for long would be worse than to go back: no lease would end meanwhile.
        self.newest_ms.store(now_ms, Ordering::Relaxed);
        now_ms
    }

    fn since_us(&self, then: Instant) -> i64 {
        i64::try_from(then.saturating_duration_since(self.start).as_micros()).unwrap_or(i64::MAX)
    }
}

/// What `TIME` answers, in microseconds.
pub(super) fn read_us(answer: &Value) -> Option<i64> {
    let Value::Array(parts) = answer else { return None };
    let [Value::BulkString(seconds), Value::BulkString(micros)] = parts.as_slice() else { return None };
    let number = |bytes| str::from_utf8(bytes).ok()?.parse::<i64>().ok();
    number(seconds)?.checked_mul(1_000_000)?.checked_add(number(micros)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An hour past the epoch: no machine's wall clock says so.
    const HOUR: i64 = 3_600_000;

    /// A clock with the instants that its transcript counts from its start, in milliseconds.
    struct Told(Clock);

    impl Told {
        fn then(&self, ms: u64) -> Instant {
            self.0.start.checked_add(Duration::from_millis(ms)).unwrap()
        }

        fn at(&self, ms: u64) -> i64 {
            self.0.at(self.then(ms))
        }

        /// An answer that said `us` to a question asked and answered then.
        fn hear(&self, us: i64, asked: u64, answered: u64) {
            self.0.hear(us..=us, self.then(asked), self.then(answered));
        }
    }

    #[test]
    fn before_the_first_answer_it_is_this_machines_clock() {
        let told = Told(Clock::new());
        let before = clock::now_ms();
        assert!((before..=clock::now_ms()).contains(&told.at(0)));
    }

    #[test]
    fn an_answer_was_given_between_question_and_arrival() {
        let told = Told(Clock::new());
        told.hear(HOUR * 1_000, 100, 110);
        assert_eq!((told.at(105), told.at(110), told.at(1_110)), (HOUR, HOUR + 5, HOUR + 1_005));
    }

    #[test]
    fn a_faster_answer_corrects_a_slow_one_and_a_slow_one_spoils_nothing() {
        let told = Told(Clock::new());
        told.hear(HOUR * 1_000, 0, 800);
        assert_eq!(told.at(1_000), HOUR + 600);
        // Redis' clock said HOUR when it was asked; the way back took all the time.
        told.hear((HOUR + 1_000) * 1_000, 1_000, 1_002);
        assert_eq!(told.at(1_002), HOUR + 1_000);
        told.hear((HOUR + 2_000) * 1_000, 1_100, 2_900);
        assert_eq!(told.at(3_000), HOUR + 2_998);
        // It is as right as before, in whichever order the answers come.
        told.hear(HOUR * 1_000, 0, 800);
        assert_eq!(told.at(3_000), HOUR + 2_998);
    }

    #[test]
    fn after_an_answer_it_has_reached_what_it_said() {
        let told = Told(Clock::new());
        told.hear(HOUR * 1_000, 0, 800);
        told.hear((HOUR + 900) * 1_000, 890, 910);
        assert!(told.at(910) >= HOUR + 900);
    }

    #[test]
    fn a_clock_that_falls_back_a_little_is_waited_for() {
        let told = Told(Clock::new());
        told.hear(HOUR * 1_000, 0, 0);
        assert_eq!(told.at(100), HOUR + 100);
        told.hear((HOUR - 800) * 1_000, 100, 100);
        assert_eq!([100, 900, 1_000, 1_001].map(|ms| told.at(ms) - HOUR), [100, 100, 100, 101]);
    }

    #[test]
    fn a_clock_that_is_set_back_is_followed() {
        let told = Told(Clock::new());
        told.hear(2 * HOUR * 1_000, 0, 0);
        assert_eq!(told.at(100), 2 * HOUR + 100);
        told.hear(HOUR * 1_000, 100, 100);
        assert_eq!([100, 101].map(|ms| told.at(ms) - HOUR), [0, 1]);
    }

    #[test]
    fn a_time_of_redis_is_seconds_and_microseconds() {
        let time = |seconds: &str, micros: &str| {
            let text = |text: &str| Value::BulkString(text.as_bytes().to_vec());
            read_us(&Value::Array(vec![text(seconds), text(micros)]))
        };
        assert_eq!(time("1700000000", "42"), Some(1_700_000_000_000_042));
        assert_eq!((time("x", "42"), time("", "")), (None, None));
        assert_eq!(read_us(&Value::Nil), None);
    }
}

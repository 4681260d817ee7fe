//! Spreading things in time, so that what began together does not go on together. No secret depends on it.

use std::time::Duration;

use sedma_table::store::Holder;
use tokio::time::Instant;

/// Longer than anything here waits.
const FAR: Duration = Duration::from_hours(365 * 24);

/// A duration, give or take so many hundredths.
pub(crate) fn jittered(middle: Duration, percent: u32) -> Duration {
    let spread = middle.saturating_mul(percent).div_f64(100.0);
    middle.saturating_sub(spread).saturating_add(part_of(spread.saturating_mul(2)))
}

/// An instant so far from now; the far future where the clock ends before.
pub(crate) fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).or_else(|| now.checked_add(FAR)).unwrap_or(now)
}

/// A random part of a duration.
pub(crate) fn part_of(whole: Duration) -> Duration {
    // Without randomness nothing is spread; nothing breaks either.
    let drawn = getrandom::u32().unwrap_or(u32::MAX / 2);
    whole.mul_f64(f64::from(drawn) / f64::from(u32::MAX))
}

/// A random place among so many; 0 where there is none.
pub(crate) fn place(of: usize) -> usize {
    let drawn = usize::try_from(getrandom::u32().unwrap_or(0)).unwrap_or(0);
    drawn.checked_rem(of).unwrap_or(0)
}

/// A name for this process among those who keep seats present. Never the platform's.
pub(crate) fn holder() -> Holder {
    Holder(getrandom::u64().unwrap_or_default().max(Holder::PLATFORM.0.saturating_add(1)))
}

/// A name for one incident, by which its line in the log is found.
pub(crate) fn incident() -> String {
    format!("{:016x}", getrandom::u64().unwrap_or_default())
}

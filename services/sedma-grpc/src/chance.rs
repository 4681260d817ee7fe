//! Spreading things in time, so that what began together does not go on together. No secret depends on it.

use std::time::Duration;

/// A duration, give or take so many hundredths.
pub(crate) fn jittered(middle: Duration, percent: u32) -> Duration {
    let spread = middle * percent / 100;
    middle.saturating_sub(spread) + part_of(2 * spread)
}

/// A random part of a duration.
pub(crate) fn part_of(whole: Duration) -> Duration {
    // Without randomness nothing is spread; nothing breaks either.
    let drawn = getrandom::u32().unwrap_or(u32::MAX / 2);
    whole.mul_f64(f64::from(drawn) / f64::from(u32::MAX))
}

//! Times as people look at them: a few quantiles, and a picture.

use std::fmt;

/// Where the bars of a picture begin, in milliseconds; the last one has no end.
const STEPS: [i64; 14] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 300, 500, 1_000, 2_000, 5_000];
/// Length of the longest bar.
const WIDTH: usize = 50;

/// Times in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figures(Vec<i64>);

impl Figures {
    /// The time that such a part of all does not exceed, in hundredths; 0 where there are none.
    pub(crate) fn quantile(&self, hundredths: usize) -> i64 {
        let rank = (self.0.len() * hundredths).div_ceil(100);
        self.0.get(rank.saturating_sub(1)).copied().unwrap_or(0)
    }

    /// The quantiles in one line.
    pub(crate) fn line(&self) -> String {
        let [p50, p90, p99, max] = [50, 90, 99, 100].map(|hundredths| self.quantile(hundredths));
        format!(
            "{:>6} times  p50 {p50:>4} ms  p90 {p90:>4} ms  p99 {p99:>4} ms  max {max:>4} ms",
            self.0.len()
        )
    }
}

impl FromIterator<i64> for Figures {
    fn from_iter<T: IntoIterator<Item = i64>>(times: T) -> Self {
        let mut times: Vec<i64> = times.into_iter().collect();
        times.sort_unstable();
        Self(times)
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.line())?;
        let ends = STEPS[1..].iter().copied().chain([i64::MAX]);
        let bars: Vec<(i64, usize)> = STEPS
            .into_iter()
            .zip(ends)
            .map(|(from, to)| (from, self.0.iter().filter(|time| (from..to).contains(*time)).count()))
            .collect();
        let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
        for (from, count) in bars.into_iter().filter(|(_, count)| *count > 0) {
            writeln!(f, "  from {from:>5} ms {count:>7} {}", "#".repeat((count * WIDTH).div_ceil(most)))?;
        }
        Ok(())
    }
}

#[test]
fn a_quantile_is_a_time_that_was_measured() {
    let figures: Figures = (1..=200).rev().collect();
    assert_eq!([1, 50, 99, 100].map(|hundredths| figures.quantile(hundredths)), [2, 100, 198, 200]);
    assert_eq!(Figures::default().quantile(50), 0);
}

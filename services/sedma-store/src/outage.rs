//! An outage: a time in which nobody swept. What fell due in it is nobody's fault, and gets its whole time again.

/// A gap between two sweeps, longer than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// The last sweep before it.
    pub(crate) after_ms: i64,
    /// The sweep that ended it. What falls due later is none of its business.
    pub(crate) until_ms: i64,
}

impl Gap {
    /// The gap between the last known sweep and this one, if it is one.
    pub(crate) fn between(swept_ms: i64, now_ms: i64, outage_after_ms: u64) -> Option<Self> {
        let gap = u64::try_from(now_ms.saturating_sub(swept_ms)).unwrap_or(0);
        (gap > outage_after_ms).then_some(Self { after_ms: swept_ms, until_ms: now_ms })
    }

    /// Whether a timer that fired then fell due in the gap.
    pub(crate) fn holds(self, fire_ms: i64) -> bool {
        self.after_ms < fire_ms && fire_ms <= self.until_ms
    }

    /// Both gaps as one, where there are two: the second came before all of the first was made good.
    pub(crate) fn joined(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let (Some(first), Some(second)) = (one, other) else { return one.or(other) };
        let (after_ms, until_ms) = (first.after_ms.min(second.after_ms), first.until_ms.max(second.until_ms));
        Some(Self { after_ms, until_ms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_longer_than_allowed_and_holds_what_fell_due_in_it() {
        assert_eq!(Gap::between(1_000, 16_000, 15_000), None);
        let gap = Gap::between(1_000, 16_001, 15_000).unwrap();
        assert_eq!([1_000, 1_001, 16_001, 16_002].map(|fire| gap.holds(fire)), [false, true, true, false]);
        assert_eq!(Gap::between(16_000, 1_000, 0), None, "a clock that was set back shows no gap");
    }
}

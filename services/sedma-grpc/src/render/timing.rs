//! Times and clocks.

use prost_types::{Duration, Timestamp};
use sedma_proto::v1;
use sedma_table::clock::Due;
use sedma_table::{OnJoinTimeout, OnTimeout, Timing};

use super::timestamp;

/// When a view is made, and when its table's timer fires; 0 = never. Milliseconds of the store's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) fire_ms: i64,
    pub(crate) now_ms: i64,
}

impl Moment {
    /// The deadline that views show, and the time that is left until then. None where nothing is timed.
    pub(super) fn deadline(self, due: Option<Due>) -> Option<(Timestamp, Duration)> {
        let due = due.filter(|_| self.fire_ms > 0)?;
        let deadline_ms = self.fire_ms.saturating_sub_unsigned(due.grace_ms);
        let left_ms = deadline_ms.saturating_sub(self.now_ms).max(0);
        Some((timestamp(deadline_ms), duration(u64::try_from(left_ms).unwrap_or(0))))
    }
}

/// A duration from milliseconds.
pub(super) fn duration(ms: u64) -> Duration {
    let nanos = i32::try_from(ms % 1_000).unwrap_or(0).saturating_mul(1_000_000);
    Duration { seconds: i64::try_from(ms / 1_000).unwrap_or(i64::MAX), nanos }
}

/// Clocks with everything resolved.
pub(super) fn timing(timing: &Timing) -> v1::Timing {
    let ms = |ms: u32| Some(duration(ms.into()));
    v1::Timing {
        turn_timeout: ms(timing.turn_timeout_ms),
        timeout_policy: match timing.on_timeout {
            OnTimeout::Autoplay(_) => v1::TimeoutPolicy::Autoplay,
            OnTimeout::Forfeit => v1::TimeoutPolicy::Forfeit,
            OnTimeout::Nothing => v1::TimeoutPolicy::Nothing,
        }
        .into(),
        away_after: Some(timing.away_after.into()),
        bot_delay: ms(timing.bot_delay_ms),
        between_deals: ms(timing.between_deals_ms),
        join_timeout: ms(timing.join_timeout_ms),
        join_timeout_policy: match timing.on_join_timeout {
            OnJoinTimeout::Close => v1::JoinTimeoutPolicy::Close,
            OnJoinTimeout::FillWithBots(_) => v1::JoinTimeoutPolicy::FillWithBots,
        }
        .into(),
        idle_timeout: ms(timing.idle_timeout_ms),
        bot_level: timing.stand_in().map_or_else(String::new, |level| level.name().to_owned()),
    }
}

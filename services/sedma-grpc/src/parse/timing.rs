//! How long things may take.

use sedma_proto::v1;
use sedma_table::{BotLevel, OnJoinTimeout, OnTimeout, Refusal, Timing};

use super::create::unknown;

/// The longest that anything at a table may take: 7 days.
const MAX_DURATION_MS: u32 = 7 * 24 * 60 * 60 * 1_000;
/// Most timeouts in a row that may be asked for before a player is away.
const MAX_AWAY_AFTER: i32 = 100;

/// Clocks; absent ones time nothing.
pub(super) fn timing(asked: Option<&v1::Timing>) -> Result<Timing, Refusal> {
    let Some(asked) = asked else { return Ok(Timing::NONE) };
    let ms = |name: &str, duration: Option<&prost_types::Duration>| {
        duration_ms(&format!("timing.{name}"), duration)
    };
    let level = bot_level("timing.bot_level", &asked.bot_level)?;
    Ok(Timing {
        turn_timeout_ms: ms("turn_timeout", asked.turn_timeout.as_ref())?,
        on_timeout: match v1::TimeoutPolicy::try_from(asked.timeout_policy) {
            Ok(v1::TimeoutPolicy::Unspecified | v1::TimeoutPolicy::Autoplay) => OnTimeout::Autoplay(level),
            Ok(v1::TimeoutPolicy::Forfeit) => OnTimeout::Forfeit,
            Ok(v1::TimeoutPolicy::Nothing) => OnTimeout::Nothing,
            Err(_) => return Err(unknown("timing.timeout_policy", asked.timeout_policy)),
        },
        away_after: match asked.away_after {
            None => Timing::NONE.away_after,
            Some(times) => u8::try_from(times).ok().filter(|_| times <= MAX_AWAY_AFTER).ok_or_else(|| {
                Refusal::field("timing.away_after", format!("it must be 0 to {MAX_AWAY_AFTER}"))
            })?,
        },
        bot_delay_ms: ms("bot_delay", asked.bot_delay.as_ref())?,
        between_deals_ms: ms("between_deals", asked.between_deals.as_ref())?,
        join_timeout_ms: ms("join_timeout", asked.join_timeout.as_ref())?,
        on_join_timeout: match v1::JoinTimeoutPolicy::try_from(asked.join_timeout_policy) {
            Ok(v1::JoinTimeoutPolicy::Unspecified | v1::JoinTimeoutPolicy::Close) => OnJoinTimeout::Close,
            Ok(v1::JoinTimeoutPolicy::FillWithBots) => OnJoinTimeout::FillWithBots(level),
            Err(_) => return Err(unknown("timing.join_timeout_policy", asked.join_timeout_policy)),
        },
        idle_timeout_ms: ms("idle_timeout", asked.idle_timeout.as_ref())?,
        late_grace_ms: Timing::NONE.late_grace_ms,
    })
}

/// A duration in whole milliseconds, at most 7 days; an absent one is 0.
pub(crate) fn duration_ms(field: &str, duration: Option<&prost_types::Duration>) -> Result<u32, Refusal> {
    match duration {
        None => Ok(0),
        Some(duration) => whole_ms(duration)
            .ok_or_else(|| Refusal::field(field, "it must be whole milliseconds, from 0 to 7 days")),
    }
}

/// A duration in whole milliseconds, where it is one and at most 7 days.
pub(crate) fn whole_ms(duration: &prost_types::Duration) -> Option<u32> {
    let prost_types::Duration { seconds, nanos } = *duration;
    let whole = (0..1_000_000_000).contains(&nanos) && nanos % 1_000_000 == 0;
    let ms = seconds.checked_mul(1_000).and_then(|ms| ms.checked_add(i64::from(nanos / 1_000_000)));
    ms.filter(|_| whole).and_then(|ms| u32::try_from(ms).ok()).filter(|ms| *ms <= MAX_DURATION_MS)
}

/// A bot's level; `steady` where none is named.
pub(crate) fn bot_level(field: &str, name: &str) -> Result<BotLevel, Refusal> {
    if name.is_empty() {
        return Ok(BotLevel::Steady);
    }
    BotLevel::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = BotLevel::ALL.iter().map(|level| level.name()).collect();
        Refusal::field(field, format!("there is no such level; there are {}", known.join(", ")))
    })
}

//! [`Timing`] and the levels of bots as records.

use sedma_table::{BotLevel, OnJoinTimeout, OnTimeout, Timing};

use crate::codec::{Unfit, records};

/// No bot has a level that was never written.
const LEVEL: Unfit = Unfit("a bot's level is none");

pub(crate) fn level_to_record(level: BotLevel) -> records::BotLevel {
    match level {
        BotLevel::Steady => records::BotLevel::Steady,
    }
}

/// The level that a record names; `None` where it names no bot.
pub(crate) fn level_from_record(level: i32) -> Result<Option<BotLevel>, Unfit> {
    match records::BotLevel::try_from(level) {
        Ok(records::BotLevel::Unspecified) => Ok(None),
        Ok(records::BotLevel::Steady) => Ok(Some(BotLevel::Steady)),
        Err(_) => Err(LEVEL),
    }
}

/// A level as the byte of a fact: the number that records give it.
pub(crate) fn level_byte(level: BotLevel) -> Result<u8, Unfit> {
    u8::try_from(i32::from(level_to_record(level))).map_err(|_| LEVEL)
}

/// The level of a fact's byte.
pub(crate) fn level_of_byte(byte: u8) -> Result<BotLevel, Unfit> {
    level_from_record(i32::from(byte))?.ok_or(LEVEL)
}

pub(crate) fn to_record(timing: &Timing) -> records::Timing {
    let none = records::BotLevel::Unspecified;
    let (on_timeout, autoplay) = match timing.on_timeout {
        OnTimeout::Autoplay(level) => (records::OnTimeout::Autoplay, level_to_record(level)),
        OnTimeout::Forfeit => (records::OnTimeout::Forfeit, none),
        OnTimeout::Nothing => (records::OnTimeout::Nothing, none),
    };
    let (on_join_timeout, fill_in) = match timing.on_join_timeout {
        OnJoinTimeout::FillWithBots(level) => (records::OnJoinTimeout::FillWithBots, level_to_record(level)),
        OnJoinTimeout::Close => (records::OnJoinTimeout::Close, none),
    };
    records::Timing {
        turn_timeout_ms: timing.turn_timeout_ms,
        on_timeout: on_timeout.into(),
        autoplay: autoplay.into(),
        away_after: timing.away_after.into(),
        bot_delay_ms: timing.bot_delay_ms,
        between_deals_ms: timing.between_deals_ms,
        join_timeout_ms: timing.join_timeout_ms,
        on_join_timeout: on_join_timeout.into(),
        fill_in: fill_in.into(),
        idle_timeout_ms: timing.idle_timeout_ms,
        late_grace_ms: timing.late_grace_ms,
    }
}

pub(crate) fn from_record(record: &records::Timing) -> Result<Timing, Unfit> {
    let on_timeout = match (record.on_timeout(), level_from_record(record.autoplay)?) {
        (records::OnTimeout::Autoplay, Some(level)) => OnTimeout::Autoplay(level),
        (records::OnTimeout::Forfeit, None) => OnTimeout::Forfeit,
        (records::OnTimeout::Nothing, None) => OnTimeout::Nothing,
        _ => return Err(Unfit("what follows a missed turn is none")),
    };
    let on_join_timeout = match (record.on_join_timeout(), level_from_record(record.fill_in)?) {
        (records::OnJoinTimeout::FillWithBots, Some(level)) => OnJoinTimeout::FillWithBots(level),
        (records::OnJoinTimeout::Close, None) => OnJoinTimeout::Close,
        _ => return Err(Unfit("what follows a start that never came is none")),
    };
    Ok(Timing {
        turn_timeout_ms: record.turn_timeout_ms,
        on_timeout,
        away_after: u8::try_from(record.away_after).map_err(|_| Unfit("it is away after too many turns"))?,
        bot_delay_ms: record.bot_delay_ms,
        between_deals_ms: record.between_deals_ms,
        join_timeout_ms: record.join_timeout_ms,
        on_join_timeout,
        idle_timeout_ms: record.idle_timeout_ms,
        late_grace_ms: record.late_grace_ms,
    })
}

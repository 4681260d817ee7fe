//! The record's text lines and the hash that chains them. Both are stable for ever: a result names the last hash.

use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::setup::{BetweenDeals, Setup, Spectators, StartPolicy};
use crate::update::{Actor, CloseReason, TableFact, Update};

/// `h_0`: over the resolved rules, the number of seats and the commitment.
pub(crate) fn first_hash(setup: &Setup) -> [u8; 32] {
    let mut rules = Vec::new();
    setup.rules.options().encode(&mut rules);
    let mut hash = Sha256::new();
    hash.update(&rules);
    hash.update([setup.seats()]);
    hash.update(setup.commitment.reveal());
    hash.finalize().into()
}

/// `h_i`: over `h_(i-1)` and update i's line.
pub(crate) fn next_hash(previous: &[u8; 32], line: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(previous);
    hash.update(line.as_bytes());
    hash.finalize().into()
}

/// An update's line: what happened, without token, time and trace context.
///
/// It has the dealt packs, so it is for hashing and for storing, not for showing while a deal runs.
pub fn record_line(revision: i64, update: &Update) -> String {
    let mut line = format!("{revision} {}", actor(update.actor));
    if let Some(seat) = update.seat {
        let _ = write!(line, " {}", seat.number());
    }
    for fact in &update.facts {
        line.push_str(" | ");
        write_fact(&mut line, fact);
    }
    line
}

fn actor(actor: Actor) -> &'static str {
    match actor {
        Actor::Player => "player",
        Actor::Platform => "platform",
        Actor::Bot => "bot",
        Actor::Timeout => "timeout",
    }
}

fn write_fact(line: &mut String, fact: &TableFact) {
    // Writing into a String has no failing case.
    let _ = match fact {
        TableFact::Created(setup) => write_created(line, setup),
        TableFact::SeatTaken { seat, player } => {
            write!(line, "seat {} {}", seat.number(), quoted(&player.player_id))
        }
        TableFact::BotSeated { seat, level } => write!(line, "bot {} {}", seat.number(), level.name()),
        TableFact::TurnMissed { seat } => write!(line, "missed {}", seat.number()),
        TableFact::AwayChanged { seat, away: true } => write!(line, "away {}", seat.number()),
        TableFact::AwayChanged { seat, away: false } => write!(line, "back {}", seat.number()),
        TableFact::Paused => write!(line, "paused"),
        TableFact::Resumed => write!(line, "resumed"),
        TableFact::DeadlineExtended { remaining_ms } => write!(line, "extended {remaining_ms}"),
        TableFact::SeatReady { seat } => write!(line, "ready {}", seat.number()),
        TableFact::SeatLeft { seat } => write!(line, "left {}", seat.number()),
        TableFact::SeatRevoked { seat } => write!(line, "revoked {}", seat.number()),
        TableFact::EntropyGiven { seat, entropy } => {
            write!(line, "entropy {} {}", seat.number(), HEXLOWER.encode(entropy))
        }
        TableFact::Game(fact) => write!(line, "{fact}"),
        TableFact::SeedRevealed { deal, link } => {
            write!(line, "seed {deal} {}", HEXLOWER.encode(link.reveal()))
        }
        TableFact::RematchCreated { table } => write!(line, "rematch {table}"),
        TableFact::Closed(CloseReason::Platform(reason)) => {
            write!(line, "closed platform {}", quoted(reason))
        }
        TableFact::Closed(CloseReason::Limit) => write!(line, "closed limit"),
        TableFact::Closed(CloseReason::NotStarted) => write!(line, "closed not_started"),
        TableFact::Closed(CloseReason::Expired) => write!(line, "closed expired"),
        TableFact::Closed(CloseReason::Forfeited(seat)) => write!(line, "closed forfeited {}", seat.number()),
    };
}

fn write_created(line: &mut String, setup: &Setup) -> std::fmt::Result {
    let start = match setup.start {
        StartPolicy::WhenFull => "when_full",
        StartPolicy::WhenReady => "when_ready",
        StartPolicy::Manual => "manual",
    };
    let between = match setup.between_deals {
        BetweenDeals::AtOnce => "at_once",
        BetweenDeals::Manual => "manual",
    };
    let spectators = match setup.spectators {
        Spectators::Forbidden => "forbidden".to_owned(),
        Spectators::Allowed { delay_ms: 0 } => "allowed".to_owned(),
        Spectators::Allowed { delay_ms } => format!("allowed after {delay_ms} ms"),
    };
    let scripted = if setup.script.is_some() { " scripted" } else { "" };
    write!(
        line,
        "created {} {} seats {} start {start} between_deals {between} spectators {spectators} commitment {}{scripted}",
        setup.id,
        setup.rules.options().preset.name(),
        setup.seats(),
        HEXLOWER.encode(setup.commitment.reveal()),
    )
}

/// A string in quotes, with what could end the quotes or the line escaped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

//! [`Snapshot`] as a record: the table's parts and its replay ring.

use std::sync::Arc;

use sedma_rules::{Match, Seat};
use sedma_table::store::Snapshot;
use sedma_table::{
    CloseReason, Edition, Phase, Player, RequestKey, Ring, RingEntry, Scope, SeatState, Table, TableId,
    TableParts,
};

use crate::codec::reader::{Reader, exact};
use crate::codec::{AHEAD_OF_ITS_SCHEMA, Unfit, records, setup, timing};

/// The ring's lanes in the order they are stored in.
const LANES: [Scope; 5] = [
    Scope::Platform,
    Scope::Seat(Seat::One),
    Scope::Seat(Seat::Two),
    Scope::Seat(Seat::Three),
    Scope::Seat(Seat::Four),
];

pub(crate) fn to_record(snapshot: &Snapshot) -> Result<records::Snapshot, Unfit> {
    let parts = snapshot.table.to_parts();
    let TableParts { setup, revision, turn_revision, phase, seats, game, closed, .. } = parts;
    let TableParts { paused, turn_missed, rematch, record_hash, .. } = parts;
    let mut game_bytes = Vec::new();
    game.encode(&mut game_bytes);
    Ok(records::Snapshot {
        id: setup.id.as_bytes().to_vec(),
        setup: Some(setup::to_record(&setup)),
        revision,
        turn_revision,
        phase: match phase {
            Phase::Open => records::Phase::Open,
            Phase::Playing => records::Phase::Playing,
            Phase::BetweenDeals => records::Phase::BetweenDeals,
            Phase::Finished => records::Phase::Finished,
            Phase::Closed => records::Phase::Closed,
        }
        .into(),
        seats: seats.into_iter().map(seat_to_record).collect(),
        game: game_bytes,
        closed: closed.map(closed_to_record),
        rematch: rematch.map_or_else(Vec::new, |table| table.as_bytes().to_vec()),
        record_hash: record_hash.to_vec(),
        ring: ring_to_bytes(&snapshot.ring, revision)?,
        paused,
        turn_missed,
    })
}

pub(crate) fn from_record(edition: Edition, record: records::Snapshot) -> Result<Snapshot, Unfit> {
    let phase = match record.phase() {
        records::Phase::Open => Phase::Open,
        records::Phase::Playing => Phase::Playing,
        records::Phase::BetweenDeals => Phase::BetweenDeals,
        records::Phase::Finished => Phase::Finished,
        records::Phase::Closed => Phase::Closed,
        records::Phase::Unspecified => return Err(Unfit("its phase is none")),
    };
    let rematch = match record.rematch.as_slice() {
        [] => None,
        bytes => Some(TableId::from_bytes(exact(bytes, "its rematch is not 16 bytes")?)),
    };
    let id = TableId::from_bytes(exact(&record.id, "its id is not 16 bytes")?);
    let setup = record.setup.ok_or(Unfit("it has no setup"))?;
    let parts = TableParts {
        setup: Arc::new(setup::from_record(id, edition, setup)?),
        revision: record.revision,
        turn_revision: record.turn_revision,
        phase,
        seats: record
            .seats
            .into_iter()
            .map(|seat| seat_from_record(edition, seat))
            .collect::<Result<_, _>>()?,
        game: Match::decode(&record.game).map_err(|_| Unfit("its match can't be read"))?,
        closed: record.closed.map(closed_from_record).transpose()?,
        paused: record.paused,
        turn_missed: record.turn_missed,
        rematch,
        record_hash: exact(&record.record_hash, "its record hash is not 32 bytes")?,
    };
    let ring = ring_from_bytes(&record.ring, record.revision)?;
    let table = Table::from_parts(parts).ok_or(Unfit("its parts don't fit each other"))?;
    Ok(Snapshot { table, ring })
}

fn seat_to_record(seat: SeatState) -> records::SeatState {
    records::SeatState {
        player: seat.player.as_deref().map(player_to_record),
        generation: seat.generation,
        here: seat.here,
        entropy: seat.entropy,
        bot: seat.bot.map_or(records::BotLevel::Unspecified, timing::level_to_record).into(),
        away: seat.away,
        missed: seat.missed.into(),
        left: seat.left.as_deref().map(player_to_record),
        timeouts: seat.timeouts.into(),
        bot_actions: seat.bot_actions.into(),
    }
}

pub(crate) fn player_to_record(player: &Player) -> records::Player {
    records::Player { player_id: player.player_id.clone(), display_name: player.display_name.clone() }
}

pub(crate) fn player_from_record(record: records::Player) -> Arc<Player> {
    Arc::new(Player { player_id: record.player_id, display_name: record.display_name })
}

fn seat_from_record(edition: Edition, record: records::SeatState) -> Result<SeatState, Unfit> {
    let counted = record.left.is_some() || record.timeouts > 0 || record.bot_actions > 0;
    if edition < Edition::Second && counted {
        return Err(AHEAD_OF_ITS_SCHEMA);
    }
    Ok(SeatState {
        player: record.player.map(player_from_record),
        generation: record.generation,
        here: record.here,
        entropy: record.entropy,
        bot: timing::level_from_record(record.bot)?,
        away: record.away,
        missed: u8::try_from(record.missed).map_err(|_| Unfit("a seat let too many turns pass"))?,
        left: record.left.map(player_from_record),
        timeouts: count(record.timeouts)?,
        bot_actions: count(record.bot_actions)?,
    })
}

/// What is counted is below 65,536.
pub(crate) fn count(number: u32) -> Result<u16, Unfit> {
    u16::try_from(number).map_err(|_| Unfit("a count is too large"))
}

fn closed_to_record(reason: CloseReason) -> records::Closed {
    let (cause, words, seat) = match reason {
        CloseReason::Platform(words) => (records::CloseCause::Platform, words, 0),
        CloseReason::Limit => (records::CloseCause::Limit, String::new(), 0),
        CloseReason::NotStarted => (records::CloseCause::NotStarted, String::new(), 0),
        CloseReason::Expired => (records::CloseCause::Expired, String::new(), 0),
        CloseReason::Forfeited(seat) => (records::CloseCause::Forfeited, String::new(), seat.number()),
    };
    records::Closed { cause: cause.into(), words, seat: seat.into() }
}

fn closed_from_record(record: records::Closed) -> Result<CloseReason, Unfit> {
    let none = Unfit("the reason of its end is none");
    let seat = u8::try_from(record.seat).map_err(|_| none)?;
    match (record.cause(), seat, record.words.as_str()) {
        (records::CloseCause::Platform, 0, _) => Ok(CloseReason::Platform(record.words)),
        (records::CloseCause::Limit, 0, "") => Ok(CloseReason::Limit),
        (records::CloseCause::NotStarted, 0, "") => Ok(CloseReason::NotStarted),
        (records::CloseCause::Expired, 0, "") => Ok(CloseReason::Expired),
        (records::CloseCause::Forfeited, number, "") => {
            Ok(CloseReason::Forfeited(Seat::new(number).ok_or(none)?))
        }
        _ => Err(none),
    }
}

fn ring_to_bytes(ring: &Ring, revision: i64) -> Result<Vec<u8>, Unfit> {
    let mut out = Vec::new();
    for scope in LANES {
        let count = ring.lane(scope).count();
        out.push(u8::try_from(count).map_err(|_| Unfit("a lane of its ring is too long"))?);
        for RingEntry { key, revision: at } in ring.lane(scope) {
            let back = revision.checked_sub(*at).and_then(|back| u16::try_from(back).ok());
            out.extend_from_slice(&key.id);
            out.extend_from_slice(&key.content);
            out.extend_from_slice(&back.ok_or(Unfit("its ring looks too far back"))?.to_be_bytes());
        }
    }
    Ok(out)
}

fn ring_from_bytes(bytes: &[u8], revision: i64) -> Result<Ring, Unfit> {
    let mut reader = Reader(bytes);
    let mut ring = Ring::default();
    for scope in LANES {
        let count = reader.byte()?;
        if usize::from(count) > sedma_table::limits::RING_ENTRIES {
            return Err(Unfit("a lane of its ring is too long"));
        }
        for _ in 0..count {
            let key = RequestKey { id: reader.array()?, content: reader.array()? };
            let at = revision.checked_sub(i64::from(reader.u16()?)).filter(|at| *at >= 1);
            ring.push(scope, RingEntry { key, revision: at.ok_or(Unfit("its ring looks too far back"))? });
        }
    }
    if reader.is_empty() { Ok(ring) } else { Err(Unfit("its ring has more lanes than seats")) }
}

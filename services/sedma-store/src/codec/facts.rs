//! Facts as packed bytes: an opcode and its arguments. Below [`FIRST_OF_TABLE`] they are the game's own, in the form
//! that sedma-rules gives them; from there on the table's.

use std::sync::Arc;

use prost::Message;
use sedma_rules::{Fact, Seat};
use sedma_table::fairness::Link;
use sedma_table::{CloseReason, Edition, Player, TableFact, TableId};

use crate::codec::reader::{Reader, write_long, write_short};
use crate::codec::{Unfit, records, setup, timing, whole};

/// The lowest opcode of a table's fact.
const FIRST_OF_TABLE: u8 = 0x80;

const CREATED: u8 = 0x80;
const SEAT_TAKEN: u8 = 0x81;
const SEAT_READY: u8 = 0x82;
const SEAT_LEFT: u8 = 0x83;
const SEAT_REVOKED: u8 = 0x84;
const ENTROPY_GIVEN: u8 = 0x85;
const SEED_REVEALED: u8 = 0x86;
const REMATCH_CREATED: u8 = 0x87;
const CLOSED_BY_PLATFORM: u8 = 0x88;
const CLOSED_AT_LIMIT: u8 = 0x89;
const CLOSED_NOT_STARTED: u8 = 0x8a;
const CLOSED_EXPIRED: u8 = 0x8b;
const CLOSED_BY_FORFEIT: u8 = 0x8c;
const BOT_SEATED: u8 = 0x8d;
const TURN_MISSED: u8 = 0x8e;
const AWAY: u8 = 0x8f;
const BACK: u8 = 0x90;
const PAUSED: u8 = 0x91;
const RESUMED: u8 = 0x92;
const DEADLINE_EXTENDED: u8 = 0x93;

pub(crate) fn encode(facts: &[TableFact]) -> Result<Vec<u8>, Unfit> {
    let mut out = Vec::new();
    for fact in facts {
        encode_one(fact, &mut out)?;
    }
    Ok(out)
}

/// Reads the facts of an update of this table.
pub(crate) fn decode(table: TableId, edition: Edition, bytes: &[u8]) -> Result<Vec<TableFact>, Unfit> {
    let mut reader = Reader(bytes);
    let mut facts = Vec::new();
    while !reader.is_empty() {
        facts.push(decode_one(table, edition, &mut reader)?);
    }
    Ok(facts)
}

fn encode_one(fact: &TableFact, out: &mut Vec<u8>) -> Result<(), Unfit> {
    match fact {
        TableFact::Created(setup) => {
            out.push(CREATED);
            write_long(out, &setup::to_record(setup).encode_to_vec())?;
        }
        TableFact::SeatTaken { seat, player } => {
            out.extend([SEAT_TAKEN, seat.number()]);
            write_short(out, player.player_id.as_bytes())?;
            write_short(out, player.display_name.as_bytes())?;
        }
        TableFact::BotSeated { seat, level } => {
            out.extend([BOT_SEATED, seat.number(), timing::level_byte(*level)?]);
        }
        TableFact::TurnMissed { seat } => out.extend([TURN_MISSED, seat.number()]),
        TableFact::AwayChanged { seat, away } => out.extend([if *away { AWAY } else { BACK }, seat.number()]),
        TableFact::Paused => out.push(PAUSED),
        TableFact::Resumed => out.push(RESUMED),
        TableFact::DeadlineExtended { remaining_ms } => {
            out.push(DEADLINE_EXTENDED);
            out.extend(remaining_ms.to_be_bytes());
        }
        TableFact::SeatReady { seat } => out.extend([SEAT_READY, seat.number()]),
        TableFact::SeatLeft { seat } => out.extend([SEAT_LEFT, seat.number()]),
        TableFact::SeatRevoked { seat } => out.extend([SEAT_REVOKED, seat.number()]),
        TableFact::EntropyGiven { seat, entropy } => {
            out.extend([ENTROPY_GIVEN, seat.number()]);
            write_short(out, entropy)?;
        }
        TableFact::Game(fact) => encode_game(fact, out)?,
        TableFact::SeedRevealed { deal, link } => {
            out.push(SEED_REVEALED);
            out.extend(deal.to_be_bytes());
            out.extend(link.reveal());
        }
        TableFact::RematchCreated { table } => {
            out.push(REMATCH_CREATED);
            out.extend(table.as_bytes());
        }
        TableFact::Closed(CloseReason::Platform(words)) => {
            out.push(CLOSED_BY_PLATFORM);
            write_short(out, words.as_bytes())?;
        }
        TableFact::Closed(CloseReason::Limit) => out.push(CLOSED_AT_LIMIT),
        TableFact::Closed(CloseReason::NotStarted) => out.push(CLOSED_NOT_STARTED),
        TableFact::Closed(CloseReason::Expired) => out.push(CLOSED_EXPIRED),
        TableFact::Closed(CloseReason::Forfeited(seat)) => out.extend([CLOSED_BY_FORFEIT, seat.number()]),
    }
    Ok(())
}

fn encode_game(fact: &Fact, out: &mut Vec<u8>) -> Result<(), Unfit> {
    let start = out.len();
    fact.encode(out);
    match out.get(start) {
        Some(opcode) if *opcode < FIRST_OF_TABLE => Ok(()),
        _ => Err(Unfit("a game's fact has an opcode of the table's")),
    }
}

fn decode_one(table: TableId, edition: Edition, reader: &mut Reader<'_>) -> Result<TableFact, Unfit> {
    if reader.0.first().is_some_and(|opcode| *opcode < FIRST_OF_TABLE) {
        let fact = Fact::decode(&mut reader.0).map_err(|_| Unfit("a fact of the game can't be read"))?;
        return Ok(TableFact::Game(fact));
    }
    Ok(match reader.byte()? {
        CREATED => {
            let count = reader.u16()?;
            let record: records::Setup = whole(reader.take(usize::from(count))?)?;
            TableFact::Created(Arc::new(setup::from_record(table, edition, record)?))
        }
        SEAT_TAKEN => seat_taken(reader)?,
        SEAT_READY => TableFact::SeatReady { seat: seat(reader)? },
        SEAT_LEFT => TableFact::SeatLeft { seat: seat(reader)? },
        SEAT_REVOKED => TableFact::SeatRevoked { seat: seat(reader)? },
        ENTROPY_GIVEN => TableFact::EntropyGiven { seat: seat(reader)?, entropy: reader.short()?.to_vec() },
        SEED_REVEALED => TableFact::SeedRevealed { deal: reader.u16()?, link: Link::new(reader.array()?) },
        REMATCH_CREATED => TableFact::RematchCreated { table: TableId::from_bytes(reader.array()?) },
        CLOSED_BY_PLATFORM => TableFact::Closed(CloseReason::Platform(reader.text()?)),
        CLOSED_AT_LIMIT => TableFact::Closed(CloseReason::Limit),
        CLOSED_NOT_STARTED => TableFact::Closed(CloseReason::NotStarted),
        CLOSED_EXPIRED => TableFact::Closed(CloseReason::Expired),
        CLOSED_BY_FORFEIT => TableFact::Closed(CloseReason::Forfeited(seat(reader)?)),
        BOT_SEATED => {
            TableFact::BotSeated { seat: seat(reader)?, level: timing::level_of_byte(reader.byte()?)? }
        }
        TURN_MISSED => TableFact::TurnMissed { seat: seat(reader)? },
        AWAY => TableFact::AwayChanged { seat: seat(reader)?, away: true },
        BACK => TableFact::AwayChanged { seat: seat(reader)?, away: false },
        PAUSED => TableFact::Paused,
        RESUMED => TableFact::Resumed,
        DEADLINE_EXTENDED => {
            TableFact::DeadlineExtended { remaining_ms: u32::from_be_bytes(reader.array()?) }
        }
        _ => return Err(Unfit("a fact has an opcode that was never written")),
    })
}

fn seat_taken(reader: &mut Reader<'_>) -> Result<TableFact, Unfit> {
    let seat = seat(reader)?;
    let player = Player { player_id: reader.text()?, display_name: reader.text()? };
    Ok(TableFact::SeatTaken { seat, player: Arc::new(player) })
}

fn seat(reader: &mut Reader<'_>) -> Result<Seat, Unfit> {
    Seat::new(reader.byte()?).ok_or(Unfit("a fact's seat is none"))
}

//! [`TableResult`] as a record.

use sedma_rules::{Preset, SeatSet};
use sedma_table::{Outcome, SeatResult, SideResult, TableId, TableResult};

use crate::codec::reader::exact;
use crate::codec::setup::{labels_from_record, labels_to_record};
use crate::codec::snapshot::{count, player_from_record, player_to_record};
use crate::codec::{Unfit, records};

pub(crate) fn to_record(result: &TableResult) -> records::Result {
    let side = |side: &SideResult| records::ResultSide {
        seats: side.seats.bits().into(),
        game_points: side.game_points.into(),
        place: side.place.into(),
    };
    let seat = |seat: &SeatResult| records::ResultSeat {
        player: seat.player.as_deref().map(player_to_record),
        timeouts: seat.timeouts.into(),
        bot_actions: seat.bot_actions.into(),
        left: seat.left,
        forfeited: seat.forfeited,
    };
    records::Result {
        external_ref: result.external_ref.clone(),
        labels: labels_to_record(&result.labels),
        outcome: match result.outcome {
            Outcome::Finished => records::Outcome::Finished,
            Outcome::Forfeited => records::Outcome::Forfeited,
            Outcome::Closed => records::Outcome::Closed,
            Outcome::Expired => records::Outcome::Expired,
            Outcome::NotStarted => records::Outcome::NotStarted,
        }
        .into(),
        preset: result.preset.name().to_owned(),
        custom: result.custom,
        deals: result.deals.into(),
        sides: result.sides.iter().map(side).collect(),
        seats: result.seats.iter().map(seat).collect(),
        scripted: result.scripted,
        counted: result.counted,
        record_hash: result.record_hash.to_vec(),
    }
}

/// The result of the update that made this revision.
pub(crate) fn from_record(
    table: TableId,
    revision: i64,
    record: records::Result,
) -> Result<TableResult, Unfit> {
    let outcome = match record.outcome() {
        records::Outcome::Finished => Outcome::Finished,
        records::Outcome::Forfeited => Outcome::Forfeited,
        records::Outcome::Closed => Outcome::Closed,
        records::Outcome::Expired => Outcome::Expired,
        records::Outcome::NotStarted => Outcome::NotStarted,
        records::Outcome::Unspecified => return Err(Unfit("its outcome is none")),
    };
    Ok(TableResult {
        table,
        external_ref: record.external_ref,
        labels: labels_from_record(record.labels)?,
        outcome,
        revision,
        preset: Preset::from_name(&record.preset).ok_or(Unfit("its preset is none"))?,
        custom: record.custom,
        deals: count(record.deals)?,
        sides: record.sides.iter().map(side).collect::<Result<_, _>>()?,
        seats: record.seats.into_iter().map(seat).collect::<Result<_, _>>()?,
        scripted: record.scripted,
        counted: record.counted,
        record_hash: exact(&record.record_hash, "its record hash is not 32 bytes")?,
    })
}

fn side(record: &records::ResultSide) -> Result<SideResult, Unfit> {
    let none = Unfit("a side of its result is none");
    let seats = u8::try_from(record.seats).ok().and_then(SeatSet::from_bits).ok_or(none)?;
    let place = u8::try_from(record.place).map_err(|_| none)?;
    Ok(SideResult { seats, game_points: count(record.game_points)?, place })
}

fn seat(record: records::ResultSeat) -> Result<SeatResult, Unfit> {
    Ok(SeatResult {
        player: record.player.map(player_from_record),
        timeouts: count(record.timeouts)?,
        bot_actions: count(record.bot_actions)?,
        left: record.left,
        forfeited: record.forfeited,
    })
}

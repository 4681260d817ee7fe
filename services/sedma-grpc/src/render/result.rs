//! How tables ended.

use sedma_proto::v1;
use sedma_rules::Seat;
use sedma_table::{Filed, Outcome, ResultId, SeatResult, SideResult, TableId, Version};

use super::{seat, seats, timestamp};

/// Between a table's name and what tells its results apart.
const RESULTS: &str = "/results/";

/// A result's identity: the table, the revision and the history mark of the update that ended it.
pub(crate) fn result_id(ResultId { table, version }: ResultId) -> String {
    let Version { revision, token } = version;
    format!("{table}{RESULTS}{revision}-{:016x}", u64::from_be_bytes(token))
}

/// Reads a result's identity.
pub(crate) fn parse_result_id(text: &str) -> Option<ResultId> {
    let (table, rest) = text.split_once(RESULTS)?;
    let (revision, token) = rest.split_once('-')?;
    let (table, revision) = (TableId::from_name(table)?, revision.parse().ok()?);
    let token = u64::from_str_radix(token, 16).ok()?.to_be_bytes();
    let id = ResultId { table, version: Version { revision, token } };
    (result_id(id) == text).then_some(id)
}

/// A result as its platform is told it.
pub(crate) fn result(filed: &Filed) -> v1::Result {
    let Filed { version, time_ms, result } = filed;
    v1::Result {
        result_id: result_id(ResultId { table: result.table, version: *version }),
        table: result.table.to_string(),
        external_ref: result.external_ref.clone(),
        labels: result.labels.clone(),
        outcome: match result.outcome {
            Outcome::Finished => v1::Outcome::Finished,
            Outcome::Forfeited => v1::Outcome::Forfeited,
            Outcome::Closed => v1::Outcome::Closed,
            Outcome::Expired => v1::Outcome::Expired,
            Outcome::NotStarted => v1::Outcome::NotStarted,
        }
        .into(),
        end_time: Some(timestamp(*time_ms)),
        revision: result.revision,
        preset: result.preset.name().to_owned(),
        deals: result.deals.into(),
        sides: result.sides.iter().map(side).collect(),
        seats: (1..=4).filter_map(Seat::new).zip(&result.seats).map(|(at, state)| one(at, state)).collect(),
        scripted: result.scripted,
        record_sha256: result.record_hash.to_vec().into(),
        custom: result.custom,
        uncounted: !result.counted,
    }
}

fn side(side: &SideResult) -> v1::ResultSide {
    v1::ResultSide {
        seats: seats(side.seats),
        game_points: side.game_points.into(),
        place: side.place.into(),
    }
}

fn one(at: Seat, state: &SeatResult) -> v1::ResultSeat {
    v1::ResultSeat {
        seat: seat(at),
        player_id: state.player.as_ref().map(|player| player.player_id.clone()).unwrap_or_default(),
        timeouts: state.timeouts.into(),
        bot_actions: state.bot_actions.into(),
        left: state.left,
        forfeited: state.forfeited,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_id_comes_back_and_nothing_else_is_taken_for_one() {
        let version = Version { revision: 41, token: [0, 1, 2, 3, 4, 5, 6, 7] };
        let id = ResultId { table: TableId::from_bytes([7; 16]), version };
        let text = result_id(id);
        assert!(text.ends_with("/results/41-0001020304050607"), "{text}");
        assert_eq!(parse_result_id(&text), Some(id));
        let other = [text.to_uppercase(), text.replace("41-", "041-"), text.replace("41-", "+41-")];
        for text in other.iter().map(String::as_str).chain(["", "tables/x/results/1-00", &text[1..]]) {
            assert_eq!(parse_result_id(text), None, "{text}");
        }
    }
}

//! From messages to types that can't be wrong. Every refusal names the field's path.

mod card;
mod create;
mod options;
mod rules;
mod timing;

use sedma_proto::v1;
use sedma_rules::{Action, Seat};
use sedma_table::limits::{MAX_DISPLAY_NAME_BYTES, MAX_ENTROPY_BYTES, MAX_PLAYER_ID_BYTES};
use sedma_table::{Player, Refusal, RequestId, TableId, Viewer};
use uuid::Uuid;

pub(crate) use card::card;
pub(crate) use create::create_table;
pub(crate) use rules::{game_rules, preset, rules_invalid, sedma_rules};
pub(crate) use timing::{bot_level, duration_ms, whole_ms};

/// The text form of a table's name, for messages.
const NAME_FORM: &str =
    "it must be `tables/` and 26 characters of lower-case base32, as CreateTable answered it";

/// A table's name.
pub(crate) fn table(name: &str) -> Result<TableId, Refusal> {
    table_at("name", name)
}

/// A table's name in a field of its own.
pub(crate) fn table_at(field: &str, name: &str) -> Result<TableId, Refusal> {
    TableId::from_name(name).ok_or_else(|| Refusal::field(field, NAME_FORM))
}

/// A revision that a client has seen, and the mark of the history that came with it.
pub(crate) type Cursor = (i64, Option<[u8; 8]>);

/// Where a client goes on, if it says so.
pub(crate) fn cursor(
    prefix: &str,
    after_revision: Option<i64>,
    history: &[u8],
) -> Result<Option<Cursor>, Refusal> {
    let field = |name: &str, why| Refusal::field(format!("{prefix}{name}"), why);
    let mark = match history.len() {
        0 => None,
        8 => <[u8; 8]>::try_from(history).ok(),
        _ => return Err(field("history", "send it back as it came, or leave it empty")),
    };
    match after_revision {
        None if mark.is_some() => Err(field("history", "it needs the after_revision that it came with")),
        None => Ok(None),
        Some(revision) if revision < 0 => Err(field("after_revision", "revisions are not negative")),
        Some(revision) => Ok(Some((revision, mark))),
    }
}

/// A label that tables must have, and its value, if they are given.
pub(crate) fn label_filter(key: &str, value: &str) -> Result<(), Refusal> {
    if key.is_empty() && !value.is_empty() {
        return Err(Refusal::field("label_value", "it needs a label_key"));
    }
    text("label_key", key, 64)?;
    text("label_value", value, 64)
}

/// A request id where one must be.
pub(crate) fn required_request_id(text: &str) -> Result<RequestId, Refusal> {
    request_id(text)?.ok_or_else(|| {
        Refusal::field("request_id", "it is required here: a UUID that a repeat of this call carries again")
    })
}

/// A request id where one may be. Two spellings of one UUID are one id.
pub(crate) fn request_id(text: &str) -> Result<Option<RequestId>, Refusal> {
    if text.is_empty() {
        return Ok(None);
    }
    match Uuid::try_parse(text) {
        Ok(uuid) if !uuid.is_nil() => Ok(Some(RequestId::from_bytes(uuid.into_bytes()))),
        _ => Err(Refusal::field("request_id", "it must be a UUID that is not nil, or empty")),
    }
}

/// A seat's number; 0 is none.
pub(crate) fn seat(field: &str, number: i32) -> Result<Option<Seat>, Refusal> {
    if number == 0 {
        return Ok(None);
    }
    let seat = u8::try_from(number).ok().and_then(Seat::new);
    seat.map(Some).ok_or_else(|| Refusal::field(field, "seats are numbered from 1; the largest table has 4"))
}

/// A seat's number where one must be.
pub(crate) fn required_seat(field: &str, number: i32) -> Result<Seat, Refusal> {
    seat(field, number)?.ok_or_else(|| Refusal::field(field, "it is required, from 1"))
}

/// A play: a card from the hand, or the stock's top card.
pub(crate) fn play(request: &v1::PlayCardRequest) -> Result<Action, Refusal> {
    let announce_marriage = request.announce_marriage;
    if !request.from_stock {
        return Ok(Action::Play { card: card("card", request.card.as_ref())?, announce_marriage });
    }
    if request.card.is_some() {
        return Err(Refusal::field("card", "it must be absent: the stock's top card is played unseen"));
    }
    if announce_marriage {
        return Err(Refusal::field("announce_marriage", "no marriage can be announced with an unseen card"));
    }
    Ok(Action::PlayFromStock)
}

/// The revision that a decision was made on.
pub(crate) fn expected_revision(revision: i64) -> Result<i64, Refusal> {
    if revision >= 1 {
        return Ok(revision);
    }
    Err(Refusal::field(
        "expected_revision",
        "it is required: the revision of the view that you decided on, from 1",
    ))
}

/// The revision that an answer must have reached.
pub(crate) fn min_revision(revision: Option<i64>) -> Result<Option<i64>, Refusal> {
    match revision {
        Some(revision) if revision < 0 => Err(Refusal::field("min_revision", "revisions are not negative")),
        other => Ok(other),
    }
}

/// The seats that a platform wants to see.
pub(crate) fn viewer(numbers: &[i32]) -> Result<Viewer, Refusal> {
    seats(numbers).map(Viewer::seats)
}

/// Seats by number.
pub(crate) fn seats(numbers: &[i32]) -> Result<Vec<Seat>, Refusal> {
    let mut seats = Vec::new();
    for (i, number) in numbers.iter().enumerate() {
        let field = format!("seats[{i}]");
        let seat = seat(&field, *number)?.ok_or_else(|| {
            Refusal::field(field, "seats are numbered from 1; leave the list empty to see no hand")
        })?;
        seats.push(seat);
    }
    Ok(seats)
}

/// A player, where a player id is given.
pub(crate) fn player(prefix: &str, player_id: &str, display_name: &str) -> Result<Option<Player>, Refusal> {
    text(&format!("{prefix}player_id"), player_id, MAX_PLAYER_ID_BYTES)?;
    text(&format!("{prefix}display_name"), display_name, MAX_DISPLAY_NAME_BYTES)?;
    if player_id.is_empty() {
        return Ok(None);
    }
    Ok(Some(Player { player_id: player_id.to_owned(), display_name: display_name.to_owned() }))
}

/// A text of at most so many bytes of UTF-8, without control characters.
pub(crate) fn text(field: &str, value: &str, bytes: usize) -> Result<(), Refusal> {
    if value.len() > bytes {
        return Err(Refusal::field(
            field,
            format!("it has {} bytes of UTF-8; {bytes} are allowed", value.len()),
        ));
    }
    if value.chars().any(char::is_control) {
        return Err(Refusal::field(field, "control characters are not allowed"));
    }
    Ok(())
}

/// A seat's share in the chance of every pack.
pub(crate) fn entropy(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    if bytes.len() > MAX_ENTROPY_BYTES {
        let message = format!("it has {} bytes; {MAX_ENTROPY_BYTES} are allowed", bytes.len());
        return Err(Refusal::field("entropy", message));
    }
    Ok(bytes.to_vec())
}

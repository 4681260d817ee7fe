//! [`Update`] as a record: a played card is three bytes of facts.

use sedma_rules::Seat;
use sedma_table::{Actor, Update};

use crate::codec::{Unfit, facts, records};

/// What the actor's number is multiplied with; the seat is below it.
const ACTOR: u32 = 8;

pub(crate) fn to_record(update: &Update) -> Result<records::Update, Unfit> {
    let actor: u32 = match update.actor {
        Actor::Player => 1,
        Actor::Platform => 2,
    };
    let seat = update.seat.map_or(0, |seat| u32::from(seat.number()));
    let packed = update.traceparent.as_deref().and_then(pack_trace);
    let traceparent = match (&packed, &update.traceparent) {
        (None, Some(text)) => text.clone(),
        _ => String::new(),
    };
    Ok(records::Update {
        who: actor.saturating_mul(ACTOR).saturating_add(seat),
        facts: facts::encode(&update.facts)?,
        trace: packed.map_or_else(Vec::new, |trace| trace.to_vec()),
        traceparent,
    })
}

pub(crate) fn from_record(record: records::Update) -> Result<Update, Unfit> {
    let actor = match record.who.checked_div(ACTOR) {
        Some(1) => Actor::Player,
        Some(2) => Actor::Platform,
        _ => return Err(Unfit("an update's actor is none")),
    };
    let seat = match record.who.checked_rem(ACTOR).and_then(|seat| u8::try_from(seat).ok()) {
        Some(0) => None,
        Some(number) => Some(Seat::new(number).ok_or(Unfit("an update's seat is none"))?),
        None => return Err(Unfit("an update's seat is none")),
    };
    let traceparent = match (record.trace.as_slice(), record.traceparent) {
        ([], text) if text.is_empty() => None,
        ([], text) => Some(text),
        (packed, text) if text.is_empty() => {
            Some(unpack_trace(packed).ok_or(Unfit("an update's trace is not 26 bytes"))?)
        }
        _ => return Err(Unfit("an update has two traces")),
    };
    Ok(Update { actor, seat, facts: facts::decode(&record.facts)?, traceparent })
}

/// Bytes of a packed `traceparent`: version 1, trace id 16, parent id 8, flags 1.
const TRACE_BYTES: usize = 26;
/// The groups between the hyphens of a `traceparent`, in bytes.
const TRACE_GROUPS: [usize; 4] = [1, 16, 8, 1];

/// Packs a `traceparent` that unpacking gives back letter by letter: lower-case hex in its four groups.
fn pack_trace(text: &str) -> Option<[u8; TRACE_BYTES]> {
    let mut packed = [0; TRACE_BYTES];
    let mut bytes = packed.iter_mut();
    let mut groups = text.split('-');
    for length in TRACE_GROUPS {
        let group = groups.next()?.as_bytes();
        let (pairs, rest) = group.as_chunks::<2>();
        if pairs.len() != length || !rest.is_empty() {
            return None;
        }
        for [high, low] in pairs {
            *bytes.next()? = hex(*high)?.checked_shl(4)? | hex(*low)?;
        }
    }
    groups.next().is_none().then_some(packed)
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => digit.checked_sub(b'0'),
        b'a'..=b'f' => digit.checked_sub(b'a')?.checked_add(10),
        _ => None,
    }
}

fn unpack_trace(packed: &[u8]) -> Option<String> {
    use std::fmt::Write as _;

    let mut rest = <&[u8; TRACE_BYTES]>::try_from(packed).ok()?.as_slice();
    let mut text = String::with_capacity(55);
    for (index, length) in TRACE_GROUPS.into_iter().enumerate() {
        if index > 0 {
            text.push('-');
        }
        let (group, behind) = rest.split_at_checked(length)?;
        for byte in group {
            write!(text, "{byte:02x}").ok()?;
        }
        rest = behind;
    }
    Some(text)
}

//! [`Update`] as a record: a played card is three bytes of facts.

use sedma_rules::Seat;
use sedma_table::{Actor, Edition, TableId, Update};

use crate::codec::{Unfit, facts, records};

/// What the actor's number is multiplied with; the seat is below it.
const ACTOR: u32 = 8;

pub(crate) fn to_record(update: &Update) -> Result<records::Update, Unfit> {
    let actor: u32 = match update.actor {
        Actor::Player => 1,
        Actor::Platform => 2,
        Actor::Bot => 3,
        Actor::Timeout => 4,
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
        trace: packed.unwrap_or_default(),
        traceparent,
    })
}

pub(crate) fn from_record(
    table: TableId,
    edition: Edition,
    record: records::Update,
) -> Result<Update, Unfit> {
    let actor = match record.who.checked_div(ACTOR) {
        Some(1) => Actor::Player,
        Some(2) => Actor::Platform,
        Some(3) => Actor::Bot,
        Some(4) => Actor::Timeout,
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
            Some(unpack_trace(packed).ok_or(Unfit("an update's trace has another length"))?)
        }
        _ => return Err(Unfit("an update has two traces")),
    };
    Ok(Update { actor, seat, facts: facts::decode(table, edition, &record.facts)?, traceparent })
}

/// Bytes of a trace id and a parent id.
const IDS: usize = 24;
/// How a `traceparent` of the version that everybody sends begins.
const VERSION: &str = "00-";
/// The flags of a call that is traced, which most stored ones are: they go without saying.
const SAMPLED: u8 = 1;

/// Packs a `traceparent` that unpacking gives back letter by letter: version 00, lower-case hex, four groups.
fn pack_trace(text: &str) -> Option<Vec<u8>> {
    let (trace, rest) = text.strip_prefix(VERSION)?.split_once('-')?;
    let (parent, flags) = rest.split_once('-')?;
    let mut packed = Vec::with_capacity(IDS);
    for (group, length) in [(trace, 16), (parent, 8), (flags, 1)] {
        let (pairs, rest) = group.as_bytes().as_chunks::<2>();
        if pairs.len() != length || !rest.is_empty() {
            return None;
        }
        for [high, low] in pairs {
            packed.push(hex(*high)?.checked_shl(4)? | hex(*low)?);
        }
    }
    packed.pop_if(|flags| *flags == SAMPLED);
    Some(packed)
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => digit.checked_sub(b'0'),
        b'a'..=b'f' => digit.checked_sub(b'a')?.checked_add(10),
        _ => None,
    }
}

fn unpack_trace(packed: &[u8]) -> Option<String> {
    let (trace, rest) = packed.split_first_chunk()?;
    let (parent, flags) = rest.split_first_chunk()?;
    let flags = match flags {
        [] => SAMPLED,
        [flags] if *flags != SAMPLED => *flags,
        _ => return None,
    };
    let (trace, parent) = (u128::from_be_bytes(*trace), u64::from_be_bytes(*parent));
    Some(format!("{VERSION}{trace:032x}-{parent:016x}-{flags:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_traceparent_is_packed_if_it_comes_back_letter_by_letter() {
        let sampled = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        for (text, length) in [(sampled, 24), (&sampled.replace("-01", "-00"), 25)] {
            let packed = pack_trace(text).unwrap();
            assert_eq!((packed.len(), unpack_trace(&packed).as_deref()), (length, Some(text)));
        }
        let others = [
            String::new(),
            sampled.to_uppercase(),
            sampled.replace("00-4", "01-4"),
            format!("{sampled}-more"),
            sampled.replace("b7-01", "-01"),
        ];
        for text in others {
            assert_eq!(pack_trace(&text), None, "{text}");
        }
    }

    #[test]
    fn other_lengths_are_none() {
        assert_eq!(unpack_trace(&[0; 23]), None);
        assert_eq!(unpack_trace(&[1; 25]), None);
        assert_eq!(unpack_trace(&[2; 26]), None);
    }
}

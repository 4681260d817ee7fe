//! What answers betray.

use tests::v1;

use crate::answer::Answer;
use crate::seen::Seen;
use crate::viewer::Viewer;

/// What a viewer can tell two tables apart by; nothing, where secrets are kept.
pub(crate) fn differences(one: &[Answer], other: &[Answer]) -> Vec<String> {
    let mut found: Vec<String> =
        one.iter().zip(other).filter_map(|(one, other)| difference(one, other)).collect();
    if one.len() != other.len() {
        found.push(format!("{} answers at one table, {} at the other", one.len(), other.len()));
    }
    found
}

fn difference(one: &Answer, other: &Answer) -> Option<String> {
    let same = one.what == other.what
        && one.refused == other.refused
        && one.headers == other.headers
        && one.masked == other.masked;
    if same {
        return None;
    }
    let texts = [one.text(), other.text()];
    let [lines, others] = texts.each_ref().map(|text| text.lines().map(str::trim).collect::<Vec<_>>());
    let changed = (0..lines.len().max(others.len())).filter_map(|at| {
        let [a, b] = [&lines, &others].map(|lines| lines.get(at).copied().unwrap_or("(nothing)"));
        (a != b).then(|| format!("  line {at}: {a} / {b}\n"))
    });
    let head = format!("{} {:?} / {} {:?}\n", one.what, one.headers, other.what, other.headers);
    Some([head].into_iter().chain(changed).collect())
}

/// The answers with a card that the viewer may not know.
pub(crate) fn leaks(answers: &[Answer], seen: &Seen, viewer: Viewer) -> Vec<String> {
    let mut found = Vec::new();
    for answer in answers {
        let known = |card: &v1::Card| {
            answer.asked == Some(*card)
                || answer.about.iter().any(|about| seen.may_show(*about, viewer, *card))
        };
        let hidden: Vec<v1::Card> = cards_in(&answer.raw).into_iter().filter(|card| !known(card)).collect();
        if !hidden.is_empty() {
            found.push(format!("{} has {}\n{}", answer.what, tests::text(&hidden), answer.text()));
        }
    }
    found
}

/// Every card in these bytes, whatever message it is in: as field 1, 2 or 3, where no message has anything else that
/// looks so; its length, then rank and suit.
fn cards_in(bytes: &[u8]) -> Vec<v1::Card> {
    let found = bytes.windows(6).filter_map(|window| match *window {
        [10 | 18 | 26, 4, 8, rank @ 2..=14, 16, suit @ 1..=4] => {
            Some(v1::Card { rank: rank.into(), suit: suit.into() })
        }
        _ => None,
    });
    found.collect()
}

#[cfg(test)]
mod unit {
    use prost::Message as _;
    use tests::{cards, v1};

    use super::cards_in;

    #[test]
    fn cards_are_found_wherever_they_are() {
        let play = v1::Play { seat: 3, card: cards("10h").pop(), ..v1::Play::default() };
        let trick = v1::TakenTrick { plays: vec![play], winner_seat: 1, points: 10 };
        assert_eq!(cards_in(&trick.encode_to_vec()), cards("10h"));
        let own = v1::SeatCards { seat: 1, cards: cards("7c As") };
        assert_eq!(cards_in(&own.encode_to_vec()), cards("7c As"));
        let played = v1::CardPlayed { seat: 2, card: cards("2h").pop(), ..v1::CardPlayed::default() };
        assert_eq!(cards_in(&played.encode_to_vec()), cards("2h"));
        let refusal = v1::Refusal { card: cards("Qd").pop(), ..v1::Refusal::default() };
        assert_eq!(cards_in(&refusal.encode_to_vec()), cards("Qd"));
    }

    #[test]
    fn a_seat_and_a_count_are_no_card() {
        let drawn = v1::event::Fact::CardsDrawn(v1::CardsDrawn { seat: 2, count: 1 });
        let exchanged = v1::HandsExchanged { seat: 2, exchanged: true, own: Vec::new() };
        for fact in [drawn, v1::event::Fact::HandsExchanged(exchanged)] {
            let update = v1::Update { events: vec![v1::Event { fact: Some(fact) }], ..v1::Update::default() };
            assert_eq!(cards_in(&update.encode_to_vec()), []);
        }
    }
}

//! The checker finds what is wrong: a history made by hand, and whatever can be wrong with it.

use crate::checker::{Finding, check};
use crate::story::{By, Call, Entry, Outcome, Story, Told, Turn};

/// A seat's turn is over so long after the update before it.
const TURN_MS: i64 = 100;

fn entry(revision: i64, by: By, seat: i32, card: Option<&str>, next: i32) -> Entry {
    let time_ms = revision * 10;
    Entry {
        revision,
        mark: mark(revision),
        by,
        seat,
        card: card.map(str::to_owned),
        time_ms,
        turn: Turn { seat: next, since: revision, fire_ms: Some(time_ms + TURN_MS) },
        content: format!("update {revision}").into_bytes(),
        state: format!("state {revision}").into_bytes(),
    }
}

fn call(request: &str, seat: i32, card: &str, expected: i64, outcome: Outcome) -> Call {
    let sent_ns = u128::try_from(expected).unwrap() * 10 + 1;
    let (request, card) = (request.to_owned(), card.to_owned());
    Call { request, seat, card, expected, sent_ns, over_ns: sent_ns + 5, outcome }
}

fn mark(revision: i64) -> Vec<u8> {
    format!("mark {revision}").into_bytes()
}

fn accepted(revision: i64) -> Outcome {
    Outcome::Accepted { revision, mark: mark(revision), replayed: false }
}

fn told(log: &[Entry]) -> Vec<Told> {
    let updates =
        log.iter().map(|entry| Told::Update { revision: entry.revision, content: entry.content.clone() });
    updates.chain([Told::End]).collect()
}

/// Seats 1 and 2 play in turns: an accepted card, one about which its player was told nothing, one that the clock
/// played, and one that was accepted at its second sending.
fn good() -> Story {
    let mut log = vec![
        entry(1, By::Platform, 0, None, 1),
        entry(2, By::Player, 1, Some("7h"), 2),
        entry(3, By::Player, 2, Some("8h"), 1),
        entry(4, By::Clock, 1, Some("9h"), 2),
        entry(5, By::Player, 2, Some("Kh"), 1),
    ];
    log[3].time_ms = log[2].time_ms + TURN_MS;
    log[4].time_ms = log[3].time_ms + 10;
    log[3].turn.fire_ms = Some(log[3].time_ms + TURN_MS);
    let calls = vec![
        call("a", 1, "7h", 1, accepted(2)),
        call("b", 2, "8h", 2, Outcome::Unknown),
        call("c", 1, "Qh", 3, Outcome::Expired),
        call("d", 2, "Kh", 4, Outcome::Unknown),
        call("d", 2, "Kh", 4, Outcome::Accepted { revision: 5, mark: mark(5), replayed: true }),
    ];
    let watchers = vec![told(&log), told(&log)];
    Story { state: log[4].state.clone(), log, calls, watchers, ..Story::default() }
}

fn findings(change: impl FnOnce(&mut Story)) -> Vec<Finding> {
    let mut story = good();
    change(&mut story);
    check(&story)
}

#[test]
fn a_history_in_which_all_is_well_has_no_finding() {
    assert_eq!(findings(|_| ()), []);
    let repeated = |story: &mut Story| story.calls.push(call("a", 1, "7h", 1, accepted(2)));
    assert_eq!(findings(repeated), [], "whoever asks again is told the same");
}

#[test]
fn an_accepted_card_that_is_not_there_is_lost() {
    let lost = |request: &str, revision| Finding::Lost { request: request.to_owned(), revision };
    assert_eq!(findings(|story| story.calls[4].outcome = accepted(6)), [lost("d", 6)]);
    let other = |story: &mut Story| story.log[1].card = Some("10h".to_owned());
    assert_eq!(findings(other), [lost("a", 2), Finding::FromNowhere { revision: 2 }]);
    let rewound = |story: &mut Story| story.log[1].mark = b"another history".to_vec();
    assert_eq!(findings(rewound), [lost("a", 2)], "it was played once more, in another history");
    let cut = |story: &mut Story| {
        story.log.pop();
        story.state = story.log[3].state.clone();
    };
    assert!(findings(cut).contains(&lost("d", 5)));
}

#[test]
fn a_request_that_stands_twice_is_doubled() {
    let twice = |story: &mut Story| {
        // The turn came back to seat 1, and so did its card.
        story.log[3] = Entry { by: By::Player, card: Some("7h".to_owned()), ..story.log[3].clone() };
        story.log[3].time_ms = story.log[2].time_ms + 1;
        story.log[2].turn.since = 1;
    };
    assert_eq!(findings(twice), [Finding::Doubled { request: "a".to_owned(), revision: 4 }]);
    let told_twice = |story: &mut Story| {
        story.log[4] = Entry { seat: 1, card: Some("7h".to_owned()), ..story.log[4].clone() };
        story.calls.truncate(3);
        story.calls.push(call("a", 1, "7h", 1, accepted(5)));
    };
    let shared = |story: &mut Story| story.calls.push(call("e", 1, "7h", 1, accepted(2)));
    assert_eq!(findings(shared), [Finding::Doubled { request: "e".to_owned(), revision: 2 }]);
    assert!(findings(told_twice).contains(&Finding::Doubled { request: "a".to_owned(), revision: 5 }));
}

#[test]
fn a_refused_card_does_not_stand() {
    let stands = |request: &str, revision| Finding::RefusedStands { request: request.to_owned(), revision };
    assert_eq!(findings(|story| story.calls[1].outcome = Outcome::Refused), [stands("b", 3)]);
    assert_eq!(findings(|story| story.calls[1].outcome = Outcome::Expired), [stands("b", 3)]);
    assert_eq!(findings(|story| story.calls[3].outcome = Outcome::Refused), [stands("d", 5)]);
}

#[test]
fn a_card_that_nobody_asked_for_is_from_nowhere() {
    assert_eq!(findings(|story| drop(story.calls.remove(1))), [Finding::FromNowhere { revision: 3 }]);
    let stale = |story: &mut Story| story.calls[1].expected = 1;
    assert_eq!(findings(stale), [Finding::FromNowhere { revision: 3 }], "it was decided on an older turn");
}

#[test]
fn who_was_accepted_first_stands_first() {
    let late = |story: &mut Story| {
        story.calls[0].sent_ns = 1_000;
        story.calls[0].over_ns = 1_001;
    };
    let found = Finding::OutOfOrder { first: "d".to_owned(), second: "a".to_owned() };
    assert_eq!(findings(late), [found]);
}

#[test]
fn no_turn_is_acted_on_twice_and_none_before_or_after_its_time() {
    assert_eq!(findings(|story| story.log[2].turn.seat = 2), [Finding::OutOfTurn { revision: 4 }]);
    assert_eq!(findings(|story| story.log[3].time_ms -= 1), [Finding::Early { revision: 4 }]);
    let bot = |story: &mut Story| {
        story.log[3].by = By::Bot;
        story.log[3].time_ms -= 1;
    };
    assert_eq!(findings(bot), [Finding::Early { revision: 4 }]);
    assert_eq!(findings(|story| story.log[4].time_ms += TURN_MS), [Finding::Late { revision: 5 }]);
    assert_eq!(findings(|story| story.log[2].turn.fire_ms = None), [Finding::Early { revision: 4 }]);
}

#[test]
fn the_history_has_no_gap_and_comes_to_the_state() {
    let gap = |story: &mut Story| story.log[4].revision = 6;
    assert!(findings(gap).contains(&Finding::Gap { after: 4 }));
    assert_eq!(findings(|story| story.state.clear()), [Finding::OtherState]);
    let trouble = |story: &mut Story| story.troubles.push("it hangs".to_owned());
    assert_eq!(findings(trouble), [Finding::Trouble("it hangs".to_owned())]);
}

#[test]
fn a_watcher_is_told_the_history_in_order_once_and_to_its_end() {
    let watcher = 1;
    let twice = |story: &mut Story| story.watchers[1].insert(1, told(&story.log).remove(0));
    assert_eq!(findings(twice), [Finding::ToldOutOfOrder { watcher, after: 1, revision: 1 }]);
    let gap = |story: &mut Story| drop(story.watchers[1].remove(2));
    assert_eq!(findings(gap), [Finding::ToldOutOfOrder { watcher, after: 2, revision: 4 }]);
    let other = |story: &mut Story| {
        story.watchers[1][2] = Told::Update { revision: 3, content: b"another one".to_vec() };
    };
    assert_eq!(findings(other), [Finding::ToldOtherwise { watcher, revision: 3 }]);
    let short = |story: &mut Story| drop(story.watchers[1].pop());
    assert_eq!(findings(short), [Finding::ToldTooLittle { watcher, revision: 5 }]);
}

#[test]
fn a_reset_announces_what_is_gone_and_leads_back_into_the_history() {
    let (watcher, revision) = (1, 2);
    let reset = |state: &[u8]| Told::Reset { revision, state: state.to_vec(), rewound: true };
    let gone = Told::Update { revision: 3, content: b"gone".to_vec() };
    let announced = |story: &mut Story| {
        story.watchers[1].splice(2..2, [gone.clone(), reset(b"state 2")]);
    };
    let found = findings(announced);
    assert_eq!(found, [Finding::Reset { watcher, revision }]);
    assert!(found[0].is_loss());
    let elsewhere = |story: &mut Story| drop(story.watchers[1].splice(2..2, [gone, reset(b"state 9")]));
    let found = findings(elsewhere);
    assert_eq!(found, [Finding::Reset { watcher, revision }, Finding::ResetElsewhere { watcher, revision }]);
    assert!(!found[1].is_loss());
}

//! Holds what clients were told against a table's final history.
//!
//! A request is all its sendings. One that was accepted stands once, at the revision that its caller was told, and is
//! that seat's card. One that was refused does not stand. Of one about which nothing is known either is so. Whoever was
//! accepted before another one asked stands before him. No turn is acted on twice, and no clock acts before its time.
//! Each watcher is told the history in order, once; what was told and is gone is announced by a reset.

use std::collections::{BTreeMap, BTreeSet};

use crate::story::{By, Call, Entry, Outcome, Story, Told};

/// Something that must not be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Finding {
    /// The history can't be told, or the table does not go on.
    Trouble(String),
    /// After this revision comes another one than the next.
    Gap { after: i64 },
    /// The table's state is not what its history comes to.
    OtherState,
    /// A request was accepted with this revision, which is another update now, or none.
    Lost { request: String, revision: i64 },
    /// An update repeats a request that stands already.
    Doubled { request: String, revision: i64 },
    /// A request was refused, and this update is what it asked for.
    RefusedStands { request: String, revision: i64 },
    /// An update of a player that no player asked for.
    FromNowhere { revision: i64 },
    /// One request was accepted before the other was sent, and stands after it.
    OutOfOrder { first: String, second: String },
    /// Who acted was not to act: his turn was over, or not yet come.
    OutOfTurn { revision: i64 },
    /// A clock acted before its time.
    Early { revision: i64 },
    /// A person acted after his time was over.
    Late { revision: i64 },
    /// A watcher was told this revision after that one, where the next was due.
    ToldOutOfOrder { watcher: usize, after: i64, revision: i64 },
    /// A watcher was told of another update than the one that stands, and no reset came after it.
    ToldOtherwise { watcher: usize, revision: i64 },
    /// A watcher was reset to this revision.
    Reset { watcher: usize, revision: i64 },
    /// A watcher was reset to a state that the table never had.
    ResetElsewhere { watcher: usize, revision: i64 },
    /// A watcher was told no more than this, and it was not the end.
    ToldTooLittle { watcher: usize, revision: i64 },
}

impl Finding {
    /// Whether it is what a store that lost updates comes to, and nothing worse.
    pub(crate) fn is_loss(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Reset { .. })
    }
}

/// All that is wrong with a table's story.
pub(crate) fn check(story: &Story) -> Vec<Finding> {
    let mut findings: Vec<Finding> = story.troubles.iter().cloned().map(Finding::Trouble).collect();
    let requests = requests(&story.calls);
    findings.extend(gaps(&story.log));
    if story.log.last().is_some_and(|last| last.state != story.state) {
        findings.push(Finding::OtherState);
    }
    let standing = standing(&requests, &story.log, &mut findings);
    findings.extend(order(&requests, &standing));
    findings.extend(story.log.windows(2).filter_map(|pair| turn(&pair[0], &pair[1])));
    for (watcher, told) in story.watchers.iter().enumerate() {
        follow(watcher, told, &story.log, &mut findings);
    }
    findings
}

/// The sendings of each request.
fn requests(calls: &[Call]) -> BTreeMap<&str, Vec<&Call>> {
    let mut requests: BTreeMap<&str, Vec<&Call>> = BTreeMap::new();
    for call in calls {
        requests.entry(&call.request).or_default().push(call);
    }
    requests
}

fn gaps(log: &[Entry]) -> impl Iterator<Item = Finding> {
    let revisions = log.iter().map(|entry| entry.revision);
    (1..)
        .zip(revisions)
        .find(|(due, revision)| due != revision)
        .map(|(due, _)| Finding::Gap { after: due - 1 })
        .into_iter()
}

fn at(log: &[Entry], revision: i64) -> Option<&Entry> {
    let index = usize::try_from(revision - 1).ok()?;
    log.get(index).filter(|entry| entry.revision == revision)
}

/// Whether an update is what a call asked for.
fn is(call: &Call, entry: &Entry) -> bool {
    entry.by == By::Player && entry.seat == call.seat && entry.card.as_ref() == Some(&call.card)
}

/// Which request each player's card in the history is.
fn standing<'a>(
    requests: &BTreeMap<&'a str, Vec<&Call>>,
    log: &[Entry],
    findings: &mut Vec<Finding>,
) -> BTreeMap<&'a str, i64> {
    let (mut standing, mut known): (BTreeMap<&str, i64>, BTreeSet<i64>) = Default::default();
    for (request, calls) in requests {
        let told: BTreeSet<(i64, &[u8])> = calls.iter().filter_map(|call| accepted(call)).collect();
        for (revision, mark) in told {
            if !at(log, revision).is_some_and(|entry| entry.mark == mark && is(calls[0], entry)) {
                findings.push(Finding::Lost { request: (*request).to_owned(), revision });
            } else if standing.insert(request, revision).is_some() || !known.insert(revision) {
                findings.push(Finding::Doubled { request: (*request).to_owned(), revision });
            } else if calls.iter().any(|call| call.outcome == Outcome::Refused) {
                findings.push(Finding::RefusedStands { request: (*request).to_owned(), revision });
            }
        }
    }
    let mut before: Option<&Entry> = None;
    for entry in log {
        let since = before.replace(entry).map_or(0, |before| before.turn.since);
        if entry.by != By::Player || entry.card.is_none() || known.contains(&entry.revision) {
            continue;
        }
        match whose(requests, &standing, entry, since) {
            Some((request, Whose::Open)) => drop(standing.insert(request, entry.revision)),
            Some((request, Whose::Refused)) => {
                let request = request.to_owned();
                findings.push(Finding::RefusedStands { request, revision: entry.revision });
            }
            Some((request, Whose::Stands)) => {
                let request = request.to_owned();
                findings.push(Finding::Doubled { request, revision: entry.revision });
            }
            None => findings.push(Finding::FromNowhere { revision: entry.revision }),
        }
    }
    standing
}

/// The revision and the mark that a caller was told.
fn accepted(call: &Call) -> Option<(i64, &[u8])> {
    match &call.outcome {
        Outcome::Accepted { revision, mark, .. } => Some((*revision, mark)),
        _ => None,
    }
}

/// What is known of a request that asked for an update whose caller was not told so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    /// It may be it.
    Open,
    /// It should not have happened.
    Refused,
    /// It has happened elsewhere.
    Stands,
}

/// The request that an update is, if any may be; one that it is allowed to be before others.
fn whose<'a>(
    requests: &BTreeMap<&'a str, Vec<&Call>>,
    standing: &BTreeMap<&str, i64>,
    entry: &Entry,
    since: i64,
) -> Option<(&'a str, Whose)> {
    let asked = requests
        .iter()
        .filter(|(_, calls)| is(calls[0], entry) && (since..entry.revision).contains(&calls[0].expected));
    let judged = asked.map(|(request, calls)| {
        let refused = calls.iter().any(|call| call.outcome == Outcome::Refused)
            || calls.iter().all(|call| call.outcome == Outcome::Expired);
        let whose = match standing.contains_key(request) {
            true => Whose::Stands,
            false if refused => Whose::Refused,
            false => Whose::Open,
        };
        (*request, whose)
    });
    judged.min_by_key(|(_, whose)| *whose)
}

/// Who was accepted before another one asked must stand before him.
fn order(requests: &BTreeMap<&str, Vec<&Call>>, standing: &BTreeMap<&str, i64>) -> Vec<Finding> {
    let mut spans: Vec<(u128, Option<u128>, i64, &str)> = standing
        .iter()
        .map(|(request, revision)| {
            let calls = &requests[request];
            let sent = calls.iter().map(|call| call.sent_ns).min().expect("a sending");
            let told = calls.iter().filter(|call| accepted(call).is_some()).map(|call| call.over_ns).min();
            (sent, told, *revision, *request)
        })
        .collect();
    let mut told: Vec<(u128, i64, &str)> = spans
        .iter()
        .filter_map(|(_, told, revision, request)| Some(((*told)?, *revision, *request)))
        .collect();
    spans.sort_unstable();
    told.sort_unstable();
    let (mut findings, mut told, mut newest) = (Vec::new(), told.into_iter().peekable(), None);
    for (sent, _, revision, request) in spans {
        while let Some((_, earlier, first)) = told.next_if(|(over, ..)| *over < sent) {
            newest = newest.max(Some((earlier, first)));
        }
        if let Some((earlier, first)) = newest
            && earlier > revision
        {
            findings.push(Finding::OutOfOrder { first: first.to_owned(), second: request.to_owned() });
        }
    }
    findings
}

/// What an update has to do with the turn before it.
fn turn(before: &Entry, entry: &Entry) -> Option<Finding> {
    let revision = entry.revision;
    if entry.card.is_some() && entry.seat != before.turn.seat {
        return Some(Finding::OutOfTurn { revision });
    }
    let early = before.turn.fire_ms.is_none_or(|fire_ms| entry.time_ms < fire_ms);
    match entry.by {
        By::Clock if early => Some(Finding::Early { revision }),
        // A bot without a deadline answers at once.
        By::Bot if early && before.turn.fire_ms.is_some() => Some(Finding::Early { revision }),
        By::Player if entry.card.is_some() && before.turn.fire_ms.is_some() && !early => {
            Some(Finding::Late { revision })
        }
        _ => None,
    }
}

/// Holds what one watcher was told against the history.
fn follow(watcher: usize, told: &[Told], log: &[Entry], findings: &mut Vec<Finding>) {
    let last_reset = told.iter().rposition(|told| matches!(told, Told::Reset { .. }));
    let (mut known, mut over) = (0, false);
    for (index, told) in told.iter().enumerate() {
        match told {
            Told::Update { revision, content } => {
                if *revision != known + 1 {
                    findings.push(Finding::ToldOutOfOrder { watcher, after: known, revision: *revision });
                }
                known = *revision;
                let stands = at(log, known).is_some_and(|entry| entry.content == *content);
                if !stands && last_reset.is_none_or(|reset| index > reset) {
                    findings.push(Finding::ToldOtherwise { watcher, revision: *revision });
                }
            }
            Told::Reset { revision, state, rewound } => {
                known = *revision;
                findings.push(Finding::Reset { watcher, revision: known });
                let there = at(log, known).is_some_and(|entry| entry.state == *state);
                if !rewound || (Some(index) == last_reset && !there) {
                    findings.push(Finding::ResetElsewhere { watcher, revision: known });
                }
            }
            Told::End => over = true,
        }
    }
    if !over || log.last().is_some_and(|last| last.revision != known) {
        findings.push(Finding::ToldTooLittle { watcher, revision: known });
    }
}

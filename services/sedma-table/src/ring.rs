//! The replay ring: which requests were accepted lately. It is part of the snapshot, so that one atomic compare covers
//! both, and it is not part of the table's state: a log folded anew has none.

use std::collections::VecDeque;

use sedma_rules::Seat;

use crate::ids::RequestKey;
use crate::limits::RING_ENTRIES;
use crate::refusal::{Reason, Refusal};

/// Whose ring a request is kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Requests about the table as a whole.
    Platform,
    /// Requests for one seat, whoever sent them.
    Seat(Seat),
}

/// One accepted request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingEntry {
    /// The request.
    pub key: RequestKey,
    /// The revision of the update that it became.
    pub revision: i64,
}

/// The last accepted requests: [`RING_ENTRIES`] of the platform and as many of each seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ring {
    /// Index 0 is the platform's, index n is seat n's; oldest first.
    lanes: [VecDeque<RingEntry>; 5],
}

impl Ring {
    /// The revision that this request became, if it was accepted lately. The same id with other content is refused.
    pub fn find(&self, scope: Scope, key: &RequestKey) -> Result<Option<i64>, Refusal> {
        let Some(entry) = self.lane(scope).find(|entry| entry.key.id == key.id) else { return Ok(None) };
        if entry.key.content == key.content {
            return Ok(Some(entry.revision));
        }
        let mut refusal = Refusal::field("request_id", "it was used before for a request with other content");
        refusal.reason = Reason::RequestIdReused;
        refusal.message =
            "This request_id was accepted before with other content; use a new UUID for a new request."
                .into();
        Err(refusal)
    }

    /// Remembers an accepted request; the oldest of a full lane is forgotten.
    pub fn push(&mut self, scope: Scope, entry: RingEntry) {
        let Some(lane) = self.lanes.get_mut(index(scope)) else { return };
        if lane.len() >= RING_ENTRIES {
            lane.pop_front();
        }
        lane.push_back(entry);
    }

    /// The entries of a lane, oldest first.
    pub fn lane(&self, scope: Scope) -> impl Iterator<Item = &RingEntry> {
        self.lanes.get(index(scope)).into_iter().flatten()
    }
}

/// Where a scope's lane is.
fn index(scope: Scope) -> usize {
    match scope {
        Scope::Platform => 0,
        Scope::Seat(seat) => usize::from(seat.number()),
    }
}

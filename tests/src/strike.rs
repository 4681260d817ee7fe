//! What a wire can do to one connection, at the moment when a request passes that it was told to wait for.

use std::time::Duration;

use crate::chance::Chance;
use crate::cut::Way;

/// One fault of one connection. It begins with a request to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strike {
    /// The connection is cut, and the request never sent on.
    CutBefore,
    /// The request is sent on, and the connection is cut when the first answer after it comes.
    CutAfter,
    /// From this request on, or from the answer after it, nothing goes this way any more. The connection stays open.
    Mute(Way),
    /// This request, or the answer after it, comes so much later, and all that follows it waits.
    Late(Way, Duration),
    /// This request, or the answer after it, comes in many pieces of at most so many bytes.
    Sliced(Way, usize),
}

/// Out of a hundred strikes, how many are such; the rest are slices.
const CUTS: usize = 35;
const MUTES: usize = 4;
const DELAYS: usize = 30;
/// The longest delay in milliseconds: some are longer than a client of Redis waits for an answer.
const LATEST_MS: usize = 1_300;
/// The largest pieces.
const LARGEST: usize = 40;

impl Strike {
    /// The kinds of strikes, by name.
    pub const KINDS: [&str; 5] = ["cut before", "cut after", "half open", "late", "sliced"];

    /// Any strike.
    pub fn any(chance: &mut Chance) -> Self {
        let way = *chance.pick(&[Way::ToServer, Way::ToClient]);
        match chance.below(100) {
            n if n < CUTS => *chance.pick(&[Self::CutBefore, Self::CutAfter]),
            n if n < CUTS + MUTES => Self::Mute(way),
            n if n < CUTS + MUTES + DELAYS => {
                // Most are short.
                let most = *chance.pick(&[20, 20, 200, LATEST_MS]);
                let ms = u64::try_from(1 + chance.below(most)).expect("milliseconds");
                Self::Late(way, Duration::from_millis(ms))
            }
            _ => Self::Sliced(way, 1 + chance.below(LARGEST)),
        }
    }

    /// Which of [`Self::KINDS`] it is.
    pub fn kind(&self) -> usize {
        match self {
            Self::CutBefore => 0,
            Self::CutAfter => 1,
            Self::Mute(_) => 2,
            Self::Late(..) => 3,
            Self::Sliced(..) => 4,
        }
    }
}

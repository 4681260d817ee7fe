//! `Debug` of the messages that carry a credential: a log line must never show one.

use std::fmt;

use crate::v1::{SeatToken, WatchToken};

impl fmt::Debug for SeatToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeatToken")
            .field("seat", &self.seat)
            .field("expire_time", &self.expire_time)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for WatchToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatchToken").field("expire_time", &self.expire_time).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{SeatToken, WatchToken};

    #[test]
    fn no_token_shows_in_debug() {
        let seat = SeatToken { seat: 3, token: "very-secret".into(), expire_time: None };
        let watch = WatchToken { token: "very-secret".into(), expire_time: None };
        assert_eq!(format!("{seat:?}"), "SeatToken { seat: 3, expire_time: None, .. }");
        assert_eq!(format!("{watch:?}"), "WatchToken { expire_time: None, .. }");
    }
}

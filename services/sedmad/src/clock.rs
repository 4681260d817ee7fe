//! The wall clock, read for what is no part of a table: a token's expiry, a heartbeat's time.

use std::time::{SystemTime, UNIX_EPOCH};

/// This machine's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallClock;

impl sedma_grpc::Clock for WallClock {
    #[expect(clippy::disallowed_methods, reason = "this is where the server reads the wall clock")]
    fn now_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}

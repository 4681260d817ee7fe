//! Bounded waits.

use std::future::Future;
use std::time::Duration;

/// How long anything may take that a test waits for. Far more than it needs, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Waits for something; panics with its name where it takes too long.
pub async fn within<T>(what: &str, awaited: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(PATIENCE, awaited).await;
    waited.unwrap_or_else(|_elapsed| panic!("{what}: not within {PATIENCE:?}"))
}

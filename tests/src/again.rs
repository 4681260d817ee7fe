//! Calls that are sent again as long as the store is unavailable, as every client does.

use tonic::Status;

use crate::errors::{reason, retry_delay};
use crate::wait::within;

/// Sends a call until it is answered, each time after the pause that the refusal before it asks for. Any other refusal
/// fails the test.
pub async fn once_the_store_is_back<T>(call: impl AsyncFn() -> Result<T, Status>) -> T {
    within("a store that is back", async { patiently(call).await.0 }).await
}

/// The same, however long it takes; answers how often it was refused as well. A deadline that passes says as little as a
/// store that can't be reached: the same request finds out.
pub async fn patiently<T>(call: impl AsyncFn() -> Result<T, Status>) -> (T, usize) {
    let mut refused = 0;
    loop {
        match call().await {
            Ok(answer) => return (answer, refused),
            Err(status) if reason(&status) == "DEADLINE" => {}
            Err(status) => pause_asked_for(&status, "STORE_UNAVAILABLE").await,
        }
        refused += 1;
    }
}

/// Sends a call as long as it is refused for this reason, each time after the pause that the refusal asks for. Any other
/// refusal fails the test.
pub async fn while_refused_as<T>(why: &str, call: impl AsyncFn() -> Result<T, Status>) -> T {
    loop {
        match call().await {
            Ok(answer) => return answer,
            Err(status) => pause_asked_for(&status, why).await,
        }
    }
}

async fn pause_asked_for(refused: &Status, why: &str) {
    assert_eq!(reason(refused), why, "{refused:?}");
    tokio::time::sleep(retry_delay(refused).expect("a pause")).await;
}

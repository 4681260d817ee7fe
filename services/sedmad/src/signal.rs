//! When to stop.

use tokio::signal::unix::{SignalKind, signal};

/// Resolves on SIGTERM, which orchestrators send, or on SIGINT, which a terminal sends. A process that can't listen for
/// one of them still stops on the other.
pub async fn shutdown() {
    let one = async |kind: SignalKind| match signal(kind) {
        Ok(mut stream) => {
            stream.recv().await;
        }
        Err(error) => {
            tracing::error!(%error, "a signal can't be listened for");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = one(SignalKind::terminate()) => tracing::info!("SIGTERM"),
        () = one(SignalKind::interrupt()) => tracing::info!("SIGINT"),
    }
}

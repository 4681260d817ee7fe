//! When to stop.

use std::future::Future;

use tokio::signal::unix::{SignalKind, signal};

/// Resolves on SIGTERM, which orchestrators send, or on SIGINT, which a terminal sends. A process that can't listen for
/// one of them still stops on the other.
///
/// It listens from the call on, not from the first poll: who is told to stop while it still starts has to drain too.
/// Must be called within a runtime.
pub fn shutdown() -> impl Future<Output = ()> + Send {
    let terminate = one(SignalKind::terminate());
    let interrupt = one(SignalKind::interrupt());
    async {
        tokio::select! {
            () = terminate => tracing::info!("SIGTERM"),
            () = interrupt => tracing::info!("SIGINT"),
        }
    }
}

fn one(kind: SignalKind) -> impl Future<Output = ()> + Send {
    let listening = signal(kind);
    async move {
        match listening {
            Ok(mut stream) => {
                stream.recv().await;
            }
            Err(error) => {
                tracing::error!(%error, "a signal can't be listened for");
                std::future::pending::<()>().await;
            }
        }
    }
}

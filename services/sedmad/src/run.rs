//! The server's life: open the store, listen, serve, drain.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use sedma_grpc::{Ended, Keys, OsEntropy, Settings, StoreKind, TokenKeys, serve};
use sedma_store::{AnyStore, MemoryStore, RedisStore, StartError};
use sedma_table::Tables;
use tonic::transport::server::TcpIncoming;

use crate::config::Config;

/// How long a server that can't read the shared configuration waits before it asks again.
const SECRETS_PAUSE: Duration = Duration::from_millis(500);

/// Why a server could not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store can't be used at all.
    #[error(transparent)]
    Store(#[from] StartError),
    /// The address can't be listened on.
    #[error("can't listen on {address}: {why}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's words.
        why: String,
    },
    /// The transport failed.
    #[error("the transport failed: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// Runs a server until `stop` resolves and it has drained. `listening` is told the address once it listens.
pub async fn run(
    config: Config,
    listening: impl FnOnce(SocketAddr) + Send,
    stop: impl Future<Output = ()> + Send,
) -> Result<Ended, RunError> {
    let store = open(&config)?;
    let store_kind = match &store {
        AnyStore::Memory(_) => StoreKind::Memory,
        AnyStore::Redis(_) => StoreKind::Redis,
    };
    if store_kind == StoreKind::Memory {
        tracing::warn!("tables live in this process and are lost when it ends; set REDIS_URL to keep them");
    }
    let incoming = TcpIncoming::bind(config.listen)
        .map_err(|error| RunError::Listen { address: config.listen, why: error.to_string() })?
        // Off by default on this path, and a card would wait for the next one.
        .with_nodelay(Some(true));
    let address = incoming
        .local_addr()
        .map_err(|error| RunError::Listen { address: config.listen, why: error.to_string() })?;
    tracing::info!(%address, store = store.kind(), "listening");
    listening(address);

    let tables = Arc::new(Tables::new(store));
    let keys = Arc::new(std::sync::OnceLock::new());
    let settings = Settings {
        auth: config.auth,
        allow_scripted: config.allow_scripted,
        store_traces: config.store_traces,
        outage_after: config.outage_after,
        reflection: config.reflection,
        keys: keys.clone(),
        entropy: Box::new(OsEntropy),
        store_kind,
        allow_eviction: config.allow_eviction,
    };
    // The port is open from the start, so that health can say NOT_SERVING while Redis is not there yet.
    let fetched = fetch_keys(tables.clone(), keys);
    let serving = serve(incoming, tables, settings, config.plan, stop);
    tokio::pin!(serving);
    tokio::select! {
        ended = &mut serving => return Ok(ended?),
        fetched = fetched => fetched?,
    }
    Ok(serving.await?)
}

fn open(config: &Config) -> Result<AnyStore, StartError> {
    let lifetimes = config.lifetimes;
    match &config.redis_url {
        None => Ok(AnyStore::Memory(MemoryStore::new(lifetimes)?)),
        Some(url) => Ok(AnyStore::Redis(
            RedisStore::connect(url, lifetimes, config.write_schema)?
                .looking_every(config.durability_interval),
        )),
    }
}

/// Gets the deployment's secrets as soon as the store answers. What will never be right ends the server.
async fn fetch_keys(
    tables: Arc<Tables<AnyStore>>,
    keys: Arc<std::sync::OnceLock<Keys>>,
) -> Result<(), StartError> {
    loop {
        match tables.store().secrets().await {
            Ok(secrets) => {
                let token_keys = TokenKeys::new(&secrets.token_keys)
                    .ok_or_else(|| StartError::Damaged("it has no token key that can be used".to_owned()))?;
                let _ = keys.set(Keys { id_secret: secrets.id_secret, token_keys });
                return Ok(());
            }
            Err(StartError::NotReady(why)) => {
                tracing::warn!(%why, "waiting for the store");
                tokio::time::sleep(SECRETS_PAUSE).await;
            }
            Err(other) => return Err(other),
        }
    }
}

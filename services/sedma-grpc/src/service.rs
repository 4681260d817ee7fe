//! What every call shares, and the knobs that are set from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use sedma_table::store::Store;
use sedma_table::{IdSecret, Reason, Refusal, Tables, Tenant};
use tokio::sync::{Semaphore, watch};

use crate::api::consumers::Consumers;
use crate::clocks::Clocks;
use crate::limits::{MAX_CALLS_IN_FLIGHT, MAX_WATCHED_TABLES, MAX_WATCHES};
use crate::tokens::TokenKeys;
use crate::watch::Hub;

/// Who a call without a credential is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auth {
    /// Development: such a call is this platform's.
    Off {
        /// Usually `dev`.
        tenant: Tenant,
    },
}

/// Where the operating system's randomness comes in; tests put a seeded one there.
pub trait Entropy: Send + Sync + 'static {
    /// Fills the bytes, or says that there is no randomness to be had.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy>;
}

/// The operating system has no randomness to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEntropy;

/// Randomness of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        getrandom::fill(bytes).map_err(|_| NoEntropy)
    }
}

/// What the gRPC face is built from.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Settings {
    /// Who a call without a credential is.
    pub auth: Auth,
    /// Whether scripted packs and roots are taken.
    pub allow_scripted: bool,
    /// Whether an action's trace context is stored with its update.
    pub store_traces: bool,
    /// Whether reflection is served.
    pub reflection: bool,
    /// The deployment's keys; set once the store has given them. Before that only open methods answer.
    pub keys: Arc<OnceLock<Keys>>,
    /// Randomness.
    pub entropy: Box<dyn Entropy>,
    /// How long nobody may have swept a part of the store before what fell due there meanwhile is an outage's, and gets
    /// its whole time again.
    pub outage_after: std::time::Duration,
    /// What keeps the tables.
    pub store_kind: StoreKind,
    /// Whether it serves on a store that throws tables away when its memory is full.
    pub allow_eviction: bool,
}

/// What ids are derived under and tokens are signed with: the same on every replica.
#[derive(Debug)]
pub struct Keys {
    /// The secret that ids are derived under.
    pub id_secret: IdSecret,
    /// The keys of seat and watch tokens.
    pub token_keys: TokenKeys,
}

/// What keeps the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// This process; lost when it ends.
    Memory,
    /// Redis, shared by all replicas.
    Redis,
}

/// The service: shared by every call.
pub(crate) struct Service<S: Store> {
    pub(crate) tables: Arc<Tables<S>>,
    pub(crate) hub: Arc<Hub<S>>,
    pub(crate) clocks: Arc<Clocks<S>>,
    pub(crate) settings: Settings,
    pub(crate) calls: Arc<Semaphore>,
    pub(crate) watches: Arc<Semaphore>,
    /// Tables of watches over all tables.
    pub(crate) watched_tables: Arc<Semaphore>,
    /// Streams of results, of each platform.
    pub(crate) consumers: Arc<Consumers>,
    pub(crate) drain: Drain,
}

impl<S: Store> Service<S> {
    pub(crate) fn new(tables: Arc<Tables<S>>, settings: Settings, drain: Drain) -> Arc<Self> {
        let hub = Hub::start(tables.clone());
        let clocks = Clocks::start(tables.clone(), settings.outage_after);
        Arc::new(Self {
            tables,
            hub,
            clocks,
            settings,
            calls: Arc::new(Semaphore::new(MAX_CALLS_IN_FLIGHT)),
            watches: Arc::new(Semaphore::new(MAX_WATCHES)),
            watched_tables: Arc::new(Semaphore::new(MAX_WATCHED_TABLES)),
            consumers: Arc::default(),
            drain,
        })
    }

    /// The store's clock, by which everything is timed: milliseconds since the Unix epoch.
    pub(crate) fn now_ms(&self) -> i64 {
        self.tables.store().now_ms()
    }

    /// The deployment's keys, once the store has given them.
    pub(crate) fn keys(&self) -> Result<&Keys, Refusal> {
        self.settings.keys.get().ok_or_else(|| {
            Refusal::new(
                Reason::StoreUnavailable,
                "This replica is still waiting for its store; send the same request again in a moment.",
            )
        })
    }
}

/// Whether the server is going away; watches end themselves over a while when it is.
#[derive(Clone, Debug)]
pub struct Drain {
    begun: Arc<AtomicBool>,
    spread: watch::Sender<Option<std::time::Duration>>,
}

impl Default for Drain {
    fn default() -> Self {
        Self { begun: Arc::default(), spread: watch::Sender::new(None) }
    }
}

impl Drain {
    /// Asks every watch to end with `PlannedEnd`, each at a random moment within `spread`; new ones are refused.
    pub fn begin(&self, spread: std::time::Duration) {
        self.begun.store(true, Ordering::Relaxed);
        self.spread.send_replace(Some(spread));
    }

    /// Whether it has begun.
    pub fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Relaxed)
    }

    /// Turns to `Some` when it begins.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Option<std::time::Duration>> {
        self.spread.subscribe()
    }
}

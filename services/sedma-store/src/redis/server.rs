//! One server of a store, and how connections to it are made.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, PushInfo, Value};
use tokio::sync::{Notify, watch};

use crate::limits::{CONNECT_TIMEOUT, DIAL_TIMEOUT, RESPONSE_TIMEOUT};
use crate::redis::address::{Manner, Place};
use crate::redis::clock::Clock;
use crate::redis::sentinel;

/// One Redis, or the primary of a set.
#[derive(Debug)]
pub(super) struct Server {
    manner: Manner,
    source: Source,
    /// Where it was found last.
    place: RwLock<Arc<Place>>,
    attempts: AtomicUsize,
    /// What is known of its clock.
    pub(super) clock: Clock,
    /// The dial from which on connections are good; all that were made before it are to be made anew.
    anew: watch::Sender<u64>,
    /// Where trouble is told that a look at the cluster's map may mend.
    trouble: Option<Arc<Notify>>,
}

/// Where the server is.
#[derive(Debug)]
enum Source {
    Fixed,
    Sentinel { sentinels: Vec<Place>, service: String },
}

/// A connection, and the number that the server gave the dials of its time.
pub(super) struct Dialled {
    pub(super) connection: MultiplexedConnection,
    pub(super) era: u64,
}

impl Server {
    /// The server at a place; `trouble` is told where a node of a cluster is lost.
    pub(super) fn at(manner: Manner, place: Place, trouble: Option<Arc<Notify>>) -> Self {
        Self {
            manner,
            source: Source::Fixed,
            place: RwLock::new(Arc::new(place)),
            attempts: AtomicUsize::new(0),
            clock: Clock::new(),
            anew: watch::Sender::new(0),
            trouble,
        }
    }

    /// The primary that sentinels know. Until they told, it is shown as the first of them.
    pub(super) fn of_sentinels(manner: Manner, sentinels: Vec<Place>, service: String) -> Self {
        let place = sentinels.first().cloned().unwrap_or(Place { host: String::new(), port: 0 });
        Self { source: Source::Sentinel { sentinels, service }, ..Self::at(manner, place, None) }
    }

    /// Where it was found last, for spans. Without credentials.
    pub(super) fn place(&self) -> Arc<Place> {
        self.place.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A connection of this era was told that this is no primary (any more). All connections that are as old end: the
    /// one for wake-ups would never be told.
    pub(super) fn outlived(&self, era: u64) {
        self.anew.send_if_modified(|newest| {
            let first = *newest == era;
            if first {
                *newest = newest.saturating_add(1);
            }
            first
        });
        self.troubled();
    }

    /// Another server has taken its place: every connection is to be made anew.
    pub(super) fn replaced(&self) {
        let era = *self.anew.borrow();
        self.outlived(era);
    }

    /// Waits until connections of this era are to end.
    pub(super) async fn outlives(&self, era: u64) {
        let mut anew = self.anew.subscribe();
        if anew.wait_for(|newest| *newest > era).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// A connection was lost or not made, or an answer says that the map is another one by now.
    pub(super) fn troubled(&self) {
        if let Some(trouble) = &self.trouble {
            trouble.notify_one();
        }
    }

    /// Makes a connection and gives it a name that `CLIENT LIST` shows, or says why there is none: in the library's
    /// words, which name an address and no credential.
    pub(super) async fn dial(
        &self,
        name: &str,
        pushes: impl Fn(PushInfo) -> Result<(), redis::aio::SendError> + Send + Sync + Clone + 'static,
    ) -> Result<Dialled, String> {
        let era = *self.anew.borrow();
        let dialled = async {
            let Source::Sentinel { sentinels, service } = &self.source else {
                let connection = self.connect(&self.place(), name, pushes, false).await?;
                return Ok((connection, era));
            };
            let (place, connection) = self.primary(sentinels, service, name, &pushes).await?;
            Ok((connection, self.found(place, sentinels, era)))
        };
        // Each step has a timeout; this one covers whatever else the library may wait for.
        match tokio::time::timeout(DIAL_TIMEOUT, dialled).await {
            Ok(result) => result.map(|(connection, era)| Dialled { connection, era }),
            Err(_) => Err("connecting took too long".to_owned()),
        }
    }

    /// A connection to the primary that most sentinels name; where that is none, to the one that any of them names.
    async fn primary(
        &self,
        sentinels: &[Place],
        service: &str,
        name: &str,
        pushes: &(impl Fn(PushInfo) -> Result<(), redis::aio::SendError> + Send + Sync + Clone + 'static),
    ) -> Result<(Place, MultiplexedConnection), String> {
        let to = async |place: Place| {
            self.connect(&place, name, pushes.clone(), true).await.map(|connection| (place, connection))
        };
        // One sentinel may be cut off and name the primary before, which may not know better either.
        if let Some(place) = sentinel::agreed(sentinels, service).await
            && let Ok(made) = to(place).await
        {
            return Ok(made);
        }
        let attempt = self.attempts.fetch_add(1, Ordering::Relaxed);
        let mut why = "no sentinel was asked".to_owned();
        for one in sentinel::in_turn(sentinels, attempt) {
            let told = match sentinel::primary(one, service).await {
                Ok(place) => to(place).await,
                Err(error) => Err(error),
            };
            match told {
                Ok(made) => return Ok(made),
                Err(error) => why = error,
            }
        }
        Err(why)
    }

    /// The primary was found here by a dial that began in this era; answers the era of the connection. Where the last
    /// one was elsewhere, all connections to that one are to be made anew: no two of them may go to different servers.
    fn found(&self, primary: Place, sentinels: &[Place], era: u64) -> u64 {
        let mut place = self.place.write().unwrap_or_else(PoisonError::into_inner);
        if **place == primary {
            return era;
        }
        let was_known = !sentinels.contains(&**place);
        *place = Arc::new(primary);
        if was_known {
            self.replaced();
            *self.anew.borrow()
        } else {
            era
        }
    }

    async fn connect(
        &self,
        place: &Place,
        name: &str,
        pushes: impl Fn(PushInfo) -> Result<(), redis::aio::SendError> + Send + Sync + 'static,
        primary: bool,
    ) -> Result<MultiplexedConnection, String> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(RESPONSE_TIMEOUT))
            .set_push_sender(pushes);
        let made = async {
            let client = Client::open(self.manner.to(place))?;
            let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
            let role =
                if primary { Some(connection.send_packed_command(&redis::cmd("ROLE")).await?) } else { None };
            connection.send_packed_command(redis::cmd("CLIENT").arg("SETNAME").arg(name)).await?;
            Ok((connection, role))
        };
        let (connection, role) = made.await.map_err(|error: redis::RedisError| error.to_string())?;
        match role {
            Some(role) if !is_primary(&role) => Err(format!("{place} is no primary (any more)")),
            _ => Ok(connection),
        }
    }
}

fn is_primary(role: &Value) -> bool {
    match role {
        Value::Array(parts) => matches!(parts.first(), Some(Value::BulkString(role)) if role == b"master"),
        _ => false,
    }
}

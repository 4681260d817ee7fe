//! The transport: every knob set on purpose, health, reflection, and an end that always comes.

use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sedma_proto::FILE_DESCRIPTOR_SET;
use sedma_table::Tables;
use sedma_table::store::Store;
use tokio::sync::oneshot;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, health_reporter};
use tower::ServiceBuilder;

use crate::chance::jittered;
use crate::limits::{
    KEEPALIVE_INTERVAL, KEEPALIVE_TIMEOUT, MAX_CONNECTION_AGE, MAX_HEADER_BYTES, MAX_LOCAL_RESETS,
    MAX_STREAMS_PER_CONNECTION,
};
use crate::metrics;
use crate::routes::{METHODS, Methods};
use crate::service::{Drain, Keys, Service, Settings};
use crate::trace::TraceLayer;

/// How a server goes away.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// `NOT_SERVING` is shown for so long before anything ends, so that balancers notice.
    pub drain_delay: Duration,
    /// Watches end, each at a random moment, within so long.
    pub spread: Duration,
    /// After that, what is still running has so long.
    pub grace: Duration,
    /// How often the store is asked whether it answers; health says what it said.
    pub check_every: Duration,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            drain_delay: Duration::from_secs(5),
            spread: Duration::from_secs(5),
            grace: Duration::from_secs(20),
            check_every: Duration::from_secs(1),
        }
    }
}

/// How often the store is asked while it did not answer.
const CHECK_SOON: Duration = Duration::from_millis(100);

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything was finished.
    Drained,
    /// The grace was over and what was left was cut off.
    CutOff,
}

/// Listens, serves until `stop` resolves, then drains by plan.
pub async fn serve<S: Store>(
    incoming: TcpIncoming,
    tables: Arc<Tables<S>>,
    settings: Settings,
    plan: Plan,
    stop: impl Future<Output = ()> + Send,
) -> Result<Ended, tonic::transport::Error> {
    let drain = Drain::default();
    let reflection = settings.reflection;
    let keys = settings.keys.clone();
    let allow_eviction = settings.allow_eviction;
    let service = Service::new(tables.clone(), settings, drain.clone());
    metrics::observe(&service);
    let (health, health_server) = health_reporter();
    say(&health, ServingStatus::NotServing).await;

    let mut routes = Routes::new(health_server);
    if reflection {
        routes = add_reflection(routes);
    }
    let methods = ServiceBuilder::new().layer(TraceLayer).service(Methods(service));
    let routes = Routes::from(routes.into_axum_router().fallback_service(methods));

    let (closing, closed) = oneshot::channel::<()>();
    let server = builder().add_routes(routes).serve_with_incoming_shutdown(incoming, async {
        let _ = closed.await;
    });
    tokio::pin!(server);
    let checks = watch_store(&tables, &keys, &health, allow_eviction, plan.check_every);
    tokio::select! {
        ended = &mut server => return ended.map(|()| Ended::Drained),
        () = stop => {}
        () = checks => {}
    }

    say(&health, ServingStatus::NotServing).await;
    tracing::info!(delay = ?plan.drain_delay, "draining: NOT_SERVING is shown");
    if let Ok(ended) = tokio::time::timeout(plan.drain_delay, &mut server).await {
        return ended.map(|()| Ended::Drained);
    }
    drain.begin(plan.spread);
    let _ = closing.send(());
    // hyper waits for peers that never spoke (https://github.com/hyperium/hyper/issues/4170): the end is ours to bring.
    match tokio::time::timeout(plan.spread.saturating_add(plan.grace), server).await {
        Ok(ended) => ended.map(|()| Ended::Drained),
        Err(_elapsed) => Ok(Ended::CutOff),
    }
}

/// Every knob that matters, and why. tonic hands `None` to hyper where hyper takes it for "no limit".
fn builder() -> Server {
    Server::builder()
        .max_concurrent_streams(MAX_STREAMS_PER_CONNECTION)
        .http2_max_local_error_reset_streams(Some(MAX_LOCAL_RESETS))
        .http2_max_header_list_size(MAX_HEADER_BYTES)
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        // No grace setting: with one, 0.14.9 never says GOAWAY (https://github.com/grpc/grpc-rust/pull/2877).
        .max_connection_age(jittered(MAX_CONNECTION_AGE, 10))
    // No timeout: it would answer CANCELLED, and cut no stream. Calls bound themselves.
}

fn add_reflection(routes: Routes) -> Routes {
    use tonic_reflection::server::Builder;
    let builder = || {
        Builder::configure()
            .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    match (builder().build_v1(), builder().build_v1alpha()) {
        (Ok(v1), Ok(v1alpha)) => routes.add_service(v1).add_service(v1alpha),
        (Err(error), _) | (_, Err(error)) => {
            tracing::error!(%error, "reflection is off: the descriptor set does not load");
            routes
        }
    }
}

/// The names that health answers for: each service of the package, and the empty one.
fn service_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = METHODS.iter().filter_map(|path| path.split('/').nth(1)).collect();
    names.dedup();
    names.push("");
    names
}

async fn say(health: &HealthReporter, status: ServingStatus) {
    for name in service_names() {
        health.set_service_status(name, status).await;
    }
}

/// SERVING while the store answers and keeps what it is given. A blip of one check is not told: a shared store would empty every replica at once.
async fn watch_store<S: Store>(
    tables: &Tables<S>,
    keys: &OnceLock<Keys>,
    health: &HealthReporter,
    allow_eviction: bool,
    every: Duration,
) {
    let mut shown = ServingStatus::NotServing;
    let (mut failures, mut told) = (0_u32, false);
    loop {
        match tables.store().check().await {
            Ok(()) => failures = 0,
            Err(error) => {
                failures = failures.saturating_add(1);
                // Until it is back that is many times a second.
                if failures.is_power_of_two() {
                    tracing::warn!(%error, failures, "the store does not answer");
                }
            }
        }
        // One that throws tables away must not be given any.
        let evicts = !allow_eviction && tables.store().durability().is_some_and(|found| found.evicts());
        if evicts && !told {
            tracing::error!(
                "not serving: the store throws tables away when its memory is full; set its maxmemory-policy to \
                 noeviction, or say --allow-eviction"
            );
        }
        told = evicts;
        let status = match failures {
            _ if evicts => ServingStatus::NotServing,
            0 if keys.get().is_some() => ServingStatus::Serving,
            0..=2 => shown,
            _ => ServingStatus::NotServing,
        };
        if status != shown {
            say(health, status).await;
            tracing::info!(?status, "health changed");
            shown = status;
        }
        // Until it serves for the first time, somebody is waiting for just that.
        let pause = if shown == ServingStatus::Serving { every } else { every.min(CHECK_SOON) };
        tokio::time::sleep(pause).await;
    }
}

//! A server inside the test's process, on a socket like any other.

use std::net::{Ipv4Addr, SocketAddr};

use sedmad::Config;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::client::Client;
use crate::redis::Redis;
use crate::wait::within;

/// A running server.
pub struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    running: JoinHandle<String>,
}

impl Server {
    /// The configuration that tests start from: a free port of loopback, scripts allowed, gone at once when stopped.
    pub fn config(redis_url: Option<String>) -> Config {
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let mut config = Config::loopback(listen, redis_url).expect("a configuration");
        config.allow_scripted = true;
        config
    }

    /// A server that keeps tables in its memory.
    pub async fn memory() -> Self {
        Self::start(Self::config(None)).await
    }

    /// A replica on this Redis.
    pub async fn redis(redis: &Redis) -> Self {
        Self::start(Self::config(Some(redis.url()))).await
    }

    /// A server with this configuration, once its health says SERVING.
    pub async fn start(config: Config) -> Self {
        let server = Self::listen(config).await;
        serving(server.address).await;
        server
    }

    /// A server with this configuration, as soon as it listens.
    pub async fn listen(config: Config) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (listening, address) = oneshot::channel();
        let running = tokio::spawn(async move {
            let told = |address| {
                let _ = listening.send(address);
            };
            let stop = async {
                let _ = stopped.await;
            };
            match sedmad::run(config, told, stop).await {
                Ok(ended) => format!("{ended:?}"),
                Err(error) => panic!("the server failed: {error}"),
            }
        });
        let address = within("listening", address).await.expect("a server that listens");
        Self { address, stop, running }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A platform's client, on a connection of its own.
    pub async fn platform(&self) -> Client {
        Client::connect(self.address).await
    }

    /// Drains and ends it. No handler may have panicked since the process began.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        within("draining", self.running).await.expect("a server that ends");
        assert_eq!(sedmad::panics(), 0, "a handler panicked");
    }
}

/// Waits until the server at this address says SERVING.
pub async fn serving(address: SocketAddr) {
    let mut health = HealthClient::new(Client::connect(address).await.channel());
    let request = HealthCheckRequest { service: String::new() };
    let mut watch = within("health", health.watch(request)).await.expect("a health watch").into_inner();
    loop {
        let message = within("SERVING", watch.message()).await.expect("a health watch that lives");
        if message.expect("a health watch that goes on").status() == ServingStatus::Serving {
            return;
        }
    }
}

/// What the server at this address says of its health just now.
pub async fn status(address: SocketAddr) -> ServingStatus {
    let mut health = HealthClient::new(Client::connect(address).await.channel());
    let request = HealthCheckRequest { service: String::new() };
    within("health", health.check(request)).await.expect("its health").into_inner().status()
}

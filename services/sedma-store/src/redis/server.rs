//! The address of a Redis, and how connections to it are made.

use redis::aio::MultiplexedConnection;
use redis::io::tcp::TcpSettings;
use redis::{AsyncConnectionConfig, Client, ConnectionAddr, IntoConnectionInfo, ProtocolVersion, PushInfo};

use crate::limits::{CONNECT_TIMEOUT, DIAL_TIMEOUT, RESPONSE_TIMEOUT};
use crate::redis::clock::Clock;
use crate::secrets::StartError;

/// One Redis.
#[derive(Debug)]
pub(super) struct Server {
    client: Client,
    /// Its host as configured, for spans. Without credentials.
    pub(super) host: String,
    /// Its port.
    pub(super) port: u16,
    /// What is known of its clock.
    pub(super) clock: Clock,
}

impl Server {
    /// Takes a `redis://` address apart. Nothing is connected yet.
    pub(super) fn new(url: &str) -> Result<Self, StartError> {
        let refused = |error: redis::RedisError| StartError::Address(error.to_string());
        let info = url.into_connection_info().map_err(refused)?;
        let (host, port) = match info.addr() {
            ConnectionAddr::Tcp(host, port) => (host.clone(), *port),
            ConnectionAddr::TcpTls { .. } => {
                return Err(StartError::Address("rediss:// needs TLS, which this build has not".into()));
            }
            _ => return Err(StartError::Address("only redis://host:port is served".into())),
        };
        // RESP3 tells at once when a connection is lost, and brings wake-ups beside answers.
        let settings = info
            .redis_settings()
            .clone()
            .set_protocol(ProtocolVersion::RESP3)
            .set_lib_name("sedma", env!("CARGO_PKG_VERSION"));
        // Small commands and answers in turn are what Nagle's algorithm delays by 40 ms.
        let info =
            info.set_redis_settings(settings).set_tcp_settings(TcpSettings::default().set_nodelay(true));
        Ok(Self { client: Client::open(info).map_err(refused)?, host, port, clock: Clock::new() })
    }

    /// Makes a connection and gives it a name that `CLIENT LIST` shows, or says why there is none: in the library's
    /// words, which name an address and no credential.
    pub(super) async fn dial(
        &self,
        name: &str,
        pushes: impl Fn(PushInfo) -> Result<(), redis::aio::SendError> + Send + Sync + 'static,
    ) -> Result<MultiplexedConnection, String> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(RESPONSE_TIMEOUT))
            .set_push_sender(pushes);
        let dialled = async {
            let mut connection = self.client.get_multiplexed_async_connection_with_config(&config).await?;
            connection.send_packed_command(redis::cmd("CLIENT").arg("SETNAME").arg(name)).await?;
            Ok(connection)
        };
        // The timeouts above cover each step; this one covers whatever else the library may wait for.
        match tokio::time::timeout(DIAL_TIMEOUT, dialled).await {
            Ok(result) => result.map_err(|error: redis::RedisError| error.to_string()),
            Err(_) => Err("connecting took too long".to_owned()),
        }
    }
}

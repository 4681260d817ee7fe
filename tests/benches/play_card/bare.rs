//! The least that a service of this kind could do: a tonic handler that makes the same script call with as many bytes.

use std::convert::Infallible;
use std::future::Future;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::uri::PathAndQuery;
use redis::IntoConnectionInfo as _;
use redis::aio::MultiplexedConnection;
use redis::io::tcp::TcpSettings;
use tests::Redis;
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};
use tower::service_fn;

use crate::load::{Caller, spread};
use crate::raw::{Raw, call};
use crate::service::Sizes;

const SCRIPT: &str = include_str!("../../../services/sedma-store/src/redis/commit.lua");
/// One table: what the next commit compares with.
struct Row {
    id: [u8; 16],
    revision: i64,
    token: [u8; 8],
}

struct Handler {
    sizes: Sizes,
    answer: Bytes,
    redis: MultiplexedConnection,
    digest: String,
    rows: Vec<Mutex<Row>>,
}

impl Handler {
    async fn commit(&self, table: usize) -> Result<Bytes, Status> {
        let mut row = self.rows[table].lock().await;
        let expected = if row.revision == 0 {
            Vec::new()
        } else {
            [&row.revision.to_be_bytes()[..], &row.token].concat()
        };
        row.revision += 1;
        row.token = *uuid::Uuid::new_v4().as_bytes().first_chunk().unwrap();
        let id = data_encoding::HEXLOWER.encode(&row.id);
        let mut command = redis::cmd("EVALSHA");
        command.arg(&self.digest).arg(4);
        for key in
            [format!("t:{{00}}:{id}"), format!("e:{{00}}:{id}"), "lo:{00}:bare".into(), "tm:{00}".into()]
        {
            command.arg(key);
        }
        command.arg(expected).arg(&row.revision.to_be_bytes()[..]).arg(&row.token[..]);
        command.arg(vec![1_u8; self.sizes.update]).arg(vec![1_u8; self.sizes.snapshot]).arg(86_400_000);
        command.arg(&row.id[..]).arg(format!("n:{{00}}:{id}")).arg("keep");
        let answer: (String, i64) = command.query_async(&mut self.redis.clone()).await.unwrap();
        assert_eq!(answer.0, "OK");
        Ok(self.answer.clone())
    }
}

#[derive(Clone)]
struct Bare(Arc<Handler>);

impl NamedService for Bare {
    const NAME: &'static str = "bare.Bare";
}

impl tower::Service<http::Request<Body>> for Bare {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<http::Response<Body>, Infallible>> + Send>>;
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }
    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let handler = self.0.clone();
        Box::pin(async move {
            let answer = service_fn(move |question: Request<Bytes>| {
                let handler = handler.clone();
                async move { handler.commit(question.into_inner()[0].into()).await.map(Response::new) }
            });
            Ok(tonic::server::Grpc::new(Raw).unary(answer, request).await)
        })
    }
}

/// The bare server and connections to it.
pub(crate) struct Tables {
    channels: Vec<Channel>,
    sizes: Sizes,
}

impl Tables {
    pub(crate) async fn open(redis: &Redis, sizes: &Sizes, tables: usize, connections: usize) -> Self {
        // The same socket as the service's: one that does not wait for company.
        let info = redis.url().into_connection_info().unwrap();
        let info = info.set_tcp_settings(TcpSettings::default().set_nodelay(true));
        let client = redis::Client::open(info).unwrap();
        let mut commands = client.get_multiplexed_async_connection().await.unwrap();
        let digest: String =
            redis::cmd("SCRIPT").arg("LOAD").arg(SCRIPT).query_async(&mut commands).await.unwrap();
        let row = |_| Mutex::new(Row { id: *uuid::Uuid::new_v4().as_bytes(), revision: 0, token: [0; 8] });
        let answer = Bytes::from(vec![7; sizes.response]);
        let rows = (0..tables).map(row).collect();
        let handler = Arc::new(Handler { sizes: sizes.clone(), answer, redis: commands, digest, rows });
        for table in 0..tables {
            handler.commit(table).await.unwrap();
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        let server = tonic::transport::Server::builder().add_service(Bare(handler));
        tokio::spawn(server.serve_with_incoming(incoming));
        let mut channels = Vec::new();
        for _ in 0..connections {
            let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap().tcp_nodelay(true);
            channels.push(endpoint.connect().await.unwrap());
        }
        Self { channels, sizes: sizes.clone() }
    }

    pub(crate) fn caller(&self, worker: usize) -> BareCaller {
        let table = u8::try_from(worker).unwrap();
        BareCaller { channel: spread(&self.channels, worker), table, sizes: self.sizes.clone() }
    }
}

pub(crate) struct BareCaller {
    channel: Channel,
    table: u8,
    sizes: Sizes,
}

impl Caller for BareCaller {
    async fn call(&mut self) {
        let mut request = Request::new(Bytes::from(vec![self.table; self.sizes.request]));
        request.metadata_mut().insert("authorization", self.sizes.authorization.clone());
        call(&self.channel, request, PathAndQuery::from_static("/bare.Bare/Call")).await;
    }
}

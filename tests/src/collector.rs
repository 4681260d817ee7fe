//! An OTLP collector inside the test: a real gRPC server that keeps what it is sent.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use crate::within;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// What has arrived.
#[derive(Clone)]
pub struct Collector {
    address: SocketAddr,
    spans: Arc<Mutex<Vec<Span>>>,
    arrived: watch::Sender<usize>,
}

impl Collector {
    /// Listens on a free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let collector = Self { address, spans: Arc::default(), arrived: watch::Sender::new(0) };
        let service = TraceServiceServer::new(collector.clone());
        let server = Server::builder().add_service(service);
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        collector
    }

    /// What `OTEL_EXPORTER_OTLP_ENDPOINT` must be.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The spans so far.
    pub fn spans(&self) -> Vec<Span> {
        self.spans.lock().unwrap().clone()
    }

    /// The spans so far, once one of them is such a one.
    pub async fn spans_with(&self, what: &str, is: impl Fn(&Span) -> bool) -> Vec<Span> {
        let mut arrived = self.arrived.subscribe();
        within(what, async {
            loop {
                let spans = self.spans();
                if spans.iter().any(&is) {
                    return spans;
                }
                arrived.changed().await.unwrap();
            }
        })
        .await
    }
}

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let resources = request.into_inner().resource_spans;
        let spans = resources.into_iter().flat_map(|of| of.scope_spans).flat_map(|of| of.spans);
        self.spans.lock().unwrap().extend(spans);
        self.arrived.send_modify(|count| *count += 1);
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// A span's attribute, as text.
pub fn attribute(span: &Span, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text.clone()),
        Value::IntValue(number) => Some(number.to_string()),
        other => Some(format!("{other:?}")),
    }
}

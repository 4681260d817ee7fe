//! An OTLP collector inside the test: a real gRPC server that keeps what it is sent.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use crate::within;
use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::metrics::v1::{metric, number_data_point};
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
    /// The newest value of each metric.
    metrics: Arc<Mutex<BTreeMap<String, i64>>>,
    arrived: watch::Sender<usize>,
}

impl Collector {
    /// Listens on a free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let collector =
            Self { address, spans: Arc::default(), metrics: Arc::default(), arrived: watch::Sender::new(0) };
        let server = Server::builder()
            .add_service(TraceServiceServer::new(collector.clone()))
            .add_service(MetricsServiceServer::new(collector.clone()));
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

impl Collector {
    /// Waits until a metric's newest value is this one.
    pub async fn metric(&self, name: &str, value: i64) {
        let mut arrived = self.arrived.subscribe();
        within(&format!("{name} = {value}"), async {
            while self.metrics.lock().unwrap().get(name) != Some(&value) {
                arrived.changed().await.unwrap();
            }
        })
        .await;
    }
}

#[tonic::async_trait]
impl MetricsService for Collector {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        let resources = request.into_inner().resource_metrics;
        for metric in resources.into_iter().flat_map(|of| of.scope_metrics).flat_map(|of| of.metrics) {
            let points = match metric.data {
                Some(metric::Data::Gauge(gauge)) => gauge.data_points,
                Some(metric::Data::Sum(sum)) => sum.data_points,
                other => panic!("{}: {other:?}", metric.name),
            };
            if let Some(number_data_point::Value::AsInt(value)) = points.last().and_then(|point| point.value)
            {
                self.metrics.lock().unwrap().insert(metric.name, value);
            }
        }
        self.arrived.send_modify(|count| *count += 1);
        Ok(Response::new(ExportMetricsServiceResponse::default()))
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

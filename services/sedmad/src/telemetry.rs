//! Logs to standard output, spans and metrics to an OTLP collector where one is named. Neither ever holds up a call: lines and
//! spans that find no room are dropped and counted.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry::{Context, KeyValue, global};
use opentelemetry_otlp::{MetricExporter, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{BatchSpanProcessor, SdkTracerProvider, Span, SpanData, SpanProcessor};
use tokio::runtime::Runtime;
use tracing::Metadata;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::filter::{EnvFilter, FilterExt as _, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry};

use crate::config::LogFormat;

/// How long the last spans have to reach the collector when the server ends.
const FLUSH_TIME: Duration = Duration::from_secs(3);
/// The exporter's threads would wait for each other on one (opentelemetry-rust issues 2715 and 2802).
const MIN_WORKERS: usize = 2;
/// Only these spans are exported. Without the filter the exporter would trace its own transport.
const TRACED: [&str; 2] = ["sedma_grpc", "sedma_store"];

/// The runtime that everything runs on.
pub fn runtime(workers: Option<usize>) -> io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(MIN_WORKERS, usize::from);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(workers.unwrap_or(cores).max(MIN_WORKERS))
        .enable_all()
        .build()
}

/// What must be kept while the server runs, and finished when it ends.
pub struct Telemetry {
    provider: Option<SdkTracerProvider>,
    meters: Option<SdkMeterProvider>,
    counts: Arc<Counts>,
    _log: WorkerGuard,
}

/// Spans that ended, and those that a collector took.
#[derive(Debug, Default)]
struct Counts {
    ended: AtomicU64,
    exported: AtomicU64,
}

/// Starts logs and, where `OTEL_EXPORTER_OTLP_ENDPOINT` or its variant for traces names a collector, spans. Must be
/// called within the runtime: the exporter's connection belongs to it.
pub fn start(format: LogFormat) -> Telemetry {
    global::set_text_map_propagator(TraceContextPropagator::new());
    let counts = Arc::new(Counts::default());
    let provider = collector_named("TRACES").then(|| provider(&counts)).flatten();
    let meters = collector_named("METRICS").then(meters).flatten();
    let spans = provider.as_ref().map(|provider| {
        let traced = TRACED.iter().map(|target| (*target, LevelFilter::INFO));
        tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("sedma"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(Targets::new().with_targets(traced))
    });
    // Lossy on purpose: a standard output that nobody reads must not hold up a call.
    let (lines, log) = tracing_appender::non_blocking(io::stdout());
    // Spans are for the collector; without one they are not even made.
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).from_env_lossy();
    let filter = filter.and(filter_fn(is_event));
    let fmt = tracing_subscriber::fmt::layer().with_writer(lines);
    let fmt: Box<dyn Layer<_> + Send + Sync> = match format {
        LogFormat::Text => fmt.with_ansi(false).with_filter(filter).boxed(),
        LogFormat::Json => fmt.json().flatten_event(true).with_filter(filter).boxed(),
    };
    // A second server in one process, as in tests, logs to the first one's subscriber.
    let _ = Registry::default().with(spans).with(fmt).try_init();
    Telemetry { provider, meters, counts, _log: log }
}

fn is_event(metadata: &Metadata<'_>) -> bool {
    metadata.is_event()
}

/// Whether the standard variables name a collector for this signal.
fn collector_named(signal: &str) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let disabled = std::env::var("OTEL_SDK_DISABLED").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
    !disabled && (set("OTEL_EXPORTER_OTLP_ENDPOINT") || set(&format!("OTEL_EXPORTER_OTLP_{signal}_ENDPOINT")))
}

/// The provider that exports in batches on a thread of its own; sampler, batch and address come from the standard
/// `OTEL_*` variables.
fn provider(counts: &Arc<Counts>) -> Option<SdkTracerProvider> {
    let exporter = match SpanExporter::builder().with_tonic().build() {
        Ok(exporter) => CountedExporter { exporter, counts: counts.clone() },
        Err(error) => {
            eprintln!("sedmad: no spans are exported: {error}");
            return None;
        }
    };
    let processor =
        CountedProcessor { batches: BatchSpanProcessor::builder(exporter).build(), counts: counts.clone() };
    let provider =
        SdkTracerProvider::builder().with_resource(resource()).with_span_processor(processor).build();
    global::set_tracer_provider(provider.clone());
    Some(provider)
}

/// Who sends.
fn resource() -> Resource {
    let mut resource = Resource::builder();
    if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
        resource = resource.with_service_name("sedmad");
    }
    resource.with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))).build()
}

/// The provider that exports metrics every minute, or as `OTEL_METRIC_EXPORT_INTERVAL` says.
fn meters() -> Option<SdkMeterProvider> {
    match MetricExporter::builder().with_tonic().build() {
        Ok(exporter) => {
            let provider = SdkMeterProvider::builder()
                .with_resource(resource())
                .with_periodic_exporter(exporter)
                .build();
            global::set_meter_provider(provider.clone());
            Some(provider)
        }
        Err(error) => {
            eprintln!("sedmad: no metrics are exported: {error}");
            None
        }
    }
}

impl Telemetry {
    /// Sends the last spans within a bounded time, and says how many were lost since the start.
    pub fn finish(self, runtime: &Runtime) -> u64 {
        if let Some(provider) = self.provider {
            let flushed = runtime.spawn_blocking(move || provider.shutdown_with_timeout(FLUSH_TIME));
            let bounded = async { tokio::time::timeout(FLUSH_TIME + Duration::from_secs(1), flushed).await };
            if !matches!(runtime.block_on(bounded), Ok(Ok(Ok(())))) {
                eprintln!("sedmad: not every span could be sent");
            }
        }
        if let Some(meters) = self.meters {
            let flushed = runtime.spawn_blocking(move || meters.shutdown_with_timeout(FLUSH_TIME));
            let bounded = async { tokio::time::timeout(FLUSH_TIME + Duration::from_secs(1), flushed).await };
            if !matches!(runtime.block_on(bounded), Ok(Ok(Ok(())))) {
                eprintln!("sedmad: not every metric could be sent");
            }
        }
        let ended = self.counts.ended.load(Ordering::Relaxed);
        ended.saturating_sub(self.counts.exported.load(Ordering::Relaxed))
    }
}

/// Counts the spans that ended, whether or not the batch had room for them.
#[derive(Debug)]
struct CountedProcessor {
    batches: BatchSpanProcessor,
    counts: Arc<Counts>,
}

impl SpanProcessor for CountedProcessor {
    fn on_start(&self, span: &mut Span, context: &Context) {
        self.batches.on_start(span, context);
    }

    fn on_end(&self, span: SpanData) {
        self.counts.ended.fetch_add(1, Ordering::Relaxed);
        self.batches.on_end(span);
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.batches.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.batches.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.batches.set_resource(resource);
    }
}

/// Counts the spans that a collector took.
#[derive(Debug)]
struct CountedExporter {
    exporter: SpanExporter,
    counts: Arc<Counts>,
}

impl opentelemetry_sdk::trace::SpanExporter for CountedExporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = u64::try_from(batch.len()).unwrap_or(u64::MAX);
        self.exporter.export(batch).await?;
        self.counts.exported.fetch_add(spans, Ordering::Relaxed);
        Ok(())
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

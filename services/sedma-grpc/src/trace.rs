//! One SERVER span a call, with the stable RPC conventions.

use std::pin::Pin;
use std::task::{Context, Poll};

use http::{HeaderMap, Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use opentelemetry::global;
use opentelemetry::propagation::Extractor;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};
use tracing::{Instrument as _, Span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::routes::METHODS;

/// Opens the span and follows the answer to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TraceLayer;

impl<S> Layer<S> for TraceLayer {
    type Service = Trace<S>;

    fn layer(&self, inner: S) -> Trace<S> {
        Trace { inner }
    }
}

/// See [`TraceLayer`].
#[derive(Clone, Debug)]
pub(crate) struct Trace<S> {
    inner: S,
}

impl<S> Service<Request<axum::body::Body>> for Trace<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<axum::body::Body>) -> Self::Future {
        let span = server_span(&request);
        // Nobody records spans: there is nothing to follow.
        if span.is_disabled() {
            return Box::pin(self.inner.call(request.map(Body::new)));
        }
        let answer = {
            let _entered = span.enter();
            self.inner.call(request.map(Body::new))
        };
        let outcome = Outcome { span: span.clone(), told: false };
        Box::pin(
            async move {
                let mut outcome = outcome;
                let response = answer.await?;
                // A refusal comes in the headers alone; everything else ends with the body's trailers.
                if let Some(status) = Status::from_header_map(response.headers()) {
                    outcome.tell(status.code());
                }
                Ok(response.map(|body| Body::new(Followed { body, outcome })))
            }
            .instrument(span),
        )
    }
}

/// The call's span: a child of the caller's, where it sent a trace context that is one.
fn server_span<B>(request: &Request<B>) -> Span {
    let path = request.uri().path();
    // A scanner's paths must not become names.
    let method =
        METHODS.iter().find(|known| **known == path).map_or("_OTHER", |known| known.trim_start_matches('/'));
    let span = tracing::info_span!(
        "rpc",
        otel.name = method,
        otel.kind = "server",
        otel.status_code = field::Empty,
        rpc.system.name = "grpc",
        rpc.method = method,
        rpc.response.status_code = field::Empty,
        error.type = field::Empty,
    );
    if method == "_OTHER" {
        span.set_attribute("rpc.method_original", path.to_owned());
    }
    let parent =
        global::get_text_map_propagator(|propagator| propagator.extract(&Headers(request.headers())));
    // Without an exporter there is nothing to set it on.
    let _ = span.set_parent(parent);
    span
}

/// Request headers as the propagator reads them.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

/// What became of a call. One that is dropped before it was told was given up by its caller.
struct Outcome {
    span: Span,
    told: bool,
}

impl Outcome {
    fn tell(&mut self, code: Code) {
        if self.told {
            return;
        }
        self.told = true;
        let name = name(code);
        self.span.record("rpc.response.status_code", name);
        if is_server_error(code) {
            self.span.record("error.type", name);
            self.span.record("otel.status_code", "ERROR");
        }
    }
}

impl Drop for Outcome {
    fn drop(&mut self) {
        self.tell(Code::Cancelled);
    }
}

/// A refusal is the caller's business; only these are errors of the server (RPC conventions, section on gRPC).
fn is_server_error(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}

fn name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// An answer's body, with an eye on its trailers.
struct Followed {
    body: Body,
    outcome: Outcome,
}

impl HttpBody for Followed {
    type Data = bytes::Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<bytes::Bytes>, Status>>> {
        let this = &mut *self;
        // Work done while the body is polled, such as a watch's reading of the log, belongs to the call.
        let _entered = this.outcome.span.clone().entered();
        let polled = Pin::new(&mut this.body).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(trailers) = frame.trailers_ref() {
                    let code = Status::from_header_map(trailers).map_or(Code::Ok, |status| status.code());
                    this.outcome.tell(code);
                }
            }
            Poll::Ready(Some(Err(status))) => this.outcome.tell(status.code()),
            Poll::Ready(None) => this.outcome.tell(Code::Ok),
            Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

//! What every call goes through before and after its handler: credential, size, deadline, panics, refusals.

use std::any::type_name;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use http::HeaderMap;
use opentelemetry::trace::TraceContextExt as _;
use prost::Message;
use sedma_table::limits::MAX_TRACEPARENT_BYTES;
use sedma_table::store::Store;
use sedma_table::{Caller, Failure, Reason, Refusal};
use tonic::body::Body;
use tonic::{Code, Request, Response, Status};
use tower::service_fn;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::codec::MessageCodec;
use crate::limits::{DEADLINE_MARGIN, MAX_CALL_TIME, MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES};
use crate::service::{Auth, Service};
use crate::status;

/// Handlers that panicked since the process began. Anything but 0 is a defect.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// How many handlers panicked since the process began. Each was answered with INTERNAL / INVARIANT.
pub fn panics() -> u64 {
    PANICS.load(Ordering::Relaxed)
}

/// What a handler knows of its call beside the request.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// Who calls.
    pub(crate) caller: Caller,
    /// Seconds since the Unix epoch from which the caller's token is no longer good.
    pub(crate) token_expires_s: Option<i64>,
    /// The W3C `traceparent` to keep with an update.
    pub(crate) traceparent: Option<String>,
    /// The caller's own deadline.
    pub(crate) deadline: Option<Duration>,
}

/// Whether a method needs to know its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Anybody may call it, and a credential is not looked at.
    Open,
    /// Only a known caller may.
    Known,
}

/// Runs one unary call.
pub(crate) async fn unary<S, Q, A, H, F>(
    service: Arc<Service<S>>,
    access: Access,
    request: http::Request<Body>,
    handler: H,
) -> http::Response<Body>
where
    S: Store,
    Q: Message + Default + 'static,
    A: Message + Default + 'static,
    H: Fn(Arc<Service<S>>, Context, Q) -> F + Send + Sync + 'static,
    F: Future<Output = Result<A, Failure>> + Send,
{
    let Ok(_permit) = service.calls.clone().try_acquire_owned() else { return overloaded().into_http() };
    let deadline = deadline(request.headers());
    let context = context(&service, access, request.headers(), deadline);
    let handler = Arc::new(handler);
    let answer = service_fn(move |question: Request<Q>| {
        let (service, context, handler) = (service.clone(), context.clone(), handler.clone());
        async move {
            let context = context.map_err(|refusal| status::refused(&refusal))?;
            // In a box of its own: it is by far the largest part of a call, and a call is moved from frame to frame.
            let done = Box::pin(handler(service, context, question.into_inner())).await;
            done.map(Response::new).map_err(|failure| status::of(&failure))
        }
    });
    let mut grpc = tonic::server::Grpc::new(MessageCodec::<A, Q>::default())
        .max_decoding_message_size(MAX_REQUEST_BYTES)
        .max_encoding_message_size(MAX_RESPONSE_BYTES);
    bounded(deadline, type_name::<Q>(), grpc.unary(answer, request)).await
}

/// Bounds a call's whole time, from the reading of its request on, and turns a panic into an answer.
pub(crate) async fn bounded(
    deadline: Option<Duration>,
    place: &str,
    work: impl Future<Output = http::Response<Body>>,
) -> http::Response<Body> {
    let time = deadline.unwrap_or(MAX_CALL_TIME).min(MAX_CALL_TIME);
    match AssertUnwindSafe(tokio::time::timeout(time, work)).catch_unwind().await {
        Ok(Ok(response)) => explain(response),
        Ok(Err(_elapsed)) => status::refused(&Refusal::new(
            Reason::Deadline,
            "The call took longer than it may; send it again with the same request_id, it may have happened.",
        ))
        .into_http(),
        Err(_panic) => panicked(place).into_http(),
    }
}

/// Counts a panic and answers for it.
fn panicked(place: &str) -> Status {
    status::refused(&count_panic(place))
}

/// Counts a panic; what its caller is told.
pub(crate) fn count_panic(place: &str) -> Refusal {
    PANICS.fetch_add(1, Ordering::Relaxed);
    tracing::error!(place, "a handler panicked");
    status::defect()
}

fn overloaded() -> Status {
    status::refused(&Refusal::new(
        Reason::Overloaded,
        "This replica has too many calls in flight; send the same request again in a moment.",
    ))
}

/// Who calls and what else the headers say.
pub(crate) fn context<S: Store>(
    service: &Service<S>,
    access: Access,
    headers: &HeaderMap,
    deadline: Option<Duration>,
) -> Result<Context, Refusal> {
    let Auth::Off { tenant } = &service.settings.auth;
    let nobody = (Caller::Platform { tenant: tenant.clone() }, None);
    let (caller, token_expires_s) = match headers.get(http::header::AUTHORIZATION) {
        Some(value) if access == Access::Known => {
            let token = value.to_str().ok().and_then(bearer).unwrap_or("");
            let (caller, expires_s) = service.keys()?.token_keys.check(token, service.now_ms())?;
            (caller, Some(expires_s))
        }
        _ => nobody,
    };
    let traceparent =
        service.settings.store_traces.then(|| own_traceparent().or_else(|| traceparent(headers))).flatten();
    Ok(Context { caller, token_expires_s, traceparent, deadline })
}

/// The token of a `Bearer` credential; the scheme's case does not matter (RFC 9110 section 11.1).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The context of this call's own span, where spans are recorded: what a delivery of its update links to.
fn own_traceparent() -> Option<String> {
    let context = Span::current().context();
    let span = context.span().span_context().clone();
    let flags = span.trace_flags().to_u8();
    span.is_valid().then(|| format!("00-{}-{}-{flags:02x}", span.trace_id(), span.span_id()))
}

/// The caller's `traceparent`, where it is one: version 00, nothing but lower-case hex, no zero ids.
fn traceparent(headers: &HeaderMap) -> Option<String> {
    let mut values = headers.get_all("traceparent").iter();
    let value = values.next()?.to_str().ok()?;
    let parts: Vec<&str> = value.split('-').collect();
    let [version, trace, span, flags] = parts.as_slice() else { return None };
    let hex = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    let some = |text: &str| text.bytes().any(|byte| byte != b'0');
    let good = values.next().is_none()
        && value.len() == MAX_TRACEPARENT_BYTES
        && *version == "00"
        && hex(trace, 32)
        && some(trace)
        && hex(span, 16)
        && some(span)
        && hex(flags, 2);
    good.then(|| value.to_owned())
}

/// The caller's deadline, cut so that the answer still reaches it in time. tonic's own handling of the header answers
/// CANCELLED, so it must not come first.
pub(crate) fn deadline(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = value.split_at_checked(value.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    let time = match unit {
        "H" => Duration::from_secs(amount.saturating_mul(3_600)),
        "M" => Duration::from_secs(amount.saturating_mul(60)),
        "S" => Duration::from_secs(amount),
        "m" => Duration::from_millis(amount),
        "u" => Duration::from_micros(amount),
        "n" => Duration::from_nanos(amount),
        _ => return None,
    };
    Some(time.saturating_sub(time.mul_f64(0.1).min(DEADLINE_MARGIN)))
}

/// tonic refuses over-large and broken frames before any handler, without details. Ours always have some, so what has
/// none is tonic's, and is said again in our words.
fn explain(response: http::Response<Body>) -> http::Response<Body> {
    let Some(said) = Status::from_header_map(response.headers()) else { return response };
    if !said.details().is_empty() {
        return response;
    }
    let status = match said.code() {
        Code::OutOfRange => status::refused(&Refusal::new(
            Reason::RequestTooLarge,
            format!("The request is larger than {MAX_REQUEST_BYTES} bytes; send less."),
        )),
        Code::Internal | Code::Unimplemented | Code::InvalidArgument => status::malformed(said.message()),
        _ => return response,
    };
    status.into_http()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn a_deadline_leaves_time_for_the_answer() {
        let read = |text: &str| deadline(&headers("grpc-timeout", &[text]));
        assert_eq!(read("100m"), Some(Duration::from_millis(90)));
        assert_eq!(read("10S"), Some(Duration::from_millis(9_900)));
        assert_eq!(read("1n"), Some(Duration::from_nanos(1)));
        assert_eq!(read("99999999H").map(|time| time.as_secs() > 3_600), Some(true), "no overflow");
        for nonsense in ["", "5", "S", "-1S", "1.5S", "123456789S", "1x", "5 S"] {
            assert_eq!(read(nonsense), None, "{nonsense:?}");
        }
    }

    #[test]
    fn a_trace_context_is_kept_only_where_it_is_one() {
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let read = |values: &[&str]| traceparent(&headers("traceparent", values));
        assert_eq!(read(&[good]).as_deref(), Some(good));
        let zero_trace = "00-00000000000000000000000000000000-00f067aa0ba902b7-01";
        let upper = "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01";
        for bad in [&["00-zz"][..], &[zero_trace], &[upper], &[good, good], &["ff-4bf92f"], &[""]] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_bearer_is_found_whatever_the_case_of_its_scheme() {
        assert_eq!(bearer("Bearer abc"), Some("abc"));
        assert_eq!(bearer("bearer  abc "), Some("abc"));
        assert_eq!(bearer("Basic abc"), None);
        assert_eq!(bearer("abc"), None);
    }
}

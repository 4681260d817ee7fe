//! Watching tables: every update, in order, without gap or duplicate, however slow the reader and whatever breaks.
//!
//! One [`feed`] a watched table follows its log and keeps the newest updates at hand, each encoded once for every class
//! of viewers. Each [`watcher`] is a cursor into it; one that fell behind reads the log by itself. [`all`] puts the
//! watchers of a platform's tables together in one stream.

mod all;
mod catch_up;
mod feed;
mod follow;
mod frame;
mod hub;
mod life;
mod newcomers;
mod opening;
mod places;
mod watcher;

use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use http::Response;
use prost::Message;
use sedma_proto::v1::{WatchTableRequest, WatchTablesRequest};
use sedma_table::store::Store;
use sedma_table::{Caller, Failure, Reason, Refusal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::body::Body;
use tonic::{Request, Status};
use tower::service_fn;

use crate::api::tables::viewer_of;
use crate::call::{Access, Context, bounded, context, deadline};
use crate::codec::EncodedCodec;
use crate::limits::{MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES};
use crate::service::Service;
use crate::{parse, status};

pub(crate) use catch_up::{CatchUp, Resumed, resumed};
pub(crate) use feed::lock;
pub(crate) use frame::{Class, whole_reset, whole_update};
pub(crate) use hub::Hub;
pub(crate) use life::{Life, Sign};

use watcher::{Plan, Start, Watcher};

pub(crate) type Frames = BoxStream<'static, Result<Bytes, Status>>;

/// `WatchTable`.
pub(crate) async fn watch_table<S: Store>(
    service: Arc<Service<S>>,
    request: http::Request<Body>,
) -> Response<Body> {
    streaming::<S, WatchTableRequest, _>(service, request, open).await
}

/// `WatchTables`.
pub(crate) async fn watch_tables<S: Store>(
    service: Arc<Service<S>>,
    request: http::Request<Body>,
) -> Response<Body> {
    streaming::<S, WatchTablesRequest, _>(service, request, all::open).await
}

/// Runs one call that is answered with a stream of messages that are encoded already.
pub(crate) async fn streaming<S, Q, F>(
    service: Arc<Service<S>>,
    request: http::Request<Body>,
    open: impl Fn(Arc<Service<S>>, Context, Q) -> F + Clone + Send + Sync + 'static,
) -> Response<Body>
where
    S: Store,
    Q: Message + Default + 'static,
    F: Future<Output = Result<Frames, Failure>> + Send,
{
    let deadline = deadline(request.headers());
    let context = context(&service, Access::Known, request.headers(), deadline);
    let answer = service_fn(move |question: Request<Q>| {
        let (service, context, open) = (service.clone(), context.clone(), open.clone());
        async move {
            let context = context.map_err(|refusal| status::refused(&refusal))?;
            let opened = open(service, context, question.into_inner()).await;
            opened.map(tonic::Response::new).map_err(|failure| status::of(&failure))
        }
    });
    let mut grpc = tonic::server::Grpc::new(EncodedCodec::<Q>::default())
        .max_decoding_message_size(MAX_REQUEST_BYTES)
        .max_encoding_message_size(MAX_RESPONSE_BYTES);
    bounded(deadline, "a watch", Box::pin(grpc.server_streaming(answer, request))).await
}

/// Checks who watches what, and joins the table's feed.
async fn open<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: WatchTableRequest,
) -> Result<Frames, Failure> {
    let table = parse::table(&request.name)?;
    let viewer = viewer_of(&context.caller, table, &request.seats)?;
    let start = match parse::cursor("", request.after_revision, &request.history)? {
        None => Start::Snapshot,
        Some((revision, history)) => Start::After { revision, history },
    };
    let permit = permit(&service, &service.watches)?;
    let stored = service.tables.read_newest(&context.caller, table, None).await?;
    stored.snapshot.table.must_show(viewer)?;
    let delay_ms = stored.snapshot.table.delay_ms(&context.caller);
    let place = match &context.caller {
        Caller::Seat { seat, .. } => Some(service.hub.places.take(table, *seat).ok_or_else(|| {
            Refusal::new(
                Reason::QuotaExceeded,
                "The seat has 4 watches open here; end one before opening another.",
            )
        })?),
        Caller::Platform { .. } | Caller::Watcher { .. } => None,
    };
    let plan = Plan {
        class: Class { viewer, omit_view: request.omit_view },
        start,
        opened_at: stored.version.revision,
        life: Some(Life::new(&service, &context)),
    };
    let feed = service.hub.feed(table, delay_ms);
    let watcher = Watcher::new(&service, &context.caller, feed, plan, (permit, place));
    Ok(watcher.into_stream().map(|said| said.map_err(|failure| status::of(&failure))).boxed())
}

/// A place for one more watch in this process, if it has one and is not going away.
pub(crate) fn permit<S: Store>(
    service: &Service<S>,
    of: &Arc<Semaphore>,
) -> Result<OwnedSemaphorePermit, Refusal> {
    if service.drain.has_begun() {
        return Err(Refusal::new(
            Reason::Draining,
            "This replica is shutting down; watch again, another replica will answer.",
        ));
    }
    of.clone().try_acquire_owned().map_err(|_| {
        Refusal::new(
            Reason::Overloaded,
            "This replica has as many watches as it can hold; watch again in a moment.",
        )
    })
}

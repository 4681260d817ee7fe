//! Watching a table: every update, in order, without gap or duplicate, however slow the reader and whatever breaks.
//!
//! One [`feed`] a watched table follows its log and keeps the newest updates at hand, each encoded once for every class
//! of viewers. Each [`watcher`] is a cursor into it; one that fell behind reads the log by itself.

mod catch_up;
mod feed;
mod frame;
mod hub;
mod watcher;

use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use http::Response;
use sedma_proto::v1::WatchTableRequest;
use sedma_table::store::Store;
use sedma_table::{Caller, Failure, Reason, Refusal};
use tonic::body::Body;
use tonic::{Request, Status};
use tower::service_fn;

use crate::api::tables::viewer_of;
use crate::call::{Access, Context, bounded, context, deadline};
use crate::codec::EncodedCodec;
use crate::limits::{MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES};
use crate::service::Service;
use crate::{parse, status};

pub(crate) use feed::lock;
pub(crate) use hub::Hub;

use frame::Class;
use watcher::{Resume, Watcher};

type Frames = BoxStream<'static, Result<Bytes, Status>>;

/// `WatchTable`.
pub(crate) async fn watch_table<S: Store>(
    service: Arc<Service<S>>,
    request: http::Request<Body>,
) -> Response<Body> {
    let deadline = deadline(request.headers());
    let context = context(&service, Access::Known, request.headers(), deadline);
    let answer = service_fn(move |question: Request<WatchTableRequest>| {
        let (service, context) = (service.clone(), context.clone());
        async move {
            let context = context.map_err(|refusal| status::refused(&refusal))?;
            let opened = open(service, context, question.into_inner()).await;
            opened.map(tonic::Response::new).map_err(|failure| status::of(&failure))
        }
    });
    let mut grpc = tonic::server::Grpc::new(EncodedCodec::<WatchTableRequest>::default())
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
    let resume = resume(&request)?;
    if service.drain.has_begun() {
        return Err(Refusal::new(
            Reason::Draining,
            "This replica is shutting down; watch again, another replica will answer.",
        )
        .into());
    }
    let Ok(place) = service.watches.clone().try_acquire_owned() else {
        return Err(Refusal::new(
            Reason::Overloaded,
            "This replica has as many watches as it can hold; watch again in a moment.",
        )
        .into());
    };
    let stored = service.tables.read(&context.caller, table, None).await?;
    let feed = service.hub.feed(table);
    let seat_place = match &context.caller {
        Caller::Seat { seat, .. } => Some(feed.take_place(*seat).ok_or_else(|| {
            Refusal::new(
                Reason::QuotaExceeded,
                "The seat has 4 watches open here; end one before opening another.",
            )
        })?),
        Caller::Platform { .. } | Caller::Watcher { .. } => None,
    };
    let class = Class { viewer, omit_view: request.omit_view };
    let watcher = Watcher::new(&service, &context, feed, class, resume, stored.version.revision)
        .holding((place, seat_place));
    Ok(watcher.into_stream().boxed())
}

fn resume(request: &WatchTableRequest) -> Result<Option<Resume>, Refusal> {
    let history = match request.history.len() {
        0 => None,
        8 => <[u8; 8]>::try_from(request.history.as_ref()).ok(),
        _ => return Err(Refusal::field("history", "send it back as it came, or leave it empty")),
    };
    match request.after_revision {
        None if history.is_some() => {
            Err(Refusal::field("history", "it needs the after_revision that it came with"))
        }
        None => Ok(None),
        Some(revision) if revision < 0 => Err(Refusal::field("after_revision", "revisions are not negative")),
        Some(revision) => Ok(Some(Resume { revision, history })),
    }
}

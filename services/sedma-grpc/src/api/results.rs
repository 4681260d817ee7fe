//! `ResultService`: how tables ended, told until it is acknowledged.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use http::Response;
use prost::Message as _;
use sedma_proto::v1;
use sedma_proto::v1::stream_results_response::Payload;
use sedma_table::store::{Store, StoreError};
use sedma_table::{Failure, Filed, Group, Refusal, ResultId, Tenant};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use tonic::body::Body;

use super::consumers::Place;
use crate::call::{Context, count_panic};
use crate::chance::jittered;
use crate::limits::{
    DEFAULT_REDELIVERY_MS, MAX_ACKNOWLEDGED, MAX_REDELIVERY_MS, MIN_REDELIVERY_MS, RESULTS_AT_A_TIME,
    RESULTS_INTERVAL,
};
use crate::service::Service;
use crate::watch::{Frames, Life, Sign, permit, streaming};
use crate::{parse, render, status};

/// `StreamResults`.
pub(crate) async fn stream_results<S: Store>(
    service: Arc<Service<S>>,
    request: http::Request<Body>,
) -> Response<Body> {
    streaming::<S, v1::StreamResultsRequest, _>(service, request, open).await
}

/// `AckResults`.
pub(crate) async fn ack_results<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::AckResultsRequest,
) -> Result<v1::AckResultsResponse, Failure> {
    context.caller.must_be_platform()?;
    let group = group(&request.group)?;
    if !(1..=MAX_ACKNOWLEDGED).contains(&request.result_ids.len()) {
        let message = format!("there are {}; it takes 1 to {MAX_ACKNOWLEDGED}", request.result_ids.len());
        return Err(Refusal::field("result_ids", message).into());
    }
    let ids = request.result_ids.iter().enumerate().map(|(at, text)| {
        let field = || Refusal::field(format!("result_ids[{at}]"), "it is no `result_id` of a result");
        render::parse_result_id(text).ok_or_else(field)
    });
    let ids: Vec<ResultId> = ids.collect::<Result<_, _>>()?;
    let theirs = service.tables.store().acknowledge(context.caller.tenant(), &group, &ids).await?;
    let acknowledged = request.result_ids.into_iter().zip(theirs).filter(|(_, theirs)| *theirs);
    Ok(v1::AckResultsResponse { acknowledged_ids: acknowledged.map(|(id, _)| id).collect() })
}

fn group(name: &str) -> Result<Group, Refusal> {
    let why = "it takes 1 to 32 of `a` to `z`, `0` to `9` and `-`";
    Group::new(name).ok_or_else(|| Refusal::field("group", why))
}

/// A consumer.
struct Consumer<S: Store> {
    service: Arc<Service<S>>,
    tenant: Tenant,
    group: Group,
    again_ms: u32,
    life: Life,
    /// What was taken for it and is to be told.
    taken: VecDeque<Filed>,
    /// When that will be told to others instead.
    stale: Instant,
    next_look: Instant,
    greeted: bool,
    over: bool,
    /// Given back when the stream ends.
    _held: (OwnedSemaphorePermit, Place),
}

/// Checks who asks, and takes the first results.
async fn open<S: Store>(
    service: Arc<Service<S>>,
    context: Context,
    request: v1::StreamResultsRequest,
) -> Result<Frames, Failure> {
    context.caller.must_be_platform()?;
    let again_ms = request.redelivery.as_ref().map_or(Some(DEFAULT_REDELIVERY_MS), parse::whole_ms);
    let again_ms =
        again_ms.filter(|ms| (MIN_REDELIVERY_MS..=MAX_REDELIVERY_MS).contains(ms)).ok_or_else(|| {
            Refusal::field("redelivery", "it must be whole milliseconds, from 1 second to 1 hour")
        })?;
    let (group, tenant) = (group(&request.group)?, context.caller.tenant().clone());
    let held = (permit(&service, &service.watches)?, service.consumers.take(&tenant)?);
    let mut consumer = Consumer {
        tenant,
        group,
        again_ms,
        life: Life::new(&service, &context),
        taken: VecDeque::new(),
        stale: Instant::now(),
        next_look: Instant::now(),
        greeted: false,
        over: false,
        _held: held,
        service,
    };
    consumer.look().await?;
    let frames = stream::unfold(consumer, |mut consumer| async move {
        if consumer.over {
            return None;
        }
        let next = AssertUnwindSafe(consumer.next()).catch_unwind().await;
        let said = next.unwrap_or_else(|_| Err(count_panic("a stream of results").into()));
        consumer.over |= said.is_err();
        consumer.life.spoke();
        Some((said.map_err(|failure| status::of(&failure)), consumer))
    });
    Ok(frames.boxed())
}

impl<S: Store> Consumer<S> {
    /// The stream's next message.
    async fn next(&mut self) -> Result<Bytes, Failure> {
        if !self.greeted {
            self.greeted = true;
            return Ok(self.sign(Sign::Heartbeat));
        }
        loop {
            if let Some(reason) = self.life.over()? {
                return Ok(self.sign(Sign::PlannedEnd(reason)));
            }
            // Who reads slowly is not told what another one may have been told meanwhile.
            if Instant::now() >= self.stale {
                self.taken.clear();
            }
            if let Some(filed) = self.taken.pop_front() {
                return Ok(message(Payload::Result(render::result(&filed))));
            }
            tokio::select! {
                biased;
                sign = self.life.sign() => return sign.map(|sign| self.sign(sign)),
                () = tokio::time::sleep_until(self.next_look) => match self.look().await {
                    // It comes back; the stream says meanwhile that it lives.
                    Err(Failure::Store(StoreError::Unavailable(why))) => {
                        tracing::debug!(why, "no results can be looked for");
                    }
                    looked => looked?,
                },
            }
        }
    }

    /// Looks for results. Where some were found there may be more: the next look comes when they were told.
    async fn look(&mut self) -> Result<(), Failure> {
        let looked = Instant::now();
        self.next_look = later(looked, jittered(RESULTS_INTERVAL, 10));
        let store = self.service.tables.store();
        let taken = store.claim(&self.tenant, &self.group, RESULTS_AT_A_TIME, self.again_ms).await?;
        if !taken.is_empty() {
            self.next_look = looked;
            self.stale = later(looked, Duration::from_millis(self.again_ms.into()));
        }
        self.taken = taken.into();
        Ok(())
    }

    fn sign(&mut self, sign: Sign) -> Bytes {
        message(match sign {
            Sign::Heartbeat => {
                let server_time = Some(render::timestamp(self.service.now_ms()));
                Payload::Heartbeat(v1::Heartbeat { server_time })
            }
            Sign::PlannedEnd(reason) => {
                self.over = true;
                Payload::PlannedEnd(v1::PlannedEnd { reason: reason.into() })
            }
        })
    }
}

fn message(payload: Payload) -> Bytes {
    v1::StreamResultsResponse { payload: Some(payload) }.encode_to_vec().into()
}

fn later(now: Instant, wait: Duration) -> Instant {
    now.checked_add(wait).unwrap_or(now)
}

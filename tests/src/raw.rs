//! Calls by hand: any bytes on any path, for what no generated client would send.

use std::future::{Future, poll_fn};

use bytes::Bytes;
use futures_util::stream;
use http::header::{CONTENT_TYPE, TE};
use http_body_util::{BodyExt as _, Full, StreamBody};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::body::Body;
use tonic::client::GrpcService;
use tonic::{Code, Status};

use crate::client::Client;
use crate::wait::within;

/// A message as gRPC frames it: not compressed, its length, then its bytes.
pub fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).expect("a message that fits a frame");
    [&[0], length.to_be_bytes().as_slice(), message].concat()
}

/// A call whose request is not complete yet.
pub struct Held {
    rest: Option<oneshot::Sender<Bytes>>,
    answer: JoinHandle<Result<Bytes, Status>>,
}

impl Drop for Held {
    /// Breaks the call off, if it was not completed.
    fn drop(&mut self) {
        self.answer.abort();
    }
}

impl Held {
    /// Reads the answer to the request as it stands.
    pub async fn answered(&mut self) -> Result<Bytes, Status> {
        within("the answer to a held call", &mut self.answer).await.expect("an answer")
    }

    /// Sends the rest of the request, and reads the answer.
    pub async fn complete(mut self, body: impl Into<Bytes>) -> Result<Bytes, Status> {
        let rest = self.rest.take().expect("a call that was not completed yet");
        rest.send(body.into()).expect("a call that still waits for its request");
        self.answered().await
    }
}

impl Client {
    /// Sends these bytes as the whole body of a request, and reads the answer to its end.
    pub async fn raw(&self, path: &str, body: impl Into<Bytes>) -> Result<Bytes, Status> {
        self.raw_with(path, &[], body).await
    }

    /// The same with more headers.
    pub async fn raw_with(
        &self,
        path: &str,
        headers: &[(&'static str, &'static str)],
        body: impl Into<Bytes>,
    ) -> Result<Bytes, Status> {
        let mut request = self.head(path, Body::new(Full::new(body.into())));
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("a header's value"));
        }
        within(path, self.send(request).await).await
    }

    /// Sends the headers of a request and no more of it.
    pub async fn hold(&self, path: &str) -> Held {
        let (rest, awaited) = oneshot::channel();
        let frames = stream::once(async { awaited.await.map(http_body::Frame::data) });
        let sent = self.send(self.head(path, Body::new(StreamBody::new(frames)))).await;
        Held { rest: Some(rest), answer: tokio::spawn(sent) }
    }

    fn head(&self, path: &str, body: Body) -> http::Request<Body> {
        let (metadata, ..) = self.request(()).into_parts();
        let mut request = http::Request::post(path).body(body).expect("a path");
        request.headers_mut().extend(metadata.into_headers());
        request.headers_mut().insert(CONTENT_TYPE, "application/grpc".parse().expect("a value"));
        request.headers_mut().insert(TE, "trailers".parse().expect("a value"));
        request
    }

    /// Hands a request to the connection, after those that were handed over before; then the answer may be awaited.
    async fn send(
        &self,
        request: http::Request<Body>,
    ) -> impl Future<Output = Result<Bytes, Status>> + use<> {
        let mut channel = self.channel();
        let ready = poll_fn(|context| GrpcService::<Body>::poll_ready(&mut channel, context));
        within("a connection", ready).await.expect("a connection that is there");
        let response = GrpcService::<Body>::call(&mut channel, request);
        async { read(response.await.expect("an answer, whatever it says")).await }
    }
}

/// The bytes of an answer, or what its status says.
async fn read(response: http::Response<Body>) -> Result<Bytes, Status> {
    let refused = |status: Status| if status.code() == Code::Ok { Ok(Bytes::new()) } else { Err(status) };
    if let Some(status) = Status::from_header_map(response.headers()) {
        return refused(status);
    }
    let body = response.into_body().collect().await?;
    let status = body.trailers().and_then(Status::from_header_map).expect("a status at the end");
    refused(status).map(|_| body.to_bytes())
}

//! A consumer of a platform's results, each wait bounded.

use sedma_proto::v1;
use sedma_proto::v1::stream_results_response::Payload;
use tonic::{Status, Streaming};

use crate::client::Client;
use crate::wait::within;

/// An open stream of results. Dropping it ends it.
#[derive(Debug)]
pub struct Consumer {
    client: Client,
    group: String,
    stream: Streaming<v1::StreamResultsResponse>,
}

impl Consumer {
    /// A stream whose first message says that it stands.
    pub(crate) async fn new(
        client: &Client,
        group: String,
        stream: Streaming<v1::StreamResultsResponse>,
    ) -> Self {
        let mut consumer = Self { client: client.clone(), group, stream };
        match consumer.message().await {
            Ok(Some(Payload::Heartbeat(_))) => consumer,
            other => panic!("no heartbeat but {other:?}"),
        }
    }

    /// A consumer of this group, told again what it did not acknowledge for so many seconds.
    pub async fn of(client: &Client, group: &str, again_s: i64) -> Self {
        let redelivery = Some(prost_types::Duration { seconds: again_s, nanos: 0 });
        let request = v1::StreamResultsRequest { group: group.to_owned(), redelivery };
        client.stream_results(request).await.expect("a stream of results")
    }

    /// What the next message says; `None` at the end with status OK.
    pub async fn message(&mut self) -> Result<Option<Payload>, Status> {
        let message = within("the next message of a stream of results", self.stream.message()).await?;
        Ok(message.map(|message| message.payload.expect("a message that says something")))
    }

    /// The next result, which must come.
    pub async fn next(&mut self) -> v1::Result {
        loop {
            match self.message().await {
                Ok(Some(Payload::Result(result))) => return result,
                Ok(Some(Payload::Heartbeat(_))) => {}
                other => panic!("no result but {other:?}"),
            }
        }
    }

    /// Acknowledges a result; whether it was this group's to acknowledge.
    pub async fn acknowledge(&self, result: &v1::Result) -> bool {
        let result_ids = vec![result.result_id.clone()];
        let request = v1::AckResultsRequest { group: self.group.clone(), result_ids };
        let answer = self.client.ack_results(request).await.expect("an acknowledgement");
        answer.acknowledged_ids == [result.result_id.clone()]
    }
}

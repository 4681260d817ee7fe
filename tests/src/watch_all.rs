//! Following a watch over all tables, each wait bounded.

use sedma_proto::v1;
use sedma_proto::v1::watch_table_response::Payload;
use sedma_proto::v1::watch_tables_response::Payload as Of;
use tonic::{Status, Streaming};

use crate::wait::within;

/// An open watch over all tables. Dropping it ends it.
#[derive(Debug)]
pub struct WatchAll {
    stream: Streaming<v1::WatchTablesResponse>,
}

/// What a watch over all tables says, presence left out.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A table's message.
    Of(String, v1::WatchTableResponse),
    /// A table that can't be told any further.
    Lost(String, v1::TableLost),
    /// A message about the stream itself.
    Stream(Payload),
}

impl WatchAll {
    /// A watch whose first message says that it stands.
    pub(crate) async fn new(stream: Streaming<v1::WatchTablesResponse>) -> Self {
        let mut watch = Self { stream };
        match watch.next().await {
            Said::Stream(Payload::Heartbeat(_)) => watch,
            other => panic!("no heartbeat but {other:?}"),
        }
    }

    /// The next message as it came; `None` at the end with status OK.
    pub async fn try_next(&mut self) -> Result<Option<v1::WatchTablesResponse>, Status> {
        within("the next message of a watch over all tables", self.stream.message()).await
    }

    /// What the next message says, which must come. Who is connected is left out.
    pub async fn next(&mut self) -> Said {
        loop {
            let message = self.try_next().await.expect("a watch that goes on").expect("a watch that goes on");
            match message.payload.expect("a message that says something") {
                Of::Lost(lost) => return Said::Lost(message.name, lost),
                Of::Message(of) if matches!(of.payload, Some(Payload::Presence(_))) => {}
                Of::Message(of) if message.name.is_empty() => {
                    return Said::Stream(of.payload.expect("a message that says something"));
                }
                Of::Message(of) => return Said::Of(message.name, of),
            }
        }
    }

    /// The next update and its table. Heartbeats are skipped; anything else is not expected here.
    pub async fn update(&mut self) -> (String, v1::Update) {
        loop {
            match self.next().await {
                Said::Of(name, v1::WatchTableResponse { payload: Some(Payload::Update(update)), .. }) => {
                    return (name, update);
                }
                Said::Stream(Payload::Heartbeat(_)) => {}
                other => panic!("no update but {other:?}"),
            }
        }
    }
}

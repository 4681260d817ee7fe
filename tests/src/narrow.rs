//! Watches of clients that take in little at a time: what they don't read waits at the server.

use std::net::SocketAddr;

use sedma_proto::v1;

use crate::client::Client;
use crate::watch::Watch;

/// Bytes that a narrow watch takes in before it is read, a few updates; the transport itself holds some more.
pub const WINDOW: u32 = 16 * 1024;

impl Watch {
    /// A watch with a connection of its own, and with this token, through which no more than [`WINDOW`] comes before
    /// it is read.
    pub async fn narrow(address: SocketAddr, token: &str, request: v1::WatchTableRequest) -> Self {
        let narrow =
            Client::connect_as(address, |endpoint| endpoint.initial_stream_window_size(WINDOW)).await;
        narrow.with_token(token).watch_table(request).await.expect("a watch")
    }
}

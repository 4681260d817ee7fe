//! Watches of clients that take in little at a time: what they don't read waits at the server.

use std::net::SocketAddr;

use sedma_proto::v1;
use tonic::Request;
use tonic::transport::Endpoint;

use crate::wait::within;
use crate::watch::Watch;

/// Bytes that a narrow watch takes in before it is read, a few updates; the transport itself holds some more.
pub const WINDOW: u32 = 16 * 1024;

impl Watch {
    /// A watch with a connection of its own, and with this token, through which no more than [`WINDOW`] comes before
    /// it is read.
    pub async fn narrow(address: SocketAddr, token: &str, request: v1::WatchTableRequest) -> Self {
        let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
        let endpoint = endpoint.tcp_nodelay(true).initial_stream_window_size(WINDOW);
        let channel = within("connecting", endpoint.connect()).await.expect("a connection to the server");
        let mut service = v1::table_service_client::TableServiceClient::new(channel);
        let mut request = Request::new(request);
        let value = format!("Bearer {token}").parse().expect("a metadata value");
        request.metadata_mut().insert("authorization", value);
        let opened = within("WatchTable", service.watch_table(request)).await.expect("a watch");
        Self::new(opened.into_inner())
    }
}

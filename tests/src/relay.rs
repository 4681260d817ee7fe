//! A wire between a client and a server that counts what passes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Passes on whatever comes, at once. Takes no new connections once it is dropped.
pub struct Relay {
    address: SocketAddr,
    to_client: Arc<AtomicU64>,
    accepting: JoinHandle<()>,
}

impl Relay {
    /// A wire to this server.
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("its address");
        let to_client = Arc::new(AtomicU64::new(0));
        let counted = to_client.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(server).await.expect("the server behind the wire");
                for socket in [&client, &server] {
                    socket.set_nodelay(true).expect("a socket that does not wait");
                }
                let ((from_client, to_client), (from_server, to_server)) =
                    (client.into_split(), server.into_split());
                tokio::spawn(pass(from_client, to_server, Arc::default()));
                tokio::spawn(pass(from_server, to_client, counted.clone()));
            }
        });
        Self { address, to_client, accepting }
    }

    /// Where clients connect to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Bytes that have gone to clients so far.
    pub fn sent_to_clients(&self) -> u64 {
        self.to_client.load(Ordering::SeqCst)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, count: Arc<AtomicU64>) {
    let mut bytes = vec![0; 16 * 1_024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        if to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
        count.fetch_add(u64::try_from(read).expect("a count"), Ordering::SeqCst);
    }
}

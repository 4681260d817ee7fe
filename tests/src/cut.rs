//! A wire to a server that can be slowed, silenced, held and cut: a TCP proxy of the loopback.
//!
//! A fault is of one way, and of all connections, those that are there and those that come. It acts on whole chunks, as
//! they arrive at the wire; it knows nothing of the protocol that they belong to.
//!
//! ```text
//! let wire = Wire::to(server.address()).await;
//! let client = Client::connect(wire.address()).await;
//! wire.swallow(Way::ToClient);     // what is asked for is done, and nobody learns of it
//! wire.cut();                      // and then the connection is gone
//! ```

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{self, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep_until};

use crate::wait::within;

/// Bytes of one chunk at most.
const CHUNK: usize = 16 * 1024;
/// Chunks of one connection and way that are on their way at most; further ones wait with their sender.
const CHUNKS: usize = 256;

/// A direction on a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// What clients send.
    ToServer,
    /// What the server sends.
    ToClient,
}

/// What happens to the chunks of one way.
#[derive(Clone, Copy, Debug, Default)]
struct Fault {
    delay: Duration,
    swallows: bool,
    hold: Hold,
}

/// Whether chunks wait in the wire.
#[derive(Clone, Copy, Debug, Default)]
enum Hold {
    #[default]
    No,
    /// From the first chunk on that has these bytes in it.
    From(&'static [u8]),
    Now,
}

#[derive(Debug, Default)]
struct State {
    faults: watch::Sender<[Fault; 2]>,
    cuts: watch::Sender<u64>,
    passed: [AtomicU64; 2],
}

/// A listening wire. Dropping it cuts it, for good.
#[derive(Debug)]
pub struct Wire {
    address: SocketAddr,
    state: Arc<State>,
    accepting: JoinHandle<()>,
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Wire {
    /// A wire to the server at this address, whether it listens already or not, without a fault.
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let address = listener.local_addr().expect("its address");
        let state = Arc::new(State::default());
        let accepting = tokio::spawn(accept(listener, server, state.clone()));
        Self { address, state, accepting }
    }

    /// A wire to a server on this port of the loopback, such as a Redis.
    pub async fn to_port(port: u16) -> Self {
        Self::to(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
    }

    /// Where clients find the server through this wire.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Bytes that have come out of the wire so far.
    pub fn passed(&self, way: Way) -> u64 {
        self.state.passed[way as usize].load(Ordering::Relaxed)
    }

    /// Whatever goes this way from now on arrives so much later, in its order. Does not narrow the wire.
    pub fn slow(&self, way: Way, delay: Duration) {
        self.change(way, |fault| fault.delay = delay);
    }

    /// Whatever goes this way from now on is lost, and its sender not told.
    pub fn swallow(&self, way: Way) {
        self.change(way, |fault| fault.swallows = true);
    }

    /// What goes this way waits in the wire, from the first chunk on that has these bytes in it. They are looked for
    /// in each chunk by itself: for what is sent in one piece. [`Self::mend`] lets it go on.
    pub fn hold_from(&self, way: Way, bytes: &'static [u8]) {
        self.change(way, |fault| fault.hold = Hold::From(bytes));
    }

    /// Waits until the wire holds what [`Self::hold_from`] has told it to.
    pub async fn holds(&self, way: Way) {
        let mut faults = self.state.faults.subscribe();
        let held = faults.wait_for(|faults| matches!(faults[way as usize].hold, Hold::Now));
        within("a wire that holds", held).await.expect("a wire that is there");
    }

    /// Ends every fault. What was held goes on; what was swallowed is lost for ever.
    pub fn mend(&self) {
        self.state.faults.send_replace(<[Fault; 2]>::default());
    }

    /// Ends every connection, and with it all that is on its way. New ones are taken on as before.
    pub fn cut(&self) {
        self.state.cuts.send_modify(|cuts| *cuts += 1);
    }

    fn change(&self, way: Way, change: impl FnOnce(&mut Fault)) {
        self.state.faults.send_modify(|faults| change(&mut faults[way as usize]));
    }
}

impl State {
    /// When a chunk that has just come into the wire leaves it at the earliest; `None` where it is lost.
    fn leaves(&self, way: Way, chunk: &[u8]) -> Option<Instant> {
        let mut fault = self.faults.borrow()[way as usize];
        if let Hold::From(bytes) = fault.hold
            && chunk.windows(bytes.len()).any(|part| part == bytes)
        {
            self.faults.send_modify(|faults| faults[way as usize].hold = Hold::Now);
            fault.hold = Hold::Now;
        }
        (!fault.swallows).then(|| Instant::now() + fault.delay)
    }

    /// Waits while the wire holds what goes this way.
    async fn goes_on(&self, way: Way) {
        let mut faults = self.faults.subscribe();
        let goes_on = faults.wait_for(|faults| !matches!(faults[way as usize].hold, Hold::Now));
        goes_on.await.expect("the state of a wire that is there");
    }
}

async fn accept(listener: TcpListener, server: SocketAddr, state: Arc<State>) {
    let mut connections = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let (state, mut cuts) = (state.clone(), state.cuts.subscribe());
        connections.spawn(async move {
            tokio::select! {
                _ = cuts.changed() => {}
                // However it ends, it ends for both.
                _ = carry(client, server, &state) => {}
            }
        });
    }
}

/// Carries one connection until both sides have ended it, or one has broken it off.
async fn carry(client: TcpStream, server: SocketAddr, state: &State) -> io::Result<()> {
    let server = TcpStream::connect(server).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let to_server = one_way(from_client, to_server, Way::ToServer, state);
    let to_client = one_way(from_server, to_client, Way::ToClient, state);
    tokio::try_join!(to_server, to_client).map(drop)
}

async fn one_way(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, way: Way, state: &State) -> io::Result<()> {
    let (enters, mut leaves) = mpsc::channel::<(Instant, Vec<u8>)>(CHUNKS);
    let reading = async move {
        let mut buffer = vec![0; CHUNK];
        loop {
            let length = from.read(&mut buffer).await?;
            if length == 0 {
                return Ok(());
            }
            let chunk = &buffer[..length];
            if let Some(at) = state.leaves(way, chunk)
                && enters.send((at, chunk.to_vec())).await.is_err()
            {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
    };
    let writing = async move {
        while let Some((at, chunk)) = leaves.recv().await {
            sleep_until(at).await;
            state.goes_on(way).await;
            to.write_all(&chunk).await?;
            let length = u64::try_from(chunk.len()).expect("a length");
            state.passed[way as usize].fetch_add(length, Ordering::Relaxed);
        }
        to.shutdown().await
    };
    tokio::try_join!(reading, writing).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that says what it is told, and a connection to it through a wire.
    async fn echoing() -> (Wire, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let wire = Wire::to(listener.local_addr().unwrap()).await;
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    io::copy(&mut from, &mut to).await
                });
            }
        });
        let stream = TcpStream::connect(wire.address()).await.unwrap();
        (wire, stream)
    }

    async fn said(stream: &mut TcpStream) -> Option<[u8; 1]> {
        let mut byte = [0];
        within("a byte or the end", stream.read_exact(&mut byte)).await.ok().map(|_| byte)
    }

    #[tokio::test]
    async fn a_wire_passes_on_what_it_is_given_however_slowly() {
        let (wire, mut stream) = echoing().await;
        wire.slow(Way::ToClient, Duration::from_millis(5));
        for byte in *b"abc" {
            stream.write_all(&[byte]).await.unwrap();
        }
        assert_eq!(
            [said(&mut stream).await, said(&mut stream).await, said(&mut stream).await],
            [Some(*b"a"), Some(*b"b"), Some(*b"c")]
        );
        assert_eq!([wire.passed(Way::ToServer), wire.passed(Way::ToClient)], [3, 3]);
        stream.shutdown().await.unwrap();
        assert_eq!(said(&mut stream).await, None, "an end is passed on as well");
    }

    #[tokio::test]
    async fn what_is_held_comes_later_and_what_is_swallowed_never() {
        let (wire, mut stream) = echoing().await;
        wire.hold_from(Way::ToServer, b"b");
        stream.write_all(b"a").await.unwrap();
        assert_eq!(said(&mut stream).await, Some(*b"a"));
        stream.write_all(b"b").await.unwrap();
        wire.holds(Way::ToServer).await;
        assert_eq!(wire.passed(Way::ToServer), 1);
        wire.mend();
        assert_eq!(said(&mut stream).await, Some(*b"b"));
        wire.swallow(Way::ToClient);
        stream.write_all(b"c").await.unwrap();
        wire.cut();
        assert_eq!(said(&mut stream).await, None);
        wire.mend();
        let mut again = TcpStream::connect(wire.address()).await.unwrap();
        again.write_all(b"d").await.unwrap();
        assert_eq!(said(&mut again).await, Some(*b"d"), "a new connection is as good as new");
    }
}

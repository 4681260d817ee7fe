//! A wire to a server that can be slowed, silenced, held and cut: a TCP proxy of the loopback.
//!
//! A fault is of one way, and of all connections, those that are there and those that come. It acts on whole chunks, as
//! they arrive at the wire; it knows nothing of the protocol that they belong to. A [`Strike`] is of one connection: the
//! one on which the next request comes that has some bytes in it.
//!
//! ```text
//! let wire = Wire::to(server.address()).await;
//! let client = Client::connect(wire.address()).await;
//! wire.swallow(Way::ToClient);     // what is asked for is done, and nobody learns of it
//! wire.cut();                      // and then the connection is gone
//! wire.strike(Strike::CutAfter, b"EVALSHA");   // the next commit is made, and its answer lost
//! ```

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{self, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep_until};

use crate::chance::Chance;
use crate::strike::Strike;
use crate::wait::within;

/// Bytes of one chunk at most.
const CHUNK: usize = 16 * 1024;
/// Chunks of one connection and way that are on their way at most; further ones wait with their sender.
const CHUNKS: usize = 256;

/// A direction on a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// The strike that is to come, and the bytes that it waits for.
    strike: Mutex<Option<(Strike, &'static [u8])>>,
    /// Strikes so far, by kind.
    struck: watch::Sender<[usize; Strike::KINDS.len()]>,
}

/// What has struck one connection.
#[derive(Debug, Default)]
struct Struck(Mutex<Option<Strike>>);

/// A part of what goes one way.
struct Chunk {
    leaves: Instant,
    bytes: Vec<u8>,
    /// The size of the largest piece that it is to be sent in, if not in one.
    pieces: Option<usize>,
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

    /// Strikes the connection that brings the next chunk to the server with these bytes in it; with none, any chunk. Takes
    /// the place of a strike that has not come yet.
    pub fn strike(&self, strike: Strike, bytes: &'static [u8]) {
        *self.state.strike.lock().unwrap() = Some((strike, bytes));
    }

    /// Takes back a strike that has not come yet. Strikes that have come, by kind (see [`Strike::KINDS`]).
    pub fn struck(&self) -> [usize; Strike::KINDS.len()] {
        self.state.strike.lock().unwrap().take();
        *self.state.struck.borrow()
    }

    /// Waits until so many strikes have come in all.
    pub async fn strikes(&self, count: usize) {
        let mut struck = self.state.struck.subscribe();
        let enough = struck.wait_for(|struck| struck.iter().sum::<usize>() >= count);
        within("a strike", enough).await.expect("a wire that is there");
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
    /// What becomes of a chunk that has just come into the wire; nothing where it is lost. An error cuts the connection.
    fn enter(&self, way: Way, bytes: &[u8], struck: &Struck) -> io::Result<Option<Chunk>> {
        let mut fault = self.faults.borrow()[way as usize];
        if let Hold::From(awaited) = fault.hold
            && has(bytes, awaited)
        {
            self.faults.send_modify(|faults| faults[way as usize].hold = Hold::Now);
            fault.hold = Hold::Now;
        }
        let mut chunk = Chunk { leaves: Instant::now() + fault.delay, bytes: bytes.to_vec(), pieces: None };
        if way == Way::ToServer {
            self.strike_with(bytes, struck);
        }
        let mut struck = struck.0.lock().unwrap();
        match *struck {
            Some(Strike::CutBefore) => return Err(io::ErrorKind::ConnectionAborted.into()),
            Some(Strike::CutAfter) if way == Way::ToClient => {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            Some(Strike::Mute(mute)) if mute == way => return Ok(None),
            Some(Strike::Late(late, by)) if late == way => {
                chunk.leaves += by;
                *struck = None;
            }
            Some(Strike::Sliced(sliced, most)) if sliced == way => {
                chunk.pieces = Some(most);
                *struck = None;
            }
            _ => {}
        }
        Ok((!fault.swallows).then_some(chunk))
    }

    /// Lets the strike that is to come, if this is what it waits for, strike this connection. One that was struck stays as
    /// it is: if a mute one spoke again, it would have lost a part of what was said, as no connection does.
    fn strike_with(&self, bytes: &[u8], struck: &Struck) {
        let mut struck = struck.0.lock().unwrap();
        if struck.is_some() {
            return;
        }
        let come = self.strike.lock().unwrap().take_if(|(_, awaited)| has(bytes, awaited));
        if let Some((strike, _)) = come {
            *struck = Some(strike);
            self.struck.send_modify(|struck| struck[strike.kind()] += 1);
        }
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
    let struck = Struck::default();
    let to_server = one_way(from_client, to_server, Way::ToServer, state, &struck);
    let to_client = one_way(from_server, to_client, Way::ToClient, state, &struck);
    tokio::try_join!(to_server, to_client).map(drop)
}

async fn one_way(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    way: Way,
    state: &State,
    struck: &Struck,
) -> io::Result<()> {
    let (enters, mut leaves) = mpsc::channel::<Chunk>(CHUNKS);
    let reading = async move {
        let mut buffer = vec![0; CHUNK];
        loop {
            let length = from.read(&mut buffer).await?;
            if length == 0 {
                return Ok(());
            }
            if let Some(chunk) = state.enter(way, &buffer[..length], struck)?
                && enters.send(chunk).await.is_err()
            {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
    };
    let writing = async move {
        while let Some(chunk) = leaves.recv().await {
            sleep_until(chunk.leaves).await;
            state.goes_on(way).await;
            write(&mut to, &chunk).await?;
            let length = u64::try_from(chunk.bytes.len()).expect("a length");
            state.passed[way as usize].fetch_add(length, Ordering::Relaxed);
        }
        to.shutdown().await
    };
    tokio::try_join!(reading, writing).map(drop)
}

/// Sends a chunk on, in one piece or in many.
async fn write(to: &mut OwnedWriteHalf, chunk: &Chunk) -> io::Result<()> {
    let Some(most) = chunk.pieces else { return to.write_all(&chunk.bytes).await };
    let mut chance = Chance::new(chunk.bytes.len(), "pieces");
    let mut rest = chunk.bytes.as_slice();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.len().min(1 + chance.below(most)));
        to.write_all(piece).await?;
        rest = after;
        // Whoever reads may come between.
        tokio::task::yield_now().await;
    }
    Ok(())
}

fn has(bytes: &[u8], awaited: &[u8]) -> bool {
    awaited.is_empty() || bytes.windows(awaited.len()).any(|part| part == awaited)
}

#[cfg(test)]
mod tests;

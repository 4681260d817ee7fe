//! A TCP proxy in front of Redis that breaks things on purpose, when a commit passes, and can make its clock another.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What happens to commits that pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The connection is cut before the commit reaches Redis.
    CutBefore,
    /// Redis makes the commit, and the connection is cut before its answer comes back.
    CutAfter,
    /// Redis makes the commit, and from then on the connection is silent and stays open.
    Silence,
}

/// The proxy.
pub(crate) struct Proxy {
    pub(crate) url: String,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

struct Shared {
    redis: u16,
    fault: std::sync::Mutex<Option<Fault>>,
    /// How many more commits it happens to.
    times: AtomicU32,
    /// How many seconds Redis' clock is ahead of what it is, as far as answers tell.
    ahead: AtomicI64,
    /// How many commits came by, and whether new connections are let through.
    commits: watch::Sender<u32>,
    open: watch::Sender<bool>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Proxy {
    /// A proxy in front of the Redis on this port.
    pub(crate) async fn before(redis: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("redis://{}/", listener.local_addr().expect("its address"));
        let shared = Arc::new(Shared {
            redis,
            fault: std::sync::Mutex::new(None),
            times: AtomicU32::new(0),
            ahead: AtomicI64::new(0),
            commits: watch::Sender::new(0),
            open: watch::Sender::new(true),
        });
        let task = tokio::spawn(accept(listener, shared.clone()));
        Self { url, shared, task }
    }

    /// Breaks the next so many commits.
    pub(crate) fn arm(&self, fault: Fault, times: u32) {
        *self.shared.fault.lock().expect("a lock") = Some(fault);
        self.shared.times.store(times, Ordering::SeqCst);
    }

    /// From now on Redis' clock seems to be so many seconds ahead.
    pub(crate) fn turn_clock(&self, seconds: i64) {
        self.shared.ahead.store(seconds, Ordering::SeqCst);
    }

    /// New connections hang until [`Self::open`].
    pub(crate) fn shut(&self) {
        self.shared.open.send_replace(false);
    }

    pub(crate) fn open(&self) {
        self.shared.open.send_replace(true);
    }

    /// Waits until so many commits have come by in all.
    pub(crate) async fn seen(&self, count: u32) {
        let mut commits = self.shared.commits.subscribe();
        let seen = commits.wait_for(|commits| *commits >= count);
        tokio::time::timeout(crate::game::PATIENCE, seen).await.expect("a commit in time").expect("a proxy");
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((client, _)) = listener.accept().await {
        tokio::spawn(serve(client, shared.clone()));
    }
}

async fn serve(client: TcpStream, shared: Arc<Shared>) {
    if shared.open.subscribe().wait_for(|open| *open).await.is_err() {
        return;
    }
    let Ok(server) = TcpStream::connect(("127.0.0.1", shared.redis)).await else { return };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let struck = watch::Sender::new(None);
    tokio::select! {
        () = requests(from_client, to_server, &shared, &struck) => {}
        () = answers(from_server, to_client, &shared, &struck) => {}
    }
}

/// Passes requests on, and strikes when a commit is among them. (One that is cut in two by TCP is not seen; over the
/// loopback that does not happen to so few bytes.)
async fn requests(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    shared: &Shared,
    struck: &watch::Sender<Option<Fault>>,
) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length) = from.read(&mut buffer).await {
        let bytes = &buffer[..length];
        if length == 0 {
            return;
        }
        let is_commit = bytes.windows(7).any(|word| word == b"EVALSHA");
        let fault = if is_commit { shared.strike() } else { None };
        struck.send_if_modified(|struck| {
            *struck = struck.or(fault);
            fault.is_some()
        });
        if fault == Some(Fault::CutBefore) {
            shared.commits.send_modify(|commits| *commits += 1);
            return;
        }
        if to.write_all(bytes).await.is_err() {
            return;
        }
        // One that Redis is to make is counted when it answers.
        if is_commit && fault.is_none() {
            shared.commits.send_modify(|commits| *commits += 1);
        }
    }
}

/// Passes answers back, unless this connection was struck.
async fn answers(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    shared: &Shared,
    struck: &watch::Sender<Option<Fault>>,
) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length) = from.read(&mut buffer).await {
        if length == 0 {
            return;
        }
        let fault = *struck.borrow();
        match fault {
            None => {
                turn(&mut buffer[..length], shared.ahead.load(Ordering::SeqCst));
                if to.write_all(&buffer[..length]).await.is_err() {
                    return;
                }
            }
            Some(Fault::Silence) => {}
            Some(Fault::CutBefore | Fault::CutAfter) => return,
        }
    }
}

/// Makes the times in answers others: those of `TIME`, in seconds, and those of commits, in milliseconds.
fn turn(answers: &mut [u8], seconds: i64) {
    for (before, digits, by) in
        [(&b"*2\r\n$10\r\n"[..], 10, seconds), (b"*2\r\n$2\r\nOK\r\n:", 13, seconds * 1_000)]
    {
        for start in 0..answers.len() {
            let Some(found) = answers[start..].strip_prefix(before) else { continue };
            let Some(Ok(text)) = found.get(..digits).map(str::from_utf8) else { continue };
            let Ok(time) = text.parse::<i64>() else { continue };
            let turned = format!("{:0digits$}", time + by);
            answers[start + before.len()..][..digits].copy_from_slice(turned.as_bytes());
        }
    }
}

impl Shared {
    /// Whether this commit is to be broken, and how.
    fn strike(&self) -> Option<Fault> {
        let left = self.times.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |times| times.checked_sub(1));
        left.ok().and(*self.fault.lock().expect("a lock"))
    }
}

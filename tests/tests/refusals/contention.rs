//! CONTENTION: others were faster, several times over.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tests::v1::ErrorReason as Reason;
use tests::views::hand;
use tests::{NewTable, Redis, Server};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

use crate::law::{number, refused};

/// Stands between a replica and Redis. While it is armed, each commit waits there until it is let go.
struct Between {
    address: SocketAddr,
    armed: Arc<AtomicBool>,
    commits: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
}

impl Between {
    async fn before(redis: &Redis) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let armed = Arc::new(AtomicBool::new(false));
        let (told, commits) = mpsc::unbounded_channel();
        let (port, gate) = (redis.port(), armed.clone());
        tokio::spawn(async move {
            while let Ok((replica, _)) = listener.accept().await {
                let (from_replica, to_replica) = replica.into_split();
                let store = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap();
                let (from_store, to_store) = store.into_split();
                tokio::spawn(pass(from_store, to_replica, None));
                tokio::spawn(pass(from_replica, to_store, Some((gate.clone(), told.clone()))));
            }
        });
        Self { address, armed, commits }
    }
}

/// What holds commits up, while it is armed.
type Gate = (Arc<AtomicBool>, mpsc::UnboundedSender<oneshot::Sender<()>>);

/// Passes bytes on until one end is gone.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, gate: Option<Gate>) {
    let mut piece = vec![0; 64 * 1024];
    while let Ok(bytes) = from.read(&mut piece).await
        && bytes > 0
    {
        let commits = piece[..bytes].windows(7).any(|word| word == b"EVALSHA");
        if let Some((armed, told)) = &gate
            && commits
            && armed.load(Ordering::SeqCst)
        {
            let (go, wait) = oneshot::channel();
            let _ = told.send(go);
            let _ = wait.await;
        }
        if to.write_all(&piece[..bytes]).await.is_err() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_are_faster_three_times() {
    let redis = Redis::start();
    let mut between = Between::before(&redis).await;
    let slow = Server::start(Server::config(Some(format!("redis://{}/", between.address)))).await;
    let fast = Server::redis(&redis).await;
    let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(&fast.platform().await).await;
    let seat = table.at(&slow.platform().await).seat(1).clone();
    let revision = table.revision().await;
    let play = seat.card_request(revision, "7c");

    between.armed.store(true, Ordering::SeqCst);
    let call = tokio::spawn({
        let (client, play) = (seat.client.clone(), play.clone());
        async move { client.play_card(play).await }
    });
    for faster in 1..=3 {
        let go = tests::within("a commit", between.commits.recv()).await.expect("a commit");
        assert_eq!(table.revoke(2).await.revision, revision + faster);
        go.send(()).expect("a commit that waits");
    }
    let status = refused(call.await.unwrap(), Reason::Contention);
    assert_eq!((number(&status, "turnRevision"), number(&status, "revision")), (revision, revision + 3));
    assert_eq!(hand(&table.view_of(&[1]).await, 1), "7c 8c 9c Jc");

    between.armed.store(false, Ordering::SeqCst);
    let played = seat.client.play_card(play).await.expect("the same request, when it is quieter");
    assert_eq!(played.revision, revision + 4);
    drop(seat);
    slow.stop().await;
    fast.stop().await;
}

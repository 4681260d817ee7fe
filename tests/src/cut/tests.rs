//! A wire does what it is told.

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

#[tokio::test]
async fn a_strike_cuts_the_connection_before_a_request_or_after_it() {
    let (wire, mut stream) = echoing().await;
    wire.strike(Strike::CutBefore, b"b");
    stream.write_all(b"a").await.unwrap();
    assert_eq!(said(&mut stream).await, Some(*b"a"));
    stream.write_all(b"b").await.unwrap();
    assert_eq!((said(&mut stream).await, wire.passed(Way::ToServer)), (None, 1));
    let mut stream = TcpStream::connect(wire.address()).await.unwrap();
    wire.strike(Strike::CutAfter, b"");
    stream.write_all(b"c").await.unwrap();
    assert_eq!((said(&mut stream).await, wire.passed(Way::ToServer)), (None, 2));
    assert_eq!((wire.passed(Way::ToClient), wire.struck()), (1, [1, 1, 0, 0, 0]));
}

#[tokio::test]
async fn a_strike_mutes_one_connection_and_makes_others_late_or_cuts_up_what_they_bring() {
    let (wire, mut muted) = echoing().await;
    wire.strike(Strike::Mute(Way::ToClient), b"b");
    muted.write_all(b"b").await.unwrap();
    wire.strikes(1).await;
    let mut other = TcpStream::connect(wire.address()).await.unwrap();
    for strike in [
        Strike::Late(Way::ToServer, Duration::from_millis(5)),
        Strike::Late(Way::ToClient, Duration::from_millis(5)),
        Strike::Sliced(Way::ToServer, 2),
        Strike::Sliced(Way::ToClient, 1),
    ] {
        wire.strike(strike, b"a");
        other.write_all(b"aaaa").await.unwrap();
        for _ in 0..4 {
            assert_eq!(said(&mut other).await, Some(*b"a"), "{strike:?}");
        }
    }
    assert_eq!(wire.struck(), [0, 0, 1, 2, 2]);
    wire.cut();
    assert_eq!(said(&mut muted).await, None, "what it was told never came");
}

//! `MALFORMED_REQUEST`, `REQUEST_TOO_LARGE` and `UNKNOWN_METHOD`: frames that no generated client would send.

use prost::Message as _;
use tests::raw::framed;
use tests::v1::{self, ErrorReason as Reason};
use tests::{Client, NewTable, Server};
use tonic::Status;

use crate::bystander::Bystander;
use crate::law::{refused, refused_at, refused_field};

/// Unary and streaming, with and without a caller; the first field of each is a text or a message.
const PATHS: [&str; 5] = [
    "/sedma.v1.TableService/GetTable",
    "/sedma.v1.TableService/CreateTable",
    "/sedma.v1.TableService/WatchTable",
    "/sedma.v1.TrickService/PlayCard",
    "/sedma.v1.ScoringService/ScoreTrick",
];
/// Bytes that a request may have.
const MOST: usize = 16 * 1024;

/// Opens a group with the number 100, which no message has, or closes it.
const OPEN: [u8; 2] = [0xa3, 0x06];
const CLOSE: [u8; 2] = [0xa4, 0x06];

fn groups(depth: usize) -> Vec<u8> {
    [OPEN.repeat(depth), CLOSE.repeat(depth)].concat()
}

/// An unknown field of so many bytes in all: number 100, two bytes of length, and the rest.
fn padding(bytes: usize) -> Vec<u8> {
    let rest = bytes - 4;
    let length = [0x80 | (rest & 0x7f), rest >> 7].map(|byte| u8::try_from(byte).expect("below 16 KiB"));
    [&[0xa2, 0x06], length.as_slice(), &vec![b'x'; rest]].concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_are_no_message() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let mut bystander = Bystander::on(&client).await;
    let bodies: Vec<(&str, Vec<u8>)> = vec![
        ("no UTF-8", framed(&[0x0a, 0x01, 0xff])),
        ("half a varint", framed(&[0x18, 0x80])),
        ("a varint of 11 bytes", framed(&[[0xa0, 0x06].as_slice(), &[0x80; 10], &[0x01]].concat())),
        ("a number where a text is due", framed(&[0x08, 0x01])),
        ("four bytes where a text is due", framed(&[0x0d, 1, 2, 3, 4])),
        ("a text that is longer than its message", framed(&[0x0a, 0x7f, b'a'])),
        ("a field without a number", framed(&[0x00, 0x00])),
        ("a wire type that is none", framed(&[0x0e])),
        ("a group that is not closed", framed(&OPEN)),
        ("a group that was not opened", framed(&CLOSE)),
        ("groups in groups, 200 deep", framed(&groups(200))),
        ("no body", vec![]),
        ("half a frame's head", vec![0, 0, 0]),
        ("a frame's head alone", vec![0, 0, 0, 0, 5]),
        ("a frame that is shorter than it says", vec![0, 0, 0, 0, 9, 0x0a]),
        ("a message and half a head", [framed(&[]), vec![0, 0]].concat()),
        ("a compressed message", vec![1, 0, 0, 0, 0]),
        ("a flag that is none", vec![2, 0, 0, 0, 0]),
    ];
    for path in PATHS {
        for (what, body) in &bodies {
            println!("{path}: {what}");
            refused(client.raw(path, body.clone()).await, Reason::MalformedRequest);
            bystander.lives_on().await;
        }
        let gzip = [("grpc-encoding", "gzip")];
        let answer = client.raw_with(path, &gzip, vec![1, 0, 0, 0, 1, 0x1f]).await;
        refused(answer, Reason::MalformedRequest);
    }
    bystander.lives_on().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_messages_in_one_request() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let table = NewTable::two().create(&client).await;
    let one = framed(
        &v1::CloseTableRequest { name: table.name.clone(), ..v1::CloseTableRequest::default() }
            .encode_to_vec(),
    );
    for second in [one.clone(), framed(&[]), framed(&[0x0a, 0x01, 0xff])] {
        let body = [one.clone(), second].concat();
        let twice = client.raw("/sedma.v1.TableService/CloseTable", body);
        refused_at(&table, Reason::MalformedRequest, twice).await;
    }
    server.stop().await;
}

/// A later client's unknown fields are no mistake.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fields_of_a_later_release_are_skipped() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let table = NewTable::two().create(&client).await;
    let known = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
    for unknown in [groups(50), padding(4_000), vec![0xa0, 0x06, 0x01]] {
        let body = framed(&[known.encode_to_vec(), unknown].concat());
        let answer = client.raw("/sedma.v1.TableService/GetTable", body).await.unwrap();
        let view = v1::GetTableResponse::decode(&answer[5..]).unwrap().view.unwrap();
        assert_eq!(view, table.view().await);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_are_too_large() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let mut bystander = Bystander::on(&client).await;
    for path in &PATHS[..4] {
        let largest = client.raw(path, framed(&padding(MOST))).await;
        let field = if path.ends_with("CreateTable") { "request_id" } else { "name" };
        refused_field(largest, Reason::InvalidField, field);
        let bodies = [
            framed(&padding(MOST + 1)),
            framed(&vec![0; 5 << 20]),
            [[0].as_slice(), &u32::MAX.to_be_bytes()].concat(),
        ];
        for body in bodies {
            refused(client.raw(path, body).await, Reason::RequestTooLarge);
            bystander.lives_on().await;
        }
    }
    let request =
        v1::CreateTableRequest { external_ref: "x".repeat(MOST), ..v1::CreateTableRequest::default() };
    refused(client.create_table(request).await, Reason::RequestTooLarge);
    bystander.lives_on().await;
    server.stop().await;
}

async fn unknown(client: &Client, path: &str) -> Status {
    refused(client.raw(path, framed(&[])).await, Reason::UnknownMethod)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn methods_that_are_not_there() {
    let mut config = Server::config(None);
    config.reflection = false;
    let server = Server::start(config).await;
    let client = server.platform().await;
    let mut bystander = Bystander::on(&client).await;
    let long = format!("/{}/{}", "s".repeat(2_000), "m".repeat(2_000));
    let paths = [
        "/sedma.v1.TableService/NoSuchMethod",
        "/sedma.v1.TableService/gettable",
        "/sedma.v1.TableService/GetTable/",
        "/sedma.v1.TableService/",
        "/sedma.v1.TableService",
        "/sedma.v1.NoSuchService/GetTable",
        "/sedma.v2.TableService/GetTable",
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/x/rand",
        "/",
        &long,
    ];
    for path in paths {
        unknown(&client, path).await;
        unknown(&client.with_token("garbled"), path).await;
        bystander.lives_on().await;
    }
    server.stop().await;
}

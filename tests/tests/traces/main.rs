//! What a trace of a call says, and that a collector that is gone, slow or deaf never holds up a call.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "where a test can't go on, it fails"
)]

use std::net::Ipv4Addr;
use std::time::Duration;

use collector::{Collector, attribute};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use tests::v1::{self, watch_table_response};
use tests::views::{playable, public};
use tests::{Client, NewTable, Process, Redis, Table, reason, within};
use tokio::net::TcpListener;
use tokio::time::Instant;

const QUICK: [&str; 6] = ["--drain-delay", "0ms", "--drain-spread", "100ms", "--drain-grace", "2s"];
const PLAY_CARD: &str = "sedma.v1.TrickService/PlayCard";

/// A server that exports to this endpoint, soon after a span has ended.
async fn exporting(endpoint: &str, redis: Option<&Redis>) -> Process {
    let url = redis.map(Redis::url);
    let store = url.iter().flat_map(|url| ["--redis-url", url]);
    let flags: Vec<&str> = ["--allow-scripted"].into_iter().chain(store).chain(QUICK).collect();
    let environment =
        [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint), ("OTEL_BSP_SCHEDULE_DELAY", "50"), ("RUST_LOG", "info")];
    Process::start_with(&flags, &environment).await
}

/// The seat to act plays its first legal card, with this `traceparent` if there is one.
async fn play_one(table: &Table, traceparents: &[&str]) {
    let view = table.view_of(&[1, 2]).await;
    let turn = public(&view).turn_seat;
    let seat = table.seat(turn);
    let card = playable(&view, turn)[0];
    let message = v1::PlayCardRequest { card: Some(card), ..seat.card_request(public(&view).revision, "7c") };
    let mut request = seat.client.request(message);
    for traceparent in traceparents {
        request.metadata_mut().append("traceparent", traceparent.parse().unwrap());
    }
    let mut service = v1::trick_service_client::TrickServiceClient::new(seat.client.channel());
    within("PlayCard", service.play_card(request)).await.expect("an accepted card");
}

async fn endless_table(door: &Client) -> Table {
    NewTable::two().to(0).start(door).await
}

fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

fn is_play(span: &Span) -> bool {
    attribute(span, "rpc.method").as_deref() == Some(PLAY_CARD)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_play_card_is_one_server_span_and_one_redis_span_of_the_callers_trace() {
    let (collector, redis) = (Collector::start().await, Redis::start());
    let process = exporting(&collector.endpoint(), Some(&redis)).await;
    let table = endless_table(&process.platform().await).await;
    let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
    play_one(&table, &[&format!("00-{trace}-{parent}-01")]).await;
    collector.spans_with("the call's span", is_play).await;
    process.terminate().await;

    let spans = collector.spans();
    let of_trace: Vec<&Span> = spans.iter().filter(|span| hex(&span.trace_id) == trace).collect();
    assert_eq!(of_trace.len(), 2, "{of_trace:#?}");
    let server = of_trace.iter().find(|span| span.kind() == SpanKind::Server).expect("a SERVER span");
    assert_eq!(server.name, PLAY_CARD);
    assert_eq!(hex(&server.parent_span_id), parent);
    assert_eq!(attribute(server, "rpc.system.name").as_deref(), Some("grpc"));
    assert_eq!(attribute(server, "rpc.method").as_deref(), Some(PLAY_CARD));
    assert_eq!(attribute(server, "rpc.response.status_code").as_deref(), Some("OK"));
    assert_eq!(attribute(server, "error.type"), None);

    let client = of_trace.iter().find(|span| span.kind() == SpanKind::Client).expect("a CLIENT span");
    assert_eq!(client.name, "EVALSHA");
    assert_eq!(client.parent_span_id, server.span_id);
    assert_eq!(attribute(client, "db.system.name").as_deref(), Some("redis"));
    assert_eq!(attribute(client, "db.stored_procedure.name").as_deref(), Some("commit"));

    let noise: Vec<&Span> =
        spans.iter().filter(|span| !matches!(span.kind(), SpanKind::Server | SpanKind::Client)).collect();
    assert!(noise.is_empty(), "no transport in the traces: {noise:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_is_no_error_of_the_server_and_scanners_share_a_name() {
    let collector = Collector::start().await;
    let process = exporting(&collector.endpoint(), None).await;
    let door = process.platform().await;
    let table = endless_table(&door).await;
    let turn = public(&table.view().await).turn_seat;
    table.seat(3 - turn).play("7c").await.expect_err("not the turn");
    let mut raw = tonic::client::Grpc::new(door.channel());
    raw.ready().await.unwrap();
    let codec = tonic_prost::ProstCodec::<(), ()>::default();
    let path = "/sedma.v1.TrickService/Nothing-17".parse().unwrap();
    raw.unary(tonic::Request::new(()), path, codec).await.expect_err("no such method");
    process.terminate().await;

    let spans = collector.spans();
    let refused = spans.iter().find(|span| is_play(span)).expect("the refused call");
    assert_eq!(attribute(refused, "rpc.response.status_code").as_deref(), Some("FAILED_PRECONDITION"));
    assert_eq!(attribute(refused, "error.type"), None);
    let unset = refused.status.as_ref().is_none_or(|status| status.code == 0);
    assert!(unset, "{:?}", refused.status);
    let unknown = spans.iter().find(|span| span.name == "_OTHER").expect("the unknown method");
    assert_eq!(
        attribute(unknown, "rpc.method_original").as_deref(),
        Some("/sedma.v1.TrickService/Nothing-17")
    );
    assert_eq!(attribute(unknown, "error.type").as_deref(), Some("UNIMPLEMENTED"));
}

/// K04: what is no trace context starts a new trace, and the call is unharmed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_trace_context_starts_a_new_trace() {
    let collector = Collector::start().await;
    let process = exporting(&collector.endpoint(), None).await;
    let table = endless_table(&process.platform().await).await;
    let (trace, zero) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00000000000000000000000000000000");
    let long = "0".repeat(8 * 1024);
    let good = format!("00-{trace}-00f067aa0ba902b7-01");
    let malformed = ["00-zz", &format!("00-{zero}-00f067aa0ba902b7-01"), &long, &format!("{good}-and-more")];
    for traceparent in malformed {
        play_one(&table, &[traceparent]).await;
    }
    let other = "00-11112222333344445555666677778888-00f067aa0ba902b7-01";
    play_one(&table, &[&good, other]).await;
    process.terminate().await;

    let plays: Vec<Span> = collector.spans().into_iter().filter(is_play).collect();
    assert_eq!(plays.len(), malformed.len() + 1);
    let mut traces: Vec<String> = plays.iter().map(|span| hex(&span.trace_id)).collect();
    assert!(traces.iter().all(|trace| trace != zero));
    traces.sort();
    traces.dedup();
    assert_eq!(traces.len(), plays.len(), "each call has a trace of its own");
}

/// K01: the last spans reach the collector, and the process ends in time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_plays_and_sigterm_at_once_lose_no_span() {
    let collector = Collector::start().await;
    let process = exporting(&collector.endpoint(), None).await;
    let table = endless_table(&process.platform().await).await;
    for _ in 0..100 {
        play_one(&table, &[]).await;
    }
    process.terminate().await;
    assert_eq!(collector.spans().iter().filter(|span| is_play(span)).count(), 100);
}

/// Times of 500 cards on a server that exports to this endpoint, and what it said of lost spans when it ended.
async fn five_hundred_cards(endpoint: &str) -> (Vec<Duration>, u64) {
    let mut process = exporting(endpoint, None).await;
    let table = endless_table(&process.platform().await).await;
    let mut times = Vec::new();
    for _ in 0..500 {
        let begun = Instant::now();
        play_one(&table, &[]).await;
        times.push(begun.elapsed());
    }
    process.sigterm();
    assert!(process.ended().await.success());
    let output = process.output();
    let farewell = output.iter().find(|line| line.contains("spans lost")).expect("the server's last line");
    let lost = farewell.rsplit(' ').next().and_then(|count| count.parse().ok()).expect("a count");
    times.sort();
    (times, lost)
}

/// K07: the collector refuses, or takes connections and never answers. Every card is played all the same, the process
/// ends in time, and what was lost is counted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_or_deaf_collector_holds_up_no_card() {
    let black_hole = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let dead = {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let silent = format!("http://{}", black_hole.local_addr().unwrap());
    for (name, endpoint) in [("no collector", ""), ("a dead one", &dead), ("a deaf one", &silent)] {
        let (times, lost) = five_hundred_cards(endpoint).await;
        println!("{name:>14}: p50 {:>9.2?}  p99 {:>9.2?}  spans lost {lost}", times[250], times[495]);
        if endpoint.is_empty() {
            assert_eq!(lost, 0, "nothing is exported, so nothing is lost");
        } else {
            assert!(lost >= 500, "what a collector did not take is counted: {lost}");
        }
    }
}
use tests::collector;

/// What an operator looks at: how well tables are kept, what was taken back, who watches.
#[tokio::test(flavor = "multi_thread")]
async fn metrics_tell_the_stores_level_what_was_rewound_and_who_watches() {
    let (redis, collector) = (Redis::start_durable(), Collector::start().await);
    let environment =
        [("OTEL_EXPORTER_OTLP_ENDPOINT", &*collector.endpoint()), ("OTEL_METRIC_EXPORT_INTERVAL", "50")];
    let url = redis.url();
    let process = Process::start_with(&["--allow-scripted", "--redis-url", &url], &environment).await;
    collector.metric("sedma.store.durability_level", 2).await;
    collector.metric("sedma.watch.streams", 0).await;
    collector.metric("sedma.history.rewound", 0).await;

    let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(&process.platform().await).await;
    let mut watch = table.seat(1).watch().await;
    watch.snapshot().await;
    collector.metric("sedma.watch.streams", 1).await;
    let code = table.name.trim_start_matches("tables/");
    let keys = redis.ask(&["KEYS", &format!("[te]:*{code}")]);
    let copy = |from: &str, to: &str| {
        for key in keys.split_whitespace() {
            redis.ask(&["COPY", &format!("{from}{key}"), &format!("{to}{key}"), "REPLACE"]);
        }
    };
    copy("", "kept:");
    table.seat(1).play("7c").await.expect("a legal card");
    let lost = watch.update().await;
    copy("kept:", "");
    table.platform.pause_table(table.pause_request()).await.expect("another history");
    collector.metric("sedma.history.rewound", 1).await;
    drop(watch);
    collector.metric("sedma.watch.streams", 0).await;

    // Nobody watches now: whoever comes back with what is gone is told by himself.
    let mut back = table.seat(1).watch_after(lost.revision, &lost.history).await;
    assert!(matches!(back.next().await.payload, Some(watch_table_response::Payload::Reset(_))));
    collector.metric("sedma.history.rewound", 2).await;
    let request = v1::ListUpdatesRequest {
        name: table.name.clone(),
        after_revision: lost.revision,
        history: lost.history,
        ..v1::ListUpdatesRequest::default()
    };
    let page = table.platform.list_updates(request).await.expect("a page");
    assert_eq!(page.reset.expect("a reset").reason(), v1::ResetReason::Rewound);
    collector.metric("sedma.history.rewound", 3).await;

    // A table that is gone was not rewound.
    collector.metric("sedma.watch.streams", 1).await;
    table.lose(&redis);
    let (_, ended) = back.rest().await;
    assert_eq!(reason(&ended.expect("no table")), "TABLE_NOT_FOUND");
    collector.metric("sedma.watch.streams", 0).await;
    collector.metric("sedma.history.rewound", 3).await;
}

//! What whoever has only seen a table can do there: nothing. And that no credential is ever to be seen.

use data_encoding::BASE64URL_NOPAD;
use prost::Message as _;
use tests::views::{game, public};
use tests::{Client, Process, Redis, Table, Watch, request_id, v1};
use tonic::{Code, Status};

use crate::calls::{Needs, by_the_platform, every_call};
use crate::collector::Collector;
use crate::deals::{TRICK, deal};

/// What somebody might take for a credential who knows what spectators know.
fn guesses(table: &Table, view: &v1::TableView, watch_token: &str) -> Vec<String> {
    let seat = &public(view).seats[0];
    let parts: Vec<&str> = watch_token.split('.').collect();
    let claims = BASE64URL_NOPAD.decode(parts[1].as_bytes()).expect("base64url");
    let mut claims: serde_json::Value = serde_json::from_slice(&claims).expect("claims in JSON");
    claims["seat"] = serde_json::json!([1, 0]);
    let claims = BASE64URL_NOPAD.encode(claims.to_string().as_bytes());
    let unsigned = BASE64URL_NOPAD.encode(br#"{"alg":"none"}"#);
    vec![
        seat.player_id.clone(),
        seat.display_name.clone(),
        table.name.clone(),
        format!("{}/{}", table.name, seat.player_id),
        format!("{}.{claims}.{}", parts[0], parts[2]),
        format!("{unsigned}.{claims}."),
    ]
}

fn is_kept_out(what: &str, answer: Result<(), Status>) {
    let status = answer.expect_err(what);
    assert!(matches!(status.code(), Code::Unauthenticated | Code::PermissionDenied), "{what}: {status:?}");
}

/// What names the seat: to see its cards, and to be its player.
async fn to_be_the_player(client: &Client, table: &Table) {
    let name = || table.name.clone();
    let get = v1::GetTableRequest { name: name(), seats: vec![1], ..v1::GetTableRequest::default() };
    is_kept_out("GetTable", client.get_table(get).await.map(drop));
    let watch = v1::WatchTableRequest { name: name(), seats: vec![1], ..v1::WatchTableRequest::default() };
    is_kept_out("WatchTable", client.watch_table(watch).await.map(drop));
    for seat in [0, 1] {
        is_kept_out("JoinTable", client.join_table(table.join_request(seat, "p1")).await.map(drop));
        let leave = v1::LeaveTableRequest { name: name(), request_id: request_id(), seat };
        is_kept_out("LeaveTable", client.leave_table(leave).await.map(drop));
    }
}

/// Tries everything, with a token that is good for watching and with others that are good for nothing.
async fn nothing_helps(table: &Table, door: &Client, watch_token: &str) {
    let view = table.view().await;
    let watching = door.with_token(watch_token);
    for called in every_call(&watching, &table.name, 1).await {
        if called.needs == Needs::Sight {
            called.answer.expect("what a spectator may");
        } else {
            is_kept_out(called.method, called.answer);
        }
    }
    to_be_the_player(&watching, table).await;
    for guess in guesses(table, &view, watch_token) {
        let client = door.with_token(&guess);
        to_be_the_player(&client, table).await;
        for called in every_call(&client, &table.name, 1).await {
            is_kept_out(called.method, called.answer);
        }
        for called in by_the_platform(&client, &table.name).await {
            is_kept_out(called.method, called.answer);
        }
    }
    assert_eq!(table.view().await, view, "something has changed");
}

/// Everything that anybody is shown of the table, as bytes.
async fn shown(table: &Table, watching: &Client) -> Vec<Vec<u8>> {
    let name = || table.name.clone();
    let get = || v1::GetTableRequest { name: name(), ..v1::GetTableRequest::default() };
    let score = || v1::GetScoreRequest { name: name(), min_revision: None };
    let mut shown = Vec::new();
    for client in [watching, &table.platform, &table.seat(2).client] {
        shown.push(client.get_table(get()).await.unwrap().encode_to_vec());
        shown.push(client.get_score(score()).await.unwrap().encode_to_vec());
        let request = v1::WatchTableRequest {
            name: name(),
            after_revision: Some(0),
            ..v1::WatchTableRequest::default()
        };
        let mut watch: Watch = client.watch_table(request).await.unwrap();
        watch.heartbeat().await;
        let updates = watch.updates_to(table.revision().await).await;
        shown.extend(updates.iter().map(v1::Update::encode_to_vec));
    }
    let listed = table.platform.list_tables(v1::ListTablesRequest::default()).await.unwrap();
    shown.push(listed.encode_to_vec());
    shown
}

/// None of these places has a token in it, nor its signature alone.
fn no_token_in(what: &str, places: impl IntoIterator<Item = Vec<u8>>, tokens: &[String]) {
    for place in places {
        for token in tokens {
            let signature = token.rsplit('.').next().unwrap().as_bytes();
            let found = place.windows(signature.len()).any(|part| part == signature);
            assert!(!found, "a token in {what}: {}", String::from_utf8_lossy(&place));
        }
    }
}

/// Whoever knew a player's public name could play for him. <https://github.com/colyseus/colyseus/issues/354>
/// <https://github.com/mholzi/beatify/issues/2501> <https://github.com/phase-rs/phase/issues/1786>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e06_what_a_spectator_sees_is_not_enough_to_play_for_anybody() {
    let collector = Collector::start().await;
    let redis = Redis::start();
    let (url, endpoint) = (redis.url(), collector.endpoint());
    let flags = ["--allow-scripted", "--redis-url", &url, "--drain-delay", "0ms", "--drain-spread", "100ms"];
    let environment = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()),
        ("OTEL_BSP_SCHEDULE_DELAY", "50"),
        ("RUST_LOG", "debug"),
    ];
    let mut process = Process::start_with(&flags, &environment).await;
    let door = process.platform().await;
    let table = deal().start(&door).await;
    let issued = door.issue_watch_token(v1::IssueWatchTokenRequest { name: table.name.clone() }).await;
    let watch_token = issued.unwrap().watch_token.unwrap().token;

    // While the player is connected, and when he is not.
    let player = process.platform().await;
    let mut his = table.seat(1).at(&player).watch().await;
    his.snapshot().await;
    nothing_helps(&table, &door, &watch_token).await;
    drop((his, player));
    nothing_helps(&table, &door, &watch_token).await;
    table.play(&TRICK).await;
    assert_eq!(game(&table.view().await).last_trick.as_ref().unwrap().winner_seat, 3);

    let mut tokens: Vec<String> = table.seats.iter().map(|seat| seat.token.clone()).collect();
    tokens.push(watch_token.clone());
    no_token_in("what is shown", shown(&table, &door.with_token(&watch_token)).await, &tokens);
    process.sigterm();
    assert!(process.ended().await.success());
    let lines = process.output();
    assert!(lines.iter().any(|line| line.contains("\"DEBUG\"")), "the log says what it can");
    no_token_in("the log", lines.into_iter().map(String::into_bytes), &tokens);
    let spans = collector.spans();
    assert!(spans.iter().any(|span| span.name.ends_with("PlayCard")), "{} spans", spans.len());
    no_token_in("a span", spans.into_iter().map(|span| span.encode_to_vec()), &tokens);
}

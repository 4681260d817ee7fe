//! `INVALID_FIELD`: every field that cannot be taken is named by its path.

use std::fmt::Debug;

use tests::v1::{self, ErrorReason as Reason};
use tests::{Client, NewTable, Server, Table, request_id};
use tonic::Status;

use crate::bystander::Bystander;
use crate::calls::every_call;
use crate::law::refused_field;

/// A field's path, and what spoils it in a request that is otherwise good.
pub(crate) type Case<Q> = (&'static str, fn(&mut Q));

/// Spoils a good request in one way after the other; at last sends it as it was, which must be accepted.
pub(crate) async fn check<Q: Clone, A: Debug>(
    call: impl AsyncFn(Q) -> Result<A, Status>,
    good: &Q,
    cases: &[Case<Q>],
) {
    for (field, spoil) in cases {
        let mut request = good.clone();
        spoil(&mut request);
        refused_field(call(request).await, Reason::InvalidField, field);
    }
    call(good.clone()).await.expect("the request that the cases spoil");
}

/// What a request id must not be, where it is required or not.
const NIL: &str = "00000000-0000-0000-0000-000000000000";

/// A server, a client, and a bystander on the client's connection.
pub(crate) async fn world() -> (Server, Client, Bystander) {
    let server = Server::memory().await;
    let client = server.platform().await;
    let bystander = Bystander::on(&client).await;
    (server, client, bystander)
}

/// A table for two that has started, and seat 1 is to play.
pub(crate) async fn playing(client: &Client) -> Table {
    NewTable::two().deal(&["7c 8c 9c Jc"], "").start(client).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_a_tables_name_to_the_last_bit() {
    let (server, client, mut bystander) = world().await;
    let good = playing(&client).await.name;
    let code = &good["tables/".len()..];
    // 26 characters have 130 bits for 128: the last one must not say more than it can.
    let last = good.chars().last().unwrap();
    let beyond = char::from(b"abcdefghijklmnopqrstuvwxyz234567"[usize::from(last != 'b')]);
    let names = [
        String::new(),
        "tables/".to_owned(),
        code.to_owned(),
        format!("rooms/{code}"),
        format!("tables/{}", &code[..25]),
        format!("{good}a"),
        format!("{good}\n"),
        format!(" {good}"),
        format!("tables/{}", code.to_uppercase()),
        format!("tables/0189{}", &code[4..]),
        format!("tables/{}{}", &code[..25], if last == beyond { '7' } else { beyond }),
        format!("{good}/{}", "x".repeat(10_000)),
    ];
    for name in &names {
        for called in every_call(&client, name, 1).await {
            refused_field(called.answer, Reason::InvalidField, "name");
        }
    }
    bystander.lives_on().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plays() {
    let (server, client, mut bystander) = world().await;
    let table = playing(&client).await;
    let good = v1::PlayCardRequest { seat: 1, ..table.seat(1).card_request(table.revision().await, "7c") };
    check(
        async |request| client.play_card(request).await,
        &good,
        &[
            ("request_id", |r| r.request_id = "1".into()),
            ("request_id", |r| r.request_id = NIL.into()),
            ("request_id", |r| r.request_id.push('0')),
            ("expected_revision", |r| r.expected_revision = 0),
            ("expected_revision", |r| r.expected_revision = -1),
            ("expected_revision", |r| r.expected_revision = i64::MIN),
            ("seat", |r| r.seat = 0),
            ("seat", |r| r.seat = 3),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = 257),
            ("seat", |r| r.seat = -1),
            ("seat", |r| r.seat = i32::MIN),
            ("card", |r| r.card = None),
            ("card.suit", |r| r.card.as_mut().unwrap().suit = 0),
            ("card.suit", |r| r.card.as_mut().unwrap().suit = 9),
            ("card.suit", |r| r.card.as_mut().unwrap().suit = -1),
            ("card.rank", |r| r.card.as_mut().unwrap().rank = 0),
            ("card.rank", |r| r.card.as_mut().unwrap().rank = 1),
            ("card.rank", |r| r.card.as_mut().unwrap().rank = 16),
            ("card.rank", |r| r.card.as_mut().unwrap().rank = i32::MAX),
            // The stock's top card is unseen: nobody can name it, or announce anything with it.
            ("card", |r| r.from_stock = true),
            ("announce_marriage", |r| (r.card, r.from_stock, r.announce_marriage) = (None, true, true)),
        ],
    )
    .await;
    let good = v1::ListLegalActionsRequest { name: table.name.clone(), seat: 2, min_revision: Some(1) };
    check(
        async |request| client.list_legal_actions(request).await,
        &good,
        &[
            ("seat", |r| r.seat = 0),
            ("seat", |r| r.seat = 3),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = -4),
            ("min_revision", |r| r.min_revision = Some(-1)),
        ],
    )
    .await;
    bystander.lives_on().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seats() {
    let (server, client, mut bystander) = world().await;
    let table = NewTable::two().with_open_seats().create(&client).await;
    let good = v1::JoinTableRequest {
        display_name: "Anna".into(),
        entropy: vec![7; 32].into(),
        ..table.join_request(2, "anna")
    };
    check(
        async |request| client.join_table(request).await,
        &good,
        &[
            ("request_id", |r| r.request_id.clear()),
            ("request_id", |r| r.request_id = "garbled".into()),
            ("request_id", |r| r.request_id = NIL.into()),
            ("seat", |r| r.seat = 3),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = -1),
            ("player_id", |r| r.player_id.clear()),
            ("player_id", |r| (r.player_id.clear(), r.seat = 0).1),
            ("player_id", |r| r.player_id = "x".repeat(65)),
            ("player_id", |r| r.player_id = "a\0b".into()),
            ("display_name", |r| r.display_name = "é".repeat(33)),
            ("display_name", |r| r.display_name = "two\nlines".into()),
            ("display_name", |r| r.display_name = "\u{85}".into()),
            ("entropy", |r| r.entropy = vec![0; 33].into()),
        ],
    )
    .await;

    let named = NewTable::two().create(&client).await;
    let holder = &named.seat(1).client;
    let good = v1::JoinTableRequest {
        name: named.name.clone(),
        request_id: request_id(),
        player_id: "p1".into(),
        ..v1::JoinTableRequest::default()
    };
    check(
        async |request| holder.join_table(request).await,
        &good,
        &[("player_id", |r| r.player_id = "p2".into())],
    )
    .await;
    let good = v1::LeaveTableRequest { name: named.name.clone(), request_id: request_id(), seat: 2 };
    check(
        async |request| client.leave_table(request).await,
        &good,
        &[
            ("request_id", |r| r.request_id = "garbled".into()),
            ("request_id", |r| r.request_id = NIL.into()),
            ("seat", |r| r.seat = 0),
            ("seat", |r| r.seat = 3),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = -1),
        ],
    )
    .await;
    bystander.lives_on().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens() {
    let (server, client, mut bystander) = world().await;
    let table = playing(&client).await;
    let good = v1::IssueSeatTokenRequest { name: table.name.clone(), seat: 2 };
    check(
        async |request| client.issue_seat_token(request).await,
        &good,
        &[
            ("seat", |r| r.seat = 0),
            ("seat", |r| r.seat = 3),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = -1),
        ],
    )
    .await;
    let good = v1::RevokeSeatRequest { name: table.name.clone(), request_id: request_id(), seat: 1 };
    check(
        async |request| client.revoke_seat(request).await,
        &good,
        &[
            ("request_id", |r| r.request_id = "garbled".into()),
            ("request_id", |r| r.request_id = NIL.into()),
            ("seat", |r| r.seat = 0),
            ("seat", |r| r.seat = 3),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = -1),
        ],
    )
    .await;
    let open = NewTable::two().with_open_seats().create(&client).await;
    let request = v1::IssueSeatTokenRequest { name: open.name.clone(), seat: 1 };
    refused_field(client.issue_seat_token(request).await, Reason::InvalidField, "seat");
    bystander.lives_on().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beginnings_and_ends() {
    let (server, client, mut bystander) = world().await;
    let table = NewTable::two().starting(v1::StartPolicy::Manual).create(&client).await;
    let good = v1::StartTableRequest { name: table.name.clone(), request_id: request_id() };
    check(
        async |request| client.start_table(request).await,
        &good,
        &[("request_id", |r| r.request_id = "garbled".into()), ("request_id", |r| r.request_id = NIL.into())],
    )
    .await;

    let short = NewTable::two()
        .pausing_between_deals()
        .deal(&["10c 10d 10h 10s", "Ac Ad Ah As"], "")
        .start(&client)
        .await;
    short.play(&["1:10c", "2:Ac", "1:10d", "2:Ad", "1:10h", "2:Ah"]).await;
    let good = v1::StartNextDealRequest {
        name: short.name.clone(),
        request_id: request_id(),
        expected_revision: short.revision().await,
        seat: 2,
    };
    check(
        async |request| client.start_next_deal(request).await,
        &good,
        &[
            ("request_id", |r| r.request_id = "garbled".into()),
            ("request_id", |r| r.request_id = NIL.into()),
            ("expected_revision", |r| r.expected_revision = 0),
            ("expected_revision", |r| r.expected_revision = -7),
            ("seat", |r| r.seat = 3),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = -1),
        ],
    )
    .await;

    let good =
        v1::CloseTableRequest { name: table.name.clone(), request_id: request_id(), reason: "é".repeat(32) };
    check(
        async |request| client.close_table(request).await,
        &good,
        &[
            ("request_id", |r| r.request_id = "garbled".into()),
            ("request_id", |r| r.request_id = NIL.into()),
            ("reason", |r| r.reason.push('x')),
            ("reason", |r| r.reason = "tab\there".into()),
        ],
    )
    .await;
    let good = v1::CreateRematchRequest { name: table.name.clone(), request_id: request_id() };
    check(
        async |request| client.create_rematch(request).await,
        &good,
        &[
            ("request_id", |r| r.request_id.clear()),
            ("request_id", |r| r.request_id = "garbled".into()),
            ("request_id", |r| r.request_id = NIL.into()),
        ],
    )
    .await;
    bystander.lives_on().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ends_of_tricks_and_exchanges() {
    let (server, client, mut bystander) = world().await;
    let new = NewTable::preset("pagat", 2).deal(&["9c 9d Ac Kc", "Jc Qc Qd Kd"], "");
    let table = new.start(&client).await;
    table.play(&["1:9c", "2:Jc"]).await;
    let good = v1::EndTrickRequest { seat: 1, ..table.seat(1).end_request(table.revision().await) };
    check(
        async |request| client.end_trick(request).await,
        &good,
        &[
            ("request_id", |r| r.request_id = "1".into()),
            ("request_id", |r| r.request_id = NIL.into()),
            ("expected_revision", |r| r.expected_revision = 0),
            ("expected_revision", |r| r.expected_revision = -1),
            ("seat", |r| r.seat = 0),
            ("seat", |r| r.seat = 3),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = -1),
        ],
    )
    .await;

    let short = |rules: &mut v1::SedmaRules| rules.stop_at_points = Some(10);
    let new = NewTable::preset("cervena", 4).changed(short).deal(&["10c 8c 8d 8h", "9c", "9d", "9h"], "");
    let table = new.start(&client).await;
    table.play(&["1:10c", "2:9c", "3:9d", "4:9h"]).await;
    let good =
        v1::ExchangeHandsRequest { seat: 3, ..table.seat(3).exchange_request(table.revision().await, true) };
    check(
        async |request| client.exchange_hands(request).await,
        &good,
        &[
            ("request_id", |r| r.request_id = "1".into()),
            ("request_id", |r| r.request_id = NIL.into()),
            ("expected_revision", |r| r.expected_revision = 0),
            ("expected_revision", |r| r.expected_revision = i64::MIN),
            ("seat", |r| r.seat = 0),
            ("seat", |r| r.seat = 5),
            ("seat", |r| r.seat = -1),
        ],
    )
    .await;
    bystander.lives_on().await;
    server.stop().await;
}

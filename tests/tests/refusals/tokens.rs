//! Credentials: none of ours, no longer ours, and good ones that are for something else.

use tests::v1::{self, ErrorReason as Reason};
use tests::{Client, NewTable, Server, Table, World, card, on_each_store, request_id};
use tonic::Status;

use crate::calls::{Needs, by_the_platform, every_call};
use crate::forge::{Forge, claims, encode};
use crate::law::{refused, refused_at};

/// Every call that needs to know its caller: those about a table, and the two that are about none.
async fn every_known_call(client: &Client, table: &Table) -> Vec<Result<(), Status>> {
    let create = NewTable::two().request;
    let others = [
        client.create_table(create).await.map(drop),
        client.list_tables(v1::ListTablesRequest::default()).await.map(drop),
    ];
    let calls = every_call(client, &table.name, 0).await;
    calls.into_iter().map(|called| called.answer).chain(others).collect()
}

/// Values of `authorization` that are no token of this table's server.
async fn none_of_ours(token: &str) -> Vec<String> {
    let parts: Vec<&str> = token.split('.').collect();
    let no_algorithm = encode(br#"{"alg":"none"}"#);
    let mut other_seat = claims(token);
    other_seat["seat"][0] = 2.into();
    let other_seat = encode(other_seat.to_string().as_bytes());
    let server = Server::memory().await;
    let foreign = NewTable::two().create(&server.platform().await).await.seat(1).token.clone();
    server.stop().await;
    vec![
        String::new(),
        "Bearer".into(),
        "Bearer ".into(),
        "Bearer garbled".into(),
        "Bearer a.b.c".into(),
        format!("Bearer {}", "x".repeat(2_000)),
        token.to_owned(),
        format!("Basic {token}"),
        format!("Bearer{token}"),
        format!("Bearer {token}x"),
        format!("Bearer {token} {token}"),
        format!("Bearer {}.{}", parts[0], parts[1]),
        format!("Bearer {}.{}.", parts[0], parts[1]),
        format!("Bearer {no_algorithm}.{}.", parts[1]),
        format!("Bearer {}.{other_seat}.{}", parts[0], parts[2]),
        format!("Bearer {foreign}"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credentials_that_are_none() {
    let world = World::memory().await;
    let table = NewTable::two().start(world.a()).await;
    let token = &table.seat(1).token;
    let mut said = None;
    for value in none_of_ours(token).await {
        println!("authorization: {value}");
        let client = world.a().with_authorization(&value);
        refused_at(&table, Reason::TokenInvalid, client.list_tables(v1::ListTablesRequest::default())).await;
        for answer in every_known_call(&client, &table).await {
            let status = refused(answer, Reason::TokenInvalid);
            let now = (status.message().to_owned(), status.details().to_vec());
            assert_eq!(*said.get_or_insert_with(|| now.clone()), now, "one answer for all");
        }
        client.get_server_info(v1::GetServerInfoRequest {}).await.expect("needs no credential");
        client.list_presets(v1::ListPresetsRequest {}).await.expect("needs no credential");
        client.get_preset(v1::GetPresetRequest { preset: "two".into(), seats: 0 }).await.expect("nor this");
    }
    for good in [format!("bearer {token}"), format!("BEARER   {token}")] {
        let get = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
        world.a().with_authorization(&good).get_table(get).await.expect("the scheme's case does not matter");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_that_have_expired() {
    let world = World::redis().await;
    let table = NewTable::two().start(world.a()).await;
    let token = &table.seat(1).token;
    let forge = Forge::of(world.its_redis());
    let life = 7 * 24 * 3_600;
    let same = forge.sign(token, |_| {});
    let expired =
        forge.sign(token, |claims| claims["exp"] = (claims["exp"].as_i64().unwrap() - life - 1).into());
    let wrong = [
        forge.sign(token, |claims| drop(claims.as_object_mut().unwrap().remove("exp"))),
        forge.sign(token, |claims| claims["seat"] = serde_json::json!([9, 0])),
        forge.sign(token, |claims| claims["tab"] = "nonsense".into()),
        forge.pretender().sign(token, |_| {}),
    ];
    let get = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
    for door in [world.a(), world.b()] {
        door.with_token(&same).get_table(get.clone()).await.expect("a token signed by the deployment's key");
        for answer in every_known_call(&door.with_token(&expired), &table).await {
            refused(answer, Reason::TokenExpired);
        }
        for token in &wrong {
            for answer in every_known_call(&door.with_token(token), &table).await {
                refused(answer, Reason::TokenInvalid);
            }
        }
    }
    world.stop().await;
}

on_each_store! {
    async fn tokens_of_a_generation_that_is_over(world: &World) {
        let table = NewTable::two().create(world.a()).await;
        let elsewhere = table.at(world.b());
        elsewhere.seat(1).join().await.unwrap();
        table.revoke(1).await;
        worthless(&table, &elsewhere.seat(1).client).await;
        let again = table.issue(1).await;
        again.at(world.b()).leave().await.unwrap();
        worthless(&table, &again.client).await;
        worthless(&table, &again.at(world.b()).client).await;
        table.seat(2).join().await.expect("the other seat's token is as good as before");
    }

    async fn a_token_is_for_one_seat(world: &World) {
        let table = NewTable::classic().deal(&["7c 8c 9c Jc"], "").start(world.a()).await;
        let revision = table.revision().await;
        let seat = &table.at(world.b()).seat(1).client.clone();
        let n = || table.name.clone();
        let id = request_id;
        for other in 2..=4 {
            let card = Some(card("7c"));
            let play = v1::PlayCardRequest {
                name: n(),
                request_id: id(),
                expected_revision: revision,
                seat: other,
                card,
                ..v1::PlayCardRequest::default()
            };
            let legal = v1::ListLegalActionsRequest { name: n(), seat: other, min_revision: None };
            let join = v1::JoinTableRequest { player_id: String::new(), ..table.join_request(other, "") };
            let leave = v1::LeaveTableRequest { name: n(), request_id: id(), seat: other };
            let next = v1::StartNextDealRequest {
                name: n(),
                request_id: id(),
                expected_revision: revision,
                seat: other,
            };
            let get = v1::GetTableRequest { name: n(), min_revision: None, seats: vec![1, other] };
            let watch =
                v1::WatchTableRequest { name: n(), seats: vec![other], ..v1::WatchTableRequest::default() };
            refused_at(&table, Reason::SeatForbidden, seat.play_card(play)).await;
            refused_at(&table, Reason::SeatForbidden, seat.list_legal_actions(legal)).await;
            refused_at(&table, Reason::SeatForbidden, seat.join_table(join)).await;
            refused_at(&table, Reason::SeatForbidden, seat.leave_table(leave)).await;
            refused_at(&table, Reason::SeatForbidden, seat.start_next_deal(next)).await;
            refused_at(&table, Reason::SeatForbidden, seat.get_table(get)).await;
            refused_at(&table, Reason::SeatForbidden, seat.watch_table(watch)).await;
        }
        let own = v1::PlayCardRequest { seat: 1, ..table.seat(1).card_request(revision, "7c") };
        seat.play_card(own).await.expect("the number of the token's own seat");
    }

    async fn a_token_is_for_one_table(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        let stranger = NewTable::two().start(world.a()).await.at(world.b());
        let spectator = stranger.spectator().await;
        let before = table.view_of(&[1, 2]).await;
        for client in [&stranger.seat(1).client, &spectator] {
            for called in every_call(client, &table.name, 0).await {
                println!("{}", called.method);
                let platform = called.needs == Needs::Platform;
                refused(called.answer, if platform { Reason::PlatformOnly } else { Reason::SeatForbidden });
            }
        }
        assert_eq!(table.view_of(&[1, 2]).await, before);
    }

    async fn a_watch_token_only_watches(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        let spectator = table.at(world.b()).spectator().await;
        let before = table.view_of(&[1, 2]).await;
        for called in every_call(&spectator, &table.name, 0).await {
            println!("{}", called.method);
            match called.needs {
                Needs::Sight => called.answer.expect("what every spectator may"),
                Needs::Seat => drop(refused(called.answer, Reason::SeatForbidden)),
                Needs::Platform => drop(refused(called.answer, Reason::PlatformOnly)),
            }
        }
        let get = v1::GetTableRequest { name: table.name.clone(), min_revision: None, seats: vec![1] };
        refused(spectator.get_table(get).await, Reason::SeatForbidden);
        let seats = vec![2];
        let watch =
            v1::WatchTableRequest { name: table.name.clone(), seats, ..v1::WatchTableRequest::default() };
        refused(spectator.watch_table(watch).await, Reason::SeatForbidden);
        assert_eq!(table.view_of(&[1, 2]).await, before);
    }

    async fn a_table_without_spectators(world: &World) {
        for policy in [v1::SpectatorPolicy::Unspecified, v1::SpectatorPolicy::Forbidden] {
            let mut new = NewTable::two();
            new.request.spectators = policy.into();
            let table = new.create(world.a()).await;
            let request = v1::IssueWatchTokenRequest { name: table.name.clone() };
            refused_at(&table, Reason::SeatForbidden, world.b().issue_watch_token(request)).await;
        }
    }

    async fn what_only_the_platform_may(world: &World) {
        let table = NewTable::two().start(world.a()).await.at(world.b());
        let before = table.view_of(&[1, 2]).await;
        for client in [&table.seat(1).client, &table.seat(2).client, &table.spectator().await] {
            for called in by_the_platform(client, &table.name).await {
                refused(called.answer, Reason::PlatformOnly);
            }
            refused(client.create_table(NewTable::two().request).await, Reason::PlatformOnly);
            refused(client.list_tables(v1::ListTablesRequest::default()).await, Reason::PlatformOnly);
        }
        assert_eq!(table.view_of(&[1, 2]).await, before);
        let listed = world.a().list_tables(v1::ListTablesRequest::default()).await.unwrap();
        assert_eq!(listed.tables.len(), 1);
    }
}

/// A token that was good is no longer, for anything.
async fn worthless(table: &Table, client: &Client) {
    let before = table.view().await;
    for called in every_call(client, &table.name, 0).await {
        println!("{}", called.method);
        let platform = called.needs == Needs::Platform;
        refused(called.answer, if platform { Reason::PlatformOnly } else { Reason::TokenInvalid });
    }
    assert_eq!(table.view().await, before);
}

//! What a table refuses for what it is: not there, not started, started, ended, full.

use tests::v1::{self, ErrorReason as Reason};
use tests::views::public;
use tests::{NewTable, Table, World, on_each_store, refusal, request_id};
use tonic::Status;

use crate::calls::every_call;
use crate::law::{number, refused, refused_at};

/// The name of a table that nobody made.
const NOBODYS: &str = "tables/aaaaaaaaaaaaaaaaaaaaaaaaaa";

fn start(table: &Table) -> v1::StartTableRequest {
    v1::StartTableRequest { name: table.name.clone(), request_id: request_id() }
}

fn next_deal(table: &Table, expected_revision: i64) -> v1::StartNextDealRequest {
    v1::StartNextDealRequest {
        name: table.name.clone(),
        request_id: request_id(),
        expected_revision,
        seat: 0,
    }
}

fn rematch(table: &Table) -> v1::CreateRematchRequest {
    v1::CreateRematchRequest { name: table.name.clone(), request_id: request_id() }
}

fn where_it_stood(status: &Status, revision: i64) {
    assert_eq!(refusal(status).revision, revision);
    assert_eq!(number(status, "revision"), revision);
}

on_each_store! {
    async fn no_such_table(world: &World) {
        let table = NewTable::two().create(world.a()).await;
        let mut answers = every_call(world.a(), NOBODYS, 1).await;
        answers.extend(every_call(world.b(), NOBODYS, 1).await);
        let first = refused(answers.remove(0).answer, Reason::TableNotFound);
        for called in answers {
            let status = refused(called.answer, Reason::TableNotFound);
            assert_eq!((status.message(), status.details()), (first.message(), first.details()));
        }
        // A token of another table is told the same of one that is there and of one that is not.
        let stranger = NewTable::two().create(world.a()).await;
        let there = every_call(&stranger.seat(1).client, &table.name, 0).await;
        let nowhere = every_call(&stranger.seat(1).client, NOBODYS, 0).await;
        for (there, nowhere) in there.into_iter().zip(nowhere) {
            let (there, nowhere) = (there.answer.unwrap_err(), nowhere.answer.unwrap_err());
            assert_eq!(there.code(), nowhere.code());
            assert_eq!((there.message(), there.details()), (nowhere.message(), nowhere.details()));
        }
    }

    async fn a_match_that_has_not_started(world: &World) {
        let table = NewTable::two().with_open_seats().create(world.a()).await;
        let joined = world.a().join_table(table.join_request(2, "anna")).await.unwrap();
        let anna = world.b().with_token(&joined.seat_token.unwrap().token);
        let revision = table.revision().await;

        let status = refused_at(&table, Reason::NotStarted, world.b().start_table(start(&table))).await;
        assert!(status.message().contains("fill seat 1"), "{status:?}");
        where_it_stood(&status, revision);
        refused_at(&table, Reason::NotStarted, anna.start_table(start(&table))).await;
        refused_at(&table, Reason::NotStarted, anna.start_next_deal(next_deal(&table, revision))).await;
        refused_at(&table, Reason::NotStarted, anna.create_rematch(rematch(&table))).await;
        let play = v1::PlayCardRequest {
            name: table.name.clone(),
            request_id: request_id(),
            expected_revision: revision,
            card: Some(tests::card("7c")),
            ..v1::PlayCardRequest::default()
        };
        let status = refused_at(&table, Reason::NotStarted, anna.play_card(play)).await;
        where_it_stood(&status, revision);
        assert_eq!(refusal(&status).legal_actions, []);
    }

    async fn a_deal_that_has_not_started(world: &World) {
        let table = NewTable::two()
            .pausing_between_deals()
            .deal(&["10c 10d 10h 10s", "Ac Ad Ah As"], "")
            .start(world.a())
            .await;
        table.play(&["1:10c", "2:Ac", "1:10d", "2:Ad", "1:10h", "2:Ah"]).await;
        let revision = table.revision().await;
        let status = refused_at(&table, Reason::NotStarted, table.seat(1).play_at(revision, "10s")).await;
        assert!(status.message().contains("StartNextDeal"), "{status:?}");
        refused_at(&table, Reason::AlreadyStarted, world.b().create_rematch(rematch(&table))).await;
        world.b().start_next_deal(next_deal(&table, revision)).await.unwrap();
    }

    async fn a_match_that_has_started(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        let revision = table.revision().await;
        let elsewhere = table.at(world.b());
        let seat = &elsewhere.seat(2).client;
        let status = refused_at(&table, Reason::AlreadyStarted, world.b().start_table(start(&table))).await;
        where_it_stood(&status, revision);
        refused_at(&table, Reason::AlreadyStarted, seat.start_table(start(&table))).await;
        refused_at(&table, Reason::AlreadyStarted, seat.start_next_deal(next_deal(&table, revision))).await;
        refused_at(&table, Reason::AlreadyStarted, seat.create_rematch(rematch(&table))).await;
        refused_at(&table, Reason::AlreadyStarted, elsewhere.seat(2).join_with(&[1])).await;
        let again = elsewhere.seat(2).join().await.unwrap();
        assert_eq!((again.revision, again.update), (revision, None));
    }

    async fn a_table_that_was_closed(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        table.close().await;
        ended(&table, world).await;
    }

    async fn a_match_that_is_over(world: &World) {
        let deal = NewTable::two().to(1).deal(&["10c 10d 10h 10s", "Ac Ad Ah As"], "");
        let table = deal.start(world.a()).await;
        let last = table.play(&["1:10c", "2:Ac", "1:10d", "2:Ad", "1:10h", "2:Ah"]).await;
        assert_eq!(public(&last.view.unwrap()).phase(), v1::TablePhase::Finished);
        ended(&table, world).await;
    }

    async fn seats_that_are_not_to_be_had(world: &World) {
        let table = NewTable::two().with_open_seats().create(world.a()).await;
        for (seat, player) in [(2, "anna"), (0, "bela")] {
            world.a().join_table(table.join_request(seat, player)).await.unwrap();
        }
        let join = |seat, player| world.b().join_table(table.join_request(seat, player));
        let status = refused_at(&table, Reason::TableFull, join(0, "cyril")).await;
        where_it_stood(&status, table.revision().await);
        let status = refused_at(&table, Reason::SeatTaken, join(2, "cyril")).await;
        assert!(status.message().contains("Seat 2"), "{status:?}");
        where_it_stood(&status, table.revision().await);
        // Whoever has a seat keeps it, and asking for another one changes nothing.
        let kept = join(1, "anna").await.unwrap();
        assert_eq!((kept.revision, kept.seat_token.unwrap().seat), (table.revision().await, 2));
    }

    async fn the_seat_of_an_update_is_the_players_own(world: &World) {
        let table = NewTable::two().create(world.a()).await;
        let joined = world.b().join_table(table.join_request(2, "p1")).await.unwrap();
        assert_eq!(joined.seat_token.unwrap().seat, 1);
        assert_eq!(joined.update.unwrap().seat, 1, "p1 has seat 1, whatever seat was asked for");
    }

    async fn ids_that_were_used_before(world: &World) {
        let table = NewTable::two().deal(&["7c 8c 9c Jc"], "").start(world.a()).await;
        let play = table.seat(1).card_request(table.revision().await, "7c");
        table.seat(1).client.play_card(play.clone()).await.unwrap();
        let again = v1::PlayCardRequest { card: Some(tests::card("8c")), ..play.clone() };
        let seat = &table.at(world.b()).seat(1).client.clone();
        refused_at(&table, Reason::RequestIdReused, seat.play_card(again)).await;
        let other_verb = v1::LeaveTableRequest {
            name: table.name.clone(),
            request_id: play.request_id.to_uppercase(),
            seat: 0,
        };
        refused_at(&table, Reason::RequestIdReused, seat.leave_table(other_verb)).await;

        let create = NewTable::two().request;
        let made = world.a().create_table(create.clone()).await.unwrap();
        let other = v1::CreateTableRequest { external_ref: "another".into(), ..create.clone() };
        refused(world.b().create_table(other).await, Reason::RequestIdReused);
        let same = world.b().create_table(create).await.unwrap();
        assert_eq!((same.revision, same.replayed), (made.revision, true));
    }
}

/// Everything that would change an ended table is refused; reading and a rematch are not.
async fn ended(table: &Table, world: &World) {
    let revision = table.revision().await;
    let elsewhere = table.at(world.b());
    let holder = elsewhere.seat(1);
    let seat = &holder.client;
    let n = || table.name.clone();
    let revoke = v1::RevokeSeatRequest { name: n(), request_id: request_id(), seat: 2 };
    let close = v1::CloseTableRequest { name: n(), request_id: request_id(), reason: "again".into() };

    let status = refused_at(table, Reason::TableEnded, holder.play_at(revision, "10s")).await;
    where_it_stood(&status, revision);
    assert!(status.message().contains("CreateRematch"), "{status:?}");
    refused_at(table, Reason::TableEnded, holder.join()).await;
    refused_at(table, Reason::TableEnded, holder.leave()).await;
    refused_at(table, Reason::TableEnded, seat.start_table(start(table))).await;
    refused_at(table, Reason::TableEnded, seat.start_next_deal(next_deal(table, revision))).await;
    refused_at(table, Reason::TableEnded, world.b().join_table(table.join_request(0, "late"))).await;
    refused_at(table, Reason::TableEnded, world.b().revoke_seat(revoke)).await;
    refused_at(table, Reason::TableEnded, world.b().close_table(close)).await;
    assert_eq!(holder.legal_actions().await.unwrap().legal_actions, []);
    let again = seat.create_rematch(rematch(table)).await.unwrap();
    assert_eq!(again.seat_tokens.len(), 1);
}

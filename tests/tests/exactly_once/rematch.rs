//! The table after the table: one for all who ask.

use futures_util::future::{join, join_all};
use tests::views::{facts, public};
use tests::{NewTable, Seat, Table, World, on_each_store, reason, request_id, v1};
use tonic::Code;
use v1::event::Fact;

use crate::deals::{PLAYS, deal, play_on};

async fn platform_rematch(door: &tests::Client, table: &Table) -> v1::CreateRematchResponse {
    let request = v1::CreateRematchRequest { name: table.name.clone(), request_id: request_id() };
    door.create_rematch(request).await.expect("a rematch")
}

fn name_of(answer: &v1::CreateRematchResponse) -> String {
    public(answer.view.as_ref().expect("a view")).name.clone()
}

on_each_store! {
    async fn all_who_ask_for_a_rematch_get_one_table_and_their_own_tokens(world: &World) {
        let table = deal().to(1).start(world.a()).await;
        play_on(&table, PLAYS).await;
        assert_eq!(public(&table.view().await).phase(), v1::TablePhase::Finished);

        let seats: Vec<Seat> = (1..).zip(0..4).map(|(seat, n)| table.seat(seat).at(world.door(n))).collect();
        let asking = join_all(seats.iter().map(Seat::rematch));
        let (answers, platforms) = join(asking, platform_rematch(world.b(), &table)).await;
        let name = name_of(&platforms);
        assert_ne!(name, table.name);
        let tokens: Vec<i32> = platforms.seat_tokens.iter().map(|token| token.seat).collect();
        assert_eq!(tokens, [1, 2, 3, 4]);
        let mut made = usize::from(!platforms.replayed);
        for (seat, answer) in (1..).zip(answers) {
            let answer = answer.expect("a rematch");
            assert_eq!(name_of(&answer), name);
            assert_eq!(answer.seat_tokens.iter().map(|token| token.seat).collect::<Vec<_>>(), [seat]);
            made += usize::from(!answer.replayed);
            let player = Seat::new(world.a(), &name, &answer.seat_tokens[0]);
            assert_eq!(player.join().await.expect("a good token").seat_token.unwrap().seat, seat);
        }
        assert_eq!(made, 1, "one of the callers made the table");
        let next = table.view().await;
        assert_eq!(public(&next).rematch, name);
        let linked = public(&next).revision;
        let again = platform_rematch(world.a(), &table).await;
        assert_eq!((name_of(&again), again.replayed), (name, true));
        assert_eq!(table.revision().await, linked, "the old table was told once");
    }

    async fn the_new_table_has_the_same_players_and_rules_and_waits_for_them(world: &World) {
        let table = deal().to(3).start(world.a()).await;
        table.close().await;
        let rematch = platform_rematch(world.b(), &table).await;
        let (old, new) = (table.view().await, rematch.view.unwrap());
        let players = |view: &v1::TableView| -> Vec<String> {
            public(view).seats.iter().map(|seat| seat.player_id.clone()).collect()
        };
        assert_eq!(players(&old), players(&new));
        assert_eq!(public(&old).rules, public(&new).rules);
        assert_eq!(public(&new).phase(), v1::TablePhase::Open);
        assert_eq!(public(&new).start_policy(), v1::StartPolicy::WhenReady);
        assert!(!public(&new).scripted, "chance deals the rematch");
        let created = rematch.update.unwrap();
        assert!(matches!(facts(&created)[0], Fact::TableCreated(_)));
    }

    async fn a_token_of_the_old_table_is_no_token_of_the_new_one(world: &World) {
        let table = deal().start(world.a()).await;
        table.close().await;
        let name = name_of(&table.seat(1).rematch().await.unwrap());
        let stranger = Seat { table: name, ..table.seat(1).at(world.b()) };
        let refused = stranger.join().await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused).as_str()), (Code::PermissionDenied, "SEAT_FORBIDDEN"));
    }

    async fn a_rematch_follows_an_ended_match_only(world: &World) {
        let open = deal().create(world.a()).await;
        let refused = open.seat(1).at(world.b()).rematch().await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused).as_str()), (Code::FailedPrecondition, "NOT_STARTED"));
        let playing = deal().start(world.a()).await;
        let refused = playing.seat(1).at(world.b()).rematch().await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused).as_str()), (Code::FailedPrecondition, "ALREADY_STARTED"));
    }
}

/// The new table is made first and noted at the old one then. Taking the note out of Redis again leaves what a crash
/// between the two would.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_before_the_old_table_was_told_is_healed_by_the_next_call() {
    let world = World::redis().await;
    let redis = world.its_redis();
    let table = NewTable::classic().start(world.a()).await;
    table.close().await;
    let key = |kind: &str| {
        let keys = redis.ask(&["KEYS", &format!("{kind}:*:{}", table.name.trim_start_matches("tables/"))]);
        assert_eq!(keys.lines().count(), 1, "one key of the table");
        keys
    };
    let (blob, log) = (key("t"), key("e"));
    let backup = format!("{blob}:backup");
    assert_eq!(redis.ask(&["COPY", &blob, &backup]), "1");
    let before = table.revision().await;
    let made = table.seat(1).rematch().await.unwrap();
    assert_eq!(table.revision().await, before + 1);
    assert_eq!(redis.ask(&["COPY", &backup, &blob, "REPLACE"]), "1");
    redis.ask(&["RPOP", &log]);
    assert_eq!(public(&table.view().await).rematch, "");

    let healed = table.seat(2).at(world.b()).rematch().await.unwrap();
    assert_eq!(name_of(&healed), name_of(&made));
    let view = table.view().await;
    assert_eq!(
        (public(&view).rematch.as_str(), public(&view).revision),
        (name_of(&made).as_str(), before + 1)
    );
    world.stop().await;
}

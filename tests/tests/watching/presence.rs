//! Who is connected: a seat's own watch says so, or the platform.

use tests::v1::{self, watch_table_response::Payload};
use tests::{Client, NewTable, Table, Watch, World, duration, on_each_store, reason};

use crate::sights::{fields, watch};

async fn onlooker(client: &Client, table: &Table) -> Watch {
    let mut watch = watch(client, table, None).await.with_presence();
    watch.snapshot().await;
    watch
}

fn saying(table: &Table, seat: i32, connected: bool) -> v1::SetPresenceRequest {
    v1::SetPresenceRequest { name: table.name.clone(), seat, connected, lease_duration: None }
}

on_each_store! {
    async fn a_seats_watch_shows_its_player_to_everybody(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        let revision = table.revision().await;
        let mut platform = onlooker(world.b(), &table).await;
        let mut own = table.seat(1).watch().await.with_presence();
        own.snapshot().await;
        assert_eq!(platform.presence().await, (1, true));
        assert_eq!(own.presence().await, (1, true));
        let second = table.seat(2).at(world.b()).watch().await;
        assert_eq!(platform.presence().await, (2, true));
        assert_eq!(own.presence().await, (2, true));
        // Who comes later is told who is there, after his first message.
        let mut late = onlooker(&table.spectator().await, &table).await;
        assert_eq!([late.presence().await, late.presence().await], [(1, true), (2, true)]);
        drop(second);
        assert_eq!(platform.presence().await, (2, false));
        assert_eq!(own.presence().await, (2, false));
        assert_eq!(table.revision().await, revision, "who is connected is no part of the table");
    }

    async fn a_player_is_connected_as_long_as_one_of_his_watches_lives(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        let mut platform = onlooker(world.b(), &table).await;
        let one = table.seat(1).watch().await;
        assert_eq!(platform.presence().await, (1, true));
        let other = table.seat(1).at(world.b()).watch().await;
        drop(one);
        let second = table.seat(2).watch().await;
        assert_eq!(platform.presence().await, (2, true), "nothing was said of seat 1");
        drop(second);
        assert_eq!(platform.presence().await, (2, false));
        drop(other);
        assert_eq!(platform.presence().await, (1, false));
    }

    async fn the_platform_says_so_for_players_that_it_proxies(world: &World) {
        let table = NewTable::classic().start(world.a()).await;
        let mut watch = onlooker(world.b(), &table).await;
        world.a().set_presence(saying(&table, 3, true)).await.unwrap();
        assert_eq!(watch.presence().await, (3, true));
        world.b().set_presence(saying(&table, 3, true)).await.unwrap();
        world.b().set_presence(saying(&table, 4, true)).await.unwrap();
        assert_eq!(watch.presence().await, (4, true), "said twice is told once");
        world.b().set_presence(saying(&table, 3, false)).await.unwrap();
        assert_eq!(watch.presence().await, (3, false));
        let short = v1::SetPresenceRequest { lease_duration: Some(duration(900)), ..saying(&table, 2, true) };
        world.a().set_presence(short).await.unwrap();
        assert_eq!([watch.presence().await, watch.presence().await], [(2, true), (2, false)], "it was not said again");
        // What the platform takes back, the seat's own watch still says.
        let own = table.seat(1).watch().await;
        assert_eq!(watch.presence().await, (1, true));
        world.a().set_presence(saying(&table, 1, false)).await.unwrap();
        drop(own);
        assert_eq!(watch.presence().await, (1, false));
    }

    async fn updates_go_on_between_what_is_said_of_players(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        let mut watch = onlooker(world.b(), &table).await;
        let before = table.revision().await;
        world.a().set_presence(saying(&table, 2, true)).await.unwrap();
        let message = watch.next().await;
        assert!(matches!(message.payload, Some(Payload::Presence(_))));
        assert_eq!(message.revision, before, "a client may resume after any message");
        crate::sights::watch(world.b(), &table, Some(message.revision)).await.heartbeat().await;
        table.seat(2).leave().await.unwrap();
        assert_eq!(watch.update().await.revision, before + 1);
    }

    async fn only_the_platform_says_it_and_in_words_that_hold_together(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        let refused = table.seat(1).client.set_presence(saying(&table, 1, true)).await.unwrap_err();
        assert_eq!(reason(&refused), "PLATFORM_ONLY");
        let hour = |connected, seconds| v1::SetPresenceRequest {
            lease_duration: Some(prost_types::Duration { seconds, nanos: 0 }),
            ..saying(&table, 1, connected)
        };
        for (request, field) in [
            (saying(&table, 0, true), "seat"),
            (saying(&table, 3, true), "seat"),
            (saying(&table, -1, true), "seat"),
            (hour(true, 3_601), "lease_duration"),
            (hour(true, -1), "lease_duration"),
            (hour(false, 1), "lease_duration"),
            (v1::SetPresenceRequest { name: "tables/none".into(), ..saying(&table, 1, true) }, "name"),
        ] {
            let refused = world.b().set_presence(request).await.unwrap_err();
            assert_eq!(fields(&refused), [field]);
        }
        let mut gone = saying(&table, 1, true);
        gone.name = format!("tables/{}", "a".repeat(26));
        assert_eq!(reason(&world.a().set_presence(gone).await.unwrap_err()), "TABLE_NOT_FOUND");
    }
}

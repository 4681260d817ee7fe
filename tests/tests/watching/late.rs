//! Spectators who see a table later than it happens: when they see what.

use tests::v1::{self, watch_table_response::Payload};
use tests::views::public;
use tests::{NewTable, Table, Watch, World, duration, hours, ms, on_each_store, reason};

use crate::sights::{after, history, timeless, two_bots, updates_after, watch};

/// The same table, shown so much later.
fn late(mut new: NewTable, delay: prost_types::Duration) -> NewTable {
    new.request.spectator_delay = Some(delay);
    new
}

/// The instant that a watch tells at which there will be something to see, in milliseconds since the epoch.
async fn pending(watch: &mut Watch) -> i64 {
    let message = watch.next().await;
    assert_eq!((message.revision, message.history.len()), (0, 0), "nothing is told yet");
    match message.payload {
        Some(Payload::Pending(pending)) => ms(pending.starts_time.as_ref()),
        other => panic!("nothing pending but {other:?}"),
    }
}

/// The instant of a table's newest update, in milliseconds since the epoch.
async fn newest(table: &Table) -> i64 {
    let revision = table.revision().await;
    let page = table.platform.list_updates(updates_after(table, revision - 1)).await.unwrap();
    ms(page.updates[0].time.as_ref())
}

on_each_store! {
    async fn who_sees_a_table_late_waits_until_what_he_found_has_grown_old(world: &World) {
        let table = late(NewTable::two(), duration(300)).start(world.a()).await;
        let found = table.view().await;
        assert_eq!(public(&found).spectator_delay, Some(duration(300)), "everybody is told");
        let mut late = watch(&table.at(world.b()).spectator().await, &table, None).await;
        let starts_ms = pending(&mut late).await;
        let own = table.seat(1).view().await;
        let (_, word) = crate::sights::next_action(&own).unwrap();
        let played = table.seat(1).act(&word).await.unwrap();

        let snapshot = late.snapshot().await;
        assert_eq!(timeless(&snapshot), timeless(&found), "as it was when he came");
        // What is done after a message came is later than the message by the store's clock.
        table.seat(2).leave().await.unwrap();
        assert!(newest(&table).await >= starts_ms, "the snapshot came too early");
        let update = late.update().await;
        assert_eq!(update.revision, played.revision);
        table.revoke(2).await;
        assert!(newest(&table).await >= ms(update.time.as_ref()) + 300, "the update came too early");
    }

    async fn nothing_is_shown_before_it_is_old_and_everything_once_the_table_has_ended(world: &World) {
        let table = late(NewTable::two(), hours(1)).start(world.a()).await.at(world.b());
        let spectator = table.spectator().await;
        let created_ms = ms(table.platform.list_updates(updates_after(&table, 0)).await.unwrap().updates[0].time.as_ref());
        let mut fresh = watch(&spectator, &table, None).await;
        assert!(pending(&mut fresh).await >= created_ms + 60 * 60 * 1_000);
        let mut whole = watch(&spectator, &table, Some(0)).await;
        assert_eq!(pending(&mut whole).await, created_ms + 60 * 60 * 1_000);
        let mut beyond = watch(&spectator, &table, Some(2)).await;
        assert_eq!(pending(&mut beyond).await, created_ms + 60 * 60 * 1_000);

        let revision = table.close().await.revision;
        let told = whole.next().await;
        assert_eq!((told.revision, matches!(told.payload, Some(Payload::Heartbeat(_)))), (0, true));
        assert!(whole.updates_to(revision).await == history(&table).await);
        assert!(matches!(whole.next().await.payload, Some(Payload::End(_))));
        let snapshot = fresh.snapshot().await;
        assert_eq!(timeless(&snapshot), timeless(&table.view().await));
        assert!(matches!(fresh.next().await.payload, Some(Payload::End(_))));
        beyond.heartbeat().await;
        assert_eq!(beyond.update().await.revision, 3);
    }

    async fn who_resumes_goes_on_where_he_was_as_late_as_before(world: &World) {
        let table = late(two_bots(15), duration(150)).create(world.a()).await;
        let spectator = table.spectator().await;
        let mut late = watch(&spectator, &table, Some(0)).await;
        let mut message = late.next().await;
        while message.revision < 40 {
            message = late.next().await;
            // Half of the time at another replica, which knows when the other one showed what.
            if message.revision % 5 == 0 {
                let door = world.door(usize::try_from(message.revision / 5).unwrap());
                let request = v1::WatchTableRequest {
                    name: table.name.clone(),
                    after_revision: Some(message.revision),
                    history: message.history.clone(),
                    ..v1::WatchTableRequest::default()
                };
                let client = table.at(door).spectator().await;
                late = client.watch_table(request).await.unwrap();
                let first = late.next().await;
                assert!(matches!(first.payload, Some(Payload::Heartbeat(_))), "{first:?}");
                assert_eq!((first.revision, &first.history), (message.revision, &message.history));
                let next = late.update().await;
                assert_eq!(next.revision, message.revision + 1);
                message.revision = next.revision;
                message.history = next.history;
            }
        }
        table.close().await;
    }

    async fn a_history_that_he_cannot_have_seen_starts_over(world: &World) {
        let table = late(two_bots(10), duration(100)).create(world.a()).await.at(world.b());
        let spectator = table.spectator().await;
        let mut late = watch(&spectator, &table, Some(0)).await;
        while late.next().await.revision < 5 {}
        let mut ahead = watch(&spectator, &table, Some(4_000)).await;
        match ahead.next().await.payload {
            Some(Payload::Reset(reset)) => {
                assert_eq!(reset.reason(), v1::ResetReason::Rewound);
                assert!(public(&reset.snapshot.unwrap()).revision >= 5);
            }
            other => panic!("no reset but {other:?}"),
        }
        table.close().await;
    }

    async fn players_and_the_platform_see_everything_at_once(world: &World) {
        let table = late(NewTable::two().with_bots(&[2]), hours(1)).start(world.a()).await.at(world.b());
        let mut own = table.seat(1).watch().await.with_presence();
        assert_eq!(public(&own.snapshot().await).revision, table.revision().await);
        assert_eq!(own.presence().await, (1, true));
        let mut whole = table.history().await;
        assert_eq!(whole.updates_to(table.revision().await).await.len(), 2);
        assert_eq!(public(after(&history_of(&table).await[1])).turn_seat, 1);
    }

    async fn who_sees_a_table_late_is_not_told_who_is_there_now(world: &World) {
        let table = late(NewTable::two(), duration(100)).start(world.a()).await;
        let mut late = watch(&table.spectator().await, &table, None).await.with_presence();
        pending(&mut late).await;
        late.snapshot().await;
        let mut platform = watch(world.b(), &table, None).await.with_presence();
        platform.snapshot().await;
        let _own = table.seat(1).watch().await;
        assert_eq!(platform.presence().await, (1, true));
        table.close().await;
        let (messages, _) = late.rest().await;
        assert!(!messages.iter().any(|message| matches!(message.payload, Some(Payload::Presence(_)))));
    }

    async fn what_is_too_young_to_be_shown_is_refused_in_words(world: &World) {
        let table = late(NewTable::two(), hours(2)).start(world.a()).await;
        let spectator = table.at(world.b()).spectator().await;
        let reading = v1::GetTableRequest { name: table.name.clone(), ..v1::GetTableRequest::default() };
        let refused = spectator.get_table(reading).await.unwrap_err();
        assert_eq!(reason(&refused), "NOT_STARTED");
        assert!(refused.message().contains("ask again in 7"), "{}", refused.message());
    }
}

async fn history_of(table: &Table) -> Vec<v1::Update> {
    table.platform.list_updates(updates_after(table, 0)).await.unwrap().updates
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_whose_log_is_lost_is_shown_late_to_nobody_and_nobody_hangs() {
    let world = World::redis().await;
    let table = late(NewTable::two(), duration(50)).start(world.a()).await;
    let spectator = table.at(world.b()).spectator().await;
    for key in world.its_redis().ask(&["KEYS", "e:*"]).lines() {
        world.its_redis().ask(&["DEL", key]);
    }
    for from in [Some(0), Some(2), None] {
        pending(&mut watch(&spectator, &table, from).await).await;
    }
    let mut waiting = watch(&spectator, &table, Some(1)).await;
    pending(&mut waiting).await;
    let ((), end) = tokio::join!(world.stop(), waiting.planned_end());
    assert_eq!(end, v1::PlannedEndReason::Draining);
}

//! Players who come back, or come twice.

use tests::timing::deadline;
use tests::views::{game, hand, legal, public};
use tests::{Client, NewTable, Seat, Server, Table, Watch, Wire, World, v1};
use v1::TimeoutPolicy;

use crate::deals::{PLAYS, TRICK, deal, next_play, play_on};
use crate::moves::{misses, slow_turns};
use crate::scale::of;

/// Somebody who came again was told that all was well, and nothing else.
/// <https://github.com/heroiclabs/nakama/issues/245>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e03_a_player_with_two_devices_sees_the_whole_table_on_both() {
    let world = World::redis().await;
    let table = deal().start(world.a()).await;
    table.play(&TRICK[..2]).await;
    let (first, second) = (table.seat(3).clone(), table.seat(3).at(&world.servers()[1].platform().await));
    let mut on_first = first.watch().await;
    on_first.snapshot().await;

    let again = second.join().await.expect("whose seat it is");
    assert_eq!(again.seat_token.as_ref().unwrap().seat, 3);
    assert_eq!((again.revision, &again.update), (table.revision().await, &None), "he was here already");
    let view = again.view.expect("the whole view");
    assert_eq!(view, first.view().await);
    assert_eq!((hand(&view, 3).as_str(), game(&view).trick.len()), ("8c 9d Ah Ks", 2));
    let mut on_second = second.watch().await;
    assert_eq!(on_second.snapshot().await, view);

    // Both go on, whichever he plays on.
    for (device, word) in [(&second, "8c"), (&first, "9d")] {
        let played = device.act(word).await.expect("his turn");
        assert_eq!(on_first.update().await, on_second.update().await);
        if word == "8c" {
            let taken = table.play(&TRICK[3..]).await;
            for watch in [&mut on_first, &mut on_second] {
                assert_eq!(watch.update().await.revision, taken.revision);
            }
            assert_eq!(taken.revision, played.revision + 1);
        }
    }
    world.stop().await;
}

/// A seat's holder on a connection that can be cut.
struct Device {
    wire: Wire,
    seat: Seat,
    watch: Watch,
    /// The last message: revision and history.
    seen: (i64, Vec<u8>),
}

impl Device {
    async fn of(server: &Server, seat: &Seat) -> Self {
        let wire = Wire::to(server.address()).await;
        let seat = seat.at(&Client::connect(wire.address()).await);
        let mut watch = seat.watch().await;
        let first = watch.next().await;
        Self { wire, seat, watch, seen: (first.revision, first.history.to_vec()) }
    }

    /// The connection breaks. What was on its way is lost, and the watch says that it did not end well.
    async fn drops(self) -> (i64, Vec<u8>) {
        self.wire.cut();
        let (_, status) = self.watch.rest().await;
        assert!(status.is_some(), "a watch that was cut off ended as if all were well");
        drop(self.seat);
        self.seen
    }
}

/// The holder is back at this door, and goes on where he was.
async fn is_back(seat: &Seat, door: &Client, (revision, history): (i64, Vec<u8>)) -> (Seat, Watch) {
    let seat = seat.at(door);
    let joined = seat.join().await.expect("whose seat it is");
    assert_eq!(joined.update, None, "nobody has noticed that he was away");
    let mut watch = seat.watch_after(revision, &history).await;
    watch.heartbeat().await;
    (seat, watch)
}

/// A bot had taken the seat of whoever lost the connection for a moment.
/// <https://github.com/magefree/mage/issues/13155>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e05_who_drops_for_some_seconds_has_seat_hand_and_clock_as_before() {
    let world = World::redis().await;
    let [here, there] = world.servers() else { panic!("two replicas") };
    // Whoever made the table drops as well.
    let makers = Wire::to(here.address()).await;
    let maker = Client::connect(makers.address()).await;
    let table = deal().timed(slow_turns()).start(&maker).await.at(world.b());
    let host = Device::of(here, table.seat(1)).await;
    let other = Device::of(there, table.seat(3)).await;
    let before = table.view_of(&[1, 2, 3, 4]).await;
    makers.cut();
    drop(maker);
    let (host, other) = (host.drops().await, other.drops().await);

    // Meanwhile another table's clock runs out, and nothing happens at this one.
    let away = prost_types::Duration { seconds: of(1, 8), nanos: 0 };
    let timing = v1::Timing {
        turn_timeout: Some(away),
        timeout_policy: TimeoutPolicy::Nothing.into(),
        ..v1::Timing::default()
    };
    let clock = NewTable::two().timed(timing).start(world.a()).await;
    clock.history().await.until(|update| !misses(update).is_empty()).await;

    let (host, mut on_host) = is_back(table.seat(1), world.b(), host).await;
    let (other, mut on_other) = is_back(table.seat(3), world.a(), other).await;
    let now = table.view_of(&[1, 2, 3, 4]).await;
    assert_eq!((deadline(&now), public(&now).revision), (deadline(&before), public(&before).revision));
    assert_eq!((&public(&now).seats, &now.seats), (&public(&before).seats, &before.seats));

    let back = Table { seats: vec![host, table.seat(2).clone(), other, table.seat(4).clone()], ..table };
    let played = back.play(&TRICK).await;
    for watch in [&mut on_host, &mut on_other] {
        let updates = watch.updates_to(played.revision).await;
        assert_eq!(updates.len(), TRICK.len(), "everything since, and nothing twice");
    }
    world.stop().await;
}

/// Who deals, and who leads.
async fn begins(table: &Table) -> (i32, i32) {
    let view = table.view().await;
    assert_eq!(public(&view).turn_seat, game(&view).leader_seat);
    (game(&view).dealer_seat, game(&view).leader_seat)
}

/// Whoever had reconnected was no longer the one who was to begin.
/// <https://github.com/FrankAnthony11/tressetteApp/pull/10>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e08_who_comes_back_leads_where_he_was_to_lead() {
    let world = World::redis().await;
    let [here, _] = world.servers() else { panic!("two replicas") };
    let twins = [
        deal().to(0).pausing_between_deals().start(world.a()).await,
        deal().to(0).pausing_between_deals().start(world.a()).await,
    ];
    let [table, undisturbed] = &twins;
    for twin in &twins {
        twin.play(&TRICK[..3]).await;
    }
    // Seat 3 takes the trick and is gone before it has led to the next one.
    let device = Device::of(here, table.seat(3)).await;
    table.play(&TRICK[3..]).await;
    undisturbed.play(&TRICK[3..]).await;
    let seen = device.drops().await;
    let (leader, mut watch) = is_back(table.seat(3), world.b(), seen).await;
    let told = watch.update().await;
    assert_eq!(public(told.after.as_ref().unwrap()).turn_seat, 3, "the trick's last card was told after all");
    assert!(!legal(&leader.view().await, 3).is_empty());
    leader.act("9d").await.expect("his lead");
    undisturbed.play(&["3:9d"]).await;

    // The same at the end of the deal: the last trick's winner is gone before the next deal.
    play_on(undisturbed, PLAYS - TRICK.len() - 1).await;
    let winner = game(&undisturbed.view().await).last_trick.as_ref().expect("a last trick").winner_seat;
    play_on(table, PLAYS - TRICK.len() - 2).await;
    let device = Device::of(here, table.seat(winner)).await;
    play_on(table, 1).await;
    let (leader, _watch) = is_back(table.seat(winner), world.b(), device.drops().await).await;
    assert_eq!(public(&leader.view().await).turn_seat, 0);
    leader.start_next_deal().await.expect("the next deal");
    undisturbed.seat(winner).start_next_deal().await.expect("the next deal");
    assert_eq!(begins(table).await, begins(undisturbed).await);
    let leader = begins(table).await.1;
    let (seat, lead) = next_play(table).await;
    assert_eq!(seat, leader);
    table.seat(seat).at(world.b()).client.play_card(lead).await.expect("the lead");
    world.stop().await;
}

//! Deals that end with an action that is not the usual one.

use tests::views::{hand, public};
use tests::{NewTable, Table, World, reason, v1};
use tonic::Code;
use v1::event::Fact;
use v1::{Actor, TablePhase};

use crate::ledger::{audited, count};
use crate::moves::{from_now_on, slow_turns, time_runs_out};

/// A deal that ends with its first trick, for there is a ten in it. Seat 4 plays the last card.
fn short_deal(fourth: &str) -> NewTable {
    let short = |rules: &mut v1::SedmaRules| rules.stop_at_points = Some(10);
    let new = NewTable::preset("pagat", 4).changed(short).timed(slow_turns()).pausing_between_deals();
    new.deal(&["10c Jc Jd Jh", "9c", "9d", fourth], "")
}

/// The deal has ended with the newest update, once; nobody is to act, and who plays a card is refused.
async fn ended_once(world: &World, table: &Table, by: Actor) {
    let updates = audited(table, world.b()).await;
    let last = updates.last().unwrap();
    assert_eq!((last.actor(), last.seat), (by, 4));
    let ends = |fact: &Fact| matches!(fact, Fact::DealEnded(_));
    assert_eq!((count(&updates, ends), count(&updates[updates.len() - 1..], ends)), (1, 1));
    let table = table.at(world.b());
    let view = table.view().await;
    assert_eq!((public(&view).turn_seat, public(&view).deadline_time), (0, None));
    let refused = match public(&view).phase() {
        TablePhase::BetweenDeals => "NOT_STARTED",
        TablePhase::Finished => "TABLE_ENDED",
        other => panic!("{other:?}"),
    };
    for seat in &table.seats {
        let own = seat.view().await;
        for word in hand(&own, seat.number).split_whitespace().chain(["10c", "7c"]) {
            let status = seat.play(word).await.unwrap_err();
            assert_eq!((status.code(), reason(&status).as_str()), (Code::FailedPrecondition, refused));
        }
    }
    assert_eq!(table.revision().await, last.revision);
}

/// The last card's player lets his turn pass.
async fn by_the_clock(world: &World, new: NewTable) -> Table {
    let table = new.start(world.a()).await;
    table.play(&["1:10c", "2:9c", "3:9d"]).await;
    time_runs_out(&table, &mut from_now_on(&table).await).await;
    table
}

/// A game never ended when its last action was not the usual one. <https://github.com/trolley813/OpenFool/issues/32>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a11_a_deal_ends_with_a_turn_that_was_missed() {
    let world = World::redis().await;
    for new in [short_deal("9h"), short_deal("9h").to(1)] {
        let table = by_the_clock(&world, new).await;
        ended_once(&world, &table, Actor::Timeout).await;
    }
    world.stop().await;
}

/// The same where a bot plays the last card. <https://github.com/trolley813/OpenFool/issues/32>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a11_a_deal_ends_with_a_bots_card() {
    let world = World::redis().await;
    for new in [short_deal("9h"), short_deal("9h").to(1)] {
        let table = new.with_bots(&[4]).start(world.a()).await;
        let mut watch = from_now_on(&table).await;
        table.play(&["1:10c", "2:9c", "3:9d"]).await;
        watch.until(|update| update.actor() == Actor::Bot).await;
        ended_once(&world, &table, Actor::Bot).await;
    }
    world.stop().await;
}

/// The same where the last card is a seven, which in other tricks lets the leader go on.
/// <https://github.com/trolley813/OpenFool/issues/32>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a11_a_deal_ends_with_a_seven_as_its_last_card() {
    let world = World::redis().await;
    let sevens = || short_deal("7c 7d 7h 7s");
    let table = sevens().start(world.a()).await;
    table.play(&["1:10c", "2:9c", "3:9d", "4:7h"]).await;
    ended_once(&world, &table, Actor::Player).await;
    for new in [sevens(), sevens().to(1)] {
        let table = by_the_clock(&world, new).await;
        ended_once(&world, &table, Actor::Timeout).await;
    }
    world.stop().await;
}

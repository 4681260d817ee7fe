//! What Redis is asked for an action: one script for an accepted one, nothing for a refused one.

use tests::monitor::{Asked, Monitor};
use tests::views::public;
use tests::{World, reason};

use crate::deals::{TRICK, deal};

/// What callers' actions asked for. The other connections are the sweep's and the wake-ups'; a ping is the watchdog's,
/// once a second whatever happens.
fn asked_for_actions(asked: Vec<Asked>) -> Vec<Asked> {
    let others = ["sedma-sweeper", "sedma-wakeups"];
    let all = asked.into_iter().filter(|asked| !others.contains(&asked.connection.as_str()));
    all.filter(|asked| asked.command != "PING").collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_that_a_warm_replica_accepts_is_one_script_and_a_refused_one_is_nothing() {
    let world = World::redis().await;
    let redis = world.its_redis();
    let table = deal().start(world.a()).await;
    let mut revision = table.revision().await;
    let mut monitor = Monitor::start(redis).await;

    for play in TRICK {
        let (seat, card) = table.parse(play);
        revision = seat.play_at(revision, card).await.expect("a legal card").revision;
        let asked = asked_for_actions(monitor.asked(redis).await);
        let commands: Vec<&str> = asked.iter().map(|asked| asked.command.as_str()).collect();
        assert_eq!(commands, ["EVALSHA"], "{play}: {asked:#?}");
        assert_eq!(asked[0].connection, "sedma-commands");
    }
    let refused = [
        (table.seat(4).play_at(revision, "Jd").await, "NOT_YOUR_TURN"),
        (table.seat(3).play_at(revision, "8c").await, "CARD_NOT_IN_HAND"),
        (table.seat(3).play_at(revision - 1, "Ah").await, "STALE_REVISION"),
    ];
    for (answer, why) in refused {
        assert_eq!(reason(&answer.unwrap_err()), why);
    }
    let asked = asked_for_actions(monitor.asked(redis).await);
    assert!(asked.is_empty(), "{asked:#?}");
    assert_eq!(public(&table.view().await).revision, revision);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_another_one_overtook_needs_one_read_or_one_script_more() {
    let world = World::redis().await;
    let redis = world.its_redis();
    let table = deal().start(world.a()).await;
    let before = table.revision().await;
    let second = table.at(world.b());
    second
        .seat(2)
        .play_at(before, "10c")
        .await
        .expect_err("not its turn; but now the replica knows the table");
    let played = table.seat(1).play_at(before, "8h").await.unwrap();
    let mut monitor = Monitor::start(redis).await;

    // The caller has seen more than the replica: it reads first.
    second.seat(2).play_at(played.revision, "10c").await.unwrap();
    let commands: Vec<String> =
        asked_for_actions(monitor.asked(redis).await).into_iter().map(|a| a.command).collect();
    assert_eq!(commands, ["GET", "EVALSHA"]);
    // The caller has seen no more than the replica, and is as late as it: the script brings the newer state along.
    table.seat(2).play_at(played.revision, "Jc").await.expect_err("another card was played");
    let commands: Vec<String> =
        asked_for_actions(monitor.asked(redis).await).into_iter().map(|a| a.command).collect();
    assert_eq!(commands, ["EVALSHA"]);
    world.stop().await;
}

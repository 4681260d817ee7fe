//! Moments in which the store forgets something, or lets go of somebody.

use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::{join, join_all};
use tests::views::legal;
use tests::{Client, NewTable, Redis, Table, Watch, World, once_the_store_is_back};

use crate::deals::{deal, next_play, play_on};
use crate::ledger::{Ledger, audited, open_book};
use crate::moves::{after, turn};
use crate::scale::{of, tell};

/// Plays so many cards at a table through both doors in turns; none may be refused. Answers what its watch told.
async fn cards(doors: [Client; 2], cards: usize) -> (Table, Ledger) {
    let table = NewTable::classic().to(0).start(&doors[0]).await;
    let mut watch: Watch = open_book(&table, &doors[1]).await;
    let started = table.revision().await;
    let (mut ledger, mut n) = (Ledger::default(), 0);
    while ledger.plays < cards {
        let update = watch.update().await;
        ledger.take(update.clone());
        if update.revision < started {
            continue;
        }
        let seat = table.seat(turn(&update)).at(&doors[n % 2]);
        let word = legal(after(&update), seat.number).into_iter().next().expect("a card");
        let played =
            seat.act_at(update.revision, &word).await.expect("a legal card of the only one who acts");
        assert_eq!((played.revision, played.replayed), (update.revision + 1, false));
        n += 1;
    }
    (table, ledger)
}

/// Redis had forgotten its scripts, and no play was taken ever after. <https://github.com/Openpanel-dev/groupmq/issues/16>
/// <https://github.com/redis/redis-py/pull/4206>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m02_no_play_fails_or_is_done_twice_while_scripts_are_flushed_again_and_again() {
    let world = World::redis().await;
    let redis = world.its_redis();
    let over = AtomicBool::new(false);
    let playing = async {
        let doors = || [world.a().clone(), world.b().clone()];
        let played = join_all((0..8).map(|_| cards(doors(), of(40, 1_000)))).await;
        over.store(true, Ordering::Relaxed);
        played
    };
    let flushing = async {
        let mut flushes = 0_usize;
        while !over.load(Ordering::Relaxed) {
            assert_eq!(redis.ask(&["SCRIPT", "FLUSH"]), "OK");
            flushes += 1;
            // Some plays find the script that others have brought.
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
        flushes
    };
    let (played, flushes) = join(playing, flushing).await;
    let mut plays = 0;
    for (table, ledger) in &played {
        plays += ledger.plays;
        audited(table, world.b()).await;
    }
    let errors = redis.ask(&["INFO", "errorstats"]);
    assert!(errors.contains("errorstat_NOSCRIPT:"), "scripts were missed: {errors}");
    tell("M02", &format!("{plays} cards, scripts flushed {flushes} times"));
    world.stop().await;
}

/// The same with all else that a restart takes: connections, and what was on its way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m02_after_a_restart_of_the_store_play_and_watches_go_on_where_they_were() {
    let mut world = World::on(Redis::start_durable()).await;
    let table = deal().pausing_between_deals().start(world.a()).await;
    let mut watches = Vec::new();
    for door in [world.a(), world.b()] {
        let watch = open_book(&table, door).await;
        watches.push((watch, Ledger::default()));
    }
    let restarts = of(3, 15);
    for n in 0..restarts {
        play_on(&table.at(world.door(n)), 1).await;
        let (seat, card) = next_play(&table).await;
        world.its_redis_mut().kill();
        world.its_redis_mut().launch();
        let door = table.at(world.door(n)).seat(seat).client.clone();
        let played = once_the_store_is_back(async || door.play_card(card.clone()).await).await;
        assert_eq!((played.revision, played.replayed), (card.expected_revision + 1, false), "once");
        let other = table.at(world.door(n + 1)).seat(seat).client.clone();
        let repeat = once_the_store_is_back(async || other.play_card(card.clone()).await).await;
        assert_eq!((repeat.revision, repeat.replayed), (played.revision, true));
    }
    let last = table.revision().await;
    for (watch, ledger) in &mut watches {
        for update in watch.updates_to(last).await {
            ledger.take(update);
        }
    }
    tell("M02", &format!("{restarts} restarts, watches told all of {last} updates"));
    drop(watches);
    world.stop().await;
}

/// The connection that brought news was gone, nobody noticed, and watchers waited for ever.
/// <https://github.com/benashford/redis-async-rs/issues/30> <https://github.com/rapina-rs/rapina/issues/802>
/// <https://github.com/redis/redis/issues/3559>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m07_watchers_get_what_they_missed_when_subscriptions_are_cut_off() {
    let world = World::redis().await;
    let redis = world.its_redis();
    let table = NewTable::classic().to(0).start(world.a()).await;
    let mut watches = Vec::new();
    for n in 0..4 {
        watches.push(open_book(&table, world.door(n)).await);
    }
    for watch in &mut watches {
        watch.updates_to(table.revision().await).await;
    }
    let (mut cut, rounds) = (0, of(12, 200));
    for n in 0..rounds {
        let killed: usize = redis.ask(&["CLIENT", "KILL", "TYPE", "pubsub"]).parse().expect("a number");
        cut += killed;
        // What happens in the gap is announced to nobody.
        let told = table.revision().await;
        play_on(&table.at(world.door(n)), 3).await;
        let last = table.revision().await;
        for watch in &mut watches {
            let updates = watch.updates_to(last).await;
            assert_eq!(updates[0].revision, told + 1, "none is missed");
        }
    }
    assert!(cut >= 2, "connections for news were cut off: {cut}");
    audited(&table, world.b()).await;
    tell("M07", &format!("{rounds} times, {cut} connections cut off, all watches told all"));
    drop(watches);
    world.stop().await;
}

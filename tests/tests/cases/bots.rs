//! Bots for players who leave, and players who come back to their bots.

use std::time::Duration;

use tests::timing::waits;
use tests::views::{facts, hand, public};
use tests::{NewTable, Seat, Table, World, duration, hours, reason, v1};
use v1::event::Fact;
use v1::{Actor, TablePhase};

use crate::deals::{HANDS, deal};
use crate::ledger::{audited, open_book};
use crate::moves::{
    after, away, ended, from_now_on, misses, play_any, slow_turns, time_runs_out, turn, until_its_turn,
};
use crate::scale::{of, tell};
use tests::Chance;

/// A turn let pass makes a player away, and the bot takes its time.
fn thinking(bot_delay: prost_types::Duration) -> v1::Timing {
    v1::Timing { away_after: Some(1), bot_delay: Some(bot_delay), ..slow_turns() }
}

/// Seat 1's player has let a turn pass, and now a bot thinks for the seat.
async fn bot_is_thinking(world: &World, bot_delay: prost_types::Duration) -> Table {
    let table = NewTable::two().to(0).timed(thinking(bot_delay)).start(world.a()).await.at(world.b());
    let missed = time_runs_out(&table, &mut from_now_on(&table).await).await;
    assert_eq!(away(&missed), [(1, true)]);
    until_its_turn(&table, 1, 2).await;
    table
}

/// The bot took another's seat. <https://github.com/Loobinex/keeperfx-unofficial/pull/159>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f09_the_bot_plays_the_hand_of_the_one_who_left_and_no_other() {
    let world = World::redis().await;
    let table = deal().start(world.a()).await;
    let mut book = open_book(&table, world.b()).await;
    book.updates_to(table.revision().await).await;
    table.seat(1).leave().await.unwrap();
    let left = book.update().await;
    assert_eq!((turn(&left), facts(&left)), (1, vec![&Fact::SeatLeft(v1::SeatLeft { seat: 1 })]));

    let played = book.update().await;
    assert_eq!((played.actor(), played.seat), (Actor::Bot, 1));
    let Fact::CardPlayed(card) = facts(&played)[0] else { panic!("{:?}", played.events) };
    assert!(HANDS[0].split(' ').any(|held| Some(tests::card(held)) == card.card), "a card of seat 1's");
    assert_eq!(turn(&played), 2, "nobody plays for seat 2");
    for seat in 2..=4 {
        assert_eq!(hand(after(&played), seat), hand(after(&left), seat));
        assert!(public(after(&played)).seats[usize::try_from(seat).unwrap() - 1].bot_level.is_empty());
    }
    table.play(&["2:10c"]).await;

    // Somebody whom the platform seats there gets that seat, and is the only one who plays it.
    let joined = world.b().join_table(table.join_request(1, "p1")).await.expect("the seat that was left");
    let back = Seat::new(world.b(), &table.name, joined.seat_token.as_ref().unwrap());
    assert_eq!(back.number, 1);
    let refused = table.seat(1).play_at(joined.revision, "8h").await.map(drop);
    assert_eq!(refused.map_err(|status| reason(&status)), Err("TOKEN_INVALID".to_owned()));
    assert_eq!(hand(&back.view().await, 1), hand(after(&played), 1));
    audited(&table, world.b()).await;
    world.stop().await;
}

/// Bot and player shared a seat, and the bot played on. <https://github.com/mjsalerno/UnoBot/issues/46>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f09_who_is_back_while_the_bot_thinks_plays_himself() {
    let world = World::redis().await;
    let table = bot_is_thinking(&world, hours(2)).await;
    let mut watch = from_now_on(&table).await;
    let held = hand(&table.view_of(&[1]).await, 1);

    table.seat(1).join().await.expect("whose seat it is");
    let back = watch.update().await;
    assert_eq!((away(&back), turn(&back)), (vec![(1, false)], 1));
    assert_eq!(waits(&back), Some(60 * 60 * 1_000), "the bot's two hours are gone, it is a player's turn");
    assert_eq!(hand(&table.seat(1).view().await, 1), held);
    play_any(table.seat(1)).await;
    assert_eq!(watch.update().await.actor(), Actor::Player);
    until_its_turn(&table, 1, 2).await;
    play_any(table.seat(1)).await;
    let updates = audited(&table, world.b()).await;
    assert!(updates.iter().all(|update| update.actor() != Actor::Bot), "its move was dropped");
    world.stop().await;
}

/// The same where the bot has just thought enough. <https://github.com/mjsalerno/UnoBot/issues/46>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f09_who_is_back_as_the_bot_moves_finds_its_move_or_moves_himself() {
    let world = World::redis().await;
    let mut chance = Chance::new(0, "players who come back");
    let (mut moved, mut dropped) = (0, 0);
    for round in 0..of(6, 60) {
        let table = bot_is_thinking(&world, hours(2)).await;
        let thinking = table.extend(duration(1)).await.revision;
        tokio::time::sleep(Duration::from_millis(u64::try_from(chance.below(200)).unwrap())).await;
        let back = table.seat(1).at(world.door(round)).join().await.expect("whose seat it is");
        let updates = audited(&table, world.b()).await;
        let since: Vec<&v1::Update> = updates.iter().filter(|update| update.revision > thinking).collect();
        match since[..] {
            [bot, here] => {
                assert_eq!((bot.actor(), bot.seat, away(here)), (Actor::Bot, 1, vec![(1, false)]));
                moved += 1;
            }
            [here] => {
                assert_eq!((away(here), turn(here)), (vec![(1, false)], 1));
                play_any(table.seat(1)).await;
                dropped += 1;
            }
            _ => panic!("{since:?}"),
        }
        assert!(!public(&back.view.unwrap()).seats[0].away);
        let updates = audited(&table, world.b()).await;
        let late = updates.iter().filter(|update| update.revision > thinking + 2);
        assert_eq!(late.count(), 0, "nobody else moves");
    }
    tell("F09", &format!("{moved} times the bot had moved, {dropped} times its move was dropped"));
    world.stop().await;
}

/// A table that all players had left went on for ever, or stood still. <https://github.com/mjsalerno/UnoBot/issues/46>
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f09_a_table_that_bots_alone_are_left_at_ends_with_its_match() {
    let world = World::redis().await;
    let table = NewTable::classic().with_bots(&[2, 3, 4]).to(1).start(world.a()).await;
    let mut watch = table.at(world.b()).history().await;
    play_any(table.seat(1)).await;
    let mut last = watch.until(|update| turn(update) == 1 && update.revision > 3).await.pop().unwrap();
    table.seat(1).leave().await.unwrap();
    let bot = table.add_bot_request(1);
    world.b().add_bot(bot).await.expect("a bot for who has left");
    while !ended(&last) {
        last = watch.update().await;
        assert!(misses(&last).is_empty());
    }
    assert_eq!(public(after(&last)).phase(), TablePhase::Finished);
    assert!(!public(after(&last)).winner_seats.is_empty());
    audited(&table, world.a()).await;
    world.stop().await;
}

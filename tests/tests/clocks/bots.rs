//! Bots in seats.

use tests::v1::{self, Actor, TablePhase, event::Fact};
use tests::views::{facts, legal, public};
use tests::{NewTable, World, duration, ms, on_each_store};

use crate::moves::{after, ended, turn};

/// After the first update every one is the move of a bot whose turn it was.
fn all_by_bots(updates: &[v1::Update]) {
    for pair in updates.windows(2) {
        assert_eq!((pair[1].actor(), pair[1].seat), (Actor::Bot, turn(&pair[0])), "{:?}", pair[1].events);
    }
}

fn finished(update: &v1::Update) {
    let table = public(after(update));
    assert_eq!(table.phase(), TablePhase::Finished);
    assert!(!table.winner_seats.is_empty());
    let won = Fact::MatchEnded(v1::MatchEnded { winner_seats: table.winner_seats.clone() });
    assert!(facts(update).contains(&&won), "{:?}", update.events);
}

on_each_store! {
    async fn four_bots_play_a_whole_match_by_themselves(world: &World) {
        let table = NewTable::classic().with_bots(&[1, 2, 3, 4]).to(2).create(world.a()).await;
        let updates = table.at(world.b()).history().await.until(ended).await;

        let seated = |seat| Fact::BotSeated(v1::BotSeated { seat, bot_level: "steady".into() });
        let first = facts(&updates[0]);
        assert_eq!((updates[0].revision, updates[0].actor()), (1, Actor::Platform));
        assert_eq!(first[1..5], [&seated(1), &seated(2), &seated(3), &seated(4)]);
        assert!(matches!(first[5], Fact::Dealt(_)), "{first:?}");
        let seats = &public(after(&updates[0])).seats;
        assert!(seats.iter().all(|seat| seat.bot_level == "steady" && seat.taken && !seat.open));
        all_by_bots(&updates);
        finished(updates.last().unwrap());
    }

    async fn bots_take_the_time_that_the_table_gives_them(world: &World) {
        let timing = v1::Timing { bot_delay: Some(duration(40)), ..v1::Timing::default() };
        let table = NewTable::two().with_bots(&[1, 2]).timed(timing).create(world.a()).await;
        let mut watch = table.at(world.b()).history().await;
        let updates = watch.until(|update| update.revision == 9).await;

        all_by_bots(&updates);
        for pair in updates.windows(2) {
            let [before, then] = [&pair[0], &pair[1]].map(|update| ms(update.time.as_ref()));
            assert!(then >= before + 40, "a bot acted {} ms after {before}", then - before);
        }
    }

    async fn a_person_plays_a_whole_match_against_bots_that_answer_at_once(world: &World) {
        let table = NewTable::classic().with_bots(&[2, 3, 4]).to(1).start(world.a()).await;
        let person = table.seat(1);
        let mut watch = table.at(world.b()).seat(1).watch_after(0, &[]).await;
        watch.heartbeat().await;
        let mut updates: Vec<v1::Update> = Vec::new();
        while updates.last().is_none_or(|last| !ended(last)) {
            let update = watch.update().await;
            if let Some(word) = legal(after(&update), 1).first() {
                person.act_at(update.revision, word).await.expect("a legal action");
            }
            updates.push(update);
        }

        // Seat 1 is named: its player says "here" in the second update, and with it the match starts.
        for pair in updates[1..].windows(2) {
            let actor = if turn(&pair[0]) == 1 { Actor::Player } else { Actor::Bot };
            assert_eq!((pair[1].actor(), pair[1].seat), (actor, turn(&pair[0])));
        }
        finished(updates.last().unwrap());
    }
}

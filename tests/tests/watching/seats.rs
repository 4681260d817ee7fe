//! Several seats on one stream.

use tests::v1::{self, event::Fact};
use tests::views::{facts, hand, public};
use tests::{NewTable, Seat, World, on_each_store, reason};

use crate::sights::{after, ended, fields, history, next_action, own_cards, timeless};

/// What a platform asks for that sees these seats from the first update on.
fn request(name: &str, seats: &[i32]) -> v1::WatchTableRequest {
    let (name, seats) = (name.to_owned(), seats.to_vec());
    v1::WatchTableRequest { name, after_revision: Some(0), seats, ..v1::WatchTableRequest::default() }
}

/// The facts of an update that are for one seat alone.
fn secrets(update: &v1::Update) -> Vec<v1::Event> {
    let own = |event: &&v1::Event| match event.fact.as_ref() {
        Some(Fact::Dealt(_) | Fact::OwnCardsDrawn(_)) => true,
        Some(Fact::HandsExchanged(exchanged)) => !exchanged.own.is_empty(),
        _ => false,
    };
    update.events.iter().filter(own).cloned().collect()
}

on_each_store! {
    async fn a_platform_sees_the_seats_that_it_asks_for_and_no_others(world: &World) {
        let table = NewTable::classic().to(1).start(world.a()).await;
        let mut watch = world.b().watch_table(request(&table.name, &[1, 3])).await.unwrap();
        let mut alone = Vec::new();
        for seat in 1..=4 {
            alone.push(table.seat(seat).at(world.door(usize::try_from(seat).unwrap())).watch_after(0, &[]).await);
        }
        watch.heartbeat().await;
        for own in &mut alone {
            own.heartbeat().await;
        }
        loop {
            let update = watch.update().await;
            let mut singles = Vec::new();
            for own in &mut alone {
                singles.push(own.update().await);
            }
            let seen: Vec<i32> = after(&update).seats.iter().map(|seat| seat.seat).collect();
            assert_eq!(seen, [1, 3]);
            assert!(own_cards(&update).iter().all(|seat| [1, 3].contains(seat)), "{:?}", update.events);
            // Together they see just what each of them sees alone.
            for seat in [1, 3] {
                let single = &singles[usize::try_from(seat - 1).unwrap()];
                let of = |view: &v1::TableView| view.seats.iter().find(|shown| shown.seat == seat).cloned();
                assert_eq!(of(after(&update)), of(after(single)));
                assert_eq!(after(&update).table, after(single).table);
                assert_eq!((update.time, update.seat, &update.history), (single.time, single.seat, &single.history));
            }
            if ended(&update) {
                break;
            }
            if let Some((turn, word)) = next_action(after(&singles[usize::try_from((public(after(&update)).turn_seat - 1).max(0)).unwrap()])) {
                table.seat(turn).act_at(update.revision, &word).await.expect("a legal action");
            }
        }
    }

    async fn every_drawn_card_is_told_to_its_seat_alone_whoever_shares_the_stream(world: &World) {
        let table = NewTable::two().with_bots(&[1, 2]).to(1).create(world.a()).await.at(world.b());
        let public = history(&table).await;
        let mut told = Vec::new();
        for seats in [vec![1], vec![2], vec![1, 2], vec![2, 1, 1]] {
            let watch = world.b().watch_table(request(&table.name, &seats)).await.unwrap();
            let (messages, status) = watch.rest().await;
            assert!(status.is_none());
            let update = |message: v1::WatchTableResponse| match message.payload {
                Some(v1::watch_table_response::Payload::Update(update)) => Some(update),
                _ => None,
            };
            told.push(messages.into_iter().filter_map(update).collect::<Vec<v1::Update>>());
        }
        assert_eq!(told[2], told[3], "seats in any order and named twice are the same seats");
        assert!(public.iter().all(|update| own_cards(update).is_empty()));
        let mut drawn = 0;
        for ((one, two), both) in told[0].iter().zip(&told[1]).zip(&told[2]) {
            assert!(own_cards(one).iter().all(|seat| *seat == 1));
            assert!(own_cards(two).iter().all(|seat| *seat == 2));
            let mut apart: Vec<i32> = [own_cards(one), own_cards(two)].concat();
            let mut together = own_cards(both);
            apart.sort_unstable();
            together.sort_unstable();
            assert_eq!(together, apart);
            drawn += together.len();
            for seat in [1, 2] {
                let single = if seat == 1 { one } else { two };
                assert_eq!(hand(after(both), seat), hand(after(single), seat));
            }
            assert!(secrets(both).len() <= 3);
        }
        assert!(drawn > 8, "{drawn}");
        assert_eq!(told[2].len(), public.len());
        for (seen, open) in told[2].iter().zip(&public) {
            assert_eq!(after(seen).table, after(open).table, "hands are beside the table, not in it");
        }
    }

    async fn one_backend_plays_all_seats_from_one_stream_to_the_end(world: &World) {
        let table = NewTable::classic().to(1).start(world.a()).await;
        let mut watch = world.a().watch_table(request(&table.name, &[1, 2, 3, 4])).await.unwrap();
        watch.heartbeat().await;
        let revision = table.revision().await;
        let mut newest = watch.updates_to(revision).await.pop().unwrap();
        let mut n = 0;
        while !ended(&newest) {
            let (turn, word) = next_action(after(&newest)).expect("somebody to act");
            // The platform names the seat; the view after the last update alone says what it may do.
            n += 1;
            let proxy = Seat { client: world.door(n).clone(), ..table.seat(turn).clone() };
            let request = v1::PlayCardRequest { seat: turn, ..proxy.card_request(newest.revision, &word) };
            let revision = if word == "end" {
                let request = v1::EndTrickRequest { seat: turn, ..proxy.end_request(newest.revision) };
                proxy.client.end_trick(request).await.expect("a legal end").revision
            } else {
                proxy.client.play_card(request).await.expect("a legal card").revision
            };
            newest = watch.updates_to(revision).await.pop().unwrap();
        }
        assert!(facts(&newest).iter().any(|fact| matches!(fact, Fact::MatchEnded(_))));
    }

    async fn seats_that_the_table_does_not_have_are_refused(world: &World) {
        let table = NewTable::two().start(world.a()).await;
        let refused = world.b().watch_table(request(&table.name, &[1, 3])).await.unwrap_err();
        assert_eq!(fields(&refused), ["seats"]);
        let reading = v1::GetTableRequest { name: table.name.clone(), seats: vec![4], ..v1::GetTableRequest::default() };
        assert_eq!(reason(&world.b().get_table(reading).await.unwrap_err()), "INVALID_FIELD");
        let snapshot = v1::WatchTableRequest { after_revision: None, ..request(&table.name, &[2, 1]) };
        let mut watch = world.b().watch_table(snapshot).await.unwrap();
        assert_eq!(timeless(&watch.snapshot().await), timeless(&table.at(world.b()).view_of(&[1, 2]).await));
    }
}

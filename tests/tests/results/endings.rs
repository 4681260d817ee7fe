//! Every way in which a table can end files one result, in the very step that ends it.

use tests::known_deal::deal;
use tests::life::hour_for_everything;
use tests::v1::{self, Outcome, StartPolicy, TablePhase};
use tests::views::public;
use tests::{Consumer, NewTable, Table, World, hours, on_each_store};

fn labelled(mut new: NewTable) -> NewTable {
    new.request.external_ref = "cup/round-3".into();
    new.request.labels = [("cup".to_owned(), "spring".to_owned())].into();
    new
}

/// A table of bots and players to one game point, all of whose clocks run for hours.
fn timed() -> NewTable {
    labelled(NewTable::preset("pagat", 4).to(1).with_bots(&[2, 4]).timed(hour_for_everything()))
}

async fn create(new: NewTable, world: &World) -> Table {
    new.create(world.a()).await.at(world.b())
}

/// The one result that waits, checked for what all have in common, and acknowledged.
async fn result_of(table: &Table, world: &World) -> v1::Result {
    let mut books = Consumer::of(world.a(), "books", 60).await;
    let result = books.next().await;
    assert_eq!(result.table, table.name);
    assert_eq!((result.external_ref.as_str(), result.labels["cup"].as_str()), ("cup/round-3", "spring"));
    let view = table.view().await;
    assert_eq!(result.revision, public(&view).revision);
    let history = table.history_after(result.revision - 1).await.update().await;
    assert_eq!(result.end_time, history.time, "the result is of the update that ended the table");
    assert_eq!(result.record_sha256.len(), 32);
    assert!(!result.uncounted);
    assert!(books.acknowledge(&result).await);
    assert!(!books.acknowledge(&result).await, "it was already");
    result
}

on_each_store! {
    async fn a_match_that_was_played_to_its_end(world: &World) {
        let table = labelled(deal().to(1)).start(world.a()).await;
        table.play_until(|table| table.phase() == TablePhase::Finished).await;
        let result = result_of(&table, world).await;
        assert_eq!((result.outcome(), result.preset.as_str()), (Outcome::Finished, "classic"));
        assert!(result.custom && result.scripted, "it goes to one game point, and its pack was known");
        let view = table.view().await;
        let winners = &public(&view).winner_seats;
        assert_eq!(result.sides.len(), 2);
        for side in &result.sides {
            assert_eq!(side.place, if side.seats == *winners { 1 } else { 2 });
        }
        let score = table.platform.get_score(v1::GetScoreRequest { name: table.name.clone(), min_revision: None });
        let score = score.await.unwrap();
        assert_eq!(usize::try_from(result.deals).unwrap(), score.deals.len());
        let points = |seats: &[i32]| score.sides.iter().find(|side| side.seats == seats).unwrap().game_points;
        assert!(result.sides.iter().all(|side| side.game_points == points(&side.seats)));
        let players: Vec<String> = public(&view).seats.iter().map(|seat| seat.player_id.clone()).collect();
        assert_eq!(result.seats.iter().map(|seat| seat.player_id.clone()).collect::<Vec<_>>(), players);
    }

    async fn a_seat_that_forfeits(world: &World) {
        let table = create(timed().starting(StartPolicy::WhenFull), world).await;
        table.platform.forfeit_seat(table.forfeit_request(3)).await.unwrap();
        let result = result_of(&table, world).await;
        assert_eq!(result.outcome(), Outcome::Forfeited);
        let places: Vec<_> = result.sides.iter().map(|side| (side.seats.clone(), side.place)).collect();
        assert_eq!(places, [(vec![1, 3], 2), (vec![2, 4], 1)]);
        let forfeited: Vec<bool> = result.seats.iter().map(|seat| seat.forfeited).collect();
        assert_eq!(forfeited, [false, false, true, false]);
    }

    async fn a_table_that_its_platform_closes(world: &World) {
        for start in [StartPolicy::WhenFull, StartPolicy::Manual] {
            let table = create(timed().starting(start), world).await;
            table.close().await;
            let result = result_of(&table, world).await;
            assert_eq!((result.outcome(), result.deals), (Outcome::Closed, 0));
            assert!(result.sides.iter().all(|side| side.place == 0), "nobody has won");
        }
    }

    async fn players_who_did_not_come(world: &World) {
        let mut new = timed();
        new.request.timing.as_mut().unwrap().join_timeout = Some(hours(1));
        let table = create(new, world).await;
        table.time_runs_out().await;
        assert_eq!(result_of(&table, world).await.outcome(), Outcome::NotStarted);
    }

    async fn a_table_at_which_nothing_happened(world: &World) {
        let mut new = timed();
        let timing = new.request.timing.as_mut().unwrap();
        (timing.join_timeout, timing.idle_timeout) = (None, Some(hours(1)));
        let table = create(new, world).await;
        table.time_runs_out().await;
        assert_eq!(result_of(&table, world).await.outcome(), Outcome::Expired);
    }

    async fn a_rematch_changes_nothing_in_the_result_and_has_one_of_its_own(world: &World) {
        let table = create(timed().starting(StartPolicy::WhenFull), world).await;
        table.close().await;
        let before = table.revision().await;
        let made = table.platform.create_rematch(table.rematch_request()).await.unwrap();
        let next = public(made.view.as_ref().unwrap()).name.clone();
        let mut books = Consumer::of(world.a(), "books", 60).await;
        let first = books.next().await;
        assert_eq!((&first.table, first.revision), (&table.name, before));
        let close = v1::CloseTableRequest { name: next.clone(), ..v1::CloseTableRequest::default() };
        world.b().close_table(close).await.unwrap();
        assert_eq!(books.next().await.table, next);
    }

    async fn a_table_that_is_to_file_none_files_none(world: &World) {
        let mut new = timed().starting(StartPolicy::Manual);
        new.request.results = v1::ResultPolicy::None.into();
        let silent = create(new, world).await;
        assert_eq!(public(&silent.view().await).results(), v1::ResultPolicy::None);
        silent.close().await;
        let table = create(timed().starting(StartPolicy::Manual), world).await;
        assert_eq!(public(&table.view().await).results(), v1::ResultPolicy::Keep);
        table.close().await;
        result_of(&table, world).await;
    }
}

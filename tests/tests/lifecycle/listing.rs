//! How a platform finds its tables: filters, pages, and that neither leaves anything out or tells it twice.

use std::cell::Cell;
use std::collections::BTreeSet;

use futures_util::future::join_all;
use tests::life::hour_for_everything;
use tests::v1::{self, StartPolicy, TablePhase as Phase};
use tests::views::public;
use tests::{Client, NewTable, Table, World, ms, on_each_store, request_id};

use crate::refused::refused_field;

const TABLES: usize = 40;
const PHASES: [Phase; 5] = [Phase::Open, Phase::Playing, Phase::BetweenDeals, Phase::Finished, Phase::Closed];
const PRESETS: [(&str, i32); 3] = [("two", 2), ("classic", 4), ("schmierer", 2)];
const PLAYERS: [&str; 4] = ["anna", "bela", "cyril", "dora"];
const PAGE_SIZES: [i32; 3] = [1, 7, 100];

/// The n-th of one thing after the other.
fn pick<T: Copy>(things: &[T], n: usize) -> T {
    things[n % things.len()]
}

/// What the n-th table is asked to be; each of its sides has a rhythm of its own.
fn new_table(n: usize) -> NewTable {
    let (preset, seats) = pick(&PRESETS, n / 5);
    let phase = pick(&PHASES, n);
    let bots: Vec<usize> = (2..=usize::try_from(seats).unwrap()).collect();
    let mut new = NewTable::preset(preset, seats)
        .changed(|rules| rules.stop_at_points = Some(10))
        .to(if phase == Phase::Finished { 1 } else { 9 })
        .with_player(1, pick(&PLAYERS, n / 2))
        .with_bots(&bots)
        .timed(hour_for_everything())
        .starting(if phase == Phase::Open { StartPolicy::Manual } else { StartPolicy::WhenFull });
    new.request.external_ref = pick(&["", "cup/1", "cup/2"], n).into();
    let labels: [&[(&str, &str)]; 4] =
        [&[], &[("cup", "spring")], &[("cup", "autumn"), ("vip", "")], &[("vip", "yes")]];
    new.request.labels =
        pick(&labels, n / 3).iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    new
}

/// The n-th table, played into its phase.
async fn make(door: &Client, n: usize) -> Table {
    let table = new_table(n).create(door).await;
    let phase = pick(&PHASES, n);
    if phase == Phase::Closed {
        table.close().await;
    }
    table.play_until(|table| table.phase() == phase).await;
    table
}

/// One filter of a listing: what it is about, how it is asked for, and what a row must be to be kept.
#[derive(Clone, Debug)]
struct Filter {
    about: &'static str,
    value: String,
    label: String,
}

impl Filter {
    fn new(about: &'static str, value: &str) -> Self {
        Self { about, value: value.to_owned(), label: String::new() }
    }

    fn label(key: &str, value: &str) -> Self {
        Self { about: "label", value: key.to_owned(), label: value.to_owned() }
    }

    fn phase(&self) -> Phase {
        Phase::from_str_name(&self.value).expect("a phase")
    }

    fn ask(&self, request: &mut v1::ListTablesRequest) {
        let value = self.value.clone();
        match self.about {
            "phase" => request.phase = self.phase().into(),
            "preset" => request.preset = value,
            "player" => request.player_id = value,
            "external_ref" => request.external_ref = value,
            _ => (request.label_key, request.label_value) = (value, self.label.clone()),
        }
    }

    fn keeps(&self, row: &v1::TableSummary) -> bool {
        match self.about {
            "phase" => row.phase() == self.phase(),
            "preset" => row.preset == self.value,
            "player" => row.seats.iter().any(|seat| seat.player_id == self.value),
            "external_ref" => row.external_ref == self.value,
            _ => match row.labels.get(&self.value) {
                Some(value) => self.label.is_empty() || *value == self.label,
                None => false,
            },
        }
    }
}

/// Every filter, with values that many tables have, some, and none.
fn filters() -> Vec<Filter> {
    let phases = PHASES.map(|phase| Filter::new("phase", phase.as_str_name()));
    let presets = ["two", "classic", "schmierer", "hola"].map(|preset| Filter::new("preset", preset));
    let players = ["anna", "dora", "Anna"].map(|player| Filter::new("player", player));
    let references = ["cup/1", "cup/2", "cup"].map(|reference| Filter::new("external_ref", reference));
    let labels = [("cup", ""), ("vip", ""), ("cup", "spring"), ("cup", "winter"), ("spring", "")];
    let labels = labels.map(|(key, value)| Filter::label(key, value));
    phases.into_iter().chain(presets).chain(players).chain(references).chain(labels).collect()
}

/// Each two filters that are about different things.
fn pairs(filters: &[Filter]) -> Vec<Vec<Filter>> {
    let mut pairs = Vec::new();
    for (n, one) in filters.iter().enumerate() {
        let others = filters[n + 1..].iter().filter(|other| other.about != one.about);
        pairs.extend(others.map(|other| vec![one.clone(), other.clone()]));
    }
    pairs
}

fn request(filters: &[Filter], page_size: i32) -> v1::ListTablesRequest {
    let mut request = v1::ListTablesRequest { page_size, ..v1::ListTablesRequest::default() };
    for filter in filters {
        filter.ask(&mut request);
    }
    request
}

/// All rows of a listing, page by page, each from the other door; `between` is done after each page that is not the last.
async fn pages(
    world: &World,
    mut request: v1::ListTablesRequest,
    between: impl AsyncFn(),
) -> Vec<v1::TableSummary> {
    let (mut rows, size) = (Vec::new(), usize::try_from(request.page_size).unwrap());
    for n in 0.. {
        let page = world.door(n).list_tables(request.clone()).await.expect("a page");
        assert!(page.tables.len() <= size, "{} rows, {size} were asked for", page.tables.len());
        rows.extend(page.tables);
        if page.next_page_token.is_empty() {
            return rows;
        }
        request.page_token = page.next_page_token;
        between().await;
    }
    unreachable!("a listing ends")
}

async fn listed(world: &World, filters: &[Filter], page_size: i32) -> Vec<v1::TableSummary> {
    pages(world, request(filters, page_size), async || {}).await
}

/// Newest first, each once.
fn in_order(rows: &[v1::TableSummary]) {
    let created: Vec<i64> = rows.iter().map(|row| ms(row.create_time.as_ref())).collect();
    assert!(created.windows(2).all(|pair| pair[0] >= pair[1]), "{created:?}");
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names.len(), rows.len(), "a table is listed twice");
}

/// A table's row says of it what the table says itself.
async fn agrees(row: &v1::TableSummary, table: &Table) {
    let view = table.view().await;
    let public = public(&view);
    let game = public.game.as_ref().map(|v1::public_table::Game::Sedma(game)| game.deal);
    assert_eq!(
        (row.name.as_str(), row.revision, row.phase()),
        (table.name.as_str(), public.revision, public.phase())
    );
    assert_eq!(
        (&row.seats, row.turn_seat, &row.winner_seats),
        (&public.seats, public.turn_seat, &public.winner_seats)
    );
    assert_eq!((&row.external_ref, &row.labels), (&public.external_ref, &public.labels));
    assert_eq!((row.deal, row.custom), (game.unwrap_or(0), true));
}

/// Lists with these filters in pages of each size: what comes is what the filters keep of all rows. So many of them
/// keep something.
async fn leave_what_they_say(world: &World, all: &[v1::TableSummary], asked: &[Vec<Filter>]) -> usize {
    let mut with_rows = 0;
    for some in asked.chunks(8) {
        let listings = some.iter().flat_map(|filters| PAGE_SIZES.map(|size| (filters, size)));
        let answers = join_all(
            listings
                .map(|(filters, size)| async move { (filters, size, listed(world, filters, size).await) }),
        );
        for (filters, size, rows) in answers.await {
            let kept = all.iter().filter(|row| filters.iter().all(|filter| filter.keeps(row)));
            let kept: Vec<v1::TableSummary> = kept.cloned().collect();
            with_rows += usize::from(!kept.is_empty() && size == 1);
            assert_eq!(rows, kept, "{filters:?} in pages of {size}");
        }
    }
    with_rows
}

/// Each two values that filters can have. What they keep is no store's business, so one store will do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_two_filters_leave_what_they_say_together() {
    let world = World::memory().await;
    join_all((0..TABLES).map(|n| make(world.door(n), n))).await;
    let all = listed(&world, &[], 100).await;
    let pairs = pairs(&filters());
    let with_rows = leave_what_they_say(&world, &all, &pairs).await;
    assert_eq!(pairs.len(), 158);
    assert!(with_rows > pairs.len() / 3, "only {with_rows} pairs have rows");
    world.stop().await;
}

on_each_store! {
    async fn every_filter_leaves_what_it_says(world: &World) {
        let tables = join_all((0..TABLES).map(|n| make(world.door(n), n))).await;
        let all = listed(world, &[], 100).await;
        assert_eq!(all.len(), TABLES);
        in_order(&all);
        for (n, table) in tables.iter().enumerate() {
            let row = all.iter().find(|row| row.name == table.name).expect("every table is listed");
            assert_eq!((row.phase(), row.preset.as_str()), (pick(&PHASES, n), pick(&PRESETS, n / 5).0));
            agrees(row, table).await;
        }
        let alone: Vec<Vec<Filter>> = filters().into_iter().map(|filter| vec![filter]).collect();
        let with_rows = leave_what_they_say(world, &all, &alone).await;
        assert_eq!(with_rows, alone.len() - 5, "all but those for what no table has");
        let first_of_each = ["phase", "preset", "player", "external_ref", "label"]
            .map(|about| filters().into_iter().find(|filter| filter.about == about).unwrap());
        leave_what_they_say(world, &all, &pairs(&first_of_each)).await;
        leave_what_they_say(world, &all, &[vec![]]).await;
    }

    async fn a_table_that_is_made_while_somebody_pages_comes_on_none_of_his_pages(world: &World) {
        join_all((0..20).map(|n| make(world.door(n), n * 5))).await;
        let before = listed(world, &[], 100).await;
        let made = Cell::new(0);
        for size in [1, 3, 7] {
            let newest = listed(world, &[], 100).await.remove(0);
            let make_one = async || {
                new_table(0).create(world.a()).await;
                made.set(made.get() + 1);
            };
            let rows = pages(world, request(&[], size), make_one).await;
            assert_eq!(rows[0].name, newest.name, "what was the newest when he began");
            assert_eq!(rows[rows.len() - before.len()..], before);
            in_order(&rows);
        }
        let after = listed(world, &[], 7).await;
        assert_eq!(after[after.len() - before.len()..], before);
        assert!(made.get() > 20, "one with each page");
        assert_eq!(after.len(), before.len() + made.get(), "each of them is found by who asks anew");
        in_order(&after);
    }

    async fn a_pages_token_goes_with_its_filters_and_with_any_size(world: &World) {
        join_all((0..6).map(|_| new_table(1).create(world.a()))).await;
        let asked = [
            Filter::new("phase", Phase::Playing.as_str_name()),
            Filter::new("preset", "two"),
            Filter::new("player", "anna"),
            Filter::new("external_ref", "cup/1"),
        ];
        let first = world.a().list_tables(request(&asked, 2)).await.unwrap();
        assert_eq!(first.tables.len(), 2);
        let next = |filters: &[Filter], size| {
            let page_token = first.next_page_token.clone();
            v1::ListTablesRequest { page_token, ..request(filters, size) }
        };
        for (n, left_out) in asked.iter().enumerate() {
            let mut fewer = asked.to_vec();
            fewer.remove(n);
            refused_field(world.b().list_tables(next(&fewer, 2)).await, "page_token");
            let mut other = asked.to_vec();
            other[n] = match left_out.about {
                "phase" => Filter::new("phase", Phase::Open.as_str_name()),
                about => Filter::new(about, "other"),
            };
            refused_field(world.b().list_tables(next(&other, 2)).await, "page_token");
        }
        for label in [Filter::label("cup", ""), Filter::label("cup", "spring")] {
            let more: Vec<Filter> = asked.iter().cloned().chain([label]).collect();
            refused_field(world.b().list_tables(next(&more, 2)).await, "page_token");
        }
        let rest = world.b().list_tables(next(&asked, 100)).await.unwrap();
        assert_eq!((rest.tables.len(), rest.next_page_token.as_str()), (4, ""));
        let whole = listed(world, &asked, 100).await;
        assert_eq!([first.tables.clone(), rest.tables].concat(), whole);
    }

    async fn a_player_is_found_where_he_has_a_seat_now(world: &World) {
        let table = new_table(1).create(world.a()).await.at(world.b());
        let with = async |player: &str| listed(world, &[Filter::new("player", player)], 7).await.len();
        assert_eq!((with("anna").await, with("eva").await), (1, 0));
        table.seat(1).leave().await.unwrap();
        assert_eq!(with("anna").await, 0);
        let joining = v1::JoinTableRequest { request_id: request_id(), ..table.join_request(1, "eva") };
        world.a().join_table(joining).await.unwrap();
        assert_eq!((with("anna").await, with("eva").await), (0, 1));
    }

    async fn a_listing_of_nothing_is_one_empty_page(world: &World) {
        for door in [world.a(), world.b()] {
            let page = door.list_tables(v1::ListTablesRequest::default()).await.unwrap();
            assert_eq!((page.tables, page.next_page_token.as_str()), (vec![], ""));
        }
    }
}

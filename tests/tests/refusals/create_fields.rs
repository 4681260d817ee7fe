//! `INVALID_FIELD` and `RULES_INVALID` in what a new table is asked to be, and `SCRIPT_FORBIDDEN`.

use prost_types::Duration;
use tests::v1::{self, ErrorReason as Reason};
use tests::{NewTable, Server, cards, duration, hours, request_id};

use crate::bystander::Bystander;
use crate::fields::{Case, check};
use crate::law::{refused, refused_field};

type Request = v1::CreateTableRequest;

/// The longest that anything may take.
const WEEK: Duration = hours(7 * 24);

/// A request with something in every field, each at its bound.
fn good() -> Request {
    let new = NewTable::classic().deal(&["7c 8c 9c Jc"], "10d");
    let mut request = new.request;
    request.external_ref = "é".repeat(32);
    request.labels = (0..8).map(|n| (format!("{n}{}", "k".repeat(31)), "v".repeat(64))).collect();
    request.start_policy = v1::StartPolicy::WhenReady.into();
    request.between_deals = v1::BetweenDeals::Manual.into();
    request.seats[1].player_id = "x".repeat(64);
    request.seats[1].display_name = "€".repeat(21);
    let script = request.script.as_mut().unwrap();
    script.root = vec![1; 32].into();
    request.timing = Some(v1::Timing {
        turn_timeout: Some(WEEK),
        timeout_policy: v1::TimeoutPolicy::Autoplay.into(),
        away_after: Some(100),
        bot_delay: Some(duration(1)),
        between_deals: Some(duration(0)),
        join_timeout: Some(WEEK),
        join_timeout_policy: v1::JoinTimeoutPolicy::FillWithBots.into(),
        idle_timeout: Some(WEEK),
        bot_level: "steady".into(),
    });
    request
}

fn timing(request: &mut Request) -> &mut v1::Timing {
    request.timing.as_mut().unwrap()
}

/// A seat for a bot of this level, instead of its player.
fn bot(request: &mut Request, level: &str) {
    request.seats[3] = v1::NewSeat { bot_level: level.into(), ..v1::NewSeat::default() };
}

fn script(request: &mut Request) -> &mut v1::Script {
    request.script.as_mut().unwrap()
}

fn first_card(request: &mut Request) -> &mut v1::Card {
    &mut script(request).packs[0].cards[0]
}

fn rules(request: &mut Request) -> &mut v1::SedmaRules {
    match request.rules.as_mut().and_then(|rules| rules.game.as_mut()) {
        Some(v1::game_rules::Game::Sedma(rules)) => rules,
        None => panic!("no rules"),
    }
}

const FIELDS: &[Case<Request>] = &[
    ("request_id", |r| r.request_id.clear()),
    ("request_id", |r| r.request_id = "garbled".into()),
    ("request_id", |r| r.request_id = "00000000-0000-0000-0000-000000000000".into()),
    ("external_ref", |r| r.external_ref.push('x')),
    ("external_ref", |r| r.external_ref = "line\r\n".into()),
    ("labels", |r| drop(r.labels.insert("ninth".into(), String::new()))),
    ("labels", |r| r.labels = [(String::new(), "no key".into())].into()),
    ("labels", |r| r.labels = [("k".repeat(33), String::new())].into()),
    ("labels", |r| r.labels = [("key".into(), "v".repeat(65))].into()),
    ("labels", |r| r.labels = [("k\u{1b}".into(), String::new())].into()),
    ("labels", |r| r.labels = [("key".into(), "v\0".into())].into()),
    ("start_policy", |r| r.start_policy = 99),
    ("start_policy", |r| r.start_policy = -1),
    ("between_deals", |r| r.between_deals = 3),
    ("spectators", |r| r.spectators = i32::MIN),
    ("spectator_delay", |r| r.spectator_delay = Some(hours(7 * 24 + 1))),
    ("spectator_delay", |r| r.spectator_delay = Some(hours(-1))),
    ("spectator_delay", |r| (r.spectators = 1, r.spectator_delay = Some(hours(1))).1),
    ("seats", |r| r.seats.truncate(3)),
    ("seats", |r| r.seats.push(v1::NewSeat::default())),
    ("seats[1].player_id", |r| r.seats[1].player_id.push('x')),
    ("seats[2].player_id", |r| r.seats[2].player_id = "p\n".into()),
    ("seats[2].player_id", |r| r.seats[2].player_id = "p1".into()),
    ("seats[3].player_id", |r| r.seats[3].player_id.clear()),
    ("seats[1].display_name", |r| r.seats[1].display_name.push_str("xx")),
    ("seats[0].display_name", |r| r.seats[0].display_name = "a\u{9f}b".into()),
    ("script.root", |r| script(r).root = vec![1; 31].into()),
    ("script.root", |r| script(r).root = vec![1; 33].into()),
    ("script.first_dealer_seat", |r| script(r).first_dealer_seat = 5),
    ("script.first_dealer_seat", |r| script(r).first_dealer_seat = -1),
    ("script.packs", |r| script(r).packs = vec![v1::ScriptedPack::default(); 65]),
    ("script.packs[0]", |r| script(r).packs[0].cards.truncate(31)),
    ("script.packs[0]", |r| *first_card(r) = cards("10d")[0]),
    ("script.packs[0]", |r| first_card(r).rank = v1::Rank::Two.into()),
    ("script.packs[0].cards[0].suit", |r| first_card(r).suit = 0),
    ("script.packs[0].cards[0].suit", |r| first_card(r).suit = v1::Suit::Coins.into()),
    ("script.packs[0].cards[0].suit", |r| first_card(r).suit = 9),
    ("script.packs[0].cards[0].rank", |r| first_card(r).rank = 0),
    ("script.packs[0].cards[0].rank", |r| first_card(r).rank = 1),
    ("script.packs[0].cards[0].rank", |r| first_card(r).rank = v1::Rank::Knight.into()),
    ("script.packs[0].cards[0].rank", |r| first_card(r).rank = -1),
];

const TIMES: &[Case<Request>] = &[
    ("seats[3].bot_level", |r| bot(r, "grandmaster")),
    ("seats[3].bot_level", |r| bot(r, "Steady")),
    ("seats[3].bot_level", |r| r.seats[3].bot_level = "steady".into()),
    ("seats[3].player_id", |r| (bot(r, "steady"), r.seats[3].display_name = "Robot".into()).1),
    ("timing.turn_timeout", |r| timing(r).turn_timeout = Some(Duration { seconds: -1, nanos: 0 })),
    ("timing.turn_timeout", |r| timing(r).turn_timeout = Some(Duration { seconds: 0, nanos: -1_000_000 })),
    ("timing.turn_timeout", |r| timing(r).turn_timeout = Some(Duration { seconds: 1, nanos: 999_999 })),
    ("timing.turn_timeout", |r| timing(r).turn_timeout = Some(Duration { seconds: 1, nanos: 1_000_000_000 })),
    ("timing.turn_timeout", |r| timing(r).turn_timeout = Some(Duration { nanos: 1_000_000, ..WEEK })),
    ("timing.turn_timeout", |r| timing(r).turn_timeout = Some(Duration { seconds: i64::MAX, nanos: 0 })),
    ("timing.turn_timeout", |r| timing(r).turn_timeout = Some(Duration { seconds: i64::MIN, nanos: 0 })),
    ("timing.bot_delay", |r| timing(r).bot_delay = Some(Duration { seconds: 0, nanos: 1 })),
    ("timing.between_deals", |r| timing(r).between_deals = Some(Duration { seconds: -1, nanos: 0 })),
    ("timing.join_timeout", |r| timing(r).join_timeout = Some(hours(7 * 24 + 1))),
    ("timing.idle_timeout", |r| timing(r).idle_timeout = Some(Duration { seconds: -7, nanos: 0 })),
    ("timing.timeout_policy", |r| timing(r).timeout_policy = 4),
    ("timing.timeout_policy", |r| timing(r).timeout_policy = -1),
    ("timing.join_timeout_policy", |r| timing(r).join_timeout_policy = 3),
    ("timing.join_timeout_policy", |r| timing(r).join_timeout_policy = i32::MIN),
    ("timing.away_after", |r| timing(r).away_after = Some(101)),
    ("timing.away_after", |r| timing(r).away_after = Some(-1)),
    ("timing.away_after", |r| timing(r).away_after = Some(257)),
    ("timing.bot_level", |r| timing(r).bot_level = "grandmaster".into()),
];

const OPTIONS: &[Case<Request>] = &[
    ("rules.sedma.seats", |r| rules(r).seats = Some(-1)),
    ("rules.sedma.seats", |r| rules(r).seats = Some(5)),
    ("rules.sedma.seats", |r| rules(r).seats = Some(260)),
    ("rules.sedma.match_target", |r| rules(r).match_target = Some(-1)),
    ("rules.sedma.match_target", |r| rules(r).match_target = Some(1_001)),
    ("rules.sedma.stop_at_points", |r| rules(r).stop_at_points = Some(-10)),
    ("rules.sedma.stop_at_points", |r| rules(r).stop_at_points = Some(171)),
    ("rules.sedma.last_trick_bonus", |r| rules(r).last_trick_bonus = Some(-10)),
    ("rules.sedma.last_trick_bonus", |r| rules(r).last_trick_bonus = Some(5)),
    ("rules.sedma.last_trick_bonus", |r| rules(r).last_trick_bonus = Some(100)),
    ("rules.sedma.win_threshold", |r| rules(r).win_threshold = Some(-1)),
    ("rules.sedma.win_threshold", |r| rules(r).win_threshold = Some(171)),
    ("rules.sedma.tie", |r| rules(r).tie = Some(99)),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_field_of_a_new_table() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let mut bystander = Bystander::on(&client).await;
    check(async |request| client.create_table(request).await, &good(), FIELDS).await;
    let good = Request { request_id: request_id(), ..good() };
    check(async |request| client.create_table(request).await, &good, OPTIONS).await;
    let good = Request { request_id: request_id(), ..good };
    check(async |request| client.create_table(request).await, &good, TIMES).await;

    let listed = client.list_tables(v1::ListTablesRequest::default()).await.unwrap().tables;
    assert_eq!(listed.len(), 4, "the bystander's and the three good ones, and no other");
    bystander.lives_on().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rules_that_do_not_hold_together() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let cases: &[Case<Request>] = &[
        ("rules.sedma.preset", |r| rules(r).preset = "whist".into()),
        ("rules.sedma.preset", |r| rules(r).preset = "Classic".into()),
        ("rules.sedma.preset", |r| rules(r).preset = "x".repeat(8_000)),
        ("rules.sedma.seats", |r| rules(r).seats = Some(0)),
        ("rules.sedma.seats", |r| rules(r).seats = Some(3)),
        ("rules.sedma.seats", |r| rules(r).seats = Some(2)),
    ];
    for (field, spoil) in cases {
        let mut request = Request { request_id: request_id(), seats: Vec::new(), ..good() };
        request.script = None;
        spoil(&mut request);
        let asked = request.rules.clone();
        refused_field(client.create_table(request).await, Reason::RulesInvalid, field);

        let validated =
            client.validate_rules(v1::ValidateRulesRequest { rules: asked.clone() }).await.unwrap();
        assert!(!validated.valid && validated.rules.is_none(), "{validated:?}");
        assert_eq!(validated.problems.iter().map(|problem| &problem.field).collect::<Vec<_>>(), [field]);

        let Some(v1::game_rules::Game::Sedma(sedma)) = asked.unwrap().game else { panic!("no rules") };
        let option = field.replace(".sedma", "");
        let trick = v1::ScoreTrickRequest { rules: Some(sedma.clone()), ..v1::ScoreTrickRequest::default() };
        refused_field(client.score_trick(trick).await, Reason::RulesInvalid, &option);
        let deal = v1::ScoreDealRequest { rules: Some(sedma), ..v1::ScoreDealRequest::default() };
        refused_field(client.score_deal(deal).await, Reason::RulesInvalid, &option);
    }
    let listed = client.list_tables(v1::ListTablesRequest::default()).await.unwrap().tables;
    assert_eq!(listed, []);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripts_are_for_test_servers() {
    let mut config = Server::config(None);
    config.allow_scripted = false;
    let server = Server::start(config).await;
    let client = server.platform().await;
    let scripts: [fn(&mut v1::Script); 4] = [
        |_| {},
        |script| script.packs.clear(),
        |script| (script.packs.clear(), script.root.clear()).1,
        |script| *script = v1::Script::default(),
    ];
    for change in scripts {
        let mut request = good();
        change(script(&mut request));
        refused(client.create_table(request).await, Reason::ScriptForbidden);
    }
    let listed = client.list_tables(v1::ListTablesRequest::default()).await.unwrap().tables;
    assert_eq!(listed, []);
    let created = client.create_table(Request { script: None, ..good() }).await.unwrap();
    assert!(!created.view.unwrap().table.unwrap().scripted);
    server.stop().await;
}

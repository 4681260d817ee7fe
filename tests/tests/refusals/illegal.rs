//! `ILLEGAL_ACTION`: every rule that an action can break, what may be done instead, and that nothing happens then.

use std::collections::BTreeSet;

use tests::v1::{self, BrokenRule as Rule, ErrorReason as Reason};
use tests::views::word;
use tests::{NewTable, Server, Table, card, refusal};

use crate::law::refused_at;

/// A table where seat 1 has just led a nine to a round that is full, and may go on with a nine or a seven.
async fn full_round(client: &tests::Client) -> Table {
    let table = NewTable::preset("pagat", 4).deal(&["9c 9d 7c Ac", "Kc", "Qc", "Jc"], "").start(client).await;
    table.play(&["1:9c", "2:Kc", "3:Qc", "4:Jc"]).await;
    table
}

/// A second deal, whose leader has the exchange of hands before it.
async fn exchange(client: &tests::Client) -> Table {
    let first = ["10c 8c 8d 8h", "9c", "9d", "9h"];
    let hands = ["Jc Qc Kc Ac", "Jd Qd Kd Ad", "Jh Qh Kh Ah", "Js Qs Ks As"];
    let short = |rules: &mut v1::SedmaRules| rules.stop_at_points = Some(10);
    let new = NewTable::preset("cervena", 4).changed(short).deal(&first, "").dealt_by(2, &hands, "");
    let table = new.start(client).await;
    table.play(&["1:10c", "2:9c", "3:9d", "4:9h"]).await;
    table
}

/// A table of four after these plays. Where the stock is asked for, it begins with low cards.
async fn start(client: &tests::Client, preset: &str, hands: [&str; 4], plays: &[&str]) -> Table {
    let stock = if preset == "ristikontra" { "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s" } else { "" };
    let table = NewTable::preset(preset, 4).deal(&hands, stock).start(client).await;
    for play in plays {
        table.play(&[play]).await;
    }
    table
}

/// Tries what is forbidden: it is refused for this rule, which is what `ListLegalActions` says of the card as well, and
/// a spectator's watch hears nothing of it.
async fn forbidden(table: &Table, line: &str, rule: Rule, instead: &str) {
    let (seat, what) = table.parse(line);
    let mut watch = seat.watch().await;
    let before = watch.snapshot().await;
    let status = refused_at(table, Reason::IllegalAction, seat.act(what)).await;
    let refusal = refusal(&status);
    assert_eq!(refusal.rule(), rule, "{line}: {status:?}");
    let named = ["end", "swap", "keep", "stock"].iter().all(|other| *other != what);
    assert_eq!(refusal.card, named.then(|| card(what.trim_end_matches('!'))), "{line}");
    let legal: Vec<String> = refusal.legal_actions.iter().map(word).collect();
    assert_eq!(legal.join(" "), instead, "{line}");

    let listed = seat.legal_actions().await.unwrap();
    assert_eq!(listed.legal_actions, refusal.legal_actions, "{line}");
    assert_eq!(listed.turn_seat, seat.number);
    if let Some(one) = listed.forbidden_cards.iter().find(|one| one.card == refusal.card && named) {
        assert_eq!(one.rule(), rule, "{line}");
    } else {
        assert!(!named || what.ends_with('!'), "{line} is not among {:?}", listed.forbidden_cards);
    }
    assert_eq!(seat.view().await, before, "{line}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_rule_that_can_be_broken() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let bound = start(&client, "cervena", ["Qc", "Qd", "Qh Ac 7c 8c", ""], &["1:Qc", "2:Qd"]).await;
    for line in ["3:Ac", "3:7c", "3:8c"] {
        forbidden(&bound, line, Rule::ForcedMatch, "Qh").await;
    }
    let must = start(&client, "schmierer", ["9c", "9d 7c Ac Kc", "", ""], &["1:9c"]).await;
    forbidden(&must, "2:Ac", Rule::MustMatch, "7c 9d").await;

    let round = full_round(&client).await;
    forbidden(&round, "1:Ac", Rule::ContinuationCard, "7c 9d end").await;
    round.play(&["1:end"]).await;
    forbidden(&round, "1:end", Rule::NoTrickToEnd, &listed(&round, 1).await).await;

    let exchange = exchange(&client).await;
    forbidden(&exchange, "3:Jh", Rule::ExchangeFirst, "swap keep").await;
    forbidden(&exchange, "3:stock", Rule::ExchangeFirst, "swap keep").await;
    forbidden(&exchange, "3:end", Rule::NoTrickToEnd, "swap keep").await;
    exchange.play(&["3:swap"]).await;
    for line in ["3:swap", "3:keep"] {
        forbidden(&exchange, line, Rule::NoExchange, "Jc Qc Kc Ac").await;
    }

    let fives = ["5c 5d 5h 5s Kc Kd", "Ac Ad Ah", "Jc Jd Jh", "Qc Qd Qh"];
    let three: Vec<String> = ["c", "d", "h"]
        .iter()
        .flat_map(|suit| ["1:5", "2:A", "3:J", "4:Q"].map(|play| format!("{play}{suit}")))
        .collect();
    let led =
        start(&client, "ristikontra", fives, &three.iter().map(String::as_str).collect::<Vec<_>>()).await;
    forbidden(&led, "1:5s", Rule::SameRankLeads, "2c 3c 4c Kc Kd stock").await;

    let marias = start(&client, "marias_sedma", ["Kh Qh Kc 8c", "Kd Qd 9d 10d", "", ""], &[]).await;
    for line in ["1:Kc!", "1:8c!"] {
        forbidden(&marias, line, Rule::NoMarriage, "8c Kc Qh Qh! Kh Kh!").await;
    }
    marias.play(&["1:Kh!"]).await;
    forbidden(&marias, "2:Kd!", Rule::NoMarriage, "9d 10d Qd Kd").await;
    forbidden(&marias, "2:stock", Rule::NoStockPlay, "9d 10d Qd Kd").await;
    server.stop().await;
}

/// What a seat may do, as the list of its actions says.
async fn listed(table: &Table, seat: i32) -> String {
    let actions = table.seat(seat).legal_actions().await.unwrap().legal_actions;
    actions.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Before it is a seat's turn, a card is not forbidden by a rule of the game, and no new action is judged by one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn out_of_turn_no_rule_is_broken() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let table = full_round(&client).await;
    for line in ["2:end", "3:swap", "4:keep", "2:stock", "2:Kd!"] {
        let (seat, what) = table.parse(line);
        let refusal = refusal(&refused_at(&table, Reason::NotYourTurn, seat.act(what)).await);
        assert_eq!((refusal.rule(), refusal.legal_actions), (Rule::Unspecified, vec![]), "{line}");
    }
    let waiting = table.seat(2).legal_actions().await.unwrap();
    assert_eq!((waiting.legal_actions.len(), waiting.forbidden_cards.len(), waiting.turn_seat), (0, 3, 1));
    assert!(waiting.forbidden_cards.iter().all(|one| one.rule() == Rule::Unspecified));
    server.stop().await;
}

/// What is refused before a match, between its deals and after it: no rule of the game is asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outside_of_a_deal_no_rule_is_broken() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let open = NewTable::preset("cervena", 4).create(&client).await;
    for line in ["1:end", "1:swap", "1:stock"] {
        let (seat, what) = open.parse(line);
        refused_at(&open, Reason::NotStarted, seat.act(what)).await;
    }
    let short = |rules: &mut v1::SedmaRules| rules.stop_at_points = Some(10);
    let new = NewTable::preset("pagat", 4).changed(short).pausing_between_deals();
    let between = new.deal(&["10c", "9c", "9d", "9h"], "").start(&client).await;
    between.play(&["1:10c", "2:9c", "3:9d", "4:9h", "1:end"]).await;
    for line in ["1:end", "1:swap", "1:stock"] {
        let (seat, what) = between.parse(line);
        refused_at(&between, Reason::NotStarted, seat.act(what)).await;
    }
    between.close().await;
    for line in ["1:end", "1:swap", "1:stock"] {
        let (seat, what) = between.parse(line);
        refused_at(&between, Reason::TableEnded, seat.act(what)).await;
    }
    server.stop().await;
}

/// Every rule has its line above.
#[test]
fn no_rule_is_left_out() {
    let rules = (1..100).filter_map(|number| Rule::try_from(number).ok());
    let named = |rule: &Rule| include_str!("illegal.rs").contains(&format!(", Rule::{rule:?}, "));
    let missing: BTreeSet<String> =
        rules.filter(|rule| !named(rule)).map(|rule| format!("{rule:?}")).collect();
    assert_eq!(missing, BTreeSet::new());
}

//! A table's life, as `decide` judges it and `evolve` applies it.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "where a test can't go on, it fails"
)]

mod clocks;
mod common;
mod phases;

use common::{Played, come_back, hand_in, join, new_table, play, player, seat};
use sedma_rules::{Fact, Preset};
use sedma_table::decide::Command;
use sedma_table::limits::{MAX_UPDATES, UPDATES_AFTER_END};
use sedma_table::{
    BetweenDeals, CloseReason, Occupant, Phase, Reason, StartPolicy, TableFact, TableId, Viewer, rematch_of,
};

fn dealt(facts: &[TableFact]) -> bool {
    facts.iter().any(|fact| matches!(fact, TableFact::Game(Fact::Dealt { .. })))
}

#[test]
fn the_last_of_four_to_join_is_dealt_to_in_the_same_update() {
    let mut table = Played::create(&new_table(Preset::Classic));
    for number in 1..=3 {
        assert!(!dealt(&table.accept(&join(&format!("p{number}"), number))));
    }
    assert!(dealt(&table.accept(&join("p4", 0))), "seat 0 is any open one");
    assert_eq!(table.table.phase(), Phase::Playing);
    table.replays();
}

#[test]
fn named_players_are_waited_for_until_each_says_here() {
    let mut new = new_table(Preset::Two);
    new.start = StartPolicy::WhenReady;
    new.seats = vec![Occupant::Player(player("anna")), Occupant::Player(player("bert"))];
    let mut table = Played::create(&new);
    assert_eq!(table.table.phase(), Phase::Open);
    assert!(!dealt(&table.accept(&come_back(2))));
    assert!(table.accept(&come_back(2)).is_empty(), "saying it twice changes nothing");
    assert!(dealt(&table.accept(&come_back(1))));
    table.replays();
}

#[test]
fn a_manual_table_waits_for_start_and_start_waits_for_open_seats() {
    let mut new = new_table(Preset::Two);
    new.start = StartPolicy::Manual;
    let mut table = Played::create(&new);
    assert_eq!(table.reason(&Command::Start), Reason::NotStarted);
    table.fill();
    assert_eq!(table.table.phase(), Phase::Open);
    assert!(dealt(&table.accept(&Command::Start)));
    assert_eq!(table.reason(&Command::Start), Reason::AlreadyStarted);
}

#[test]
fn seats_are_taken_once_and_by_one_player_each() {
    let mut new = new_table(Preset::Classic);
    new.start = StartPolicy::Manual;
    let mut table = Played::create(&new);
    table.accept(&join("anna", 2));
    assert_eq!(table.reason(&join("bert", 2)), Reason::SeatTaken);
    assert!(table.accept(&join("anna", 3)).is_empty(), "who has a seat keeps it, whatever seat he asks for");
    assert_eq!(table.table.seat_of("anna"), Some(seat(2)));
    for name in ["bert", "carl", "dora"] {
        table.accept(&join(name, 0));
    }
    assert_eq!(table.reason(&join("emil", 0)), Reason::TableFull);
    table.accept(&Command::Leave { seat: seat(2) });
    assert!(table.accept(&Command::Leave { seat: seat(2) }).is_empty());
    table.accept(&join("emil", 0));
    assert_eq!(table.table.seat_of("emil"), Some(seat(2)));
    table.replays();
}

#[test]
fn leaving_and_revoking_make_tokens_worthless() {
    let mut table = Played::create(&new_table(Preset::Two));
    table.accept(&join("anna", 1));
    let generation = |table: &Played| table.table.seat(seat(1)).expect("seat 1").generation;
    assert_eq!(generation(&table), 0);
    table.accept(&Command::Revoke { seat: seat(1) });
    assert_eq!(generation(&table), 1);
    assert_eq!(table.table.seat_of("anna"), Some(seat(1)), "a revoked player keeps the seat");
    table.accept(&Command::Leave { seat: seat(1) });
    assert_eq!(generation(&table), 2);
}

#[test]
fn entropy_counts_until_the_first_deal_and_is_frozen_by_it() {
    let mut table = Played::create(&new_table(Preset::Two));
    table.accept(&join("anna", 1));
    table.accept(&hand_in(1, b"first"));
    table.accept(&hand_in(1, b"second"));
    table.accept(&join("bert", 2));
    assert_eq!(table.table.seat(seat(1)).expect("seat 1").entropy, b"second");
    assert!(table.accept(&hand_in(1, b"second")).is_empty(), "the same again is no news");
    assert_eq!(table.reason(&hand_in(2, b"late")), Reason::AlreadyStarted);
}

#[test]
fn entropy_changes_the_cards() {
    let hands = |entropy: &[u8]| {
        let mut table = Played::create(&new_table(Preset::Two));
        table.accept(&join("anna", 1));
        table.accept(&hand_in(1, entropy));
        table.accept(&join("bert", 2));
        table.table.view(Viewer::seats([seat(1), seat(2)])).game.hands
    };
    assert_eq!(hands(b"x"), hands(b"x"));
    assert_ne!(hands(b"x"), hands(b"y"));
}

#[test]
fn a_seat_that_is_left_in_play_waits_for_the_next_player_with_its_hand() {
    let mut table = Played::create(&new_table(Preset::Two));
    table.fill();
    let (mover, card) = table.next_card().expect("somebody is to play");
    let turn_revision = table.table.standing().turn_revision;
    table.accept(&Command::Leave { seat: mover });
    assert!(table.table.standing().turn_revision > turn_revision, "the mover's own leaving moves the turn");
    table.accept(&join("carl", mover.number()));
    table.accept(&play(mover, card));
    table.replays();
}

#[test]
fn a_bystander_does_not_move_the_turn() {
    let mut table = Played::create(&new_table(Preset::Two));
    table.fill();
    let (mover, card) = table.next_card().expect("somebody is to play");
    let other = mover.next(2);
    let turn_revision = table.table.standing().turn_revision;
    table.accept(&Command::Leave { seat: other });
    table.accept(&join("carl", other.number()));
    table.accept(&Command::Revoke { seat: other });
    assert_eq!(table.table.standing().turn_revision, turn_revision);
    table.accept(&play(mover, card));
    assert_eq!(table.table.standing().turn_revision, table.table.revision());
}

#[test]
fn refusals_name_their_reason() {
    let mut table = Played::create(&new_table(Preset::Two));
    let card = "7c".parse().expect("a card");
    assert_eq!(table.reason(&play(seat(1), card)), Reason::NotStarted);
    assert_eq!(table.reason(&Command::StartNextDeal), Reason::NotStarted);
    assert_eq!(
        table.reason(&Command::LinkRematch { table: TableId::from_bytes([1; 16]) }),
        Reason::NotStarted
    );
    table.fill();
    let (mover, card) = table.next_card().expect("somebody is to play");
    assert_eq!(table.reason(&play(mover.next(2), card)), Reason::NotYourTurn);
    assert_eq!(table.reason(&play(seat(3), card)), Reason::InvalidField);
    assert_eq!(table.reason(&Command::StartNextDeal), Reason::AlreadyStarted);
    assert_eq!(
        table.reason(&Command::LinkRematch { table: TableId::from_bytes([1; 16]) }),
        Reason::AlreadyStarted
    );
    table.accept(&Command::Close { reason: "enough".to_owned() });
    for command in [play(mover, card), Command::Start, Command::Close { reason: String::new() }, come_back(1)]
    {
        assert_eq!(table.reason(&command), Reason::TableEnded);
    }
    table.replays();
}

#[test]
fn every_card_that_is_not_in_the_hand_gets_the_same_answer() {
    let mut table = Played::create(&new_table(Preset::Classic));
    table.fill();
    let (mover, _) = table.next_card().expect("somebody is to play");
    let hand = table.table.view(Viewer::seat(mover)).game.hands[0].cards;
    let answers: Vec<_> = (0..52)
        .filter_map(sedma_rules::Card::from_index)
        .filter(|card| !hand.contains(*card))
        .map(|card| {
            let mut refusal = table.refuse(&play(mover, card));
            assert_eq!(refusal.card.take(), Some(card));
            refusal
        })
        .collect();
    assert_eq!(answers.len(), 48, "hands, stock, and cards that are in no pack");
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(answers[0].reason, Reason::CardNotInHand);
}

#[test]
fn the_update_that_ends_a_deal_reveals_its_seed_and_deals_the_next() {
    let mut table = Played::create(&new_table(Preset::Classic));
    table.fill();
    let mut facts = Vec::new();
    for _ in 0..32 {
        facts = table.play_one();
    }
    let kinds: Vec<&str> = facts
        .iter()
        .filter_map(|fact| match fact {
            TableFact::Game(Fact::DealEnded(_)) => Some("ended"),
            TableFact::SeedRevealed { deal: 1, .. } => Some("revealed"),
            TableFact::Game(Fact::Dealt { deal: 2, .. }) => Some("dealt"),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, ["ended", "revealed", "dealt"]);
    table.replays();
}

#[test]
fn between_deals_a_manual_table_waits() {
    let mut new = new_table(Preset::Classic);
    new.between_deals = BetweenDeals::Manual;
    let mut table = Played::create(&new);
    table.fill();
    while table.table.phase() == Phase::Playing {
        table.play_one();
    }
    assert_eq!(table.table.phase(), Phase::BetweenDeals);
    assert_eq!(table.reason(&play(seat(1), "7c".parse().expect("a card"))), Reason::NotStarted);
    assert!(dealt(&table.accept(&Command::StartNextDeal)));
    table.replays();
}

#[test]
fn a_match_ends_at_its_target_and_its_players_go_on_elsewhere() {
    let mut table = Played::create(&new_table(Preset::Two));
    table.fill();
    while !table.table.is_ended() {
        table.play_one();
    }
    assert_eq!(table.table.phase(), Phase::Finished);
    let view = table.table.view(Viewer::SPECTATOR);
    assert_eq!(view.game.sides.iter().filter(|side| side.game_points >= 4).count(), 1);
    let next = TableId::from_bytes([9; 16]);
    table.accept(&Command::LinkRematch { table: next });
    assert!(table.accept(&Command::LinkRematch { table: next }).is_empty());
    assert_eq!(table.table.rematch(), Some(next));

    let rematch = rematch_of(&table.table);
    assert_eq!(rematch.start, StartPolicy::WhenReady);
    assert_eq!(rematch.seats, [Occupant::Player(player("p1")), Occupant::Player(player("p2"))]);
    table.replays();
}

#[test]
fn a_table_that_reaches_its_bound_ends_with_room_for_a_rematch() {
    let mut new = new_table(Preset::Two);
    new.rules = {
        let mut options = Preset::Two.options(2);
        options.match_target = 0;
        options.check().expect("rules")
    };
    let mut table = Played::create(&new);
    table.fill();
    while !table.table.is_ended() {
        if table.table.revision() < MAX_UPDATES - 200 && table.table.revision() % 2 == 0 {
            table.accept(&Command::Revoke { seat: seat(1) });
        } else {
            table.play_one();
        }
    }
    assert_eq!(table.table.revision(), MAX_UPDATES - UPDATES_AFTER_END);
    assert_eq!(table.table.view(Viewer::SPECTATOR).closed, Some(CloseReason::Limit));
    assert_eq!(table.table.view(Viewer::SPECTATOR).game.turn, None);
    table.accept(&Command::LinkRematch { table: TableId::from_bytes([9; 16]) });
    assert_eq!(table.table.revision(), MAX_UPDATES);
}

#[test]
fn the_record_hash_tells_every_update_apart() {
    let mut one = Played::create(&new_table(Preset::Two));
    let mut other = Played::create(&new_table(Preset::Two));
    assert_eq!(one.table.record_hash(), other.table.record_hash());
    one.accept(&join("anna", 1));
    other.accept(&join("anna", 2));
    assert_ne!(one.table.record_hash(), other.table.record_hash());
}

//! What is stored comes back as it was, and nothing else is taken for it.

use std::collections::BTreeSet;

use sedma_rules::{PackKind, Partnership, Preset, Rank, RankSet, RuleOptions, Tie, WinRule};
use sedma_table::contract::{Dice, SelfPlay};
use sedma_table::{CloseReason, TableFact, Viewer};

use super::*;
use crate::secrets::{Drawn, StartError};

/// When the tables here fire.
const FIRE_MS: i64 = 1_764_510_030_000;

/// A blob as the script would write it.
pub(super) fn blob(version: Version, snapshot: &Snapshot) -> Vec<u8> {
    let mut blob = version_bytes(version).to_vec();
    blob.extend(FIRE_MS.to_be_bytes());
    blob.extend(encode_snapshot(snapshot).unwrap());
    blob
}

/// An element as the script would write it.
pub(super) fn element(edition: Edition, token: [u8; 8], time_ms: i64, update: &Update) -> Vec<u8> {
    let mut element = token.to_vec();
    element.extend(time_ms.to_be_bytes());
    element.extend(encode_update(edition, update).unwrap());
    element
}

pub(super) fn version(snapshot: &Snapshot) -> Version {
    Version { revision: snapshot.table.revision(), token: *b"a-token!" }
}

#[test]
fn every_state_and_update_of_random_tables_comes_back() {
    let (mut steps, mut kinds, mut actors) = (0, BTreeSet::new(), BTreeSet::new());
    for seed in 0..60 {
        let play = SelfPlay::eventful(seed, "dev");
        let play = if seed % 3 == 0 { play.of_the_first_edition() } else { play };
        for (update, snapshot) in play.take(400) {
            let edition = snapshot.table.setup().edition;
            let table = snapshot.table.setup().id;
            let version = version(&snapshot);
            let stored = decode_blob(table, &blob(version, &snapshot)).unwrap();
            let expected = Stored { version, snapshot: snapshot.clone(), fire_ms: FIRE_MS };
            assert_eq!(stored, expected, "seed {seed}");
            kinds.extend(update.facts.iter().map(kind));
            actors.insert(format!("{:?}", update.actor));
            let element = element(edition, version.token, 1_764_510_000_000, &update);
            let logged = decode_element(table, version.revision, &element).unwrap();
            assert_eq!(logged, Logged { version, time_ms: 1_764_510_000_000, update }, "seed {seed}");
            steps += 1;
        }
    }
    assert!(steps > 3_000, "only {steps} steps were played");
    assert_eq!(actors.len(), 4, "{actors:?}");
    assert_eq!(kinds.len(), 16, "{kinds:?}");
}

/// A fact's name.
fn kind(fact: &TableFact) -> String {
    format!("{fact:?}").split([' ', '(']).next().unwrap_or_default().to_owned()
}

#[test]
fn every_end_and_every_clock_comes_back() {
    let (_, snapshot) = SelfPlay::plain(1, "dev").next().unwrap();
    let seat = sedma_rules::Seat::Three;
    let ends = [
        CloseReason::Platform("off".into()),
        CloseReason::Limit,
        CloseReason::NotStarted,
        CloseReason::Expired,
        CloseReason::Forfeited(seat),
    ];
    for end in ends {
        let closed = TableFact::Closed(end);
        let update = Update {
            actor: sedma_table::Actor::Timeout,
            seat: Some(seat),
            facts: vec![closed],
            traceparent: None,
        };
        let table = snapshot.table.evolve(&update).unwrap();
        let snapshot = Snapshot { table, ring: snapshot.ring.clone() };
        let version = version(&snapshot);
        let stored = decode_blob(snapshot.table.setup().id, &blob(version, &snapshot)).unwrap();
        assert_eq!(*stored.snapshot, snapshot);
        let logged =
            decode_element(snapshot.table.setup().id, 2, &element(Edition::NEWEST, [1; 8], 1, &update))
                .unwrap();
        assert_eq!(*logged.update, update);
    }
}

#[test]
fn a_head_that_fires_before_all_time_is_damaged() {
    let (_, snapshot) = SelfPlay::plain(1, "dev").next().unwrap();
    let mut blob = blob(version(&snapshot), &snapshot);
    blob[16] = 0xff;
    let read = decode_blob(snapshot.table.setup().id, &blob);
    assert!(matches!(read, Err(StoreError::Damaged { .. })));
}

/// A release wrote it whose `classic` was another game: for three, with eights wild as well, without a bonus, to 7. Its
/// tables play on by that.
#[test]
fn a_table_keeps_its_rules_when_its_preset_changes() {
    let then = RuleOptions {
        seats: 3,
        partnership: Partnership::Individual,
        pack: PackKind::P30MinusTwo8,
        wild_ranks: RankSet::of(&[Rank::Seven, Rank::Eight]),
        last_trick_bonus: 0,
        win_rule: WinRule::Majority,
        match_target: 7,
        tie: Tie::Share,
        ..Preset::Classic.options(4)
    };
    assert!(then.check().is_err(), "today's preset is not for three");
    let mut last = None;
    for (_, snapshot) in SelfPlay::by_rules(1, "dev", then) {
        let (table, version) = (snapshot.table.setup().id, version(&snapshot));
        let stored = decode_blob(table, &blob(version, &snapshot)).unwrap().snapshot;
        assert_eq!(stored.table.setup().rules.options(), &then);
        assert_eq!(stored, snapshot);
        last = Some(stored);
    }
    let view = last.expect("a match").table.view(Viewer::SPECTATOR);
    assert!(view.setup.rules().is_custom(), "it is not what the preset is now");
    let best = view.game.sides.iter().map(|side| side.game_points).max();
    assert!(view.game.winners.is_some() && best >= Some(7), "{view:?}");
}

#[test]
fn a_played_card_is_three_bytes_of_facts() {
    let is_a_card = |update: &Update| {
        matches!(update.facts.as_slice(), [TableFact::Game(sedma_rules::Fact::CardPlayed { .. })])
    };
    let cards = SelfPlay::plain(1, "dev").map(|(update, _)| update).filter(|update| is_a_card(update));
    // The schema, a field's tag and the actor, a field's tag, a length, and the card.
    assert!(
        cards
            .map(|update| encode_update(Edition::NEWEST, &update).unwrap().len())
            .all(|length| length == 1 + 2 + 2 + 3)
    );
}

#[test]
fn what_is_cut_short_or_has_more_is_damaged() {
    for (update, snapshot) in SelfPlay::eventful(7, "dev").take(60) {
        let table = snapshot.table.setup().id;
        let version = version(&snapshot);
        let whole = blob(version, &snapshot);
        for length in 0..whole.len() {
            let cut = decode_blob(table, &whole[..length]);
            assert!(matches!(cut, Err(StoreError::Damaged { .. })), "cut to {length}: {cut:?}");
        }
        let longer = [whole.as_slice(), &[0x78, 1]].concat(); // field 15, which no snapshot has
        assert!(matches!(decode_blob(table, &longer), Err(StoreError::Damaged { .. })));
        let whole = element(Edition::NEWEST, version.token, 1, &update);
        let longer = [whole.as_slice(), &[0x78, 1]].concat();
        assert!(matches!(decode_element(table, 1, &longer), Err(StoreError::Damaged { .. })));
    }
}

#[test]
fn flipped_bits_never_panic_and_never_pass_for_another_table() {
    let mut dice = Dice::new(3);
    for (update, snapshot) in SelfPlay::eventful(11, "dev").take(120) {
        let table = snapshot.table.setup().id;
        let version = version(&snapshot);
        for _ in 0..50 {
            let mut flipped = blob(version, &snapshot);
            let at = dice.below(flipped.len());
            flipped[at] ^= 1 << dice.below(8);
            if let Ok(stored) = decode_blob(table, &flipped) {
                assert_eq!(stored.snapshot.table.setup().id, table);
                assert_eq!(stored.snapshot.table.revision(), stored.version.revision);
            }
            let mut flipped = element(Edition::NEWEST, version.token, 1, &update);
            let at = dice.below(flipped.len());
            flipped[at] ^= 1 << dice.below(8);
            let _ = decode_element(table, version.revision, &flipped);
        }
    }
}

#[test]
fn a_higher_schema_is_refused_whole() {
    let (update, snapshot) = SelfPlay::plain(1, "dev").next().unwrap();
    let table = snapshot.table.setup().id;
    let ahead = StoreError::SchemaAhead { table, found: SCHEMA + 1 };
    let mut newer = blob(version(&snapshot), &snapshot);
    newer[HEAD_BYTES - 1] = SCHEMA + 1;
    newer.truncate(HEAD_BYTES); // whatever follows is none of this release's business
    assert_eq!(decode_blob(table, &newer), Err(ahead.clone()));
    let mut newer = element(Edition::NEWEST, [0; 8], 1, &update);
    newer[ELEMENT_BYTES - 1] = SCHEMA + 1;
    assert_eq!(decode_element(table, 1, &newer), Err(ahead));
}

#[test]
fn a_blob_under_another_tables_key_is_damaged() {
    let (_, snapshot) = SelfPlay::plain(1, "dev").next().unwrap();
    let other = TableId::from_bytes([1; 16]);
    let read = decode_blob(other, &blob(version(&snapshot), &snapshot));
    assert!(matches!(read, Err(StoreError::Damaged { table, .. }) if table == other));
}

#[test]
fn the_shared_configuration_comes_back_or_says_why_not() {
    for edition in [Edition::First, Edition::Second] {
        let drawn = Drawn::draw(edition).unwrap();
        assert!(decode_config(&encode_config(&drawn)).unwrap() == drawn);
    }
    let drawn = Drawn::draw(Edition::NEWEST).unwrap();
    let changed = |change: fn(&mut records::Config)| {
        let mut record: records::Config = whole(&encode_config(&drawn)).unwrap();
        change(&mut record);
        decode_config(&record.encode_to_vec()).err()
    };
    assert_eq!(changed(|config| config.buckets = 128), Some(StartError::Buckets { found: 128 }));
    assert_eq!(changed(|config| config.schema = 3), Some(StartError::SchemaAhead { found: 3 }));
    assert!(matches!(changed(|config| config.token_keys.clear()), Some(StartError::Damaged(_))));
    assert!(matches!(changed(|config| config.id_secret.truncate(31)), Some(StartError::Damaged(_))));
}

#[test]
fn no_record_shows_what_it_holds() {
    let (_, snapshot) = SelfPlay::plain(1, "dev").next().unwrap();
    let record = snapshot::to_record(&snapshot).unwrap();
    assert_eq!(format!("{record:?} {:?}", record.setup), "Snapshot(..) Some(Setup(..))");
}

#[test]
fn every_result_comes_back() {
    let mut outcomes = BTreeSet::new();
    for seed in 0..80 {
        let play = SelfPlay::eventful(seed, "dev");
        let play = if seed % 3 == 0 { play.of_the_first_edition() } else { play };
        let Some((_, last)) = play.last() else { continue };
        let Some(result) = last.table.result() else { continue };
        outcomes.insert(format!("{:?}", result.outcome));
        let filed = Filed { version: version(&last), time_ms: FIRE_MS, result };
        let mut bytes = version_bytes(filed.version).to_vec();
        bytes.extend(FIRE_MS.to_be_bytes());
        bytes.extend(encode_result(last.table.setup().edition, &filed.result).unwrap());
        assert_eq!(decode_result(filed.result.table, &bytes), Ok(filed));
    }
    assert!(outcomes.len() > 2, "{outcomes:?}");
}

#[test]
fn a_record_of_the_first_schema_with_something_newer_is_damaged() {
    let (_, snapshot) = SelfPlay::plain(1, "dev").of_the_first_edition().next().unwrap();
    let table = snapshot.table.setup().id;
    let changed = |change: fn(&mut records::Snapshot)| {
        let mut record = snapshot::to_record(&snapshot).unwrap();
        change(&mut record);
        let head = blob(version(&snapshot), &snapshot)[..HEAD_BYTES].to_vec();
        decode_blob(table, &[head, record.encode_to_vec()].concat())
    };
    assert!(changed(|_| ()).is_ok());
    let newer: [fn(&mut records::Snapshot); 3] = [
        |record| record.setup.as_mut().unwrap().no_result = true,
        |record| record.seats[0].timeouts = 1,
        |record| record.seats[0].left = record.seats[1].player.clone(),
    ];
    for change in newer {
        assert_eq!(changed(change), Err(AHEAD_OF_ITS_SCHEMA.of(table)));
    }
}

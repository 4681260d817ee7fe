//! Records that releases have written, kept for ever: `golden/schema-N.txt` has tables of every phase as schema N
//! stores them. A release reads what the one before it wrote, and says of each the same as that one did.

#![expect(clippy::arithmetic_side_effects, reason = "tests fail by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use data_encoding::HEXLOWER;
use sedma_table::contract::{SelfPlay, Step};
use sedma_table::{Phase, Table, TableId};

use super::tests::{blob, element, version};
use super::*;

/// Updates that a golden table has at most: enough for a whole short match.
const UPDATES: usize = 60;

fn path(schema: u8) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("src/codec/golden/schema-{schema}.txt"))
}

/// What a reader must find in a golden table, in words that outlive a field.
fn story(table: &Table) -> String {
    let hash = HEXLOWER.encode(table.record_hash());
    format!(
        "{:?} revision {} turn {} {hash}",
        table.phase(),
        table.revision(),
        table.standing().turn_revision
    )
}

/// Some tables: of each phase a few, and the first steps of a few more.
fn tables() -> Vec<Vec<Step>> {
    let mut wanted: Vec<(Phase, usize)> =
        [Phase::Open, Phase::Playing, Phase::BetweenDeals, Phase::Finished, Phase::Closed]
            .map(|phase| (phase, 3))
            .into();
    let mut tables = Vec::new();
    for seed in 0.. {
        let mut steps: Vec<Step> = SelfPlay::eventful(seed, "dev").take(UPDATES).collect();
        let keep = |step: &Step, wanted: &[(Phase, usize)]| {
            wanted.iter().any(|(phase, left)| *left > 0 && *phase == step.1.table.phase())
        };
        let Some(last) = steps.iter().rposition(|step| keep(step, &wanted)) else { continue };
        steps.truncate(last + 1);
        let phase = steps[last].1.table.phase();
        wanted.iter_mut().filter(|(wanted, _)| *wanted == phase).for_each(|(_, left)| *left -= 1);
        tables.push(steps);
        if wanted.iter().all(|(_, left)| *left == 0) {
            return tables;
        }
    }
    unreachable!("seeds don't end")
}

#[test]
#[ignore = "writes the file of the newest schema, once, before the release that brings it"]
fn write_the_golden_records_of_the_newest_schema() {
    let mut text = String::new();
    for steps in tables() {
        let (_, last) = steps.last().unwrap();
        writeln!(text, "table {} {}", last.table.setup().id.code(), story(&last.table)).unwrap();
        writeln!(text, "blob {}", HEXLOWER.encode(&blob(version(last), last))).unwrap();
        for (update, snapshot) in &steps {
            let element = element(Edition::NEWEST, version(snapshot).token, 1_764_510_000_000, update);
            writeln!(text, "element {}", HEXLOWER.encode(&element)).unwrap();
        }
    }
    std::fs::write(path(SCHEMA), text).unwrap();
}

/// One table of a golden file.
struct Golden {
    table: TableId,
    story: String,
    blob: Vec<u8>,
    elements: Vec<Vec<u8>>,
}

fn golden(schema: u8) -> Vec<Golden> {
    let text =
        std::fs::read_to_string(path(schema)).expect("the golden records of every schema that is read");
    let mut tables: Vec<Golden> = Vec::new();
    for line in text.lines() {
        match line.split_once(' ').unwrap() {
            ("table", rest) => {
                let (code, story) = rest.split_once(' ').unwrap();
                let table = TableId::from_code(code).unwrap();
                let (story, blob, elements) = (story.to_owned(), Vec::new(), Vec::new());
                tables.push(Golden { table, story, blob, elements });
            }
            ("blob", hex) => tables.last_mut().unwrap().blob = HEXLOWER.decode(hex.as_bytes()).unwrap(),
            ("element", hex) => {
                let element = HEXLOWER.decode(hex.as_bytes()).unwrap();
                tables.last_mut().unwrap().elements.push(element);
            }
            (other, _) => panic!("{other}"),
        }
    }
    tables
}

/// Every record of this schema is read, says what it said, and its log leads to its snapshot.
fn reads(schema: u8) {
    let mut phases = BTreeSet::new();
    for Golden { table, story: expected, blob: bytes, elements } in golden(schema) {
        assert_eq!((bytes[24], elements[0][16]), (schema, schema));
        let stored = decode_blob(table, &bytes).unwrap();
        assert_eq!(story(&stored.snapshot.table), expected);
        phases.insert(format!("{:?}", stored.snapshot.table.phase()));
        let logged =
            (1..).zip(&elements).map(|(revision, bytes)| decode_element(table, revision, bytes).unwrap());
        let folded = logged.fold(None, |table: Option<Table>, logged| match table {
            None => Some(Table::open(&logged.update).unwrap()),
            Some(table) => Some(table.evolve(&logged.update).unwrap()),
        });
        assert_eq!(folded.as_ref(), Some(&stored.snapshot.table), "the log of {}", table.code());
    }
    assert_eq!(phases.len(), 5, "{phases:?}");
}

#[test]
fn what_schema_1_wrote_is_read() {
    reads(1);
}

#[test]
fn what_schema_2_wrote_is_read() {
    reads(2);
}

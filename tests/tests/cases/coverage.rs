//! Every case that was taken on is tested, or ARCHITECTURE.md says why it can't happen here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Numbers of the cases: of the end of a deal, of races and repeats, of watching and coming back, of clocks and bots, of
/// tables that are left, of the store.
const CASES: [&str; 35] = [
    "A11", "D01", "D03", "D04", "D05", "D06", "D08", "D10", "D12", "D13", "D14", "D15", "E01", "E03", "E05",
    "E06", "E08", "E09", "F01", "F02", "F04", "F05", "F06", "F08", "F09", "F11", "G01", "G03", "M01", "M02",
    "M03", "M05", "M07", "N01", "N03",
];
/// Where ARCHITECTURE.md says why.
const SECTION: &str = "\n## Reported failures that can't happen here\n";

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The text of every source of the tests.
fn sources() -> Vec<String> {
    let store = tests().join("../../services/sedma-store/tests");
    let (mut texts, mut folders) = (Vec::new(), vec![tests(), store]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                texts.push(fs::read_to_string(&path).expect("a source"));
            }
        }
    }
    texts
}

/// The numbers of the cases that have a row in ARCHITECTURE.md, each with its reason.
fn reasons() -> Vec<(String, String)> {
    let architecture = tests().join("../../ARCHITECTURE.md");
    let text = fs::read_to_string(architecture).expect("ARCHITECTURE.md");
    let section = text.split(SECTION).nth(1).expect("its section").split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
        Some((cells.next()?.to_owned(), cells.next()?.to_owned()))
    });
    rows.skip(1).collect()
}

#[test]
fn every_case_has_its_test_or_its_reason() {
    let distinct: BTreeSet<&str> = CASES.into_iter().collect();
    assert_eq!(distinct.len(), CASES.len(), "a case is listed twice");
    let (sources, reasons) = (sources(), reasons());
    for case in CASES {
        let name = format!("fn {}_", case.to_lowercase());
        let tested = sources.iter().any(|source| source.contains(&name));
        let explained = reasons.iter().any(|(id, why)| id == case && why.split(' ').count() > 3);
        assert_ne!(tested, explained, "{case} has either a test or a reason");
    }
    for (id, _) in &reasons {
        assert!(CASES.contains(&id.as_str()), "{id} is no case");
    }
}

//! The referee is a second opinion only as long as it asks nobody for the first one.

use std::fs;
use std::path::Path;

#[test]
fn the_referee_knows_nothing_of_the_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checker/referee");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() > 5, "the referee's files are gone");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("sedma_rules"), "{} speaks of the engine", file.display());
        let outside = text.lines().find(|line| line.contains("crate::") || line.contains("#[path"));
        assert_eq!(outside, None, "{} reaches out of the referee", file.display());
    }
}

//! What Redis has on disk, cut short: as a machine leaves it that lost its last writes.

use std::fs;
use std::path::PathBuf;

use tests::Redis;

/// What a commit's transaction does to the log of a table.
const PUSH: &[u8] = b"RPUSH";

/// Takes the last so many commits off the file of a Redis that does not run.
pub(crate) fn lose_commits(redis: &Redis, count: usize) {
    let path = file(redis);
    let bytes = fs::read(&path).expect("an append-only file");
    let commits = commits(&bytes);
    let first = commits.len().checked_sub(count).expect("so many commits");
    fs::write(&path, &bytes[..commits[first]]).expect("a shorter file");
}

/// The one file that is appended to.
fn file(redis: &Redis) -> PathBuf {
    let folder = fs::read_dir(redis.folder().join("appendonlydir")).expect("a folder of files");
    let paths = folder.map(|entry| entry.expect("an entry").path());
    let mut all = paths.filter(|path| path.to_string_lossy().ends_with(".incr.aof"));
    let path = all.next().expect("a file that is appended to");
    assert_eq!(all.next(), None, "only one such file");
    path
}

/// Where the transaction of each commit begins.
fn commits(bytes: &[u8]) -> Vec<usize> {
    let (mut at, mut begun, mut commits) = (0, 0, Vec::new());
    while let Some((command, next)) = command(bytes, at) {
        if command == b"MULTI" {
            begun = at;
        } else if command == PUSH {
            commits.push(begun);
        }
        at = next;
    }
    commits
}

/// The name of the command that begins here, and where the next one does. Nothing at the end, or in what was being
/// written when Redis died.
fn command(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let (words, mut at) = number(bytes, at, b'*')?;
    let mut name: Option<&[u8]> = None;
    for _ in 0..words {
        let (length, begin) = number(bytes, at, b'$')?;
        name = name.or(Some(bytes.get(begin..begin + length)?));
        at = begin + length + 2;
    }
    (at <= bytes.len()).then_some((name?, at))
}

/// A line with this mark and a number, and where the next line begins.
fn number(bytes: &[u8], at: usize, mark: u8) -> Option<(usize, usize)> {
    let rest = bytes.get(at..)?.strip_prefix(&[mark])?;
    let end = rest.windows(2).position(|pair| pair == b"\r\n")?;
    let number = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    Some((number, at + 1 + end + 2))
}

#[test]
fn commits_are_found_in_what_is_on_disk() {
    let text = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| format!("${}\r\n{word}\r\n", word.len())).collect();
        format!("*{}\r\n{}", words.len(), words.concat())
    };
    let select = text(&["SELECT", "0"]);
    let commit = [text(&["MULTI"]), text(&["RPUSH", "log", "MULTI"]), text(&["EXEC"])].concat();
    let file = [select.as_str(), &commit, &text(&["SET", "a", "b"]), &commit, &commit[..20]].concat();
    let second = file.rfind(&commit).unwrap();
    assert_eq!(commits(file.as_bytes()), [select.len(), second]);
}

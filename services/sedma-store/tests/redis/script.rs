//! The script by itself: what the store does not ask it for yet, and what it must never do.

use crate::redis::Redis;

const SCRIPT: &str = include_str!("../../src/redis/commit.lua");
const ID: &str = "sixteen-bytes-id";
const KEYS: [&str; 4] = ["t:{73}:x", "e:{73}:x", "lo:{73}:dev", "tm:{73}"];

/// A revision as the head has it.
fn revision(number: u8) -> String {
    format!("\0\0\0\0\0\0\0{}", char::from(number))
}

/// One commit on top of the last: revision `number`, with this timer.
fn commit(redis: &Redis, number: u8, timer: &str) -> String {
    let token = |number: u8| format!("token-{number:02}");
    let expected = match number {
        1 => String::new(),
        _ => format!("{}{}", revision(number - 1), token(number - 1)),
    };
    let (revision, token) = (revision(number), token(number));
    let [blob, log, listing, timers] = KEYS;
    let arguments =
        [&expected, &revision, &token, "\u{1}update", "\u{1}snapshot", "60000", ID, "n:{73}:x", timer];
    let call = [&["EVAL", SCRIPT, "4", blob, log, listing, timers], arguments.as_slice()].concat();
    redis.ask(&call)
}

/// When the table falls due by the bucket's timers; 0 for never.
fn due(redis: &Redis) -> i64 {
    redis.ask(&["ZSCORE", "tm:{73}", ID]).parse().unwrap_or(0)
}

/// When it falls due by its own head.
fn fire(redis: &Redis) -> i64 {
    let number = "return tostring(struct.unpack('>i8', redis.call('GETRANGE', KEYS[1], 16, 23)))";
    let answer = redis.ask(&["EVAL", number, "1", "t:{73}:x"]);
    #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
    let whole = answer.parse::<f64>().expect("a number") as i64;
    whole
}

/// When the newest update was made, as the script said.
fn made(answer: &str) -> i64 {
    answer.strip_prefix("OK\n").expect("a commit that happened").parse().expect("milliseconds")
}

#[test]
fn arm_keep_and_disarm_leave_head_and_timers_in_step() {
    let redis = Redis::start();
    commit(&redis, 1, "keep");
    assert_eq!((due(&redis), fire(&redis)), (0, 0), "nothing to keep at first");

    let armed = made(&commit(&redis, 2, "30000")) + 30_000;
    assert_eq!(due(&redis), armed);
    commit(&redis, 3, "keep");
    assert_eq!(due(&redis), armed, "kept, whenever the commit came");

    let again = made(&commit(&redis, 4, "500")) + 500;
    assert_eq!(due(&redis), again);
    commit(&redis, 5, "disarm");
    assert_eq!((due(&redis), fire(&redis)), (0, 0));
}

#[test]
fn a_creation_can_arm_at_once() {
    let redis = Redis::start();
    let armed = made(&commit(&redis, 1, "30000")) + 30_000;
    assert_eq!(due(&redis), armed);
}

#[test]
fn what_is_refused_writes_nothing() {
    let redis = Redis::start();
    commit(&redis, 1, "keep");
    commit(&redis, 2, "keep");
    let before = redis.ask(&["DUMP", "t:{73}:x"]);
    assert!(commit(&redis, 1, "500").starts_with("CONFLICT\n"));
    assert!(commit(&redis, 2, "500").starts_with("CONFLICT\n"));
    assert!(commit(&redis, 9, "500").starts_with("CONFLICT\n"));
    redis.ask(&["RPUSH", "e:{73}:x", "one too many"]);
    assert_eq!(commit(&redis, 3, "500"), "LOG\n3");
    assert_eq!(redis.ask(&["LLEN", "e:{73}:x"]), "3");
    assert_eq!(redis.ask(&["DUMP", "t:{73}:x"]), before);
    assert_eq!(due(&redis), 0);
    redis.ask(&["DEL", "t:{73}:x"]);
    assert_eq!(commit(&redis, 3, "500"), "MISSING");
    assert_eq!(commit(&redis, 1, "500"), "LOG\n3", "a log without a table is not written on");
}

#[test]
fn the_script_is_short() {
    assert!(SCRIPT.lines().count() < 60);
}

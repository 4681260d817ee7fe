//! The script by itself: how head and timers keep in step, and what it must never do.

use crate::game::time_ms;
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
    guarded(redis, number, timer, "")
}

/// The same, where the clock must say this.
fn guarded(redis: &Redis, number: u8, timer: &str, guard: &str) -> String {
    let token = |number: u8| format!("token-{number:02}");
    let expected = match number {
        1 => String::new(),
        _ => format!("{}{}", revision(number - 1), token(number - 1)),
    };
    let (revision, token) = (revision(number), token(number));
    let [blob, log, listing, timers] = KEYS;
    let (update, snapshot) = ("\u{1}update", "\u{1}snapshot");
    let arguments =
        [&expected, &revision, &token, update, snapshot, "60000", ID, "n:{73}:x", timer, guard, ""];
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
fn a_new_table_does_not_inherit_the_timer_of_an_old_one() {
    for timer in ["keep", "disarm"] {
        let redis = Redis::start();
        redis.ask(&["ZADD", "tm:{73}", "5", ID]);
        commit(&redis, 1, timer);
        assert_eq!((due(&redis), fire(&redis)), (0, 0));
    }
}

#[test]
fn a_table_that_is_gone_loses_its_timer_to_whoever_misses_it() {
    let redis = Redis::start();
    commit(&redis, 1, "30000");
    redis.ask(&["DEL", "t:{73}:x", "e:{73}:x"]);
    assert_eq!(commit(&redis, 2, "keep"), "MISSING");
    assert_eq!(due(&redis), 0);
}

#[test]
fn what_comes_too_early_or_too_late_writes_nothing() {
    let redis = Redis::start();
    let armed = made(&commit(&redis, 1, "3600000")) + 3_600_000;
    let kept =
        |redis: &Redis| (redis.ask(&["DUMP", "t:{73}:x"]), redis.ask(&["DUMP", "e:{73}:x"]), due(redis));
    let before = kept(&redis);
    assert_eq!(guarded(&redis, 2, "disarm", "after"), format!("EARLY\n{armed}"));
    assert_eq!(kept(&redis), before);
    commit(&redis, 2, "disarm");
    assert_eq!(guarded(&redis, 3, "1", "after"), "EARLY\n0");

    let armed = made(&guarded(&redis, 3, "1", "before")) + 1;
    redis.until("the timer has fired", |redis| time_ms(redis) >= armed);
    let before = kept(&redis);
    assert_eq!(guarded(&redis, 4, "disarm", "before"), "EXPIRED");
    assert_eq!(kept(&redis), before);
    made(&guarded(&redis, 4, "disarm", "after"));
    assert_eq!(due(&redis), 0);
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
    assert!(SCRIPT.lines().count() < 75);
}

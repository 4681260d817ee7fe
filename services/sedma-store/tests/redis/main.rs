//! What the Redis store does when Redis is slow, gone, restarted or forgetful, and what it sends when all is well.

#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../../../../tests/support/redis.rs"]
mod redis;

mod clock;
mod config;
mod created;
mod game;
mod housekeeping;
mod one_trip;
mod outcomes;
mod presence;
mod proxy;
mod results;
mod script;
mod spans;
mod timers;
mod wakeups;

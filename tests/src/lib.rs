//! Black-box tests over a socket: servers, processes and clients for the test crates beside this one.
//!
//! Everything here is a real part: a server that listens, a child process, a redis-server. What goes wrong panics with
//! what was being done, and whatever is waited for is waited for within [`wait::PATIENCE`].
//!
//! A test in a few lines:
//!
//! ```text
//! let world = World::memory().await;
//! let table = NewTable::classic().deal(&["8h Kd 9c As", "10c", "", ""], "7d Jd").start(world.a()).await;
//! table.play(&["1:8h", "2:10c"]).await;
//! let refused = table.seat(2).play("7c").await.unwrap_err();
//! assert_eq!(reason(&refused), "NOT_YOUR_TURN");
//! world.stop().await;
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a harness: what is not as expected fails the test that runs it"
)]

pub mod again;
pub mod calls;
pub mod cards;
pub mod chance;
pub mod client;
pub mod collector;
pub mod control;
pub mod cut;
pub mod deals;
pub mod errors;
pub mod faketime;
pub mod kept;
pub mod known_deal;
pub mod life;
pub mod monitor;
pub mod moves;
pub mod narrow;
pub mod process;
pub mod raw;
#[path = "../support/redis.rs"]
pub mod redis;
pub mod results;
pub mod seat;
pub mod server;
pub mod strike;
pub mod table;
pub mod timing;
pub mod usage;
pub mod views;
pub mod wait;
pub mod watch;
pub mod watch_all;
pub mod world;

pub use again::once_the_store_is_back;
pub use cards::{Deck, card, cards, pack, text};
pub use chance::Chance;
pub use client::{Client, request_id};
pub use cut::{Way, Wire};
pub use errors::{metadata, reason, refusal, says_when_to_retry, violations};
pub use monitor::Monitor;
pub use process::Process;
pub use redis::Redis;
pub use results::Consumer;
pub use seat::Seat;
pub use sedma_proto::v1;
pub use server::Server;
pub use strike::Strike;
pub use table::{NewTable, Table};
pub use timing::{duration, hours, ms};
pub use usage::Usage;
pub use wait::within;
pub use watch::Watch;
pub use watch_all::WatchAll;
pub use world::World;

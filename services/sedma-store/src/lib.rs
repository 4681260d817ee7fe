//! The Store port's two adapters: [`MemoryStore`] for one process, [`RedisStore`] for production. Which one a server
//! runs is a choice at its start, made with [`AnyStore`].
//!
//! Both pass the contract suite of `sedma-table`. What they keep for a table is one snapshot and one log; a commit
//! writes both or neither.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod any;
mod clock;
mod codec;
mod lifetimes;
pub mod limits;
mod memory;
mod outage;
mod presence;
mod redis;
mod secrets;
mod sequence;

pub use any::AnyStore;
pub use codec::SCHEMA;
pub use lifetimes::Lifetimes;
pub use memory::MemoryStore;
pub use redis::RedisStore;
pub use secrets::{Secrets, StartError};

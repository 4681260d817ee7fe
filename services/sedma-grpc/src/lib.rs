//! The gRPC face of the tables: requests are parsed into types that can't be wrong, views are rendered for their
//! viewer, refusals become statuses, and watches follow a table's log.
//!
//! [`serve`] runs it on a listener until it is told to drain.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod api;
mod call;
mod chance;
mod choices;
mod clocks;
mod codec;
mod hs256;
pub mod limits;
mod metrics;
mod parse;
mod render;
mod routes;
mod server;
mod service;
mod status;
mod tokens;
mod trace;
mod watch;

pub use call::panics;
pub use server::{Ended, Plan, serve};
pub use service::{Auth, Drain, Entropy, Keys, NoEntropy, OsEntropy, Settings, StoreKind};
pub use status::DOMAIN;
pub use tokens::TokenKeys;

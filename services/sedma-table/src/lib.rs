//! Tables over time: seats, a match, what is accepted and what follows from it.
//!
//! [`Tables`] takes a [`Call`], judges it with [`decide`](decide::decide), which is pure, and makes it happen with one
//! [`Store::commit`](store::Store::commit). What others may know of a table comes out of [`Table::view`] and
//! [`Table::events`]. Nothing here knows gRPC, Redis or an instant of time.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

/// Whether a deliberate fault is to be made at this place: never, unless the feature `mutants` is on.
#[cfg(feature = "mutants")]
macro_rules! mutated {
    ($mutant:ident) => {
        $crate::mutants::chosen() == Some($crate::mutants::Mutant::$mutant)
    };
}

#[cfg(not(feature = "mutants"))]
macro_rules! mutated {
    ($mutant:ident) => {
        false
    };
}

mod cache;
mod caller;
pub mod clock;
mod clocks;
mod create;
mod deal;
pub mod decide;
mod delay;
pub mod durability;
mod edition;
mod events;
mod evolve;
pub mod fairness;
mod fire;
mod ids;
mod lifecycle;
pub mod limits;
pub mod phases;
mod reads;
mod record;
mod refusal;
mod result;
mod ring;
mod seats;
mod service;
mod setup;
pub mod store;
mod table;
mod timing;
mod turns;
mod update;
mod view;

#[cfg(feature = "contract")]
pub mod contract;
#[cfg(feature = "mutants")]
pub mod mutants;

pub use caller::Caller;
pub use clocks::{BotPlayer, Fired};
pub use create::{Creation, rematch_of};
pub use edition::Edition;
pub use events::Event;
pub use evolve::Misfit;
pub use ids::{IdSecret, RequestId, RequestKey, TableId, Tenant, Version};
pub use reads::{Fold, NumberedResult};
pub use record::record_line;
pub use refusal::{FieldViolation, Reason, Refusal, Standing};
pub use result::{Filed, Group, Outcome, ResultId, SeatResult, SideResult, TableResult};
pub use ring::{Ring, RingEntry, Scope};
pub use service::{Call, Done, Failure, Happened, Tables};
pub use setup::{BetweenDeals, NewTable, Occupant, Player, Results, Script, Setup, Spectators, StartPolicy};
pub use table::{Phase, SeatState, Table, TableParts};
pub use timing::{AWAY_DELAY_MS, BotLevel, OnJoinTimeout, OnTimeout, Timing};
pub use update::{Actor, CloseReason, Logged, TableFact, Update};
pub use view::{PublicSetup, SeatInfo, TableView, Viewer};

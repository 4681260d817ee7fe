//! The server as a library: configuration, wiring, telemetry, drain. The binary is a short story told with it, and the
//! command line's demo runs the same server inside itself.

pub mod config;
mod run;
mod signal;
pub mod telemetry;

pub use config::{Args, Config, ConfigError};
#[cfg(feature = "mutants")]
pub use sedma_table::mutants;

/// How many handlers panicked since the process began.
pub use sedma_grpc::panics;

pub use run::{RunError, run};
pub use signal::shutdown;

//! The generated records of `proto/sedma/store/v1`, and their `Debug`, which shows no card, root or key.

use std::fmt;

#[allow(clippy::all, clippy::pedantic, missing_docs, unreachable_pub, unused_qualifications)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/sedma.store.v1.rs"));
}

pub(crate) use generated::*;

/// A `Debug` that names the record and nothing in it.
macro_rules! secret {
    ($($record:ident),*) => {
        $(impl fmt::Debug for $record {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($record), "(..)"))
            }
        })*
    };
}

secret!(Config, Script, SeatState, Setup, Snapshot, TokenKey, Update);

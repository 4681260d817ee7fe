//! Who looks.

use std::fmt;

use tests::{Client, Table};

/// Somebody to whom a table may show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// The holder of a seat.
    Seat(i32),
    /// Somebody with a watch token.
    Spectator,
    /// The platform, where it asks for no seat's hand.
    Platform,
}

impl Viewer {
    /// Everybody at a table with so many seats. Those who see the same cards are together.
    pub(crate) fn all(seats: i32) -> Vec<Vec<Self>> {
        (1..=seats)
            .map(|seat| vec![Self::Seat(seat)])
            .chain([vec![Self::Spectator, Self::Platform]])
            .collect()
    }

    /// The seat that he has.
    pub(crate) fn seat(self) -> Option<i32> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Spectator | Self::Platform => None,
        }
    }

    /// His client at this table.
    pub(crate) async fn client(self, table: &Table) -> Client {
        match self {
            Self::Seat(seat) => table.seat(seat).client.clone(),
            Self::Spectator => table.spectator().await,
            Self::Platform => table.platform.clone(),
        }
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(seat) => write!(f, "seat {seat}"),
            Self::Spectator => f.write_str("a spectator"),
            Self::Platform => f.write_str("the platform"),
        }
    }
}

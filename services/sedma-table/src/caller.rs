//! Who calls, and what that alone forbids: decided before anything is read.

use sedma_rules::Seat;

use crate::ids::{TableId, Tenant};
use crate::refusal::{Reason, Refusal};

/// Who sent a request, as its credential says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A platform: everything on its tables; it names the seat it acts for.
    Platform {
        /// Whose tables it may touch.
        tenant: Tenant,
    },
    /// The holder of one seat.
    Seat {
        /// The tenant the table belongs to.
        tenant: Tenant,
        /// The one table.
        table: TableId,
        /// The one seat.
        seat: Seat,
        /// The seat's generation when the token was made; a seat whose generation moved on refuses it.
        generation: u32,
    },
    /// Someone who may watch one table and nothing else.
    Watcher {
        /// The tenant the table belongs to.
        tenant: Tenant,
        /// The one table.
        table: TableId,
    },
}

impl Caller {
    /// Whose tables the caller may see at all.
    pub fn tenant(&self) -> &Tenant {
        match self {
            Self::Platform { tenant } | Self::Seat { tenant, .. } | Self::Watcher { tenant, .. } => tenant,
        }
    }

    /// The seat that a request with this `seat` field acts for. 0 (`None`) is the seat of the caller's token.
    pub fn acting_seat(&self, table: TableId, asked: Option<Seat>) -> Result<Option<Seat>, Refusal> {
        self.bound_to(table)?;
        match self {
            Self::Platform { .. } => Ok(asked),
            Self::Watcher { .. } => match asked {
                None => Ok(None),
                Some(seat) => Err(Refusal::seat_forbidden(seat)),
            },
            Self::Seat { seat, .. } => match asked {
                Some(other) if other != *seat => Err(Refusal::seat_forbidden(other)),
                _ => Ok(Some(*seat)),
            },
        }
    }

    /// The seat that must act: like [`Self::acting_seat`], but somebody has to be named.
    pub fn must_act(&self, table: TableId, asked: Option<Seat>) -> Result<Seat, Refusal> {
        match (self.acting_seat(table, asked)?, self) {
            (Some(seat), _) => Ok(seat),
            (None, Self::Platform { .. }) => {
                Err(Refusal::field("seat", "a platform names the seat that it acts for, from 1"))
            }
            (None, _) => Err(Refusal::new(
                Reason::SeatForbidden,
                "A watch token acts for no seat; call with a seat token.",
            )),
        }
    }

    /// Only a platform may go on.
    pub fn must_be_platform(&self) -> Result<(), Refusal> {
        match self {
            Self::Platform { .. } => Ok(()),
            _ => Err(Refusal::new(
                Reason::PlatformOnly,
                "Only the platform may do this; call with a platform key instead of a seat or watch token.",
            )),
        }
    }

    /// A platform or a seat's holder may go on; a watch token may not.
    pub fn must_play(&self, table: TableId) -> Result<(), Refusal> {
        self.bound_to(table)?;
        match self {
            Self::Watcher { .. } => Err(Refusal::new(
                Reason::SeatForbidden,
                "A watch token may only watch; call with a seat token.",
            )),
            _ => Ok(()),
        }
    }

    /// A token binds to one table: any other is somebody else's seat.
    fn bound_to(&self, asked: TableId) -> Result<(), Refusal> {
        match self {
            Self::Seat { table, .. } | Self::Watcher { table, .. } if *table != asked => Err(Refusal::new(
                Reason::SeatForbidden,
                "This token is for another table; use the token that was given out for this one.",
            )),
            _ => Ok(()),
        }
    }
}

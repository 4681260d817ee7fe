//! Which release's words a table is written in.

/// What a table's updates and state may say. Fixed at its creation: while servers of two releases work side by side,
/// those of the older one can go on with a table of its own edition, and leave alone one of the newer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edition {
    /// The first: no counts of missed turns and of bots' actions, and every end files a result.
    First,
    /// Seats count, remember a player who left, and a table may file no result.
    Second,
}

impl Edition {
    /// The newest one that this release knows. It also knows the one before.
    pub const NEWEST: Self = Self::Second;

    /// Its number: the schema of the table's records.
    pub const fn number(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }

    /// The edition with this number.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::First),
            2 => Some(Self::Second),
            _ => None,
        }
    }
}

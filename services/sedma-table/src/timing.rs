//! How long things may take at a table, and what happens then. Durations only: instants are the store's business.

/// Least time that a bot takes for a seat whose player is away, so that he can come back. Milliseconds.
pub const AWAY_DELAY_MS: u64 = 1_000;

/// How well a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BotLevel {
    /// Sound play by rules of thumb.
    Steady,
}

impl BotLevel {
    /// Every level.
    pub const ALL: [BotLevel; 1] = [BotLevel::Steady];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            BotLevel::Steady => "steady",
        }
    }

    /// The level of a stable name.
    pub fn from_name(name: &str) -> Option<BotLevel> {
        BotLevel::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// What happens when a person lets his turn pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnTimeout {
    /// A bot makes this play, and after several in a row all of them until the player is back.
    Autoplay(BotLevel),
    /// The seat's side loses the match.
    Forfeit,
    /// It is told and nothing else: the seat may still act, the platform may decide.
    Nothing,
}

/// What happens when a table is not complete in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnJoinTimeout {
    /// Bots take the open seats; named players who are not there are away. The match starts.
    FillWithBots(BotLevel),
    /// The table ends.
    Close,
}

/// How long things may take. Milliseconds; 0 = no such limit, unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// For one action of a person.
    pub turn_timeout_ms: u32,
    /// What happens when it is over.
    pub on_timeout: OnTimeout,
    /// Timeouts in a row after which a player is away; 0 = never.
    pub away_after: u8,
    /// How long a bot waits before it acts; 0 = not at all.
    pub bot_delay_ms: u32,
    /// Between two deals; 0 = the next one is dealt at once, or waits for `StartNextDeal` where that is asked for.
    pub between_deals_ms: u32,
    /// From the creation until the match must have started.
    pub join_timeout_ms: u32,
    /// What happens when it has not.
    pub on_join_timeout: OnJoinTimeout,
    /// Without any update while no other limit runs; then the table expires.
    pub idle_timeout_ms: u32,
    /// How much later than its deadline a person's action is still taken, for the way it has come.
    pub late_grace_ms: u32,
}

impl Timing {
    /// The bot that plays for whoever is away or has left; none where the policies have no bots.
    pub fn stand_in(&self) -> Option<BotLevel> {
        match (self.on_timeout, self.on_join_timeout) {
            (OnTimeout::Autoplay(level), _) | (_, OnJoinTimeout::FillWithBots(level)) => Some(level),
            _ => None,
        }
    }

    /// No limit at all; bots act at once.
    pub const NONE: Timing = Timing {
        turn_timeout_ms: 0,
        on_timeout: OnTimeout::Autoplay(BotLevel::Steady),
        away_after: 3,
        bot_delay_ms: 0,
        between_deals_ms: 0,
        join_timeout_ms: 0,
        on_join_timeout: OnJoinTimeout::Close,
        idle_timeout_ms: 0,
        late_grace_ms: 500,
    };
}

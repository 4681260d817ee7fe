//! What a table is created with and keeps for its whole life.

use std::collections::BTreeMap;

use sedma_rules::{Pack, Rules, Seat};

use crate::edition::Edition;
use crate::fairness::{Chain, Link};
use crate::ids::{TableId, Tenant};
use crate::timing::{BotLevel, Timing};

/// When the first deal is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartPolicy {
    /// As soon as every seat is taken.
    WhenFull,
    /// As soon as every seat is taken and each player has said that he is here (his `JoinTable`).
    WhenReady,
    /// When `StartTable` is called.
    Manual,
}

/// When the deals after the first are dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BetweenDeals {
    /// The update that ends a deal also deals the next.
    AtOnce,
    /// When `StartNextDeal` is called.
    Manual,
}

/// Whether people without a seat may watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spectators {
    /// Watch tokens are not given out.
    Forbidden,
    /// A watch token shows what is public.
    Allowed {
        /// So many milliseconds after it happened, until the table has ended; 0 = at once.
        delay_ms: u32,
    },
}

/// Whether the table's end is filed for its platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// It is, and the table is kept until the result was acknowledged.
    Keep,
    /// It is not.
    None,
}

/// A person, as the platform names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The platform's id of the person; at most one seat of a table has it.
    pub player_id: String,
    /// What others see; may be empty.
    pub display_name: String,
}

/// Who has a seat from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// Nobody yet.
    Open,
    /// This player, who has not said that he is here.
    Player(Player),
    /// A bot.
    Bot(BotLevel),
}

/// Chance replaced by a script: for tests. A scripted table says so in every view and record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Who deals first, instead of a lot.
    pub first_dealer: Option<Seat>,
    /// `packs[k-1]` is deal k's whole pack; later deals are shuffled.
    pub packs: Vec<Pack>,
}

/// What a table keeps from its creation to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Its id.
    pub id: TableId,
    /// Whose it is.
    pub tenant: Tenant,
    /// The platform's own name for it; may be empty.
    pub external_ref: String,
    /// The platform's labels.
    pub labels: BTreeMap<String, String>,
    /// The resolved rules: a preset's later change does not touch them.
    pub rules: Rules,
    /// When it starts.
    pub start: StartPolicy,
    /// When the next deal is dealt.
    pub between_deals: BetweenDeals,
    /// Who may watch.
    pub spectators: Spectators,
    /// How long things may take.
    pub timing: Timing,
    /// Whether its end is filed.
    pub results: Results,
    /// What its updates and state may say.
    pub edition: Edition,
    /// Chance replaced by a script, or none.
    pub script: Option<Script>,
    /// The hash chain that every deal's seed comes from. Secret.
    pub chain: Chain,
    /// Link 0 of that chain: public from the start.
    pub commitment: Link,
}

/// What a caller asks a new table to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTable {
    /// See [`Setup::external_ref`].
    pub external_ref: String,
    /// See [`Setup::labels`].
    pub labels: BTreeMap<String, String>,
    /// See [`Setup::rules`].
    pub rules: Rules,
    /// See [`Setup::start`].
    pub start: StartPolicy,
    /// See [`Setup::between_deals`].
    pub between_deals: BetweenDeals,
    /// See [`Setup::spectators`].
    pub spectators: Spectators,
    /// See [`Setup::timing`].
    pub timing: Timing,
    /// See [`Setup::results`].
    pub results: Results,
    /// See [`Setup::script`].
    pub script: Option<Script>,
    /// Who has which seat, in seat order; as many as the rules have seats.
    pub seats: Vec<Occupant>,
}

impl NewTable {
    /// Fixes the table's id, owner, edition and chance. `root` comes from the operating system, or from a script.
    pub fn setup(&self, id: TableId, tenant: Tenant, edition: Edition, root: Link) -> Setup {
        let chain = Chain::new(id, root);
        Setup {
            id,
            tenant,
            external_ref: self.external_ref.clone(),
            labels: self.labels.clone(),
            rules: self.rules.clone(),
            start: self.start,
            between_deals: self.between_deals,
            spectators: self.spectators,
            timing: self.timing,
            results: self.results,
            edition,
            script: self.script.clone(),
            commitment: chain.link(0),
            chain,
        }
    }
}

impl Spectators {
    /// How much later spectators see what happens, in milliseconds.
    pub fn delay_ms(self) -> u32 {
        match self {
            Self::Forbidden => 0,
            Self::Allowed { delay_ms } => delay_ms,
        }
    }
}

impl Setup {
    /// How many seats the table has.
    pub fn seats(&self) -> u8 {
        self.rules.seats()
    }
}

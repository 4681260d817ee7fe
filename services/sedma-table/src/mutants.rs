//! Deliberate faults in how tables are kept, to measure what finds faults. Compiled with the feature `mutants` only.
//!
//! Each one is a programming error that somebody could well make, here or in a store. Which one a process makes is said at
//! its start, by the environment variable [`VARIABLE`]: there is no way back from it, and none to it later.

use std::sync::OnceLock;

/// Names the fault that this process makes; none where it is not set.
pub const VARIABLE: &str = "SEDMA_MUTANT";

/// One deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// A commit is written without a look at the version that it was judged on.
    NoCompare,
    /// Only the revision is compared, so that a history that was rewound is taken for the one before.
    NoToken,
    /// A request that was accepted already is not looked for.
    NoRingLookup,
    /// The log is written before the version is compared.
    LogBeforeCheck,
    /// The answer is given before the commit is sent.
    ReplyBeforeCommit,
}

impl Mutant {
    /// Every mutant.
    pub const ALL: [Mutant; 5] = [
        Mutant::NoCompare,
        Mutant::NoToken,
        Mutant::NoRingLookup,
        Mutant::LogBeforeCheck,
        Mutant::ReplyBeforeCommit,
    ];

    /// How the variable names it.
    pub fn name(self) -> String {
        format!("{self:?}")
    }
}

/// The fault that this process makes.
pub fn chosen() -> Option<Mutant> {
    static CHOSEN: OnceLock<Option<Mutant>> = OnceLock::new();
    *CHOSEN.get_or_init(|| {
        let name = std::env::var(VARIABLE).ok()?;
        Mutant::ALL.into_iter().find(|mutant| mutant.name() == name)
    })
}

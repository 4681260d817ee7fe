//! Two opinions that differ, with all that led to them.

use std::fmt;

use crate::case::Case;

pub(crate) struct Disagreement {
    pub(crate) case: Case,
    pub(crate) run: usize,
    pub(crate) deal: usize,
    /// About what the two differ.
    pub(crate) about: String,
    pub(crate) engine: String,
    pub(crate) referee: String,
    /// The match so far: what was dealt and done, and what followed.
    pub(crate) transcript: Vec<String>,
}

impl Disagreement {
    /// Where and about what they differ.
    pub(crate) fn headline(&self) -> String {
        format!("{}, run {}, deal {}: they disagree about {}", self.case, self.run, self.deal, self.about)
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.headline())?;
        self.transcript.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        writeln!(f, "  engine:  {}", self.engine)?;
        write!(f, "  referee: {}", self.referee)
    }
}

/// So that a failed test shows the transcript as it is read.
impl fmt::Debug for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

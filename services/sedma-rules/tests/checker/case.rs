//! Rules to play by, as both sides are told of them: a preset, the number of seats, and options changed.

use std::fmt;

use sedma_rules::{Preset, RuleOptions, Rules};

use crate::options::set;
use crate::referee::{PAIRS, Referee};

/// An option's name and its value.
pub(crate) type Change = (&'static str, &'static str);

#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) preset: &'static str,
    pub(crate) seats: usize,
    /// Names of options with their values.
    pub(crate) changes: Vec<Change>,
}

impl Case {
    /// The presets as they are.
    pub(crate) fn presets() -> impl Iterator<Item = Case> {
        PAIRS.into_iter().map(|(preset, seats)| Case { preset, seats, changes: Vec::new() })
    }

    /// The engine's options.
    pub(crate) fn options(&self) -> RuleOptions {
        let preset = Preset::from_name(self.preset).unwrap();
        let mut options = preset.options(u8::try_from(self.seats).unwrap());
        for (option, value) in &self.changes {
            set(&mut options, option, value);
        }
        options
    }

    /// The engine's rules.
    pub(crate) fn rules(&self) -> Rules {
        self.options().check().unwrap_or_else(|error| panic!("{self}: {error:?}"))
    }

    /// A match under the referee's rules.
    pub(crate) fn referee(&self) -> Referee {
        Referee::new(self.preset, self.seats, &self.changes)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} seats", self.preset, self.seats)?;
        self.changes.iter().try_for_each(|(option, value)| write!(f, ", {option} = {value}"))
    }
}

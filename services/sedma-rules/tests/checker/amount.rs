//! How much is played: enough for every run of the tests, or many times that on request.

use std::fmt::Display;
use std::io::{self, Write};

/// The environment variable that asks for the full amount.
const FULL: &str = "CHECKER_FULL";

/// How much to play of each preset with each number of seats.
#[derive(Clone, Copy)]
pub(crate) struct Amount {
    pub(crate) deals: usize,
    pub(crate) tricks: usize,
    pub(crate) custom_deals: usize,
    /// How many rules to make up at random.
    pub(crate) random_rules: usize,
    /// Whether to tell how far it is.
    pub(crate) aloud: bool,
}

impl Amount {
    pub(crate) fn asked_for() -> Amount {
        if std::env::var_os(FULL).is_some_and(|value| value == "1") {
            Amount::full()
        } else {
            Amount::normal()
        }
    }

    pub(crate) const fn normal() -> Amount {
        Amount { deals: 300, tricks: 10_000, custom_deals: 60, random_rules: 300, aloud: false }
    }

    const fn full() -> Amount {
        Amount { deals: 5_000, tricks: 100_000, custom_deals: 1_000, random_rules: 10_000, aloud: true }
    }

    /// Tells how far it is, past the test runner, which would keep it until the end.
    pub(crate) fn tell(self, what: impl Display) {
        if self.aloud {
            writeln!(io::stderr(), "{what}").unwrap();
        }
    }
}

//! A second opinion on the rules. A referee that was written from the description of the games alone, and
//! shares nothing with the engine, plays every game beside it: both must say the same at every state.
//!
//! `CHECKER_FULL=1` plays many times as much and tells how far it is.
//!
//! The modules are marked as tests so that the workspace's lints let them unwrap.

#[cfg(test)]
mod amount;
#[cfg(test)]
mod case;
#[cfg(test)]
mod chance;
#[cfg(test)]
mod custom;
#[cfg(test)]
mod custom_rows;
#[cfg(test)]
mod deals;
#[cfg(test)]
mod disagreement;
#[cfg(test)]
mod independence;
#[cfg(test)]
mod lockstep;
#[cfg(all(test, feature = "mutants"))]
mod mutants;
#[cfg(test)]
mod options;
#[cfg(test)]
mod packs;
#[cfg(test)]
mod random_rules;
#[cfg(test)]
mod referee;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod temper;
#[cfg(test)]
mod tricks;

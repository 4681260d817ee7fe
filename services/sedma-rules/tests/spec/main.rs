//! The rules as specifications: transcripts of play that read like the rule book, and what must hold whatever
//! is played.
//!
//! The modules are marked as tests so that the workspace's lints let them unwrap.

#[cfg(test)]
mod burning;
#[cfg(test)]
mod chance;
#[cfg(test)]
mod classic;
#[cfg(test)]
mod continuing;
#[cfg(test)]
mod dealers;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod hidden;
#[cfg(test)]
mod hola;
#[cfg(test)]
mod invariants;
#[cfg(test)]
mod legality;
#[cfg(test)]
mod observer;
#[cfg(test)]
mod options;
#[cfg(test)]
mod others;
#[cfg(test)]
mod outcome;
#[cfg(test)]
mod partners;
#[cfg(test)]
mod perft;
#[cfg(test)]
mod places;
#[cfg(test)]
mod playthroughs;
#[cfg(test)]
mod reported;
#[cfg(test)]
mod reported_deals;
#[cfg(test)]
mod ristikontra;
#[cfg(test)]
mod scoring;
#[cfg(test)]
mod shown;
#[cfg(test)]
mod sightings;
#[cfg(test)]
mod stored;
#[cfg(test)]
mod telling;
#[cfg(test)]
mod texts;
#[cfg(test)]
mod threes;
#[cfg(test)]
mod transcript;
#[cfg(test)]
mod two;

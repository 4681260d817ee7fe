//! What a steady player promises: legal play in every game, and better play than chance.
//!
//! The modules are marked as tests so that the workspace's lints let them unwrap.

#[cfg(test)]
mod judgement;
#[cfg(test)]
mod legality;
#[cfg(test)]
mod play;
#[cfg(test)]
mod strength;

//! Players that see only a seat's view.
//!
//! [`steady`] plays by rules of thumb: it takes tricks that hold points, keeps its wild cards for them, gives
//! its points to a partner who is likely to take the trick, and leads what is hard to match. It knows every
//! game of the Sedma family, draws no chance, reads no clock and remembers nothing: the same view gets the
//! same action, in microseconds.
//!
//! ```
//! use sedma_bots::steady;
//! use sedma_rules::{Match, Preset, Seat, SeatSet};
//!
//! let rules = Preset::Classic.options(4).check()?;
//! let mut game = Match::new(&rules);
//! let mut facts = Vec::new();
//! game.start_deal(&rules, Seat::Four, rules.canonical_pack(), &mut facts)?;
//! while let Some(fact) = facts.pop() {
//!     game.evolve(&fact)?;
//! }
//!
//! let view = game.view(&rules, SeatSet::of(&[Seat::One]));
//! let action = steady(&view, &rules, Seat::One).ok_or("it is this seat's turn")?;
//! assert_eq!(game.refusal(&rules, Seat::One, action), None);
//! assert_eq!(steady(&view, &rules, Seat::Two), None, "another seat is to act, and its hand is not in the view");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod habits;
mod hand;
mod odds;
mod out;
mod sight;
mod worth;

use sedma_rules::{Action, MatchView, Rules, Seat};

use crate::sight::Sight;

/// What a steady player does in this seat: one of its legal actions, `None` where it has none or where the
/// view does not show its hand.
pub fn steady(view: &MatchView, rules: &Rules, seat: Seat) -> Option<Action> {
    let sight = Sight::of(view, rules, seat)?;
    let mut actions = sight.legal.iter().filter(|action| worth::is_considered(&sight, *action));
    let first = actions.next()?;
    let Some(second) = actions.next() else { return Some(first) };
    let mut best = (first, worth::of(&sight, first));
    for action in std::iter::once(second).chain(actions) {
        let worth = worth::of(&sight, action);
        // Of actions that are worth the same, the first in canonical order: the lowest card.
        if worth > best.1 {
            best = (action, worth);
        }
    }
    Some(best.0)
}

//! Pure rules of the Sedma family of card games.
//!
//! ```
//! use sedma_rules::{Action, Fact, Match, Pack, Preset, Seat};
//!
//! let rules = Preset::Classic.options(4).check()?;
//! let mut game = Match::new(&rules);
//! let mut facts = Vec::new();
//!
//! // Seat 4 deals, so seat 1 leads. One card at a time goes to seats 1, 2, 3, 4, 1, ...
//! let mut cards: Vec<_> = rules.canonical_pack().cards().to_vec();
//! for (place, card) in ["9c", "Ac", "9d", "Kc"].into_iter().enumerate() {
//!     let at = cards.iter().position(|it| it.to_string() == card).unwrap_or(place);
//!     cards.swap(place, at);
//! }
//! game.start_deal(&rules, Seat::Four, Pack::new(&rules, &cards)?, &mut facts)?;
//! for fact in facts.drain(..) {
//!     game.evolve(&fact)?;
//! }
//!
//! // A nine is led; an ace doesn't match it, the next nine does and takes the trick with the ace's points.
//! for card in ["9c", "Ac", "9d", "Kc"] {
//!     let seat = game.turn().ok_or("nobody is to act")?;
//!     facts.clear();
//!     game.act(&rules, seat, Action::Play { card: card.parse()?, announce_marriage: false }, &mut facts)?;
//!     for fact in &facts {
//!         game.evolve(fact)?;
//!     }
//! }
//! assert!(facts.contains(&Fact::TrickWon { seat: Seat::Three, points: 10, cards: 4 }));
//! assert_eq!(game.turn(), Some(Seat::Three));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything about a game is data: [`RuleOptions`], of which [`RuleOptions::check`] makes [`Rules`]. There
//! is one engine, [`Deal`]. A [`Match`] strings deals together; it judges an [`Action`] into [`Fact`]s and
//! evolves by them, shows itself through [`MatchView`] and [`Event`] only, and has a binary and a text form.
//! Shuffled packs come in as arguments: nothing here draws chance, reads a clock or does IO.

/// Whether a deliberate fault is to be made at this place: never, unless the feature `mutants` is on.
#[cfg(feature = "mutants")]
macro_rules! mutated {
    ($mutant:ident) => {
        $crate::mutants::mutant_is($crate::mutants::Mutant::$mutant)
    };
}

#[cfg(not(feature = "mutants"))]
macro_rules! mutated {
    ($mutant:ident) => {
        false
    };
}

mod action;
mod card;
mod card_set;
mod codec;
mod corrupt;
mod deal;
mod event;
mod explain;
mod fact;
mod matchplay;
#[cfg(feature = "mutants")]
pub mod mutants;
mod named;
mod notation;
mod pack;
mod rules;
mod scoring;
mod seat;
mod sides;
mod view;

pub use action::{Action, LegalActions, Refused, Rule};
pub use card::{Card, NotACard, Rank, Suit};
pub use card_set::{CardSet, Cards, RankSet};
pub use corrupt::Corrupt;
pub use deal::{Deal, NoDeal};
pub use event::Event;
pub use explain::{explain_deal, explain_plays, explain_trick};
pub use fact::{DealResult, DealSides, DealTier, Fact, SideScore};
pub use matchplay::Match;
pub use pack::{Pack, PackError};
pub use rules::{
    BurnedHand, CardPoints, Continuation, ContinuationCondition, DealScore, DealerRotation, Direction,
    DrawOrder, DrawTiming, ForcedMatch, ForcedMatchScope, PackKind, Partnership, Preset, RuleOptions, Rules,
    RulesError, SoloistCard, SweepPointsRule, Tie, Tiers, WildLed, WinRule, rule_text,
};
pub use scoring::{
    BurnedHandOf, Ending, PlayReason, ScoreError, ScoreProblem, Tally, TrickScore, match_winners,
    next_dealer, score_deal, score_trick,
};
pub use seat::{BySeat, Seat, SeatSet};
pub use sides::Sides;
pub use view::{HandView, LastTrick, MatchView, PlayView, SideView};

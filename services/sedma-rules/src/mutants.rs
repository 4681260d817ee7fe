//! Deliberate faults, to measure what finds faults. Compiled with the feature `mutants` only.
//!
//! Each one is a programming error that somebody could well make, at the place where it would be made. A checker
//! of the rules that can't tell the engine with one of them from the engine without has a gap there.

use std::cell::Cell;

/// One deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mutant {
    /// Each card of a trick is compared with the one played before it, not with the led one.
    ComparesWithPrevious,
    /// Sevens are the only wild cards, whatever else the rules name.
    OnlySevensWild,
    /// The leader may go on if anybody matched in the whole trick, not only in the last round.
    GoesOnByWholeTrick,
    /// A partner who is winning counts as an opponent, so the leader may go on.
    PartnerIsOpponent,
    /// A wild card counts as equal when the first four cards of a trick burn it.
    WildBurnsTrick,
    /// Drawing begins with the leader of the trick, not with its winner.
    LeaderDrawsFirst,
    /// The winner fills up his hand before the next player draws at all.
    WinnerFillsUpFirst,
    /// A burned hand is noticed when everybody has drawn, not with the card that makes it.
    BurnsAfterAllDrew,
    /// A card is drawn after a blind play too.
    BlindPlayDraws,
    /// The soloist is sought by the king of leaves, whichever king the rules name.
    SoloistByWrongKing,
    /// Two equal cards bind the next player across the end of a round.
    BoundAcrossRounds,
    /// Hands may be exchanged in the first deal of a match.
    ExchangesInFirstDeal,
    /// A marriage may be announced when following.
    AnnouncesWhenFollowing,
    /// A player's leads in a row are counted whatever their ranks.
    CountsLeadsOfAnyRank,
    /// The last-trick bonus is given when a deal is stopped early.
    BonusWhenStopped,
    /// All card points are a sweep only with the last trick.
    SweepNeedsLastTrick,
    /// Every trick is a sweep for the side of seat 1 only.
    SweepForFirstSideOnly,
    /// Where losers deal, the next seat does.
    LoserDoesNotDeal,
    /// Where a majority keeps the deal, 40 points do.
    KeepsDealWithForty,
    /// A score equal to the match target does not win.
    TargetMustBePassed,
}

impl Mutant {
    /// Every mutant.
    pub const ALL: [Mutant; 20] = [
        Mutant::ComparesWithPrevious,
        Mutant::OnlySevensWild,
        Mutant::GoesOnByWholeTrick,
        Mutant::PartnerIsOpponent,
        Mutant::WildBurnsTrick,
        Mutant::LeaderDrawsFirst,
        Mutant::WinnerFillsUpFirst,
        Mutant::BurnsAfterAllDrew,
        Mutant::BlindPlayDraws,
        Mutant::SoloistByWrongKing,
        Mutant::BoundAcrossRounds,
        Mutant::ExchangesInFirstDeal,
        Mutant::AnnouncesWhenFollowing,
        Mutant::CountsLeadsOfAnyRank,
        Mutant::BonusWhenStopped,
        Mutant::SweepNeedsLastTrick,
        Mutant::SweepForFirstSideOnly,
        Mutant::LoserDoesNotDeal,
        Mutant::KeepsDealWithForty,
        Mutant::TargetMustBePassed,
    ];
}

thread_local! {
    static MUTANT: Cell<Option<Mutant>> = const { Cell::new(None) };
}

/// Makes the fault in this thread from now on, in place of the one before; none mends the engine.
pub fn set(mutant: Option<Mutant>) {
    MUTANT.set(mutant);
}

/// Whether this fault is to be made. Asked through `mutated!`, which is `false` without the feature.
pub(crate) fn mutant_is(mutant: Mutant) -> bool {
    MUTANT.get() == Some(mutant)
}

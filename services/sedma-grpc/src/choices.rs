//! The options of the rules that are a choice among a few: one table for both ways between the contract and the rules.

use sedma_proto::v1;
use sedma_rules as rules;

/// A choice that the contract and the rules both name.
pub(crate) trait Choice: Sized + Copy {
    /// Its number in the contract; never 0.
    fn to_wire(self) -> i32;
    /// The choice of a number; `None` where this server knows none.
    fn from_wire(number: i32) -> Option<Self>;
}

macro_rules! choices {
    ($($name:ident as $wire:ident { $($variant:ident),+ })+) => {
        $(impl Choice for rules::$name {
            fn to_wire(self) -> i32 {
                match self {
                    $(rules::$name::$variant => v1::$wire::$variant.into(),)+
                }
            }

            fn from_wire(number: i32) -> Option<Self> {
                match v1::$wire::try_from(number).ok()? {
                    $(v1::$wire::$variant => Some(rules::$name::$variant),)+
                    // Not given, or of another family's game.
                    _ => None,
                }
            }
        })+
    };
}

choices! {
    PackKind as PackKind {
        French32, P30Minus8And9, P30MinusTwo8, P24WithSevens, P24WithoutSevens, P52
    }
    Partnership as Partnership { FixedPairs, Individual, SecretSoloist }
    SoloistCard as SoloistCard { KingOfHearts, KingOfLeaves }
    Direction as Direction { Clockwise, Anticlockwise }
    WildLed as WildLed { OwnRank }
    Continuation as Continuation { None, SameRankOrWild, AbeyanceNewLead }
    ContinuationCondition as ContinuationCondition { Always, SomeoneMatched, OpponentWinning }
    DrawTiming as DrawTiming { AfterTrick, AfterEachPlay }
    DrawOrder as DrawOrder { WinnerFirst }
    BurnedHand as BurnedHand { Off, OnDraw, OnDealOrDraw }
    ForcedMatch as ForcedMatch { Off, AfterTwoEqual, MustMatchIfAble }
    ForcedMatchScope as ForcedMatchScope { AnyRank, LedRank }
    CardPoints as CardPoints { AceTen10, AceTen1, AceTenFull }
    SweepPointsRule as SweepPointsRule { AllCardPoints, OpponentsZero }
    Tie as TieRule { VoidSameDealer, LastTrickWinner, Share, NoScore }
    DealerRotation as DealerRotation { Next, LoserDeals, WinnerDeals, KeepOnMajority }
    Suit as Suit { Clubs, Diamonds, Hearts, Spades }
    Rank as Rank {
        Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Jack, Queen, King, Ace
    }
}

//! The values of the options that are a choice among a few.

use crate::card::{Card, Rank, Suit};
use crate::card_set::{CardSet, RankSet};
use crate::named::named_enum;

named_enum! {
    /// Which cards are played with.
    PackKind {
        /// Seven to ace, 32 cards.
        French32 = 1 "french32",
        /// The 32 without the eight and the nine of diamonds (bells): the Czech and English pages take out
        /// two cards that do not count, usually an eight and a nine, and name no suits.
        P30Minus8And9 = 2 "p30_minus_8_9",
        /// The 32 without the eights of clubs and diamonds.
        P30MinusTwo8 = 3 "p30_minus_two_8",
        /// Seven, ten, jack, queen, king, ace: 24 cards.
        P24WithSevens = 4 "p24_with_sevens",
        /// Nine to ace, 24 cards.
        P24WithoutSevens = 5 "p24_without_sevens",
        /// All 52.
        P52 = 6 "p52",
    }
}

named_enum! {
    /// Who scores with whom.
    Partnership {
        /// Seats 1 and 3 against 2 and 4.
        FixedPairs = 1 "fixed_pairs",
        /// Everybody alone.
        Individual = 2 "individual",
        /// Whoever gets the soloist's card plays alone against the two others, and may hide it.
        SecretSoloist = 3 "secret_soloist",
    }
}

named_enum! {
    /// The card that makes its holder the soloist. It is wild as well.
    SoloistCard {
        /// King of hearts, the red king.
        KingOfHearts = 1 "K_hearts",
        /// King of spades (leaves), the green king.
        KingOfLeaves = 2 "K_leaves",
    }
}

named_enum! {
    /// Which way round a client draws the table. No rule reads it: seats are numbered in playing order.
    Direction {
        /// To the left.
        Clockwise = 1 "clockwise",
        /// To the right.
        Anticlockwise = 2 "anticlockwise",
    }
}

named_enum! {
    /// What a wild card that is led stands for.
    WildLed {
        /// Its own printed rank.
        OwnRank = 1 "own_rank",
    }
}

named_enum! {
    /// How the leader of a trick may go on after a full round.
    Continuation {
        /// Not at all: every trick is one round.
        None = 1 "none",
        /// With a card of the led rank, or a wild one, to the same trick.
        SameRankOrWild = 2 "same_rank_or_wild",
        /// With any card, led to a new trick; the old one lies in abeyance for the new one's winner.
        AbeyanceNewLead = 3 "abeyance_new_lead",
    }
}

named_enum! {
    /// When the leader may go on.
    ContinuationCondition {
        /// After every round.
        Always = 1 "always",
        /// If anybody else, the partner included, matched in the round that just ended.
        SomeoneMatched = 2 "someone_matched",
        /// If an opponent would win the trick now.
        OpponentWinning = 3 "opponent_winning",
    }
}

named_enum! {
    /// When hands are filled up from the stock.
    DrawTiming {
        /// When a trick has been taken.
        AfterTrick = 1 "after_trick",
        /// By each player as soon as he has played.
        AfterEachPlay = 2 "after_each_play",
    }
}

named_enum! {
    /// In which order hands are filled up after a trick.
    DrawOrder {
        /// The winner first, then in playing order, one card at a time until all hands are full or the stock
        /// is gone.
        WinnerFirst = 1 "winner_first",
    }
}

named_enum! {
    /// Whether four cards of one rank in a hand end the deal.
    BurnedHand {
        /// Never.
        Off = 1 "off",
        /// When the fourth is drawn.
        OnDraw = 2 "on_draw",
        /// When the fourth is drawn, or all four were dealt.
        OnDealOrDraw = 3 "on_deal_or_draw",
    }
}

named_enum! {
    /// When a player is bound to a rank.
    ForcedMatch {
        /// Never.
        Off = 1 "off",
        /// When the two before him, in the same round, played one and the same rank: he plays it too if he
        /// has it.
        AfterTwoEqual = 2 "after_two_equal",
        /// Whenever he holds a card of the led rank or a wild one.
        MustMatchIfAble = 3 "must_match_if_able",
    }
}

named_enum! {
    /// Which ranks two equal cards bind to.
    ForcedMatchScope {
        /// Any.
        AnyRank = 1 "any_rank",
        /// The led one only.
        LedRank = 2 "led_rank",
    }
}

named_enum! {
    /// What cards count.
    CardPoints {
        /// Aces and tens 10.
        AceTen10 = 1 "ace_ten_10",
        /// Aces and tens 1.
        AceTen1 = 2 "ace_ten_1",
        /// Ace 11, ten 10, king 4, queen 3, jack 2.
        AceTenFull = 3 "ace_ten_full",
    }
}

named_enum! {
    /// What earns a side the tier below a sweep of all cards.
    SweepPointsRule {
        /// All card points; the last-trick bonus does not matter.
        AllCardPoints = 1 "all_card_points",
        /// The others have no point at all, so the last-trick bonus matters.
        OpponentsZero = 2 "opponents_zero",
    }
}

named_enum! {
    /// What happens when sides are level on top.
    Tie {
        /// Nobody scores, the same dealer deals again.
        VoidSameDealer = 1 "void_same_dealer",
        /// The side of the last trick wins.
        LastTrickWinner = 2 "last_trick_winner",
        /// Each of the level sides wins, unless all sides are level: then nobody does.
        Share = 3 "share",
        /// Nobody scores, the deal passes on.
        NoScore = 4 "no_score",
    }
}

named_enum! {
    /// Who deals next.
    DealerRotation {
        /// The next seat.
        Next = 1 "next",
        /// A loser whose next seat is a winner, so that a winner leads.
        LoserDeals = 2 "loser_deals",
        /// A winner whose next seat is a loser.
        WinnerDeals = 3 "winner_deals",
        /// The same dealer if his side took more than half of the points, else the next seat.
        KeepOnMajority = 4 "keep_on_majority",
    }
}

/// How the winner of a deal is found: the side with the most points, if it has enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinRule {
    /// Any number is enough.
    Majority,
    /// At least so many points.
    Threshold(u8),
}

/// What a deal adds to the match score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DealScore {
    /// The winners get a few game points by how they won.
    Tiers(Tiers),
    /// Each side gets its points.
    RawPoints {
        /// Added when a side took every trick.
        all_tricks_bonus: u8,
    },
}

/// Game points by how a deal was won; only the highest counts. A sweep that pays no more than the tier below
/// it is not told apart from that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tiers {
    /// Most points.
    pub win: u8,
    /// A sweep of the points: see [`SweepPointsRule`].
    pub sweep_points: u8,
    /// Every trick.
    pub sweep_cards: u8,
    /// Four of a rank drawn into one hand.
    pub burned_hand: u8,
    /// Four of a rank played as the first four cards of a trick.
    pub burned_trick: u8,
}

impl Tiers {
    /// The French and Dutch pages: 1 for the deal, 2 for all 80 card points ("bald"), 3 for every trick
    /// ("naked"). Burning is not theirs; its two figures are the Czech page's, for whoever turns it on.
    pub const USUAL: Tiers =
        Tiers { win: 1, sweep_points: 2, sweep_cards: 3, burned_hand: 4, burned_trick: 1 };
}

impl PackKind {
    /// The cards of the pack.
    pub fn cards(self) -> CardSet {
        let from = |lowest: Rank| {
            Rank::ALL.into_iter().filter(move |rank| *rank >= lowest).collect::<RankSet>().cards()
        };
        let eights = |suit| CardSet::from_iter([Card::new(Rank::Eight, suit)]);
        match self {
            PackKind::French32 => from(Rank::Seven),
            PackKind::P30Minus8And9 => from(Rank::Seven)
                .minus(eights(Suit::Diamonds))
                .minus(CardSet::from_iter([Card::new(Rank::Nine, Suit::Diamonds)])),
            PackKind::P30MinusTwo8 => {
                from(Rank::Seven).minus(eights(Suit::Clubs)).minus(eights(Suit::Diamonds))
            }
            PackKind::P24WithSevens => {
                from(Rank::Seven).minus(RankSet::of(&[Rank::Eight, Rank::Nine]).cards())
            }
            PackKind::P24WithoutSevens => from(Rank::Nine),
            PackKind::P52 => CardSet::FULL,
        }
    }
}

impl SoloistCard {
    /// The card itself.
    pub const fn card(self) -> Card {
        match self {
            SoloistCard::KingOfHearts => Card::new(Rank::King, Suit::Hearts),
            SoloistCard::KingOfLeaves => Card::new(Rank::King, Suit::Spades),
        }
    }
}

impl CardPoints {
    /// What a card of the rank counts.
    pub const fn of(self, rank: Rank) -> u8 {
        match (self, rank) {
            (CardPoints::AceTen10, Rank::Ace | Rank::Ten) | (CardPoints::AceTenFull, Rank::Ten) => 10,
            (CardPoints::AceTen1, Rank::Ace | Rank::Ten) => 1,
            (CardPoints::AceTenFull, Rank::Ace) => 11,
            (CardPoints::AceTenFull, Rank::King) => 4,
            (CardPoints::AceTenFull, Rank::Queen) => 3,
            (CardPoints::AceTenFull, Rank::Jack) => 2,
            _ => 0,
        }
    }
}

//! Every option with every value that it can have, each in rules that have a place for it.

use tests::v1::{self, SedmaRules as Rules};
use v1::sedma_rules::DealScore;
use v1::{
    BurnedHand as Hand, CardPoints as Points, Continuation as Going, ContinuationCondition as When,
    DealerRotation as Rotation, DrawTiming as Timing, ForcedMatch as Forced, ForcedMatchScope as Scope,
    PackKind as Pack, Partnership as Sides, Rank, SoloistCard as Soloist, SweepPointsRule as Sweep,
    TieRule as Tie,
};

/// One option with one value.
pub(crate) struct Case {
    pub(crate) option: &'static str,
    /// The value, as the contract names it where it is a choice.
    pub(crate) value: &'static str,
    pub(crate) preset: &'static str,
    pub(crate) seats: i32,
    set: fn(&mut Rules),
}

const fn case(
    option: &'static str,
    value: &'static str,
    (preset, seats): (&'static str, i32),
    set: fn(&mut Rules),
) -> Case {
    Case { option, value, preset, seats, set }
}

/// Makes the change of a case to rules, be they asked for or resolved.
pub(crate) fn change(case: &Case, rules: &mut Rules) {
    (case.set)(rules);
}

/// Ranks as an option.
pub(crate) fn wild(ranks: &[Rank]) -> v1::RankList {
    v1::RankList { ranks: ranks.iter().map(|rank| i32::from(*rank)).collect() }
}

fn wild_cards(text: &str) -> v1::CardList {
    v1::CardList { cards: tests::cards(text) }
}

fn forty(suit: i32) -> v1::MarriageForty {
    v1::MarriageForty { suit }
}

fn tiers([win, sweep_points, sweep_cards, burned_hand, burned_trick]: [i32; 5]) -> DealScore {
    DealScore::Tiers(v1::DealTiers { win, sweep_points, sweep_cards, burned_hand, burned_trick })
}

fn raw_points(all_tricks_bonus: i32) -> DealScore {
    DealScore::RawPoints(v1::RawPoints { all_tricks_bonus })
}

const CLASSIC: (&str, i32) = ("classic", 4);
const PAGAT: (&str, i32) = ("pagat", 4);
const CERVENA: (&str, i32) = ("cervena", 4);
const RED_KING: (&str, i32) = ("three_red_king", 3);
const HOLA: (&str, i32) = ("hola", 4);
const RISTIKONTRA: (&str, i32) = ("ristikontra", 4);
const MARIAS: (&str, i32) = ("marias_sedma", 4);

/// All of them.
pub(crate) const CASES: &[Case] = &[
    case("seats", "2", ("pagat", 2), |r| r.seats = Some(2)),
    case("seats", "3", ("pagat", 3), |r| r.seats = Some(3)),
    case("seats", "4", PAGAT, |r| r.seats = Some(4)),
    case("match_target", "none", CLASSIC, |r| r.match_target = Some(0)),
    case("match_target", "least", CLASSIC, |r| r.match_target = Some(1)),
    case("match_target", "same", CLASSIC, |r| r.match_target = Some(4)),
    case("match_target", "most", CLASSIC, |r| r.match_target = Some(1_000)),
    case("stop_at_points", "off", ("two", 2), |r| r.stop_at_points = Some(0)),
    case("stop_at_points", "least", CLASSIC, |r| r.stop_at_points = Some(1)),
    case("stop_at_points", "most", CLASSIC, |r| r.stop_at_points = Some(170)),
    case("last_trick_bonus", "none", CLASSIC, |r| r.last_trick_bonus = Some(0)),
    case("last_trick_bonus", "least", PAGAT, |r| r.last_trick_bonus = Some(10)),
    case("last_trick_bonus", "most", PAGAT, |r| r.last_trick_bonus = Some(90)),
    case("win_threshold", "most points", CLASSIC, |r| r.win_threshold = Some(0)),
    case("win_threshold", "just over half", CLASSIC, |r| r.win_threshold = Some(46)),
    case("win_threshold", "all", CLASSIC, |r| r.win_threshold = Some(90)),
    case("win_threshold", "most", CLASSIC, |r| {
        r.win_threshold = Some(170);
        r.last_trick_bonus = Some(90);
    }),
    case("tie", "TIE_RULE_VOID_SAME_DEALER", CLASSIC, |r| r.tie = Some(Tie::VoidSameDealer.into())),
    case("tie", "TIE_RULE_LAST_TRICK_WINNER", CLASSIC, |r| r.tie = Some(Tie::LastTrickWinner.into())),
    case("tie", "TIE_RULE_NO_SCORE", CLASSIC, |r| r.tie = Some(Tie::NoScore.into())),
    case("tie", "TIE_RULE_SHARE", CLASSIC, |r| r.tie = Some(Tie::Share.into())),
    case("pack", "PACK_KIND_FRENCH32", CLASSIC, |r| r.pack = Some(Pack::French32.into())),
    case("pack", "PACK_KIND_P30_MINUS8_AND9", ("pagat", 2), |r| r.pack = Some(Pack::P30Minus8And9.into())),
    case("pack", "PACK_KIND_P30_MINUS_TWO8", ("pagat", 3), |r| r.pack = Some(Pack::P30MinusTwo8.into())),
    case("pack", "PACK_KIND_P24_WITH_SEVENS", CLASSIC, |r| r.pack = Some(Pack::P24WithSevens.into())),
    case("pack", "PACK_KIND_P24_WITHOUT_SEVENS", ("three_24", 3), |r| {
        r.pack = Some(Pack::P24WithoutSevens.into());
        r.wild_ranks = Some(wild(&[]));
    }),
    case("pack", "PACK_KIND_P52", CLASSIC, |r| r.pack = Some(Pack::P52.into())),
    case("partnership", "PARTNERSHIP_FIXED_PAIRS", CLASSIC, |r| {
        r.partnership = Some(Sides::FixedPairs.into());
    }),
    case("partnership", "PARTNERSHIP_INDIVIDUAL", CLASSIC, |r| {
        r.partnership = Some(Sides::Individual.into());
    }),
    case("partnership", "PARTNERSHIP_SECRET_SOLOIST", ("pagat", 3), |r| {
        r.partnership = Some(Sides::SecretSoloist.into());
    }),
    case("soloist_card", "SOLOIST_CARD_KING_OF_HEARTS", RED_KING, |r| {
        r.soloist_card = Some(Soloist::KingOfHearts.into());
    }),
    case("soloist_card", "SOLOIST_CARD_KING_OF_LEAVES", RED_KING, |r| {
        r.soloist_card = Some(Soloist::KingOfLeaves.into());
    }),
    case("direction", "DIRECTION_CLOCKWISE", ("zsirozas", 2), |r| {
        r.direction = Some(v1::Direction::Clockwise.into());
    }),
    case("direction", "DIRECTION_ANTICLOCKWISE", CLASSIC, |r| {
        r.direction = Some(v1::Direction::Anticlockwise.into());
    }),
    case("hand_size", "4", ("lusti_kartln", 4), |r| r.hand_size = Some(4)),
    case("hand_size", "6", CLASSIC, |r| r.hand_size = Some(6)),
    case("hand_size", "8", CLASSIC, |r| r.hand_size = Some(8)),
    case("wild_ranks", "none", CLASSIC, |r| r.wild_ranks = Some(wild(&[]))),
    case("wild_ranks", "same", CLASSIC, |r| r.wild_ranks = Some(wild(&[Rank::Seven]))),
    case("wild_ranks", "out of order", HOLA, |r| {
        r.wild_ranks = Some(wild(&[Rank::Ace, Rank::Two, Rank::Nine]));
    }),
    case("wild_cards", "none", CLASSIC, |r| r.wild_cards = Some(wild_cards(""))),
    case("wild_cards", "out of order", CLASSIC, |r| r.wild_cards = Some(wild_cards("8s Kh 8c"))),
    case("wild_led", "WILD_LED_OWN_RANK", CLASSIC, |r| r.wild_led = Some(v1::WildLed::OwnRank.into())),
    case("continuation", "CONTINUATION_NONE", PAGAT, |r| r.continuation = Some(Going::None.into())),
    case("continuation", "CONTINUATION_SAME_RANK_OR_WILD", CLASSIC, |r| {
        r.continuation = Some(Going::SameRankOrWild.into());
    }),
    case("continuation", "CONTINUATION_ABEYANCE_NEW_LEAD", CLASSIC, |r| {
        r.continuation = Some(Going::AbeyanceNewLead.into());
    }),
    case("continuation_condition", "CONTINUATION_CONDITION_ALWAYS", CERVENA, |r| {
        r.continuation_condition = Some(When::Always.into());
    }),
    case("continuation_condition", "CONTINUATION_CONDITION_SOMEONE_MATCHED", PAGAT, |r| {
        r.continuation_condition = Some(When::SomeoneMatched.into());
    }),
    case("continuation_condition", "CONTINUATION_CONDITION_OPPONENT_WINNING", PAGAT, |r| {
        r.continuation_condition = Some(When::OpponentWinning.into());
    }),
    case("draw_timing", "DRAW_TIMING_AFTER_TRICK", CLASSIC, |r| {
        r.draw_timing = Some(Timing::AfterTrick.into());
    }),
    case("draw_timing", "DRAW_TIMING_AFTER_EACH_PLAY", CLASSIC, |r| {
        r.draw_timing = Some(Timing::AfterEachPlay.into());
    }),
    case("draw_order", "DRAW_ORDER_WINNER_FIRST", CLASSIC, |r| {
        r.draw_order = Some(v1::DrawOrder::WinnerFirst.into());
    }),
    case("blind_stock_play", "off", RISTIKONTRA, |r| r.blind_stock_play = Some(false)),
    case("blind_stock_play", "on", CLASSIC, |r| {
        r.blind_stock_play = Some(true);
        r.draw_timing = Some(Timing::AfterEachPlay.into());
    }),
    case("max_same_rank_leads", "any", RISTIKONTRA, |r| r.max_same_rank_leads = Some(0)),
    case("max_same_rank_leads", "least", CLASSIC, |r| r.max_same_rank_leads = Some(1)),
    case("max_same_rank_leads", "most", CLASSIC, |r| r.max_same_rank_leads = Some(4)),
    case("burned_hand", "BURNED_HAND_OFF", CERVENA, |r| r.burned_hand = Some(Hand::Off.into())),
    case("burned_hand", "BURNED_HAND_ON_DRAW", CLASSIC, |r| r.burned_hand = Some(Hand::OnDraw.into())),
    case("burned_hand", "BURNED_HAND_ON_DEAL_OR_DRAW", CLASSIC, |r| {
        r.burned_hand = Some(Hand::OnDealOrDraw.into());
    }),
    case("burned_trick", "off", CERVENA, |r| r.burned_trick = Some(false)),
    case("burned_trick", "on", CLASSIC, |r| r.burned_trick = Some(true)),
    case("forced_match", "FORCED_MATCH_OFF", CERVENA, |r| r.forced_match = Some(Forced::Off.into())),
    case("forced_match", "FORCED_MATCH_AFTER_TWO_EQUAL", CLASSIC, |r| {
        r.forced_match = Some(Forced::AfterTwoEqual.into());
    }),
    case("forced_match", "FORCED_MATCH_MUST_MATCH_IF_ABLE", CLASSIC, |r| {
        r.forced_match = Some(Forced::MustMatchIfAble.into());
    }),
    case("forced_match_scope", "FORCED_MATCH_SCOPE_ANY_RANK", CERVENA, |r| {
        r.forced_match_scope = Some(Scope::AnyRank.into());
    }),
    case("forced_match_scope", "FORCED_MATCH_SCOPE_LED_RANK", CERVENA, |r| {
        r.forced_match_scope = Some(Scope::LedRank.into());
    }),
    case("partner_exchange", "off", CERVENA, |r| r.partner_exchange = Some(false)),
    case("partner_exchange", "on", CLASSIC, |r| r.partner_exchange = Some(true)),
    case("card_points", "CARD_POINTS_ACE_TEN10", PAGAT, |r| r.card_points = Some(Points::AceTen10.into())),
    case("card_points", "CARD_POINTS_ACE_TEN1", PAGAT, |r| r.card_points = Some(Points::AceTen1.into())),
    case("card_points", "CARD_POINTS_ACE_TEN_FULL", PAGAT, |r| {
        r.card_points = Some(Points::AceTenFull.into());
    }),
    case("marriages", "off", MARIAS, |r| {
        r.marriages = Some(false);
        r.marriage_forty = Some(forty(0));
    }),
    case("marriages", "on", CLASSIC, |r| r.marriages = Some(true)),
    case("marriage_forty", "none", MARIAS, |r| r.marriage_forty = Some(forty(0))),
    case("marriage_forty", "clubs", MARIAS, |r| r.marriage_forty = Some(forty(v1::Suit::Clubs.into()))),
    case("marriage_forty", "diamonds", MARIAS, |r| r.marriage_forty = Some(forty(v1::Suit::Diamonds.into()))),
    case("marriage_forty", "hearts", MARIAS, |r| r.marriage_forty = Some(forty(v1::Suit::Hearts.into()))),
    case("marriage_forty", "spades", MARIAS, |r| r.marriage_forty = Some(forty(v1::Suit::Spades.into()))),
    case("tiers", "least", CLASSIC, |r| r.deal_score = Some(tiers([1, 1, 1, 1, 1]))),
    case("tiers", "same", CLASSIC, |r| r.deal_score = Some(tiers([1, 2, 3, 4, 1]))),
    case("tiers", "most", CLASSIC, |r| r.deal_score = Some(tiers([100, 100, 100, 100, 100]))),
    case("tiers", "instead of raw points", HOLA, |r| r.deal_score = Some(tiers([1, 2, 3, 4, 5]))),
    case("raw_points", "empty", CLASSIC, |r| r.deal_score = Some(raw_points(0))),
    case("raw_points", "same", HOLA, |r| r.deal_score = Some(raw_points(80))),
    case("raw_points", "most", CLASSIC, |r| r.deal_score = Some(raw_points(100))),
    case("sweep_points_rule", "SWEEP_POINTS_RULE_ALL_CARD_POINTS", PAGAT, |r| {
        r.sweep_points_rule = Some(Sweep::AllCardPoints.into());
    }),
    case("sweep_points_rule", "SWEEP_POINTS_RULE_OPPONENTS_ZERO", CLASSIC, |r| {
        r.sweep_points_rule = Some(Sweep::OpponentsZero.into());
    }),
    case("dealer_rotation", "DEALER_ROTATION_NEXT", PAGAT, |r| {
        r.dealer_rotation = Some(Rotation::Next.into());
    }),
    case("dealer_rotation", "DEALER_ROTATION_LOSER_DEALS", CLASSIC, |r| {
        r.dealer_rotation = Some(Rotation::LoserDeals.into());
    }),
    case("dealer_rotation", "DEALER_ROTATION_WINNER_DEALS", CLASSIC, |r| {
        r.dealer_rotation = Some(Rotation::WinnerDeals.into());
    }),
    case("dealer_rotation", "DEALER_ROTATION_KEEP_ON_MAJORITY", CLASSIC, |r| {
        r.dealer_rotation = Some(Rotation::KeepOnMajority.into());
    }),
    case("partner_calls", "off", CLASSIC, |r| r.partner_calls = Some(false)),
    case("partner_calls", "on", ("zsirozas", 4), |r| r.partner_calls = Some(true)),
];

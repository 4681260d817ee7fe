//! What each named rule set is. Every one is told by how it differs from another.

use crate::card::{Rank, Suit};
use crate::card_set::{CardSet, RankSet};
use crate::rules::choices::{
    BurnedHand, CardPoints, Continuation, ContinuationCondition, DealScore, DealerRotation, Direction,
    DrawOrder, DrawTiming, ForcedMatch, ForcedMatchScope, PackKind, Partnership, SoloistCard,
    SweepPointsRule, Tie, Tiers, WildLed, WinRule,
};
use crate::rules::options::RuleOptions;
use crate::rules::preset::Preset;

pub(super) const CLASSIC: RuleOptions = RuleOptions {
    preset: Preset::Classic,
    seats: 4,
    pack: PackKind::French32,
    partnership: Partnership::FixedPairs,
    soloist_card: SoloistCard::KingOfHearts,
    direction: Direction::Clockwise,
    hand_size: 4,
    wild_ranks: RankSet::of(&[Rank::Seven]),
    wild_cards: CardSet::EMPTY,
    wild_led: WildLed::OwnRank,
    continuation: Continuation::None,
    continuation_condition: ContinuationCondition::Always,
    draw_timing: DrawTiming::AfterTrick,
    draw_order: DrawOrder::WinnerFirst,
    blind_stock_play: false,
    max_same_rank_leads: 0,
    burned_hand: BurnedHand::Off,
    burned_trick: false,
    forced_match: ForcedMatch::Off,
    forced_match_scope: ForcedMatchScope::AnyRank,
    partner_exchange: false,
    card_points: CardPoints::AceTen10,
    last_trick_bonus: 10,
    marriages: false,
    marriage_forty_suit: None,
    win_rule: WinRule::Threshold(50),
    stop_at_points: 0,
    deal_score: DealScore::Tiers(Tiers::USUAL),
    sweep_points_rule: SweepPointsRule::AllCardPoints,
    match_target: 4,
    // 45 each cannot happen with the default bonus: every value is a multiple of ten. Without the bonus 40
    // each can.
    tie: Tie::VoidSameDealer,
    dealer_rotation: DealerRotation::Next,
    partner_calls: false,
};

/// The French and Dutch pages let the first to 50 win at once; playing on finds the same winner.
pub(super) const TWO: RuleOptions = RuleOptions {
    preset: Preset::Two,
    seats: 2,
    partnership: Partnership::Individual,
    stop_at_points: 50,
    ..CLASSIC
};

pub(super) const THREE_24: RuleOptions = RuleOptions {
    preset: Preset::Three24,
    seats: 3,
    partnership: Partnership::Individual,
    pack: PackKind::P24WithSevens,
    win_rule: WinRule::Majority,
    tie: Tie::Share,
    ..CLASSIC
};

pub(super) const MARIAS_SEDMA: RuleOptions = RuleOptions {
    preset: Preset::MariasSedma,
    marriages: true,
    marriage_forty_suit: Some(Suit::Hearts),
    win_rule: WinRule::Majority,
    ..CLASSIC
};

/// The pagat page: losers deal; 2 when the opponents have no point; the leader may always go on.
pub(super) const PAGAT: RuleOptions = RuleOptions {
    preset: Preset::Pagat,
    continuation: Continuation::SameRankOrWild,
    continuation_condition: ContinuationCondition::Always,
    win_rule: WinRule::Majority,
    sweep_points_rule: SweepPointsRule::OpponentsZero,
    match_target: 5,
    dealer_rotation: DealerRotation::LoserDeals,
    ..CLASSIC
};

pub(super) const CERVENA: RuleOptions = RuleOptions {
    preset: Preset::Cervena,
    continuation_condition: ContinuationCondition::SomeoneMatched,
    // "Dobere do ruky" is replenishing; four of a kind on the deal do not burn.
    burned_hand: BurnedHand::OnDraw,
    burned_trick: true,
    forced_match: ForcedMatch::AfterTwoEqual,
    partner_exchange: true,
    match_target: 10,
    ..PAGAT
};

pub(super) const THREE_RED_KING: RuleOptions = RuleOptions {
    preset: Preset::ThreeRedKing,
    seats: 3,
    partnership: Partnership::SecretSoloist,
    pack: PackKind::P30Minus8And9,
    burned_trick: false,
    partner_exchange: false,
    ..CERVENA
};

pub(super) const HOLA: RuleOptions = RuleOptions {
    preset: Preset::Hola,
    pack: PackKind::P52,
    wild_ranks: RankSet::of(&[Rank::Two, Rank::Seven]),
    continuation: Continuation::AbeyanceNewLead,
    win_rule: WinRule::Majority,
    deal_score: DealScore::RawPoints { all_tricks_bonus: 80 },
    match_target: 200,
    dealer_rotation: DealerRotation::KeepOnMajority,
    ..CLASSIC
};

pub(super) const RISTIKONTRA: RuleOptions = RuleOptions {
    preset: Preset::Ristikontra,
    pack: PackKind::P52,
    hand_size: 6,
    wild_ranks: RankSet::EMPTY,
    draw_timing: DrawTiming::AfterEachPlay,
    blind_stock_play: true,
    max_same_rank_leads: 3,
    card_points: CardPoints::AceTenFull,
    last_trick_bonus: 0,
    win_rule: WinRule::Threshold(61),
    // Every trick is no category of its own: it pays what all 120 points pay.
    deal_score: DealScore::Tiers(Tiers { sweep_cards: 2, ..Tiers::USUAL }),
    match_target: 7,
    tie: Tie::NoScore,
    ..CLASSIC
};

pub(super) const ZSIROZAS: RuleOptions = RuleOptions {
    preset: Preset::Zsirozas,
    direction: Direction::Anticlockwise,
    continuation: Continuation::SameRankOrWild,
    continuation_condition: ContinuationCondition::OpponentWinning,
    last_trick_bonus: 0,
    win_rule: WinRule::Majority,
    match_target: 5,
    tie: Tie::LastTrickWinner,
    ..CLASSIC
};

pub(super) const SCHMIERER: RuleOptions = RuleOptions {
    preset: Preset::Schmierer,
    direction: Direction::Clockwise,
    forced_match: ForcedMatch::MustMatchIfAble,
    ..ZSIROZAS
};

pub(super) const SEPTICA: RuleOptions = RuleOptions {
    preset: Preset::Septica,
    direction: Direction::Clockwise,
    card_points: CardPoints::AceTen1,
    deal_score: DealScore::Tiers(Tiers { sweep_points: 1, sweep_cards: 1, ..Tiers::USUAL }),
    match_target: 11,
    tie: Tie::NoScore,
    ..ZSIROZAS
};

pub(super) const SEDMICE: RuleOptions = RuleOptions {
    preset: Preset::Sedmice,
    continuation_condition: ContinuationCondition::OpponentWinning,
    dealer_rotation: DealerRotation::Next,
    ..PAGAT
};

pub(super) const LUSTI_KARTLN: RuleOptions =
    RuleOptions { preset: Preset::LustiKartln, hand_size: 8, wild_ranks: RankSet::EMPTY, ..CLASSIC };

/// A preset's options for so many seats.
pub(super) fn for_seats(largest: RuleOptions, seats: u8) -> RuleOptions {
    match seats {
        2 if largest.seats == 4 => for_two(largest),
        3 if largest.seats == 4 => for_three(largest),
        _ => RuleOptions { seats, ..largest },
    }
}

/// Partners fall away, and what needs them: the exchange, and being bound by two equal cards before one's
/// own.
fn for_two(four: RuleOptions) -> RuleOptions {
    let forced_match = match four.forced_match {
        ForcedMatch::AfterTwoEqual => ForcedMatch::Off,
        other => other,
    };
    RuleOptions {
        seats: 2,
        partnership: Partnership::Individual,
        partner_exchange: false,
        forced_match,
        ..four
    }
}

/// Two cards go, so that three shares come out even; players who are level on top share.
fn for_three(four: RuleOptions) -> RuleOptions {
    let three = RuleOptions { seats: 3, partnership: Partnership::Individual, tie: Tie::Share, ..four };
    match four.preset {
        // Romanian rules: with three the eights cut as well, and two of them are out.
        Preset::Septica => RuleOptions {
            pack: PackKind::P30MinusTwo8,
            wild_ranks: RankSet::of(&[Rank::Seven, Rank::Eight]),
            ..three
        },
        _ => RuleOptions { pack: PackKind::P30Minus8And9, ..three },
    }
}

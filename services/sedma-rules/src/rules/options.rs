//! Every option of a rule set, as data.

use crate::card::Suit;
use crate::card_set::{CardSet, RankSet};
use crate::rules::choices::{
    BurnedHand, CardPoints, Continuation, ContinuationCondition, DealScore, DealerRotation, Direction,
    DrawOrder, DrawTiming, ForcedMatch, ForcedMatchScope, PackKind, Partnership, SoloistCard,
    SweepPointsRule, Tie, WildLed, WinRule,
};
use crate::rules::preset::Preset;

/// A rule set that may not hold together yet; [`RuleOptions::check`] makes [`Rules`](crate::Rules) of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "rules that a game has or has not; no third value is known"
)]
pub struct RuleOptions {
    /// The named rule set that these options began as.
    pub preset: Preset,
    /// How many play: 2 to 4, among the preset's numbers.
    pub seats: u8,
    /// Which cards are played with.
    pub pack: PackKind,
    /// Who scores with whom.
    pub partnership: Partnership,
    /// The soloist's card, under [`Partnership::SecretSoloist`] only. It is wild, beside `wild_cards`.
    pub soloist_card: SoloistCard,
    /// Which way round a client draws the table.
    pub direction: Direction,
    /// Cards in a full hand: 4, 6 or 8.
    pub hand_size: u8,
    /// Ranks that match every lead.
    pub wild_ranks: RankSet,
    /// Single cards that match every lead as well.
    pub wild_cards: CardSet,
    /// What a led wild card stands for.
    pub wild_led: WildLed,
    /// How the leader may go on after a round.
    pub continuation: Continuation,
    /// When the leader may go on.
    pub continuation_condition: ContinuationCondition,
    /// When hands are filled up.
    pub draw_timing: DrawTiming,
    /// In which order hands are filled up after a trick.
    pub draw_order: DrawOrder,
    /// Whether a player may play the stock's top card unseen, instead of one from his hand.
    pub blind_stock_play: bool,
    /// How many tricks in a row one player may lead with the same rank; 0 = any number. At most 4.
    pub max_same_rank_leads: u8,
    /// Whether four of a rank in a hand end the deal.
    pub burned_hand: BurnedHand,
    /// Whether four of a rank as the first four cards of a trick end the deal.
    pub burned_trick: bool,
    /// When a player is bound to a rank.
    pub forced_match: ForcedMatch,
    /// Which ranks two equal cards bind to.
    pub forced_match_scope: ForcedMatchScope,
    /// Whether the first leader of every deal but the first may change hands with his partner.
    pub partner_exchange: bool,
    /// What cards count.
    pub card_points: CardPoints,
    /// Points for the last trick of a deal that is played out.
    pub last_trick_bonus: u8,
    /// Whether king and queen of a suit may be announced when one of them is led: 20 points, or 40.
    pub marriages: bool,
    /// The suit whose marriage counts 40.
    pub marriage_forty_suit: Option<Suit>,
    /// How the winner of a deal is found.
    pub win_rule: WinRule,
    /// The deal ends when a side that takes a trick has so many points; 0 = played out.
    pub stop_at_points: u8,
    /// What a deal adds to the match score.
    pub deal_score: DealScore,
    /// What the middle tier asks for.
    pub sweep_points_rule: SweepPointsRule,
    /// The match ends when a side has so many game points; 0 = never.
    pub match_target: u16,
    /// What happens when sides are level on top.
    pub tie: Tie,
    /// Who deals next.
    pub dealer_rotation: DealerRotation,
    /// Whether partners may call for a card; calls bind nobody and are no actions.
    pub partner_calls: bool,
}

impl RuleOptions {
    /// What an announced marriage of this suit earns.
    pub(crate) fn marriage_value(&self, suit: Suit) -> u8 {
        if self.marriage_forty_suit == Some(suit) { 40 } else { 20 }
    }
}

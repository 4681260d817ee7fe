//! What must hold for options to be rules.

use std::fmt;

use crate::card::Suit;
use crate::rules::choices::{
    BurnedHand, CardPoints, Continuation, ContinuationCondition, DealScore, DrawTiming, ForcedMatch,
    Partnership, WinRule,
};
use crate::rules::options::RuleOptions;
use crate::rules::resolved::Rules;

/// Why options are no rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RulesError {
    /// `seats`: the preset isn't played by so many.
    SeatsForPreset,
    /// `hand_size`: neither 4, 6 nor 8.
    HandSize,
    /// `partnership`: fixed pairs need four seats.
    PairsNeedFourSeats,
    /// `partnership`: a secret soloist needs three seats.
    SoloistNeedsThreeSeats,
    /// `pack`: too few cards for a full hand each.
    PackTooSmall,
    /// `pack`: the stock can't be shared evenly.
    UnevenStock,
    /// `soloist_card`: not in the pack.
    SoloistCardNotInPack,
    /// `wild_ranks` or `wild_cards`: a card that isn't in the pack.
    WildCardNotInPack,
    /// `burned_trick`: not with three seats.
    BurnedTrickWithThreeSeats,
    /// `partner_exchange`: only between fixed pairs.
    ExchangeNeedsPairs,
    /// `continuation`: with abeyance there is neither a burned trick nor a forced match.
    AbeyanceWithBurnedTrick,
    /// `continuation`: with abeyance no card can be forced.
    AbeyanceWithForcedMatch,
    /// `blind_stock_play`: only where each player draws after his play.
    BlindPlayNeedsDrawAfterPlay,
    /// `blind_stock_play`: a card nobody has seen can't be held to a continuation or a forced match.
    BlindPlayWithBoundCards,
    /// `continuation_condition`: who is an opponent must not be secret.
    OpponentIsSecret,
    /// `stop_at_points`: whose points add up must not be secret.
    StopWithSecretSoloist,
    /// `max_same_rank_leads`: more than 4.
    TooManyRankLeads,
    /// `marriage_forty_suit`: only with marriages.
    FortySuitWithoutMarriages,
    /// `win_rule`: the threshold must be more than half of the points and at most all of them.
    Threshold,
    /// `deal_score`: the tiers must be at least 1 and must not fall.
    Tiers,
    /// `deal_score`: raw points know no burning.
    BurningWithRawPoints,
    /// `last_trick_bonus`, `marriages` or `deal_score`: more than 255 points in a deal.
    TooManyPoints,
}

impl RuleOptions {
    /// The rules these options make, or the first thing that is wrong with them.
    pub fn check(self) -> Result<Rules, RulesError> {
        need(self.preset.seat_counts().contains(&self.seats), RulesError::SeatsForPreset)?;
        self.check_stored()
    }

    /// [`RuleOptions::check`] for a table that plays by these options already: it goes on, whatever its preset
    /// has become since.
    pub fn check_stored(self) -> Result<Rules, RulesError> {
        self.check_seats()?;
        self.check_cards()?;
        self.check_play()?;
        self.check_score()?;
        Ok(Rules::resolve(self))
    }

    fn check_seats(&self) -> Result<(), RulesError> {
        need((2..=4).contains(&self.seats), RulesError::SeatsForPreset)?;
        let pairs = self.partnership == Partnership::FixedPairs;
        need(!pairs || self.seats == 4, RulesError::PairsNeedFourSeats)?;
        let soloist = self.partnership == Partnership::SecretSoloist;
        need(!soloist || self.seats == 3, RulesError::SoloistNeedsThreeSeats)?;
        need(!self.partner_exchange || pairs, RulesError::ExchangeNeedsPairs)?;
        need(!self.burned_trick || self.seats != 3, RulesError::BurnedTrickWithThreeSeats)
    }

    fn check_cards(&self) -> Result<(), RulesError> {
        need([4, 6, 8].contains(&self.hand_size), RulesError::HandSize)?;
        let pack = self.pack.cards();
        let dealt = self.seats * self.hand_size;
        need(dealt <= pack.len(), RulesError::PackTooSmall)?;
        need((pack.len() - dealt).is_multiple_of(self.seats), RulesError::UnevenStock)?;
        let soloist = self.partnership == Partnership::SecretSoloist;
        need(!soloist || pack.contains(self.soloist_card.card()), RulesError::SoloistCardNotInPack)?;
        let ranks_are_there = self.wild_ranks.iter().all(|rank| pack.iter().any(|card| card.rank() == rank));
        need(ranks_are_there && self.wild_cards.minus(pack).is_empty(), RulesError::WildCardNotInPack)
    }

    fn check_play(&self) -> Result<(), RulesError> {
        let forced = self.forced_match != ForcedMatch::Off;
        if self.continuation == Continuation::AbeyanceNewLead {
            need(!self.burned_trick, RulesError::AbeyanceWithBurnedTrick)?;
            need(!forced, RulesError::AbeyanceWithForcedMatch)?;
        }
        if self.blind_stock_play {
            let each_play = self.draw_timing == DrawTiming::AfterEachPlay;
            need(each_play, RulesError::BlindPlayNeedsDrawAfterPlay)?;
            let free = self.continuation == Continuation::None && !forced;
            need(free, RulesError::BlindPlayWithBoundCards)?;
        }
        if self.partnership == Partnership::SecretSoloist {
            let asks_sides = self.continuation != Continuation::None
                && self.continuation_condition == ContinuationCondition::OpponentWinning;
            need(!asks_sides, RulesError::OpponentIsSecret)?;
            need(self.stop_at_points == 0, RulesError::StopWithSecretSoloist)?;
        }
        need(self.marriages || self.marriage_forty_suit.is_none(), RulesError::FortySuitWithoutMarriages)?;
        need(self.max_same_rank_leads <= 4, RulesError::TooManyRankLeads)
    }

    fn check_score(&self) -> Result<(), RulesError> {
        let cards = card_total(self);
        let total = cards + u16::from(self.last_trick_bonus);
        if let WinRule::Threshold(points) = self.win_rule {
            let points = u16::from(points);
            need(points * 2 > total && points <= total, RulesError::Threshold)?;
        }
        let burning = self.burned_trick || self.burned_hand != BurnedHand::Off;
        let bonus = match self.deal_score {
            DealScore::RawPoints { all_tricks_bonus } => {
                need(!burning, RulesError::BurningWithRawPoints)?;
                all_tricks_bonus
            }
            DealScore::Tiers(tiers) => {
                let rising = tiers.win >= 1
                    && tiers.win <= tiers.sweep_points
                    && tiers.sweep_points <= tiers.sweep_cards
                    && tiers.burned_hand >= 1
                    && tiers.burned_trick >= 1;
                need(rising, RulesError::Tiers)?;
                0
            }
        };
        let most = total + u16::from(bonus) + marriage_total(self);
        need(u8::try_from(most).is_ok(), RulesError::TooManyPoints)
    }
}

fn need(holds: bool, error: RulesError) -> Result<(), RulesError> {
    if holds { Ok(()) } else { Err(error) }
}

/// All card points of the pack.
pub(crate) fn card_total(options: &RuleOptions) -> u16 {
    let value = |points: CardPoints, card: crate::Card| u16::from(points.of(card.rank()));
    options.pack.cards().iter().map(|card| value(options.card_points, card)).sum()
}

fn marriage_total(options: &RuleOptions) -> u16 {
    if !options.marriages {
        return 0;
    }
    Suit::ALL.into_iter().map(|suit| u16::from(options.marriage_value(suit))).sum()
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RulesError::SeatsForPreset => "seats: this preset is not played by so many",
            RulesError::HandSize => "hand_size must be 4, 6 or 8",
            RulesError::PairsNeedFourSeats => "partnership fixed_pairs needs seats = 4",
            RulesError::SoloistNeedsThreeSeats => "partnership secret_soloist needs seats = 3",
            RulesError::PackTooSmall => "pack has fewer cards than seats times hand_size",
            RulesError::UnevenStock => "pack leaves a stock that seats can't share evenly",
            RulesError::SoloistCardNotInPack => "soloist_card is not in the pack",
            RulesError::WildCardNotInPack => "wild_ranks and wild_cards may only name cards of the pack",
            RulesError::BurnedTrickWithThreeSeats => "burned_trick is not played with seats = 3",
            RulesError::ExchangeNeedsPairs => "partner_exchange needs partnership fixed_pairs",
            RulesError::AbeyanceWithBurnedTrick => "continuation abeyance_new_lead excludes burned_trick",
            RulesError::AbeyanceWithForcedMatch => "continuation abeyance_new_lead excludes forced_match",
            RulesError::BlindPlayNeedsDrawAfterPlay => "blind_stock_play needs draw_timing after_each_play",
            RulesError::BlindPlayWithBoundCards => "blind_stock_play excludes continuation and forced_match",
            RulesError::OpponentIsSecret => {
                "continuation_condition opponent_winning would betray a secret_soloist"
            }
            RulesError::StopWithSecretSoloist => "stop_at_points would betray a secret_soloist",
            RulesError::TooManyRankLeads => "max_same_rank_leads must be at most 4",
            RulesError::FortySuitWithoutMarriages => "marriage_forty needs marriages",
            RulesError::Threshold => {
                "win_threshold must be more than half of all points and no more than all of them"
            }
            RulesError::Tiers => "tiers must be at least 1 and must not fall from win to sweep_cards",
            RulesError::BurningWithRawPoints => "raw_points excludes burned_hand and burned_trick",
            RulesError::TooManyPoints => {
                "last_trick_bonus with marriages and raw_points makes more than 255 points"
            }
        })
    }
}

impl std::error::Error for RulesError {}

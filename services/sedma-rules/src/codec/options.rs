//! The binary form of rules: every option, resolved, so that a changed preset changes no table that plays by
//! the old one.

use crate::card::Suit;
use crate::card_set::{CardSet, RankSet};
use crate::codec::{byte, bytes, flag, number};
use crate::corrupt::Corrupt;
use crate::rules::{
    BurnedHand, CardPoints, Continuation, ContinuationCondition, DealScore, DealerRotation, Direction,
    DrawOrder, DrawTiming, ForcedMatch, ForcedMatchScope, PackKind, Partnership, Preset, RuleOptions,
    SoloistCard, SweepPointsRule, Tie, Tiers, WildLed, WinRule,
};

const FORMAT: u8 = 1;
const MAJORITY: u8 = 1;
const THRESHOLD: u8 = 2;
const TIERS: u8 = 1;
const RAW_POINTS: u8 = 2;

impl RuleOptions {
    /// Appends a format byte and every option in the order of its declaration.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend([FORMAT, self.preset.code(), self.seats, self.pack.code(), self.partnership.code()]);
        out.extend([self.soloist_card.code(), self.direction.code(), self.hand_size]);
        out.extend(self.wild_ranks.bits().to_le_bytes());
        out.extend(self.wild_cards.bits().to_le_bytes());
        out.extend([self.wild_led.code(), self.continuation.code(), self.continuation_condition.code()]);
        out.extend([self.draw_timing.code(), self.draw_order.code()]);
        out.extend([u8::from(self.blind_stock_play), self.max_same_rank_leads]);
        out.extend([self.burned_hand.code(), u8::from(self.burned_trick)]);
        out.extend([
            self.forced_match.code(),
            self.forced_match_scope.code(),
            u8::from(self.partner_exchange),
        ]);
        out.extend([self.card_points.code(), self.last_trick_bonus]);
        out.extend([u8::from(self.marriages), self.marriage_forty_suit.map_or(0, Suit::number)]);
        out.extend(match self.win_rule {
            WinRule::Majority => [MAJORITY, 0],
            WinRule::Threshold(points) => [THRESHOLD, points],
        });
        out.push(self.stop_at_points);
        out.extend(match self.deal_score {
            DealScore::Tiers(it) => {
                [TIERS, it.win, it.sweep_points, it.sweep_cards, it.burned_hand, it.burned_trick]
            }
            DealScore::RawPoints { all_tricks_bonus } => [RAW_POINTS, all_tricks_bonus, 0, 0, 0, 0],
        });
        out.push(self.sweep_points_rule.code());
        out.extend(self.match_target.to_le_bytes());
        out.extend([self.tie.code(), self.dealer_rotation.code(), u8::from(self.partner_calls)]);
    }

    /// The options of such bytes, if they are whole. Whether they hold together is for [`RuleOptions::check`]
    /// to say.
    pub fn decode(mut from: &[u8]) -> Result<RuleOptions, Corrupt> {
        let from = &mut from;
        if byte(from)? != FORMAT {
            return Err(Corrupt::NoSuchValue);
        }
        // The fields are read in the order they are written here.
        let options = RuleOptions {
            preset: known(from, Preset::from_code)?,
            seats: byte(from)?,
            pack: known(from, PackKind::from_code)?,
            partnership: known(from, Partnership::from_code)?,
            soloist_card: known(from, SoloistCard::from_code)?,
            direction: known(from, Direction::from_code)?,
            hand_size: byte(from)?,
            wild_ranks: RankSet::from_bits(number(from)?).ok_or(Corrupt::NoSuchValue)?,
            wild_cards: card_set(from)?,
            wild_led: known(from, WildLed::from_code)?,
            continuation: known(from, Continuation::from_code)?,
            continuation_condition: known(from, ContinuationCondition::from_code)?,
            draw_timing: known(from, DrawTiming::from_code)?,
            draw_order: known(from, DrawOrder::from_code)?,
            blind_stock_play: flag(byte(from)?)?,
            max_same_rank_leads: byte(from)?,
            burned_hand: known(from, BurnedHand::from_code)?,
            burned_trick: flag(byte(from)?)?,
            forced_match: known(from, ForcedMatch::from_code)?,
            forced_match_scope: known(from, ForcedMatchScope::from_code)?,
            partner_exchange: flag(byte(from)?)?,
            card_points: known(from, CardPoints::from_code)?,
            last_trick_bonus: byte(from)?,
            marriages: flag(byte(from)?)?,
            marriage_forty_suit: suit_or_none(byte(from)?)?,
            win_rule: win_rule(from)?,
            stop_at_points: byte(from)?,
            deal_score: deal_score(from)?,
            sweep_points_rule: known(from, SweepPointsRule::from_code)?,
            match_target: number(from)?,
            tie: known(from, Tie::from_code)?,
            dealer_rotation: known(from, DealerRotation::from_code)?,
            partner_calls: flag(byte(from)?)?,
        };
        if from.is_empty() { Ok(options) } else { Err(Corrupt::TooLong) }
    }
}

fn known<T>(from: &mut &[u8], value: impl Fn(u8) -> Option<T>) -> Result<T, Corrupt> {
    value(byte(from)?).ok_or(Corrupt::NoSuchValue)
}

fn card_set(from: &mut &[u8]) -> Result<CardSet, Corrupt> {
    let bits: [u8; 8] = bytes(from, 8)?.try_into().map_err(|_| Corrupt::TooShort)?;
    CardSet::from_bits(u64::from_le_bytes(bits)).ok_or(Corrupt::NoSuchValue)
}

fn suit_or_none(number: u8) -> Result<Option<Suit>, Corrupt> {
    if number == 0 { Ok(None) } else { Suit::from_number(number).map(Some).ok_or(Corrupt::NoSuchValue) }
}

fn win_rule(from: &mut &[u8]) -> Result<WinRule, Corrupt> {
    match (byte(from)?, byte(from)?) {
        (MAJORITY, 0) => Ok(WinRule::Majority),
        (THRESHOLD, points) => Ok(WinRule::Threshold(points)),
        _ => Err(Corrupt::NoSuchValue),
    }
}

fn deal_score(from: &mut &[u8]) -> Result<DealScore, Corrupt> {
    match *bytes(from, 6)? {
        [TIERS, win, sweep_points, sweep_cards, burned_hand, burned_trick] => {
            Ok(DealScore::Tiers(Tiers { win, sweep_points, sweep_cards, burned_hand, burned_trick }))
        }
        [RAW_POINTS, all_tricks_bonus, 0, 0, 0, 0] => Ok(DealScore::RawPoints { all_tricks_bonus }),
        _ => Err(Corrupt::NoSuchValue),
    }
}

//! The options by their names, for whoever shows or compares them.

use crate::card_set::CardSet;
use crate::rules::choices::{DealScore, Partnership, Tiers, WinRule};
use crate::rules::options::RuleOptions;

impl RuleOptions {
    /// Every option with its value in words, in the order that the fields are declared in; the preset comes first.
    pub fn list(&self) -> Vec<(&'static str, String)> {
        vec![
            ("preset", self.preset.to_string()),
            ("seats", self.seats.to_string()),
            ("pack", self.pack.to_string()),
            ("partnership", self.partnership.to_string()),
            ("soloist_card", self.soloist_in_words()),
            ("direction", self.direction.to_string()),
            ("hand_size", self.hand_size.to_string()),
            ("wild_ranks", words(self.wild_ranks.iter())),
            ("wild_cards", words(self.all_wild_cards().iter())),
            ("wild_led", self.wild_led.to_string()),
            ("continuation", self.continuation.to_string()),
            ("continuation_condition", self.continuation_condition.to_string()),
            ("draw_timing", self.draw_timing.to_string()),
            ("draw_order", self.draw_order.to_string()),
            ("blind_stock_play", yes_or_no(self.blind_stock_play)),
            ("max_same_rank_leads", self.max_same_rank_leads.to_string()),
            ("burned_hand", self.burned_hand.to_string()),
            ("burned_trick", yes_or_no(self.burned_trick)),
            ("forced_match", self.forced_match.to_string()),
            ("forced_match_scope", self.forced_match_scope.to_string()),
            ("partner_exchange", yes_or_no(self.partner_exchange)),
            ("card_points", self.card_points.to_string()),
            ("last_trick_bonus", self.last_trick_bonus.to_string()),
            ("marriages", yes_or_no(self.marriages)),
            ("marriage_forty", words(self.marriage_forty_suit.into_iter())),
            ("win_threshold", self.win_rule_in_words()),
            ("stop_at_points", self.stop_at_points.to_string()),
            ("deal_score", self.deal_score_in_words()),
            ("sweep_points_rule", self.sweep_points_rule.to_string()),
            ("match_target", self.match_target.to_string()),
            ("tie", self.tie.to_string()),
            ("dealer_rotation", self.dealer_rotation.to_string()),
            ("partner_calls", yes_or_no(self.partner_calls)),
        ]
    }

    /// The single cards that are wild, the soloist's among them.
    pub fn all_wild_cards(&self) -> CardSet {
        let mut cards = self.wild_cards;
        if self.partnership == Partnership::SecretSoloist {
            cards.insert(self.soloist_card.card());
        }
        cards
    }

    fn soloist_in_words(&self) -> String {
        match self.partnership {
            Partnership::SecretSoloist => self.soloist_card.to_string(),
            Partnership::FixedPairs | Partnership::Individual => "none".to_owned(),
        }
    }

    fn win_rule_in_words(&self) -> String {
        match self.win_rule {
            WinRule::Majority => "0 (most points win)".to_owned(),
            WinRule::Threshold(points) => points.to_string(),
        }
    }

    fn deal_score_in_words(&self) -> String {
        match self.deal_score {
            DealScore::Tiers(Tiers { win, sweep_points, sweep_cards, burned_hand, burned_trick }) => {
                format!(
                    "win {win}, sweep_points {sweep_points}, sweep_cards {sweep_cards}, burned_hand {burned_hand}, \
                     burned_trick {burned_trick}"
                )
            }
            DealScore::RawPoints { all_tricks_bonus } => {
                format!("raw_points, all_tricks_bonus {all_tricks_bonus}")
            }
        }
    }
}

fn yes_or_no(holds: bool) -> String {
    if holds { "yes" } else { "no" }.to_owned()
}

fn words<T: ToString>(values: impl Iterator<Item = T>) -> String {
    let words: Vec<String> = values.map(|value| value.to_string()).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}

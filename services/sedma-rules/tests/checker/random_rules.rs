//! Rules made up at random: options changed together that nobody would think of together.

use sedma_rules::{DealScore, DealerRotation, RuleOptions};

use crate::amount::Amount;
use crate::case::{Case, Change};
use crate::chance::Chance;
use crate::lockstep::play;
use crate::referee::PAIRS;

/// Deals to play by each of the rules.
const DEALS: usize = 20;

const VALUES: &[(&str, &[&str])] = &[
    (
        "pack",
        &["french32", "p30_minus_8_9", "p30_minus_two_8", "p24_with_sevens", "p24_without_sevens", "p52"],
    ),
    ("partnership", &["fixed_pairs", "individual", "secret_soloist"]),
    ("soloist_card", &["K_hearts", "K_leaves"]),
    ("hand_size", &["4", "6", "8"]),
    ("wild_ranks", &["", "7", "27", "78", "A", "KQ"]),
    ("wild_cards", &["Kh", "Ac 10d"]),
    ("continuation", &["none", "same_rank_or_wild", "abeyance_new_lead"]),
    ("continuation_condition", &["always", "someone_matched", "opponent_winning"]),
    ("draw_timing", &["after_trick", "after_each_play"]),
    ("blind_stock_play", &["yes", "no"]),
    ("max_same_rank_leads", &["0", "1", "2", "3", "4"]),
    ("burned_hand", &["off", "on_draw", "on_deal_or_draw"]),
    ("burned_trick", &["yes", "no"]),
    ("forced_match", &["off", "after_two_equal", "must_match_if_able"]),
    ("partner_exchange", &["yes", "no"]),
    ("card_points", &["ace_ten_10", "ace_ten_1", "ace_ten_full"]),
    ("last_trick_bonus", &["0", "5", "10", "20"]),
    ("marriages", &["yes", "no"]),
    ("win_rule", &["majority", "50", "61", "66", "70"]),
    ("stop_at_points", &["0", "20", "30", "50"]),
    ("deal_score", &["1/2/3/4/1", "1/3/5/7/9", "raw 80", "raw 0"]),
    ("sweep_points_rule", &["all_card_points", "opponents_zero"]),
    ("match_target", &["0", "1", "3", "5", "90"]),
    ("tie", &["void_same_dealer", "last_trick_winner", "share", "no_score"]),
    ("dealer_rotation", &["next", "loser_deals", "winner_deals", "keep_on_majority"]),
];

#[test]
fn the_engine_plays_rules_made_up_at_random_as_the_referee_does() {
    let amount = Amount::asked_for();
    let mut chance = Chance::of("rules", 0);
    for _ in 0..amount.random_rules {
        play(&made_up(&mut chance), 0, DEALS).unwrap();
    }
    amount.tell(format_args!("{} rules made up at random", amount.random_rules));
}

/// Rules that hold together, and of which it is said what they mean together.
fn made_up(chance: &mut Chance) -> Case {
    loop {
        let &(preset, seats) = chance.one_of(&PAIRS);
        let case = Case { preset, seats, changes: changes(chance) };
        let options = case.options();
        if is_said(&options) && options.check().is_ok() {
            return case;
        }
    }
}

/// Up to six options, each once. Where something may burn, it is also said what that is worth.
fn changes(chance: &mut Chance) -> Vec<Change> {
    let mut options = VALUES.to_vec();
    chance.shuffle(&mut options);
    options.truncate(1 + chance.below(6));
    let mut changes: Vec<Change> =
        options.into_iter().map(|(option, values)| (option, *chance.one_of(values))).collect();
    if changes.iter().any(|(option, _)| option.starts_with("burned_")) {
        changes.retain(|(option, _)| *option != "deal_score");
        changes.push(("deal_score", "1/2/3/4/1"));
    }
    changes
}

/// Whether anybody says what these options mean together. Nobody does of who has lost where both sides score.
fn is_said(options: &RuleOptions) -> bool {
    let both_score = matches!(options.deal_score, DealScore::RawPoints { .. });
    let by_result =
        matches!(options.dealer_rotation, DealerRotation::LoserDeals | DealerRotation::WinnerDeals);
    !(both_score && by_result)
}

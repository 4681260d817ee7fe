//! The playthroughs together show every option at work, with every value that a preset gives it.

use sedma_rules::{
    CardSet, Continuation, DealScore, DealTier, ForcedMatch, Partnership, RankSet, RuleOptions, WinRule,
};

use crate::chance::every_preset;
use crate::playthroughs::{PLAYTHROUGHS, read, replay};
use crate::sightings::{
    a_loser_deals, dealers, deals_give, from_30, has_tier, leader_goes_on_though_he_wins,
    leader_goes_on_though_his_partner_wins, led_seven_is_a_seven, level, names, notes, scores,
    soloist_scores, stopped, sweeps_with, tricks, wild, winner_draws_first, winners, won_at,
};
use crate::telling::Telling;

/// How a value shows.
enum Shows {
    /// In a playthrough with these rules.
    In(fn(&Telling) -> bool),
    /// In no playthrough, for this reason.
    Nowhere(&'static str),
}
use Shows::{In, Nowhere};

/// Every option with its value, as text.
fn values(options: &RuleOptions) -> Vec<(&'static str, String)> {
    let tiers = match options.deal_score {
        DealScore::Tiers(it) => {
            format!(
                "{}/{}/{}/{}/{}",
                it.win, it.sweep_points, it.sweep_cards, it.burned_hand, it.burned_trick
            )
        }
        DealScore::RawPoints { all_tricks_bonus } => format!("raw +{all_tricks_bonus}"),
    };
    let win = match options.win_rule {
        WinRule::Majority => "most".to_owned(),
        WinRule::Threshold(points) => points.to_string(),
    };
    let soloist = options.partnership == Partnership::SecretSoloist;
    let mut all = vec![
        ("seats", options.seats.to_string()),
        ("pack", options.pack.to_string()),
        ("partnership", options.partnership.to_string()),
        ("direction", options.direction.to_string()),
        ("hand_size", options.hand_size.to_string()),
        ("wild_ranks", ranks(options.wild_ranks)),
        ("wild_cards", cards(options.wild_cards)),
        ("wild_led", options.wild_led.to_string()),
        ("continuation", options.continuation.to_string()),
        ("draw_timing", options.draw_timing.to_string()),
        ("draw_order", options.draw_order.to_string()),
        ("blind_stock_play", options.blind_stock_play.to_string()),
        ("max_same_rank_leads", options.max_same_rank_leads.to_string()),
        ("burned_hand", options.burned_hand.to_string()),
        ("burned_trick", options.burned_trick.to_string()),
        ("forced_match", options.forced_match.to_string()),
        ("partner_exchange", options.partner_exchange.to_string()),
        ("card_points", options.card_points.to_string()),
        ("last_trick_bonus", options.last_trick_bonus.to_string()),
        ("marriages", options.marriages.to_string()),
        ("win_rule", win),
        ("stop_at_points", options.stop_at_points.to_string()),
        ("deal_score", tiers),
        ("sweep_points_rule", options.sweep_points_rule.to_string()),
        ("match_target", options.match_target.to_string()),
        ("tie", options.tie.to_string()),
        ("dealer_rotation", options.dealer_rotation.to_string()),
        ("partner_calls", options.partner_calls.to_string()),
    ];
    all.extend(soloist.then(|| ("soloist_card", options.soloist_card.to_string())));
    all.extend(options.marriage_forty_suit.map(|suit| ("marriage_forty_suit", suit.to_string())));
    let goes_on = options.continuation != Continuation::None;
    all.extend(goes_on.then(|| ("continuation_condition", options.continuation_condition.to_string())));
    let two_equal = options.forced_match == ForcedMatch::AfterTwoEqual;
    all.extend(two_equal.then(|| ("forced_match_scope", options.forced_match_scope.to_string())));
    all
}

fn ranks(ranks: RankSet) -> String {
    ranks.iter().map(|rank| rank.to_string()).collect::<Vec<_>>().join(" ")
}

fn cards(cards: CardSet) -> String {
    cards.iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
}

/// What is looked for, by option and value.
const SHOWN: &[(&str, &str, Shows)] = &[
    ("seats", "2", In(|it| it.text.contains("= score 1 ") && it.text.contains(", 2 "))),
    ("seats", "3", In(|it| it.text.contains("\n3 leads "))),
    ("seats", "4", In(|it| it.text.contains("\n4 leads "))),
    ("pack", "french32", In(|it| it.text.contains("cards each from 32"))),
    ("pack", "p30_minus_8_9", In(|it| from_30(it) && !names(it, "8d") && !names(it, "9d"))),
    ("pack", "p30_minus_two_8", In(|it| from_30(it) && !names(it, "8c") && !names(it, "8d"))),
    ("pack", "p24_with_sevens", In(|it| it.text.contains("from 24") && names(it, "7c") && !names(it, "9c"))),
    ("pack", "p52", In(|it| it.text.contains("cards each from 52"))),
    ("partnership", "fixed_pairs", In(|it| it.text.contains(": 13 have ") && it.text.contains(", 24 have "))),
    ("partnership", "individual", In(|it| it.text.contains(": 1 have ") && it.text.contains(", 2 have "))),
    ("partnership", "secret_soloist", In(|it| soloist_scores(it, true) && soloist_scores(it, false))),
    ("soloist_card", "K_hearts", In(|it| it.text.contains(" by wild Kh"))),
    (
        "direction",
        "clockwise",
        Nowhere("seats are numbered in playing order, so only a drawn table shows it"),
    ),
    (
        "direction",
        "anticlockwise",
        Nowhere("seats are numbered in playing order, so only a drawn table shows it"),
    ),
    ("hand_size", "4", In(|it| it.text.contains(" deals 4 cards each"))),
    ("hand_size", "6", In(|it| it.text.contains(" deals 6 cards each"))),
    ("hand_size", "8", In(|it| it.text.contains(" deals 8 cards each"))),
    ("wild_ranks", "7", In(|it| wild(it, "7"))),
    ("wild_ranks", "2 7", In(|it| wild(it, "2") && wild(it, "7"))),
    ("wild_ranks", "7 8", In(|it| wild(it, "7") && wild(it, "8"))),
    ("wild_ranks", "", In(|it| !it.text.contains(" by wild ") && it.text.contains(" 7c "))),
    ("wild_cards", "", Nowhere("the soloist's card is wild by itself; no preset has another wild card")),
    ("wild_led", "own_rank", In(led_seven_is_a_seven)),
    ("continuation", "none", In(|it| tricks(it).all(|trick| !trick.contains('|')))),
    ("continuation", "same_rank_or_wild", In(|it| tricks(it).any(|trick| trick.contains(" | ")))),
    (
        "continuation",
        "abeyance_new_lead",
        In(|it| tricks(it).any(|trick| trick.matches(" || ").count() >= 2)),
    ),
    ("continuation_condition", "always", In(leader_goes_on_though_he_wins)),
    (
        "continuation_condition",
        "someone_matched",
        In(|it| {
            notes(it, " goes on while ")
                && notes(it, ": nobody else matched")
                && leader_goes_on_though_his_partner_wins(it)
        }),
    ),
    (
        "continuation_condition",
        "opponent_winning",
        In(|it| notes(it, " goes on while ") && notes(it, ": no opponent wins")),
    ),
    (
        "draw_timing",
        "after_trick",
        In(|it| it.text.contains("; drawn ") && !it.text.contains("drawn at each")),
    ),
    ("draw_timing", "after_each_play", In(|it| it.text.contains("; drawn at each play "))),
    ("draw_order", "winner_first", In(winner_draws_first)),
    ("blind_stock_play", "false", In(|it| tricks(it).all(|trick| !trick.contains('(')))),
    ("blind_stock_play", "true", In(|it| tricks(it).any(|trick| trick.contains('(')))),
    ("max_same_rank_leads", "0", In(|it| !notes(it, " may not lead "))),
    ("max_same_rank_leads", "3", In(|it| notes(it, " may not lead "))),
    ("burned_hand", "off", In(|it| !has_tier(it, DealTier::BurnedHand))),
    ("burned_hand", "on_draw", In(|it| has_tier(it, DealTier::BurnedHand))),
    ("burned_trick", "false", In(|it| !has_tier(it, DealTier::BurnedTrick))),
    ("burned_trick", "true", In(|it| has_tier(it, DealTier::BurnedTrick))),
    ("forced_match", "off", In(|it| !notes(it, " has to "))),
    ("forced_match", "after_two_equal", In(|it| notes(it, " has to play "))),
    ("forced_match", "must_match_if_able", In(|it| notes(it, " has to match: "))),
    ("forced_match_scope", "any_rank", In(|it| notes(it, ", though "))),
    ("partner_exchange", "false", In(|it| !it.text.contains("exchanges hands"))),
    (
        "partner_exchange",
        "true",
        In(|it| it.text.contains(" exchanges hands with ") && it.text.contains(" keeps the hand")),
    ),
    ("card_points", "ace_ten_10", In(|it| it.text.contains(" takes 10 points"))),
    ("card_points", "ace_ten_1", In(|it| it.text.contains(" takes 1 point") && deals_give(it, 8))),
    ("card_points", "ace_ten_full", In(|it| it.text.contains(" takes 11 points") && deals_give(it, 120))),
    (
        "last_trick_bonus",
        "0",
        In(|it| it.text.contains("; last trick to ") && !it.text.contains(", 10 points\n")),
    ),
    ("last_trick_bonus", "10", In(|it| it.text.contains(", 10 points\n"))),
    ("marriages", "false", In(|it| !notes(it, " announces "))),
    ("marriages", "true", In(|it| notes(it, " announces a marriage of 20"))),
    ("marriage_forty_suit", "h", In(|it| notes(it, " announces a marriage of 40"))),
    ("win_rule", "most", In(|it| winners(it).any(|points| points < 50))),
    (
        "win_rule",
        "50",
        In(|it| winners(it).all(|points| points >= 50) && winners(it).any(|points| points == 50)),
    ),
    (
        "win_rule",
        "61",
        In(|it| winners(it).all(|points| points >= 61) && winners(it).any(|points| points < 70)),
    ),
    ("stop_at_points", "0", In(|it| !stopped(it))),
    ("stop_at_points", "50", In(stopped)),
    (
        "deal_score",
        "1/2/3/4/1",
        In(|it| scores(it, DealTier::Win, 1) && scores(it, DealTier::SweepPoints, 2)),
    ),
    (
        "deal_score",
        "1/2/2/4/1",
        In(|it| scores(it, DealTier::Win, 1) && scores(it, DealTier::SweepPoints, 2)),
    ),
    (
        "deal_score",
        "1/1/1/4/1",
        In(|it| scores(it, DealTier::Win, 1) && winners(it).any(|points| points == 8)),
    ),
    ("deal_score", "raw +80", In(|it| it.text.contains(" have 90 ") && it.text.contains(" and score 170"))),
    ("sweep_points_rule", "all_card_points", In(|it| sweeps_with(it, 80))),
    ("sweep_points_rule", "opponents_zero", In(|it| sweeps_with(it, 90))),
    ("match_target", "4", In(|it| won_at(it, 4))),
    ("match_target", "5", In(|it| won_at(it, 5))),
    ("match_target", "7", In(|it| won_at(it, 7))),
    ("match_target", "10", In(|it| won_at(it, 10))),
    ("match_target", "11", In(|it| won_at(it, 11))),
    ("match_target", "200", In(|it| won_at(it, 200))),
    ("tie", "void_same_dealer", Nowhere("an odd number of tens can't be halved, so no such deal is level")),
    ("tie", "last_trick_winner", In(|it| level(it, 40).any(|result| result.tier == DealTier::Win))),
    ("tie", "share", In(|it| has_tier(it, DealTier::Shared))),
    ("tie", "no_score", In(|it| has_tier(it, DealTier::Void))),
    ("dealer_rotation", "next", In(|it| dealers(it).all(|(dealer, next, seats)| next == dealer.next(seats)))),
    ("dealer_rotation", "loser_deals", In(a_loser_deals)),
    ("dealer_rotation", "keep_on_majority", In(|it| dealers(it).any(|(dealer, next, _)| dealer == next))),
    ("partner_calls", "false", Nowhere("calls bind nobody and are no actions")),
];

#[test]
fn every_value_that_a_preset_uses_is_seen_at_work() {
    let told: Vec<Telling> = PLAYTHROUGHS.iter().map(|it| replay(it, &read(it))).collect();
    for (preset, seats) in every_preset() {
        for (option, value) in values(&preset.options(seats)) {
            let wanted = SHOWN.iter().find(|it| (it.0, it.1) == (option, value.as_str()));
            let Some((.., shows)) = wanted else { panic!("{option} {value} is not looked for") };
            let with_it =
                || told.iter().filter(|it| values(it.rules.options()).contains(&(option, value.clone())));
            match shows {
                In(seen) => assert!(with_it().any(seen), "no playthrough shows {option} {value}"),
                Nowhere(why) => assert!(!why.is_empty()),
            }
        }
    }
}

/// Nothing is looked for that no preset has.
#[test]
fn every_value_that_is_looked_for_is_one_that_a_preset_uses() {
    let used: Vec<(&str, String)> =
        every_preset().flat_map(|(preset, seats)| values(&preset.options(seats))).collect();
    for (option, value, _) in SHOWN {
        assert!(used.contains(&(option, (*value).to_owned())), "{option} {value}");
    }
}

/// Each way to end a deal, with what it gives, in the playthroughs together.
const TIERS: &[(DealTier, u8)] = &[
    (DealTier::Void, 0),
    (DealTier::Win, 1),
    (DealTier::SweepPoints, 2),
    (DealTier::SweepCards, 3),
    (DealTier::BurnedHand, 4),
    (DealTier::BurnedTrick, 1),
    (DealTier::Shared, 1),
    (DealTier::RawPoints, 170),
];

#[test]
fn every_way_to_end_a_deal_is_seen() {
    let told: Vec<Telling> = PLAYTHROUGHS.iter().map(|it| replay(it, &read(it))).collect();
    assert_eq!(TIERS.iter().map(|it| it.0).collect::<Vec<_>>(), DealTier::ALL);
    for (tier, game_points) in TIERS {
        assert!(told.iter().any(|it| scores(it, *tier, *game_points)), "{tier} {game_points}");
    }
}

//! The rules in words: every option that changes play changes what a player reads.

use sedma_rules::{
    BurnedHand, CardPoints, CardSet, Continuation, ContinuationCondition, DealScore, DealerRotation,
    Direction, DrawTiming, ForcedMatch, ForcedMatchScope, PackKind, Partnership, Preset, Rank, RankSet,
    RuleOptions, Rules, SoloistCard, Suit, SweepPointsRule, Tie, Tiers, WinRule, rule_text,
};

use crate::chance::{every_preset, rules};

#[test]
fn lines_are_short_and_paragraphs_have_titles() {
    for (preset, seats) in every_preset() {
        let text = rule_text(&rules(preset, seats));
        assert!(text.lines().all(|line| line.chars().count() <= 100 && line.trim() == line), "{text}");
        let paragraphs: Vec<&str> = text.split("\n\n").collect();
        assert!(paragraphs.iter().all(|paragraph| paragraph.lines().count() >= 2), "{text}");
        for title in
            ["Players and cards", "The deal", "Playing a trick", "Taking the trick", "Scoring a deal"]
        {
            assert!(
                paragraphs.iter().any(|paragraph| paragraph.lines().next() == Some(title)),
                "{title}: {text}"
            );
        }
        assert_eq!(text.lines().filter(|line| line.starts_with("Example: ")).count(), 1);
    }
}

#[test]
fn the_examples_are_judged_by_the_rules() {
    let example = |preset, seats| {
        let text = rule_text(&rules(preset, seats));
        text.lines().find(|line| line.starts_with("Example")).map(str::to_owned).unwrap()
    };
    let seven = "Example: seats 1 to 4 play ten, seven, ten, king; seat 3 takes 20 points.";
    assert_eq!(example(Preset::Classic, 4), seven);
    let two = "Example: seats 1 and 2 play ten, two; if it ends there, seat 2 takes 10 points.";
    assert_eq!(example(Preset::Hola, 2), two);
    let no_wild = "Example: seats 1 to 4 play ten, queen, ten, king; seat 3 takes 27 points.";
    assert_eq!(example(Preset::Ristikontra, 4), no_wild);
}

#[test]
fn every_other_value_of_an_option_that_counts_changes_the_text() {
    let mut compared = 0;
    for (preset, seats) in every_preset() {
        let base = preset.options(seats);
        let text = rule_text(&rules(preset, seats));
        for (option, other) in others(&base) {
            let Ok(changed) = other.check() else { continue };
            if other == base || counts_for_nothing(option, &base, &changed) {
                continue;
            }
            assert_ne!(rule_text(&changed), text, "{preset} {seats}: {option} {other:?}");
            compared += 1;
        }
    }
    assert!(compared > 1_000, "{compared}");
}

/// The options once more, each time with one of them changed.
struct Others<'a> {
    base: &'a RuleOptions,
    all: Vec<(&'static str, RuleOptions)>,
}

impl Others<'_> {
    fn with(&mut self, option: &'static str, change: impl FnOnce(&mut RuleOptions)) {
        let mut options = *self.base;
        change(&mut options);
        self.all.push((option, options));
    }

    fn each<T: Copy>(&mut self, option: &'static str, values: &[T], set: impl Fn(&mut RuleOptions, T)) {
        for value in values {
            self.with(option, |it| set(it, *value));
        }
    }
}

fn others(base: &RuleOptions) -> Vec<(&'static str, RuleOptions)> {
    let mut others = Others { base, all: Vec::new() };
    set_otherwise(&mut others);
    played_otherwise(&mut others);
    scored_otherwise(&mut others);
    if let DealScore::Tiers(tiers) = base.deal_score {
        tiers_otherwise(&mut others, tiers);
    }
    others.all
}

fn set_otherwise(others: &mut Others) {
    let ranks = RankSet::of;
    let wild = [
        RankSet::EMPTY,
        ranks(&[Rank::Seven]),
        ranks(&[Rank::Nine]),
        ranks(&[Rank::Two, Rank::Seven]),
        ranks(&[Rank::Seven, Rank::Eight]),
    ];
    let cards = |cards: &[&str]| cards.iter().map(|card| card.parse().unwrap()).collect::<CardSet>();
    others.each("pack", PackKind::ALL, |it, value| it.pack = value);
    others.each("partnership", Partnership::ALL, |it, value| it.partnership = value);
    others.each("soloist_card", SoloistCard::ALL, |it, value| it.soloist_card = value);
    others.each("direction", Direction::ALL, |it, value| it.direction = value);
    others.each("hand_size", &[4, 6, 8], |it, value| it.hand_size = value);
    others.each("wild_ranks", &wild, |it, value| it.wild_ranks = value);
    others.each("wild_cards", &[cards(&["Js"]), cards(&["Js", "Qd"])], |it, value| it.wild_cards = value);
    others.with("partner_calls", |it| it.partner_calls = !it.partner_calls);
}

fn played_otherwise(others: &mut Others) {
    let conditions = ContinuationCondition::ALL;
    others.each("continuation", Continuation::ALL, |it, value| it.continuation = value);
    others.each("continuation_condition", conditions, |it, value| it.continuation_condition = value);
    others.each("draw_timing", DrawTiming::ALL, |it, value| it.draw_timing = value);
    others.with("blind_stock_play", |it| it.blind_stock_play = !it.blind_stock_play);
    others.each("max_same_rank_leads", &[0, 1, 2, 3, 4], |it, value| it.max_same_rank_leads = value);
    others.each("burned_hand", BurnedHand::ALL, |it, value| it.burned_hand = value);
    others.with("burned_trick", |it| it.burned_trick = !it.burned_trick);
    others.each("forced_match", ForcedMatch::ALL, |it, value| it.forced_match = value);
    others.each("forced_match_scope", ForcedMatchScope::ALL, |it, value| it.forced_match_scope = value);
    others.with("partner_exchange", |it| it.partner_exchange = !it.partner_exchange);
}

fn scored_otherwise(others: &mut Others) {
    let thresholds = [5, 50, 60, 70, 100].map(WinRule::Threshold);
    let raw = [0, 80, 90].map(|all_tricks_bonus| DealScore::RawPoints { all_tricks_bonus });
    let suits = Suit::ALL.map(Some);
    others.each("card_points", CardPoints::ALL, |it, value| it.card_points = value);
    others.each("last_trick_bonus", &[0, 5, 10, 20], |it, value| it.last_trick_bonus = value);
    others.with("marriages", |it| (it.marriages, it.marriage_forty_suit) = (!it.marriages, None));
    others.each("marriage_forty_suit", &suits, |it, value| it.marriage_forty_suit = value);
    others.with("marriage_forty_suit", |it| it.marriage_forty_suit = None);
    others.with("win_rule", |it| it.win_rule = WinRule::Majority);
    others.each("win_rule", &thresholds, |it, value| it.win_rule = value);
    others.each("stop_at_points", &[0, 5, 50, 60], |it, value| it.stop_at_points = value);
    others.each("deal_score", &raw, |it, value| it.deal_score = value);
    others.each("sweep_points_rule", SweepPointsRule::ALL, |it, value| it.sweep_points_rule = value);
    others.each("match_target", &[0, 3, 10, 300], |it, value| it.match_target = value);
    others.each("tie", Tie::ALL, |it, value| it.tie = value);
    others.each("dealer_rotation", DealerRotation::ALL, |it, value| it.dealer_rotation = value);
}

fn tiers_otherwise(others: &mut Others, tiers: Tiers) {
    let Tiers { win, sweep_points, sweep_cards, burned_hand, burned_trick } = tiers;
    let mut tier = |name, tiers| others.with(name, |it| it.deal_score = DealScore::Tiers(tiers));
    tier("win", Tiers { win: win + 1, ..tiers });
    tier("sweep_points", Tiers { sweep_points: sweep_points + 1, ..tiers });
    tier("sweep_cards", Tiers { sweep_cards: sweep_cards + 1, ..tiers });
    tier("burned_hand", Tiers { burned_hand: burned_hand + 1, ..tiers });
    tier("burned_trick", Tiers { burned_trick: burned_trick + 1, ..tiers });
}

/// Options that play never asks for while another is as it is.
fn counts_for_nothing(option: &str, base: &RuleOptions, changed: &Rules) -> bool {
    let two_sides = changed.match_sides().as_slice().len() == 2 || changed.seats() == 3 && soloist(base);
    let raw = matches!(base.deal_score, DealScore::RawPoints { .. });
    // Whoever sweeps has 60 of the 80 card points before the last trick of two cards.
    let no_sweep = raw || base.stop_at_points > 0;
    match option {
        "soloist_card" => !soloist(base),
        "partner_calls" => base.partnership != Partnership::FixedPairs,
        "continuation_condition" => base.continuation == Continuation::None,
        // With two players nobody has two cards before him in the round.
        "forced_match" => {
            let now = changed.options().forced_match;
            base.seats == 2 && ![base.forced_match, now].contains(&ForcedMatch::MustMatchIfAble)
        }
        "forced_match_scope" => base.forced_match != ForcedMatch::AfterTwoEqual || base.seats == 2,
        "draw_timing" => changed.pack().len() == changed.seats() * base.hand_size,
        // An odd number of tens can't be halved.
        "tie" => raw || (two_sides && base.last_trick_bonus == 10),
        "win_rule" => raw,
        "sweep_points" | "sweep_cards" => no_sweep,
        "sweep_points_rule" => no_sweep || pays_no_sweep(base),
        "burned_hand" if changed.options().burned_hand == base.burned_hand => {
            base.burned_hand == BurnedHand::Off
        }
        "burned_trick" if changed.options().burned_trick == base.burned_trick => !base.burned_trick,
        _ => false,
    }
}

fn soloist(options: &RuleOptions) -> bool {
    options.partnership == Partnership::SecretSoloist
}

fn pays_no_sweep(options: &RuleOptions) -> bool {
    matches!(options.deal_score, DealScore::Tiers(tiers) if tiers.sweep_points == tiers.win)
}

/// A wild card that the ranks name already is no other rule.
#[test]
fn wild_cards_of_a_wild_rank_are_not_told_twice() {
    let seven = RuleOptions { wild_cards: CardSet::of_rank(Rank::Seven), ..Preset::Classic.options(4) };
    assert_eq!(rule_text(&seven.check().unwrap()), rule_text(&rules(Preset::Classic, 4)));
}

/// Whoever wants to know where a preset comes from finds its row.
#[test]
fn every_preset_has_its_sources() {
    let sources = include_str!("../../SOURCES.md");
    for preset in Preset::ALL {
        assert!(sources.contains(&format!("\n| `{preset}` | ")), "{preset}");
    }
}

//! Which options make rules, and what is said of those that make none.

use sedma_rules::{
    BurnedHand, Card, CardSet, Continuation, ContinuationCondition, DealScore, DrawTiming, ForcedMatch,
    PackKind, Partnership, Preset, Rank, RankSet, RuleOptions, RulesError, SoloistCard, Suit, Tiers, WinRule,
};

use crate::chance::every_preset;

const TIERS: Tiers = Tiers { win: 1, sweep_points: 2, sweep_cards: 3, burned_hand: 4, burned_trick: 1 };

fn changed(preset: Preset, seats: u8, change: impl FnOnce(&mut RuleOptions)) -> Result<(), RulesError> {
    let mut options = preset.options(seats);
    change(&mut options);
    options.check().map(|_| ())
}

#[test]
fn every_preset_makes_rules_and_is_its_own_name() {
    for (preset, seats) in every_preset() {
        let rules = preset.options(seats).check().unwrap();
        assert!(!rules.is_custom());
        assert_eq!((rules.options().preset, rules.seats()), (preset, seats));
        assert_eq!(Preset::from_name(preset.name()), Some(preset));
        assert_eq!(Preset::from_code(preset.code()), Some(preset));
        assert!(!preset.source().is_empty());
        assert_eq!(preset.seat_counts().iter().max(), Some(&preset.default_seats()));
    }
    assert_eq!(Preset::from_name("sedma"), None);
}

#[test]
fn a_changed_option_makes_custom_rules() {
    let rules = RuleOptions { match_target: 10, ..Preset::Classic.options(4) }.check().unwrap();
    assert!(rules.is_custom());
}

#[test]
fn a_number_of_seats_that_a_preset_is_not_played_with() {
    for (preset, seats) in [(Preset::Classic, 2), (Preset::Two, 4), (Preset::Classic, 0), (Preset::Two, 255)]
    {
        assert_eq!(preset.options(seats).check(), Err(RulesError::SeatsForPreset));
    }
}

#[test]
fn seats_and_sides_must_fit() {
    let partnership = |preset, seats, partnership| changed(preset, seats, |it| it.partnership = partnership);
    assert_eq!(partnership(Preset::Two, 2, Partnership::FixedPairs), Err(RulesError::PairsNeedFourSeats));
    assert_eq!(partnership(Preset::Classic, 4, Partnership::Individual), Ok(()));
    assert_eq!(
        partnership(Preset::Classic, 4, Partnership::SecretSoloist),
        Err(RulesError::SoloistNeedsThreeSeats)
    );
    assert_eq!(changed(Preset::Two, 2, |it| it.partner_exchange = true), Err(RulesError::ExchangeNeedsPairs));
    let burned_trick = changed(Preset::Three24, 3, |it| it.burned_trick = true);
    assert_eq!(burned_trick, Err(RulesError::BurnedTrickWithThreeSeats));
}

#[test]
fn the_pack_must_go_round_evenly() {
    let pack =
        |pack, hand_size| changed(Preset::Classic, 4, |it| (it.pack, it.hand_size) = (pack, hand_size));
    assert_eq!(pack(PackKind::French32, 8), Ok(()));
    assert_eq!(pack(PackKind::French32, 5), Err(RulesError::HandSize));
    assert_eq!(pack(PackKind::P24WithSevens, 8), Err(RulesError::PackTooSmall));
    assert_eq!(pack(PackKind::P30Minus8And9, 4), Err(RulesError::UnevenStock));
    assert_eq!(changed(Preset::Three24, 3, |it| it.pack = PackKind::French32), Err(RulesError::UnevenStock));
}

#[test]
fn wild_and_soloist_cards_must_be_in_the_pack() {
    let twos = RankSet::of(&[Rank::Two]);
    assert_eq!(changed(Preset::Classic, 4, |it| it.wild_ranks = twos), Err(RulesError::WildCardNotInPack));
    let two = CardSet::from_iter([Card::new(Rank::Two, Suit::Clubs)]);
    assert_eq!(changed(Preset::Classic, 4, |it| it.wild_cards = two), Err(RulesError::WildCardNotInPack));
    let green = changed(Preset::ThreeRedKing, 3, |it| it.soloist_card = SoloistCard::KingOfLeaves);
    assert_eq!(green, Ok(()), "every pack has both kings, so no option can leave the soloist's card out");
}

#[test]
fn ways_of_play_that_mean_nothing_together() {
    let hola = |change: fn(&mut RuleOptions)| changed(Preset::Hola, 4, change);
    assert_eq!(hola(|it| it.burned_trick = true), Err(RulesError::AbeyanceWithBurnedTrick));
    let forced = |it: &mut RuleOptions| it.forced_match = ForcedMatch::MustMatchIfAble;
    assert_eq!(hola(forced), Err(RulesError::AbeyanceWithForcedMatch));
    let classic = |change: fn(&mut RuleOptions)| changed(Preset::Classic, 4, change);
    assert_eq!(classic(|it| it.blind_stock_play = true), Err(RulesError::BlindPlayNeedsDrawAfterPlay));
    let bound = |it: &mut RuleOptions| {
        it.blind_stock_play = true;
        it.draw_timing = DrawTiming::AfterEachPlay;
        it.continuation = Continuation::SameRankOrWild;
    };
    assert_eq!(classic(bound), Err(RulesError::BlindPlayWithBoundCards));
    assert_eq!(classic(|it| it.max_same_rank_leads = 5), Err(RulesError::TooManyRankLeads));
    let forty = |it: &mut RuleOptions| it.marriage_forty_suit = Some(Suit::Hearts);
    assert_eq!(classic(forty), Err(RulesError::FortySuitWithoutMarriages));
}

#[test]
fn a_secret_soloist_is_not_betrayed() {
    let red_king = |change: fn(&mut RuleOptions)| changed(Preset::ThreeRedKing, 3, change);
    let opponent = |it: &mut RuleOptions| it.continuation_condition = ContinuationCondition::OpponentWinning;
    assert_eq!(red_king(opponent), Err(RulesError::OpponentIsSecret));
    assert_eq!(red_king(|it| it.stop_at_points = 50), Err(RulesError::StopWithSecretSoloist));
}

#[test]
fn scores_must_have_one_meaning() {
    let classic = |change: fn(&mut RuleOptions)| changed(Preset::Classic, 4, change);
    assert_eq!(classic(|it| it.win_rule = WinRule::Threshold(45)), Err(RulesError::Threshold));
    assert_eq!(classic(|it| it.win_rule = WinRule::Threshold(91)), Err(RulesError::Threshold));
    let falling = |it: &mut RuleOptions| it.deal_score = DealScore::Tiers(Tiers { sweep_cards: 1, ..TIERS });
    assert_eq!(classic(falling), Err(RulesError::Tiers));
    let raw_burned = |it: &mut RuleOptions| {
        it.deal_score = DealScore::RawPoints { all_tricks_bonus: 80 };
        it.burned_hand = BurnedHand::OnDraw;
    };
    assert_eq!(classic(raw_burned), Err(RulesError::BurningWithRawPoints));
    let too_many = |it: &mut RuleOptions| {
        it.win_rule = WinRule::Majority;
        it.last_trick_bonus = 200;
    };
    assert_eq!(classic(too_many), Err(RulesError::TooManyPoints));
}

#[test]
fn every_error_names_its_option() {
    let message = RulesError::UnevenStock.to_string();
    assert_eq!(message, "pack leaves a stock that seats can't share evenly");
}

//! Tricks and deals that somebody wrote down.

use sedma_rules::{
    BurnedHandOf, Card, DealResult, DealTier, Fact, Partnership, PlayReason, Preset, Rules, ScoreProblem,
    Seat, TrickScore, score_deal, score_trick,
};

use crate::chance::{every_preset, play_deals, rules};
use crate::transcript::{cards, seat};

pub(crate) type Play = (Seat, Card, bool);

/// A leader's number and the cards, each by the next seat; `Kh!` announces a marriage.
pub(crate) fn plays(rules: &Rules, text: &str) -> Vec<Play> {
    let (leader, cards) = text.split_once(' ').unwrap_or((text, ""));
    let leader = seat(leader.parse().unwrap());
    let play = |(at, card): (usize, &str)| {
        let plain = card.trim_end_matches('!');
        (leader.after(at, rules.seats()), plain.parse().unwrap(), plain != card)
    };
    cards.split_whitespace().enumerate().map(play).collect()
}

fn deal(preset: Preset, seats: u8, tricks: &[&str]) -> DealResult {
    let rules = rules(preset, seats);
    let tricks: Vec<Vec<Play>> = tricks.iter().map(|trick| plays(&rules, trick)).collect();
    score_deal(&rules, &tricks, None).unwrap_or_else(|error| panic!("{error}"))
}

/// Tier, then points and game points of both sides.
fn outcome(result: DealResult) -> (DealTier, [u8; 2], [u8; 2]) {
    let sides = result.sides.as_slice();
    (result.tier, [sides[0].points, sides[1].points], [sides[0].game_points, sides[1].game_points])
}

pub(crate) const EVERY_TRICK: [&str; 8] = [
    "1 7c Ac Kc Qc",
    "1 7d Ad Kd Qd",
    "1 7h Ah Kh Qh",
    "1 7s As Ks Qs",
    "1 10c Jc 9c 8c",
    "1 10d Jd 9d 8d",
    "1 10h Jh 9h 8h",
    "1 10s Js 9s 8s",
];

pub(crate) const EVERY_CARD_POINT: [&str; 8] = [
    "1 7c Ac Kc Qc",
    "1 7d Ad Kd Qd",
    "1 7h Ah Kh Qh",
    "1 7s As Ks Qs",
    "1 10c 9c 8h Jd",
    "1 10d 9d 8s Jh",
    "1 10h 9h 10s 9s",
    "3 8c 8d Jc Js",
];

pub(crate) const EVERY_POINT: [&str; 8] = [
    "1 8c 8d Jc Js",
    "2 Kc Kd Qc Ac",
    "3 7c Ad 9c 10c",
    "3 7d Ah 9d 10d",
    "3 7h As 9h 10h",
    "3 7s 10s 9s Qd",
    "3 8h Jd Qh Kh",
    "3 8s Jh Qs Ks",
];

pub(crate) const FORTY_TO_FIFTY: [&str; 8] = [
    "1 7c Ac Kc Qc",
    "1 7d Ad Kd Qd",
    "1 7h Ah Kh Qh",
    "1 7s As Ks Qs",
    "1 10c 9c 8h 10d",
    "4 10h 9d 8s Jc",
    "4 10s 9s Jd 8c",
    "4 9h Jh 8d Js",
];

#[test]
fn example_20_the_side_with_fifty_wins_one() {
    let result = deal(Preset::Classic, 4, &FORTY_TO_FIFTY);
    assert_eq!(outcome(result), (DealTier::Win, [40, 50], [0, 1]));
}

#[test]
fn example_21_forty_five_each_cannot_happen() {
    play_deals(&rules(Preset::Classic, 4), 21, 2_000, |_, fact, _| {
        if let Fact::DealEnded(result) = fact {
            let (tier, points, _) = outcome(*result);
            assert!(points.iter().all(|points| points.is_multiple_of(10)) && points[0] + points[1] == 90);
            assert_ne!(tier, DealTier::Void);
        }
    });
}

#[test]
fn example_22_all_card_points_are_bald_even_without_the_last_trick() {
    let bald = deal(Preset::Classic, 4, &EVERY_CARD_POINT);
    assert_eq!(outcome(bald), (DealTier::SweepPoints, [80, 10], [2, 0]));
}

#[test]
fn example_23_where_the_others_must_have_nothing_the_last_trick_saves_them() {
    for preset in [Preset::Cervena, Preset::Pagat] {
        assert_eq!(outcome(deal(preset, 4, &EVERY_CARD_POINT)), (DealTier::Win, [80, 10], [1, 0]));
    }
}

#[test]
fn example_24_all_ninety_with_one_blank_trick_lost_is_two() {
    for preset in [Preset::Classic, Preset::Cervena] {
        assert_eq!(outcome(deal(preset, 4, &EVERY_POINT)), (DealTier::SweepPoints, [90, 0], [2, 0]));
    }
}

#[test]
fn example_25_every_trick_is_three_and_not_five() {
    for preset in [Preset::Classic, Preset::Cervena] {
        assert_eq!(outcome(deal(preset, 4, &EVERY_TRICK)), (DealTier::SweepCards, [90, 0], [3, 0]));
    }
}

/// The same deals for the other side: the same scores, the other way round.
#[test]
fn both_sides_are_scored_alike() {
    for (tricks, expected) in [
        (EVERY_TRICK, (DealTier::SweepCards, [0, 90], [0, 3])),
        (EVERY_POINT, (DealTier::SweepPoints, [0, 90], [0, 2])),
        (EVERY_CARD_POINT, (DealTier::SweepPoints, [10, 80], [0, 2])),
    ] {
        let rules = rules(Preset::Classic, 4);
        let turned: Vec<Vec<Play>> = tricks
            .iter()
            .map(|trick| {
                plays(&rules, trick).into_iter().map(|(seat, card, _)| (seat.next(4), card, false)).collect()
            })
            .collect();
        assert_eq!(outcome(score_deal(&rules, &turned, None).unwrap()), expected);
    }
}

#[test]
fn a_trick_tells_its_winner_points_and_reasons() {
    let rules = rules(Preset::Classic, 4);
    let score = score_trick(&rules, &plays(&rules, "2 10c 7c Kc 10d"), true).unwrap();
    let reasons = vec![PlayReason::Led, PlayReason::Wild, PlayReason::NoMatch, PlayReason::SameRank];
    let expected = TrickScore {
        winner: seat(1),
        points: 20,
        last_trick_bonus: 10,
        marriage_points: 0,
        burned_by: None,
        reasons,
    };
    assert_eq!(score, expected);
}

#[test]
fn what_cannot_have_been_played_is_found_where_it_is() {
    let rules = rules(Preset::Classic, 4);
    let wrong = |text: &str| {
        let error = score_trick(&rules, &plays(&rules, text), false).unwrap_err();
        (error.problem, error.play)
    };
    assert_eq!(wrong("1"), (ScoreProblem::Empty, 0));
    assert_eq!(wrong("1 9c Ac 9d"), (ScoreProblem::Incomplete, 3));
    assert_eq!(wrong("1 9c Ac 6d 8d"), (ScoreProblem::NotInPack, 2));
    assert_eq!(wrong("1 9c Ac 9c 8d"), (ScoreProblem::Twice, 2));
    assert_eq!(wrong("1 9c Ac 9d Kc 9h Jc Jd Jh"), (ScoreProblem::NoContinuation, 4));
    assert_eq!(wrong("1 Kc! Ac 9d Qc"), (ScoreProblem::NoMarriage, 0));
    let out_of_turn = [(seat(1), cards("9c")[0], false), (seat(3), cards("9d")[0], false)];
    let error = score_trick(&rules, &out_of_turn, false).unwrap_err();
    assert_eq!((error.problem, error.play), (ScoreProblem::OutOfTurn, 1));
    assert_eq!(error.to_string(), "trick 1, play 2: another seat was to play");
}

#[test]
fn what_is_no_whole_deal_is_found() {
    let rules = rules(Preset::Classic, 4);
    let wrong = |tricks: &[&str], burned: Option<Seat>| {
        let burned = burned.map(|seat| BurnedHandOf { seat, soloist: None });
        let tricks: Vec<Vec<Play>> = tricks.iter().map(|trick| plays(&rules, trick)).collect();
        let error = score_deal(&rules, &tricks, burned).unwrap_err();
        (error.problem, error.trick, error.play)
    };
    assert_eq!(wrong(&EVERY_TRICK[..7], None), (ScoreProblem::Unfinished, 7, 0));
    assert_eq!(wrong(&["1 7c Ac Kc Qc", "2 7d Ad Kd Qd"], None), (ScoreProblem::WrongLeader, 1, 0));
    assert_eq!(wrong(&["1 7c Ac Kc Qc", "1 7d Ad Kc Qd"], None), (ScoreProblem::Twice, 1, 2));
    assert_eq!(wrong(&EVERY_TRICK, Some(seat(1))), (ScoreProblem::NoBurnedHand, 8, 0));
    let nine: Vec<&str> = EVERY_TRICK.iter().copied().chain(["1 7c Ac Kc Qc"]).collect();
    assert_eq!(wrong(&nine, None), (ScoreProblem::AfterTheEnd, 8, 0));
}

/// What was played, written down and scored, comes out as it was scored in play.
#[test]
fn written_down_deals_score_as_in_play() {
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let mut tricks: Vec<Vec<Play>> = Vec::new();
        let mut trick: Vec<Play> = Vec::new();
        play_deals(&rules, 11, 300, |_, fact, _| match fact {
            Fact::Dealt { .. } => (tricks, trick) = (Vec::new(), Vec::new()),
            Fact::CardPlayed { seat, card, marriage_points, .. } => {
                trick.push((*seat, *card, *marriage_points > 0));
            }
            Fact::TrickWon { seat, points, .. } => {
                let score = score_trick(&rules, &trick, false).unwrap();
                assert_eq!((score.winner, score.points), (*seat, *points));
                tricks.push(std::mem::take(&mut trick));
            }
            Fact::DealEnded(result) => {
                let burned = (result.tier == DealTier::BurnedHand)
                    .then(|| BurnedHandOf { seat: winner(result), soloist: soloist(&rules, result) });
                if result.tier == DealTier::BurnedTrick {
                    tricks.push(std::mem::take(&mut trick));
                }
                assert_eq!(score_deal(&rules, &tricks, burned), Ok(*result));
            }
            _ => {}
        });
    }
}

/// The seat that stands alone against two, where the rules have a soloist and he was known in the end.
fn soloist(rules: &Rules, result: &DealResult) -> Option<Seat> {
    let secret = rules.options().partnership == Partnership::SecretSoloist && result.sides.len() == 2;
    let alone = result.sides.iter().find(|side| secret && side.seats.iter().count() == 1);
    alone.and_then(|side| side.seats.iter().next())
}

fn winner(result: &DealResult) -> Seat {
    result.sides.iter().find(|side| side.game_points > 0).and_then(|side| side.seats.iter().next()).unwrap()
}

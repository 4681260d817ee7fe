//! Mistakes that other programs were reported for and that show over whole deals, played here; each with the
//! address of its report.

use sedma_rules::{
    Action, BySeat, Card, Continuation, ContinuationCondition, Direction, Fact, Match, Pack, Preset, Refused,
    RuleOptions, Rules, Seat, SeatSet,
};

use crate::chance::{every_preset, play_deals, rules};
use crate::legality::every_action;
use crate::scoring::{EVERY_CARD_POINT, EVERY_POINT, EVERY_TRICK, FORTY_TO_FIFTY, Play, plays};
use crate::transcript::{Table, table, table_with};

/// The second team's sweep was looked for in the first team's pile. Here each deal is played by one pair and
/// then, every seat moved on by one, by the other.
///
/// <https://github.com/TamaraSovcikova/Sedma/commit/020c13d4f41eb1b2f5ab89912fbc1f499078309c>
#[test]
fn a_deal_scores_alike_for_either_pair() {
    for (tricks, points, game_points) in [
        (EVERY_TRICK, [90, 0], [3, 0]),
        (EVERY_POINT, [90, 0], [2, 0]),
        (EVERY_CARD_POINT, [80, 10], [2, 0]),
        (FORTY_TO_FIFTY, [40, 50], [0, 1]),
    ] {
        for moved in 0..4 {
            let (_, game) = played(&tricks, moved, 0);
            let made: Vec<(u8, u16)> = game
                .last_deal()
                .unwrap()
                .sides
                .iter()
                .zip(game.standing())
                .map(|(side, standing)| (side.points, standing.1))
                .collect();
            let (first, second) = if moved % 2 == 0 { (0, 1) } else { (1, 0) };
            let expected = [(points[first], game_points[first]), (points[second], game_points[second])];
            assert_eq!(made, expected, "moved by {moved}");
        }
    }
}

/// The written-down tricks of a four-player deal, played on a pack that gives each seat its cards in time: the
/// first four as dealt, the others one after each trick. So many plays at the end are left.
fn played(tricks: &[&str], moved: usize, left: usize) -> (Rules, Match) {
    let rules = rules(Preset::Classic, 4);
    let tricks: Vec<Vec<Play>> = tricks
        .iter()
        .map(|trick| {
            plays(&rules, trick)
                .into_iter()
                .map(|(seat, card, _)| (seat.after(moved, 4), card, false))
                .collect()
        })
        .collect();
    let mut cards: BySeat<Vec<Card>> = BySeat::default();
    for (seat, card, _) in tricks.iter().flatten() {
        cards.get_mut(*seat).push(*card);
    }
    let leader = tricks[0][0].0;
    let dealt = (0..4).flat_map(|round| leader.round(4).map(move |seat| (seat, round)));
    let drawn = (4..8).flat_map(|round| tricks[round - 3][0].0.round(4).map(move |seat| (seat, round)));
    let pack: Vec<Card> = dealt.chain(drawn).map(|(seat, round)| cards.get(seat)[round]).collect();
    let mut game = Match::new(&rules);
    let mut facts = Vec::new();
    game.start_deal(&rules, leader.after(3, 4), Pack::new(&rules, &pack).unwrap(), &mut facts).unwrap();
    evolve(&mut game, &mut facts);
    let all: Vec<Play> = tricks.into_iter().flatten().collect();
    for &(seat, card, _) in &all[..all.len() - left] {
        game.act(&rules, seat, Action::Play { card, announce_marriage: false }, &mut facts).unwrap();
        evolve(&mut game, &mut facts);
    }
    (rules, game)
}

fn evolve(game: &mut Match, facts: &mut Vec<Fact>) {
    for fact in facts.drain(..) {
        game.evolve(&fact).unwrap();
    }
}

/// A game went on for ever when its last action was the unusual one. Here a deal ends by each kind of last
/// action there is.
///
/// <https://github.com/trolley813/OpenFool/issues/32>
#[test]
fn a_deal_ends_whatever_its_last_action_is() {
    // The leader ends a trick, and a card drawn after it burns a hand.
    let burns = table(Preset::Cervena, 4)
        .deal(&["9c 9d Jh 10d", "Kc Kd Kh 8c", "9h", "Qc"], "10c As 8d Ks")
        .plays("9c 8c 9h Qc")
        .may("play 9d, end");
    ends_once(&burns.rules, &burns.game, "end", "burned_hand");
    // The leader ends a trick that brings its taker to the points that stop the deal.
    let stop = RuleOptions {
        stop_at_points: 50,
        continuation: Continuation::SameRankOrWild,
        continuation_condition: ContinuationCondition::Always,
        ..Preset::Two.options(2)
    };
    let stops = table_with(stop).deal(&["Ac Ad Ah 7c", "10c 10d Kc Qc"], "").plays("Ac 10c | Ad 10d | Ah Kc");
    ends_once(&stops.rules, &stops.game, "end", "win");
    // The fourth of four equal cards.
    let trick_burns = table(Preset::Cervena, 4).deal(&["Qc", "Qd", "Qh", "Qs"], "").plays("Qc Qd Qh");
    ends_once(&trick_burns.rules, &trick_burns.game, "play Qs", "burned_trick");
    // The last card of all, after which nobody could go on: once any, once a seven.
    for (tricks, last) in [(EVERY_TRICK, "play 8s"), (SEVENS_LAST, "play 7s")] {
        let (rules, game) = played(&tricks, 0, 1);
        ends_once(&rules, &game, last, if last == "play 7s" { "win" } else { "sweep_cards" });
    }
}

const SEVENS_LAST: [&str; 8] = [
    "1 10c Jc 9c 8c",
    "1 10d Jd 9d 8d",
    "1 10h Jh 9h 8h",
    "1 10s Js 9s 8s",
    "1 Ac Kc Qc Kd",
    "1 Ad Qd Kh Qh",
    "1 Ah Ks Qs 7c",
    "4 As 7d 7h 7s",
];

/// The action ends the deal, once; nobody is to act, and whatever is asked for is refused.
fn ends_once(rules: &Rules, game: &Match, last: &str, tier: &str) {
    let (mut game, mut facts) = (game.clone(), Vec::new());
    game.act(rules, game.turn().unwrap(), last.parse().unwrap(), &mut facts).unwrap();
    let ends: Vec<&Fact> = facts.iter().filter(|fact| matches!(fact, Fact::DealEnded(_))).collect();
    assert_eq!(ends.len(), 1, "{facts:?}");
    assert!(ends[0].to_string().starts_with(&format!("end {tier} ")), "{}", ends[0]);
    evolve(&mut game, &mut facts);
    assert_eq!(game.turn(), None);
    for seat in Seat::first(rules.seats()) {
        for action in every_action() {
            assert_eq!(game.refusal(rules, seat, action), Some(Refused::DealOver));
        }
    }
}

/// Who acts first was not brought up to date: after a trick, and after a deal.
///
/// <https://github.com/bupticybee/AlphaNLHoldem/issues/9>, <https://github.com/dominicprice/endplay/issues/58>
#[test]
fn the_taker_leads_the_next_trick_and_the_seat_after_the_dealer_the_next_deal() {
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let mut leaders = 0;
        play_deals(&rules, 14, 3, |before, fact, after| match fact {
            Fact::Dealt { dealer, .. } => {
                assert_eq!(after.turn(), Some(dealer.next(seats)));
                leaders += 1;
            }
            Fact::TrickWon { seat, .. } => assert_eq!(after.turn(), Some(*seat)),
            Fact::CardPlayed { seat, .. } => {
                assert_eq!(before.turn(), Some(*seat));
                assert_eq!(after.turn(), Some(seat.next(seats)));
            }
            _ => {}
        });
        assert_eq!(leaders, 3, "{preset} {seats}");
    }
}

/// Three deals, in which the dealing side wins and loses: classic goes round, Czech losers deal.
#[test]
fn the_next_dealer_is_who_the_rules_say() {
    let next = |preset| {
        let mut deals = Vec::new();
        play_deals(&rules(preset, 4), 3, 60, |before, fact, after| {
            if let (Fact::Dealt { dealer, .. }, Some(result)) = (fact, before.last_deal()) {
                let last = before.view(&rules(preset, 4), SeatSet::EMPTY).dealer.unwrap();
                let won = result.sides.side_of(last).is_some_and(|side| side.game_points > 0);
                deals.push((won, dealer.after(4 - last.index(), 4).index()));
            }
            assert_eq!(after.seats(), 4);
        });
        deals
    };
    let (classic, czech) = (next(Preset::Classic), next(Preset::Cervena));
    assert!(classic.iter().all(|(_, on)| *on == 1), "{classic:?}");
    assert!(czech.iter().all(|(won, on)| *on == if *won { 1 } else { 2 }), "{czech:?}");
    assert!([true, false].iter().all(|won| czech.iter().any(|deal| deal.0 == *won)));
    assert_eq!(Preset::Classic.options(4).direction, Direction::Clockwise);
    assert_eq!(Preset::Zsirozas.options(4).direction, Direction::Anticlockwise);
}

/// Hands, last card and round counter of a game that was left came up in the next one. Here a match is left in
/// the middle of a second round, and another begins; and a deal ends with cards on the table.
///
/// <https://github.com/TamaraSovcikova/Sedma/commit/3d2e56cfce6c1056235a95c8087892d322502434>
#[test]
fn nothing_of_a_deal_that_was_left_is_in_the_next() {
    let hands = ["9c 9d Kc Qc", "10c 7c", "Jc 8c", "9h 10d"];
    let left = table(Preset::Pagat, 4).deal(&hands, "").plays("9c 10c Jc 9h | 9d");
    let fresh = table(Preset::Pagat, 4);
    assert_eq!(fresh.game, Match::new(&left.rules), "a new match knows nothing of the one that was left");
    begins_afresh(&fresh.deal(&hands, ""));

    let burned = table(Preset::Cervena, 4).deal(&["Qc", "Qd", "Qh", "Qs"], "").plays("Qc Qd Qh Qs").ended();
    assert_eq!(
        burned.game.view(&burned.rules, SeatSet::EMPTY).trick.len(),
        4,
        "the burned trick still lies there"
    );
    begins_afresh(&burned.deal(&[], "").act("exchange no"));
}

fn begins_afresh(table: &Table) {
    let rules: &Rules = &table.rules;
    let view = table.game.view(rules, SeatSet::all(4));
    assert!(view.trick.is_empty() && view.last_trick.is_none());
    assert!(view.sides.iter().all(|side| (side.points, side.tricks) == (0, 0)));
    assert_eq!((view.stock_count, &view.hand_counts[..]), (16, &[4, 4, 4, 4][..]));
    let turn = view.turn.unwrap();
    assert_eq!(table.legal().plays, view.hands[turn.index()].cards, "any card may be led");
    assert!(!table.legal().end_trick);
}

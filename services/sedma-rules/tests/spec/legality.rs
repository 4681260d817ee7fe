//! What is legal is what is accepted, and a refusal changes nothing.

use sedma_rules::{Action, CardSet, Deal, Fact, Match, Preset, Refused, Rules, Seat};

use crate::chance::{Chance, every_preset, play_states, rules};

/// Everything anybody could ask for.
fn every_action() -> Vec<Action> {
    let plays = CardSet::FULL
        .iter()
        .flat_map(|card| [false, true].map(|announce_marriage| Action::Play { card, announce_marriage }));
    let others =
        [Action::PlayFromStock, Action::EndTrick, Action::ExchangeHands(true), Action::ExchangeHands(false)];
    plays.chain(others).collect()
}

#[test]
fn legal_actions_are_just_what_is_accepted() {
    let actions = every_action();
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let deals = if [Preset::Classic, Preset::Two].contains(&preset) { 200 } else { 40 };
        play_states(&rules, 2, deals, |game| {
            for seat in Seat::first(seats) {
                check(&rules, game, seat, &actions);
            }
        });
    }
}

fn check(rules: &Rules, game: &Match, seat: Seat, actions: &[Action]) {
    let legal: Vec<Action> = game.legal_actions(rules, seat).iter().collect();
    for &action in actions {
        let mut facts = Vec::new();
        let done = game.act(rules, seat, action, &mut facts);
        assert_eq!(done.is_ok(), legal.contains(&action), "{seat} {action}: {game}");
        assert_eq!(done.err(), game.refusal(rules, seat, action));
        assert_eq!(facts.is_empty(), done.is_err(), "a refusal tells nothing");
        match done {
            Err(Refused::DealOver) => assert!(!game.deal_running()),
            Err(Refused::NotYourTurn) => assert!(game.turn().is_some_and(|turn| turn != seat)),
            Err(Refused::CardNotInHand | Refused::Illegal(_)) | Ok(()) => assert_eq!(game.turn(), Some(seat)),
        }
    }
}

/// The fast way of a single deal refuses, accepts and tells the same, and leaves a deal alone that it
/// refuses.
#[test]
fn a_deal_by_itself_goes_as_in_a_match() {
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let mut chance = Chance::seeded(5);
        for _ in 0..50 {
            let pack = chance.pack(&rules);
            let mut told: Vec<Fact> = Vec::new();
            let mut deal =
                Deal::start(&rules, 1, Seat::One, &pack, &mut |fact| told.push(fact.clone())).unwrap();
            let mut game = Match::new(&rules);
            let mut facts = Vec::new();
            game.start_deal(&rules, Seat::One, pack, &mut facts).unwrap();
            loop {
                facts.retain(|fact| !matches!(fact, Fact::MatchEnded { .. }));
                assert_eq!(told, facts);
                for fact in facts.drain(..) {
                    game.evolve(&fact).unwrap();
                }
                let Some(seat) = deal.turn() else { break };
                refuses_everybody_else(&rules, &deal, seat);
                assert_eq!(deal.legal_actions(&rules, seat), game.legal_actions(&rules, seat));
                let actions: Vec<Action> = deal.legal_actions(&rules, seat).iter().collect();
                let action = chance.action(&actions);
                told.clear();
                deal.apply(&rules, seat, action, &mut |fact| told.push(fact.clone())).unwrap();
                game.act(&rules, seat, action, &mut facts).unwrap();
            }
            assert!(!game.deal_running());
        }
    }
}

fn refuses_everybody_else(rules: &Rules, deal: &Deal, turn: Seat) {
    let mut copy = *deal;
    for seat in Seat::first(rules.seats()).filter(|seat| *seat != turn) {
        let refused = copy.apply(rules, seat, Action::EndTrick, &mut |fact| panic!("told {fact}"));
        assert_eq!(refused, Err(Refused::NotYourTurn));
    }
    let strange = CardSet::FULL.minus(copy.hand(turn)).iter().next().unwrap();
    let play = Action::Play { card: strange, announce_marriage: false };
    assert_eq!(copy.apply(rules, turn, play, &mut |fact| panic!("told {fact}")), Err(Refused::CardNotInHand));
    assert_eq!(copy, *deal);
}

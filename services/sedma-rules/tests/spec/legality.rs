//! What is legal is what is accepted, and a refusal changes nothing.

use sedma_rules::{Action, CardSet, Deal, Fact, Match, Refused, Rules, Seat};

use crate::chance::{Chance, every_preset, play_states, proving, rules};

/// Everything anybody could ask for.
pub(crate) fn every_action() -> Vec<Action> {
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
    let deals = if proving() { 10_000 } else { 500 };
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let mut accepted = 0_u64;
        play_states(&rules, 2, deals, |game| {
            for seat in Seat::first(seats) {
                accepted += check(&rules, game, seat, &actions);
            }
        });
        assert!(accepted > deals as u64 * u64::from(rules.pack().len()) / 2, "{preset} {seats}: {accepted}");
    }
}

/// Asks for everything, and counts what is accepted. The match is only lent to `act`, so that a refusal can't
/// change it; that it tells nothing either is looked at here.
fn check(rules: &Rules, game: &Match, seat: Seat, actions: &[Action]) -> u64 {
    let legal: Vec<Action> = game.legal_actions(rules, seat).iter().collect();
    let mut facts = Vec::new();
    let mut accepted = 0;
    for &action in actions {
        let done = game.act(rules, seat, action, &mut facts);
        assert_eq!(done.is_ok(), legal.contains(&action), "{seat} {action}: {game}");
        assert_eq!(done.err(), game.refusal(rules, seat, action));
        assert_eq!(facts.is_empty(), done.is_err(), "a refusal tells nothing");
        facts.clear();
        accepted += u64::from(done.is_ok());
        match done {
            Err(Refused::DealOver) => assert!(!game.deal_running()),
            Err(Refused::NotYourTurn) => assert!(game.turn().is_some_and(|turn| turn != seat)),
            Err(Refused::CardNotInHand | Refused::Illegal(_)) | Ok(()) => assert_eq!(game.turn(), Some(seat)),
        }
    }
    assert_eq!(accepted, legal.len() as u64, "no action is listed twice or beside those that were tried");
    accepted
}

/// The fast way of a single deal refuses, accepts and tells the same as a match does, whatever is asked for,
/// and leaves a deal alone that it refuses.
#[test]
fn a_deal_by_itself_goes_as_in_a_match() {
    let everything = every_action();
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let mut chance = Chance::seeded(5);
        for _ in 0..100 {
            let pack = chance.pack(&rules);
            let mut told: Vec<Fact> = Vec::new();
            let mut deal =
                Deal::start(&rules, 1, Seat::One, &pack, &mut |fact| told.push(fact.clone())).unwrap();
            let mut game = Match::new(&rules);
            let mut facts = Vec::new();
            game.start_deal(&rules, Seat::One, pack, &mut facts).unwrap();
            loop {
                assert_eq!(told, without_the_match(&facts));
                facts.drain(..).for_each(|fact| game.evolve(&fact).unwrap());
                let Some(seat) = deal.turn() else { break };
                does_the_same(&rules, &deal, &game, &everything);
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

fn without_the_match(facts: &[Fact]) -> Vec<Fact> {
    facts.iter().filter(|fact| !matches!(fact, Fact::MatchEnded { .. })).cloned().collect()
}

fn does_the_same(rules: &Rules, deal: &Deal, game: &Match, everything: &[Action]) {
    let (mut told, mut facts) = (Vec::new(), Vec::new());
    for seat in Seat::first(rules.seats()) {
        assert_eq!(deal.legal_actions(rules, seat), game.legal_actions(rules, seat));
        for &action in everything {
            let mut copy = *deal;
            let done = copy.apply(rules, seat, action, &mut |fact| told.push(fact.clone()));
            assert_eq!(done, game.act(rules, seat, action, &mut facts));
            assert_eq!(told, without_the_match(&facts));
            assert_eq!(
                done.is_err(),
                copy == *deal,
                "{seat} {action}: a refusal, and only that, changes nothing"
            );
            told.clear();
            facts.clear();
        }
    }
}

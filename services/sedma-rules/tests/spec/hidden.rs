//! What a viewer may not know makes no difference to what he is shown, told or refused.

use sedma_rules::{Action, Card, CardSet, Event, Fact, Match, Pack, Preset, Rules, Seat, SeatSet};

use crate::chance::{Chance, every_preset, rules};

/// A deal as far as it was played.
struct Played {
    pack: Vec<Card>,
    actions: Vec<(Seat, Action)>,
}

/// Each fact with the state before it.
type Log = Vec<(Match, Fact)>;

fn replay(rules: &Rules, pack: &[Card], actions: &[(Seat, Action)]) -> Option<(Match, Log)> {
    let mut game = Match::new(rules);
    let mut log = Vec::new();
    let mut facts = Vec::new();
    game.start_deal(rules, Seat::One, Pack::new(rules, pack).ok()?, &mut facts).ok()?;
    let mut actions = actions.iter();
    loop {
        for fact in facts.drain(..) {
            log.push((game.clone(), fact.clone()));
            game.evolve(&fact).unwrap();
        }
        let Some((seat, action)) = actions.next() else { return Some((game, log)) };
        game.act(rules, *seat, *action, &mut facts).ok()?;
    }
}

/// Changes two cards that the viewer has not seen by the end: in other hands, or in the stock.
fn unseen_swap(
    rules: &Rules,
    game: &Match,
    viewer: Option<Seat>,
    played: &Played,
    chance: &mut Chance,
) -> Vec<Card> {
    let everything = game.view(rules, SeatSet::all(rules.seats()));
    let public: CardSet = played
        .actions
        .iter()
        .filter_map(|(_, action)| match action {
            Action::Play { card, .. } => Some(*card),
            _ => None,
        })
        .collect();
    let own = everything
        .hands
        .iter()
        .find(|hand| Some(hand.seat) == viewer)
        .map_or(CardSet::EMPTY, |hand| hand.cards);
    let places: Vec<usize> = (0..played.pack.len())
        .filter(|place| !public.contains(played.pack[*place]) && !own.contains(played.pack[*place]))
        .collect();
    let mut pack = played.pack.clone();
    if places.len() >= 2 {
        for _ in 0..places.len() {
            pack.swap(places[chance.below(places.len())], places[chance.below(places.len())]);
        }
    }
    pack
}

/// Where a leader goes on or not is seen by all and depends on his hand, and so does what a player is bound
/// to: a permutation by which the same actions would not have been possible, or not have told the same, is
/// left out.
#[test]
fn permuting_what_a_viewer_may_not_know_changes_nothing_for_him() {
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let mut chance = Chance::seeded(8);
        let mut compared = 0;
        for _ in 0..40 {
            let (played, game, log) = played_for_a_while(&rules, &mut chance);
            for viewer in [None].into_iter().chain(Seat::first(seats).map(Some)) {
                let pack = unseen_swap(&rules, &game, viewer, &played, &mut chance);
                let Some((other, other_log)) = replay(&rules, &pack, &played.actions) else { continue };
                if told(&log, SeatSet::EMPTY) == told(&other_log, SeatSet::EMPTY) {
                    compared += usize::from(other != game);
                    looks_the_same(&rules, viewer, (&game, &log), (&other, &other_log));
                }
            }
        }
        assert!(compared > 20, "{preset} {seats}: the permutations do change something: {compared}");
    }
}

fn played_for_a_while(rules: &Rules, chance: &mut Chance) -> (Played, Match, Log) {
    let mut played = Played { pack: chance.pack(rules).cards().to_vec(), actions: Vec::new() };
    let length = chance.below(20);
    let (mut game, mut log) = replay(rules, &played.pack, &[]).unwrap();
    while let (Some(seat), true) = (game.turn(), played.actions.len() < length) {
        let actions: Vec<Action> = game.legal_actions(rules, seat).iter().collect();
        played.actions.push((seat, chance.action(&actions)));
        (game, log) = replay(rules, &played.pack, &played.actions).unwrap();
    }
    (played, game, log)
}

fn looks_the_same(
    rules: &Rules,
    viewer: Option<Seat>,
    (game, log): (&Match, &[(Match, Fact)]),
    (other, other_log): (&Match, &[(Match, Fact)]),
) {
    let viewers: SeatSet = viewer.into_iter().collect();
    assert_eq!(game.view(rules, viewers), other.view(rules, viewers), "{game}\n{other}");
    assert_eq!(told(log, viewers), told(other_log, viewers));
    if let Some(seat) = viewer {
        assert_eq!(game.legal_actions(rules, seat), other.legal_actions(rules, seat));
        for card in CardSet::FULL {
            let play = Action::Play { card, announce_marriage: false };
            assert_eq!(game.refusal(rules, seat, play), other.refusal(rules, seat, play), "{card}");
        }
    }
}

fn told(log: &[(Match, Fact)], viewers: SeatSet) -> Vec<Event> {
    let mut events = Vec::new();
    for (before, fact) in log {
        before.events(fact, viewers, &mut events);
    }
    events
}

/// A spectator's view has no card but those on the table and in the last trick.
#[test]
fn a_spectator_sees_no_hand() {
    let rules = rules(Preset::Classic, 4);
    let pack = Chance::seeded(9).pack(&rules);
    let (game, log) = replay(&rules, pack.cards(), &[]).unwrap();
    assert!(game.view(&rules, SeatSet::EMPTY).hands.is_empty());
    let events = told(&log, SeatSet::EMPTY);
    assert!(
        matches!(&events[..], [Event::Dealt { own, stock_count: 16, .. }] if own.is_empty()),
        "{events:?}"
    );
}

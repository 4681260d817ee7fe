//! What a viewer may not know makes no difference to what he is shown, told or refused.

use sedma_rules::{Action, Card, CardSet, Event, Fact, Match, Pack, Preset, Rules, Seat, SeatSet};

use crate::chance::{Chance, every_preset, rules};
use crate::legality::every_action;

/// A deal as far as it was played, in a match that had come to it.
struct Played {
    before: Match,
    pack: Vec<Card>,
    actions: Vec<(Seat, Action)>,
}

/// Each fact with the state before it.
type Log = Vec<(Match, Fact)>;

/// How often two deals were compared that differ only in what the viewer may not know, and how many of them
/// hid something special.
#[derive(Debug, Default)]
struct Compared {
    all: usize,
    /// The soloist is somebody else.
    soloists: usize,
    exchanges: usize,
    blind_plays: usize,
    fights: usize,
    marriages: usize,
}

/// Where a leader goes on or not is seen by all and depends on his hand, and so does what a player is bound
/// to: a permutation by which the same actions would not have been possible, or not have told the same, is
/// left out. How many are left is counted, so that the test can't come to say nothing.
#[test]
fn permuting_what_a_viewer_may_not_know_changes_nothing_for_him() {
    for (preset, seats) in every_preset() {
        let rules = rules(preset, seats);
        let compared = compare(&rules, &mut Chance::seeded(8));
        assert!(compared.all >= 7_500, "{preset} {seats}: {compared:?}");
        let special = match (preset, seats) {
            (Preset::ThreeRedKing, _) => compared.soloists,
            (Preset::Cervena, 4) => compared.exchanges,
            (Preset::Ristikontra, _) => compared.blind_plays,
            (Preset::Hola, _) => compared.fights,
            (Preset::MariasSedma, _) => compared.marriages,
            _ => continue,
        };
        assert!(special >= 150, "{preset} {seats}: {compared:?}");
    }
}

fn compare(rules: &Rules, chance: &mut Chance) -> Compared {
    let everything = every_action();
    let mut compared = Compared::default();
    for round in 0..2_500 {
        let (played, game, log) = played_for_a_while(rules, chance, round % 2 == 1);
        for viewers in some_viewers(rules, chance) {
            let pack = swap_unseen(&played, &told(&log, viewers), chance);
            let Some((other, other_log)) = replay(rules, &played, &pack) else { continue };
            if other == game || told(&log, SeatSet::EMPTY) != told(&other_log, SeatSet::EMPTY) {
                continue;
            }
            assert_eq!(told(&log, viewers), told(&other_log, viewers), "{viewers}");
            looks_the_same(rules, viewers, &game, &other, &everything);
            count(rules, &mut compared, (&game, &log), &other);
        }
    }
    compared
}

/// Nobody, each seat alone, and some seats together: one client may look for several.
fn some_viewers(rules: &Rules, chance: &mut Chance) -> Vec<SeatSet> {
    let alone = Seat::first(rules.seats()).map(|seat| SeatSet::of(&[seat]));
    let mut together = SeatSet::all(rules.seats());
    together.remove(chance.seat(rules));
    [SeatSet::EMPTY, together].into_iter().chain(alone).collect()
}

/// The first deal, or the second after one that was played out.
fn played_for_a_while(rules: &Rules, chance: &mut Chance, second: bool) -> (Played, Match, Log) {
    let mut before = Match::new(rules);
    if second {
        before =
            play_on(rules, Played { before, pack: pack(rules, chance), actions: Vec::new() }, chance, 1_000)
                .1;
    }
    let played = Played { before, pack: pack(rules, chance), actions: Vec::new() };
    let length = chance.below(24);
    play_on(rules, played, chance, length)
}

fn pack(rules: &Rules, chance: &mut Chance) -> Vec<Card> {
    chance.pack(rules).cards().to_vec()
}

fn play_on(rules: &Rules, mut played: Played, chance: &mut Chance, length: usize) -> (Played, Match, Log) {
    let mut game = played.before.clone();
    let mut log = Vec::new();
    let mut facts = Vec::new();
    game.start_deal(rules, Seat::One, Pack::new(rules, &played.pack).unwrap(), &mut facts).unwrap();
    evolve(&mut game, &mut facts, &mut log);
    while let (Some(seat), true) = (game.turn(), played.actions.len() < length) {
        let actions: Vec<Action> = game.legal_actions(rules, seat).iter().collect();
        let action = chance.action(&actions);
        game.act(rules, seat, action, &mut facts).unwrap();
        played.actions.push((seat, action));
        evolve(&mut game, &mut facts, &mut log);
    }
    (played, game, log)
}

/// The same actions with another pack; `None` where one of them is refused.
fn replay(rules: &Rules, played: &Played, pack: &[Card]) -> Option<(Match, Log)> {
    let mut game = played.before.clone();
    let mut log = Vec::new();
    let mut facts = Vec::new();
    game.start_deal(rules, Seat::One, Pack::new(rules, pack).unwrap(), &mut facts).unwrap();
    evolve(&mut game, &mut facts, &mut log);
    for (seat, action) in &played.actions {
        game.act(rules, *seat, *action, &mut facts).ok()?;
        evolve(&mut game, &mut facts, &mut log);
    }
    Some((game, log))
}

fn evolve(game: &mut Match, facts: &mut Vec<Fact>, log: &mut Log) {
    for fact in facts.drain(..) {
        log.push((game.clone(), fact.clone()));
        game.evolve(&fact).unwrap();
    }
}

/// Changes a few cards about that the viewers were never told: in other hands, or in the stock.
fn swap_unseen(played: &Played, told: &[Event], chance: &mut Chance) -> Vec<Card> {
    let known = named(told);
    let places: Vec<usize> =
        (0..played.pack.len()).filter(|place| !known.contains(played.pack[*place])).collect();
    let mut pack = played.pack.clone();
    if !places.is_empty() {
        for _ in 0..=chance.below(4) {
            pack.swap(places[chance.below(places.len())], places[chance.below(places.len())]);
        }
    }
    pack
}

/// Every card that events name: what was played, and the viewers' own cards, those too that an exchange took
/// from them.
fn named(events: &[Event]) -> CardSet {
    let own =
        |hands: &[(Seat, CardSet)]| hands.iter().fold(CardSet::EMPTY, |all, (_, hand)| all.union(*hand));
    events.iter().fold(CardSet::EMPTY, |known, event| {
        known.union(match event {
            Event::Dealt { own: hands, .. } | Event::HandsExchanged { own: hands, .. } => own(hands),
            Event::CardPlayed { card, .. } => CardSet::from_iter([*card]),
            Event::OwnCardsDrawn { cards, .. } => cards.iter().copied().collect(),
            _ => CardSet::EMPTY,
        })
    })
}

fn looks_the_same(rules: &Rules, viewers: SeatSet, game: &Match, other: &Match, everything: &[Action]) {
    assert_eq!(game.view(rules, viewers), other.view(rules, viewers), "{viewers}: {game}\n{other}");
    for seat in viewers.iter() {
        assert_eq!(game.legal_actions(rules, seat), other.legal_actions(rules, seat));
        for action in everything {
            let refusal = game.refusal(rules, seat, *action);
            assert_eq!(refusal, other.refusal(rules, seat, *action), "{seat} {action}: {game}\n{other}");
        }
    }
}

fn count(rules: &Rules, compared: &mut Compared, (game, log): (&Match, &Log), other: &Match) {
    let happened = |is: fn(&Fact) -> bool| usize::from(log.iter().any(|(_, fact)| is(fact)));
    compared.all += 1;
    let (one, another) = (soloist(rules, game), soloist(rules, other));
    compared.soloists += usize::from(one.is_some() && another.is_some() && one != another);
    compared.exchanges += happened(|fact| matches!(fact, Fact::HandsExchanged { exchanged: true, .. }));
    compared.blind_plays += happened(|fact| matches!(fact, Fact::CardPlayed { from_stock: true, .. }));
    compared.fights += happened(|fact| matches!(fact, Fact::TrickSetAside));
    compared.marriages += happened(|fact| matches!(fact, Fact::CardPlayed { marriage_points: 1.., .. }));
}

/// Who holds the soloist's card; nobody while it is in the stock or when it was played.
fn soloist(rules: &Rules, game: &Match) -> Option<Seat> {
    let card = rules.soloist_card()?;
    let hands = game.view(rules, SeatSet::all(rules.seats())).hands;
    hands.iter().find(|hand| hand.cards.contains(card)).map(|hand| hand.seat)
}

fn told(log: &[(Match, Fact)], viewers: SeatSet) -> Vec<Event> {
    let mut events = Vec::new();
    for (before, fact) in log {
        before.events(fact, viewers, &mut events);
    }
    events
}

/// Until the red king is played or the deal ends, each seat counts for itself in every view, the holder's own
/// too, and the result of the last deal is that of the deal before.
#[test]
fn no_view_joins_the_soloists_opponents_while_a_deal_runs() {
    let rules = rules(Preset::ThreeRedKing, 3);
    let mut chance = Chance::seeded(43);
    for round in 0..200 {
        let (played, game, _) = played_for_a_while(&rules, &mut chance, round % 2 == 1);
        for viewers in some_viewers(&rules, &mut chance) {
            let view = game.view(&rules, viewers);
            assert!(view.sides.iter().all(|side| side.seats.len() == 1), "{game}");
            if game.deal_running() {
                assert_eq!(view.last_deal.as_ref(), played.before.last_deal());
            }
        }
    }
}

/// A spectator's view has no card but those on the table and in the last trick.
#[test]
fn a_spectator_sees_no_hand() {
    let rules = rules(Preset::Classic, 4);
    let pack = pack(&rules, &mut Chance::seeded(9));
    let played = Played { before: Match::new(&rules), pack, actions: Vec::new() };
    let (game, log) = replay(&rules, &played, &played.pack).unwrap();
    assert!(game.view(&rules, SeatSet::EMPTY).hands.is_empty());
    let events = told(&log, SeatSet::EMPTY);
    assert!(
        matches!(&events[..], [Event::Dealt { own, stock_count: 16, .. }] if own.is_empty()),
        "{events:?}"
    );
}

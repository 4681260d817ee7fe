//! Counted trees of moves ("perft"): from fixed positions, in how many ways so many actions can follow. Each
//! is counted in two ways that share as little as can be: by trying every action that there is on a match,
//! and by following what a deal lists as legal.

use sedma_rules::{Action, Deal, Fact, Match, Pack, Preset, Rules, Seat};

use crate::chance::{every_preset, rules};
use crate::legality::every_action;

/// Positions in text, four lines each: a name, the pack, the actions that lead there from the deal, and the
/// number of ways in which 1, 2, 3, ... actions can follow. A way that ends the deal sooner counts too.
/// `whole` says that the last number is that of all ways to the end of the deal.
const POSITIONS: &str = include_str!("perft.txt");

/// A position as both ways of counting need it.
struct Position<'a> {
    name: &'a str,
    rules: Rules,
    game: Match,
    deal: Deal,
    counts: Vec<u64>,
    whole: bool,
}

/// Leaves of a tree, and how many of them are ends of the deal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Leaves {
    all: u64,
    ended: u64,
}

#[test]
fn as_many_ways_lead_on_as_were_counted() {
    for position in positions() {
        let depths = 1..=position.counts.len();
        let listed: Vec<Leaves> =
            depths.clone().map(|depth| by_listing(&position.rules, &position.deal, depth)).collect();
        let counts: Vec<u64> = listed.iter().map(|leaves| leaves.all).collect();
        assert_eq!(counts, position.counts, "{}", position.name);
        let last = listed.last().unwrap();
        assert_eq!(last.all == last.ended, position.whole, "{}: {last:?}", position.name);
        let everything = every_action();
        let tried: Vec<Leaves> =
            depths.map(|depth| by_trying(&position.rules, &position.game, &everything, depth)).collect();
        assert_eq!(tried, listed, "{}", position.name);
    }
}

/// A position whose special action is none would count nothing special.
#[test]
fn every_preset_has_a_position_and_every_special_action_is_in_one() {
    let mut seen = Vec::new();
    let mut happened = Vec::new();
    for position in positions() {
        seen.push((position.rules.options().preset, position.rules.seats()));
        visit(&position.rules, &position.deal, position.counts.len(), &mut |fact| {
            let kind = kind(fact);
            if !happened.contains(&kind) {
                happened.push(kind);
            }
        });
    }
    for preset in every_preset() {
        assert!(seen.contains(&preset), "{preset:?}");
    }
    for special in SPECIAL {
        assert!(happened.iter().any(|kind| kind == special), "{special}: {happened:?}");
    }
}

const SPECIAL: &[&str] = &[
    "exchange yes",
    "exchange no",
    "blind",
    "marriage 20",
    "marriage 40",
    "round",
    "aside",
    "end win",
    "end stopped",
    "end sweep_points",
    "end sweep_cards",
    "end burned_hand",
    "end burned_trick",
    "end shared",
    "end void",
    "end raw_points",
];

fn kind(fact: &Fact) -> String {
    match fact {
        Fact::HandsExchanged { exchanged: true, .. } => "exchange yes".to_owned(),
        Fact::HandsExchanged { exchanged: false, .. } => "exchange no".to_owned(),
        Fact::CardPlayed { from_stock: true, .. } => "blind".to_owned(),
        Fact::CardPlayed { marriage_points, .. } if *marriage_points > 0 => {
            format!("marriage {marriage_points}")
        }
        Fact::DealEnded(result) if result.tier.name() == "win" && result.last_trick_seat.is_none() => {
            "end stopped".to_owned()
        }
        Fact::DealEnded(result) => format!("end {}", result.tier),
        other => other.to_string().split(' ').next().unwrap().to_owned(),
    }
}

fn positions() -> impl Iterator<Item = Position<'static>> {
    let lines: Vec<&str> =
        POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(lines.len().is_multiple_of(4));
    lines.chunks(4).map(read).collect::<Vec<_>>().into_iter()
}

/// `cervena 4 deal 2: what is special`, `pack 7c ...`, `after play 7c, play 8c`, `ways 4 12 whole`.
fn read(lines: &[&'static str]) -> Position<'static> {
    let name = lines[0];
    let [preset, seats, "deal", number] = name.split(':').next().unwrap().split(' ').collect::<Vec<_>>()[..]
    else {
        panic!("{name}")
    };
    let rules = rules(Preset::from_name(preset).unwrap(), seats.parse().unwrap());
    let cards: Vec<_> =
        lines[1].strip_prefix("pack ").unwrap().split(' ').map(|card| card.parse().unwrap()).collect();
    let after = lines[2].strip_prefix("after").unwrap().trim();
    let actions: Vec<Action> =
        after.split(", ").filter(|it| !it.is_empty()).map(|it| it.parse().unwrap()).collect();
    let (game, deal) = reach(&rules, number.parse().unwrap(), &Pack::new(&rules, &cards).unwrap(), &actions);
    let ways = lines[3].strip_prefix("ways ").unwrap();
    let counts = ways.trim_end_matches(" whole").split(' ').map(|count| count.parse().unwrap()).collect();
    Position { name, rules, game, deal, counts, whole: ways.ends_with(" whole") }
}

/// Deals before the one of the position go by the first legal action at a time.
fn reach(rules: &Rules, number: u16, pack: &Pack, actions: &[Action]) -> (Match, Deal) {
    let last = Seat::new(rules.seats()).unwrap();
    let mut game = Match::new(rules);
    let mut facts = Vec::new();
    while game.deal_number() + 1 < number {
        game.start_deal(rules, last, rules.canonical_pack(), &mut facts).unwrap();
        evolve(&mut game, &mut facts);
        while let Some(seat) = game.turn() {
            let first = game.legal_actions(rules, seat).iter().next().unwrap();
            game.act(rules, seat, first, &mut facts).unwrap();
            evolve(&mut game, &mut facts);
        }
    }
    game.start_deal(rules, last, *pack, &mut facts).unwrap();
    let Some(&Fact::Dealt { dealer, .. }) = facts.first() else { panic!("{facts:?}") };
    evolve(&mut game, &mut facts);
    let mut deal = Deal::start(rules, number, dealer, pack, &mut |_| ()).unwrap();
    for &action in actions {
        let seat = game.turn().unwrap();
        deal.apply(rules, seat, action, &mut |_| ()).unwrap();
        game.act(rules, seat, action, &mut facts).unwrap();
        evolve(&mut game, &mut facts);
    }
    (game, deal)
}

fn evolve(game: &mut Match, facts: &mut Vec<Fact>) {
    for fact in facts.drain(..) {
        game.evolve(&fact).unwrap();
    }
}

fn by_listing(rules: &Rules, deal: &Deal, depth: usize) -> Leaves {
    let (Some(seat), 1..) = (deal.turn(), depth) else {
        return Leaves { all: 1, ended: u64::from(deal.is_over()) };
    };
    sum(deal.legal_actions(rules, seat).iter().map(|action| {
        let mut next = *deal;
        next.apply(rules, seat, action, &mut |_| ()).unwrap();
        by_listing(rules, &next, depth - 1)
    }))
}

fn by_trying(rules: &Rules, game: &Match, everything: &[Action], depth: usize) -> Leaves {
    if depth == 0 || !game.deal_running() {
        return Leaves { all: 1, ended: u64::from(!game.deal_running()) };
    }
    let asked =
        Seat::first(rules.seats()).flat_map(|seat| everything.iter().map(move |action| (seat, *action)));
    sum(asked.filter_map(|(seat, action)| {
        let mut facts = Vec::new();
        game.act(rules, seat, action, &mut facts).ok()?;
        let mut next = game.clone();
        evolve(&mut next, &mut facts);
        Some(by_trying(rules, &next, everything, depth - 1))
    }))
}

fn sum(trees: impl Iterator<Item = Leaves>) -> Leaves {
    trees.fold(Leaves::default(), |all, it| Leaves { all: all.all + it.all, ended: all.ended + it.ended })
}

/// Tells every fact of the tree.
fn visit(rules: &Rules, deal: &Deal, depth: usize, see: &mut impl FnMut(&Fact)) {
    let (Some(seat), 1..) = (deal.turn(), depth) else { return };
    for action in deal.legal_actions(rules, seat).iter() {
        let mut next = *deal;
        next.apply(rules, seat, action, see).unwrap();
        visit(rules, &next, depth - 1, see);
    }
}

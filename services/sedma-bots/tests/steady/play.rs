//! Deals played out through the rules' own door: each seat sees its view and nothing else.

use sedma_bots::steady;
use sedma_rules::{Action, DealResult, Fact, Match, Pack, Preset, Rules, Seat, SeatSet};

/// Splitmix64, seeded: the same deals at every run.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn seeded(seed: u64) -> Chance {
        Chance(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % (bound as u64)).unwrap()
    }

    pub(crate) fn pack(&mut self, rules: &Rules) -> Pack {
        let mut pack = rules.canonical_pack();
        pack.shuffle(|bound| u8::try_from(self.below(usize::from(bound))).unwrap());
        pack
    }
}

/// Every preset for every number of players it takes.
pub(crate) fn every_game() -> Vec<Rules> {
    let games = |preset: &'static Preset| preset.seat_counts().iter().map(|seats| (*preset, *seats));
    let rules = |(preset, seats): (Preset, u8)| preset.options(seats).check().unwrap();
    Preset::ALL.iter().flat_map(games).map(rules).collect()
}

pub(crate) fn name(rules: &Rules) -> String {
    format!("{} {}", rules.options().preset, rules.seats())
}

/// Deals the match's next pack.
pub(crate) fn dealt(rules: &Rules, before: &Match, pack: Pack) -> Match {
    dealt_by(rules, before, Seat::One, pack)
}

/// The same, with a first dealer.
pub(crate) fn dealt_by(rules: &Rules, before: &Match, first_dealer: Seat, pack: Pack) -> Match {
    let (mut game, mut facts) = (before.clone(), Vec::new());
    game.start_deal(rules, first_dealer, pack, &mut facts).unwrap();
    for fact in &facts {
        game.evolve(fact).unwrap();
    }
    game
}

/// Plays the running deal: the named seats steadily, the others at random. An action that is not legal panics.
pub(crate) fn play_deal(
    rules: &Rules,
    game: &mut Match,
    steadily: SeatSet,
    chance: &mut Chance,
) -> DealResult {
    let mut facts: Vec<Fact> = Vec::new();
    while let Some(seat) = game.turn() {
        let action = if steadily.contains(seat) {
            steady_action(rules, game, seat)
        } else {
            at_random(rules, game, seat, chance)
        };
        game.act(rules, seat, action, &mut facts).unwrap();
        for fact in facts.drain(..) {
            game.evolve(&fact).unwrap();
        }
    }
    *game.last_deal().unwrap()
}

fn steady_action(rules: &Rules, game: &Match, seat: Seat) -> Action {
    let view = game.view(rules, SeatSet::of(&[seat]));
    let action = steady(&view, rules, seat).expect("a seat that is to act has an action");
    assert!(
        view.hands[0].legal.iter().any(|legal| legal == action),
        "{}: {action:?} is illegal",
        name(rules)
    );
    action
}

fn at_random(rules: &Rules, game: &Match, seat: Seat, chance: &mut Chance) -> Action {
    let legal = game.legal_actions(rules, seat);
    legal.iter().nth(chance.below(legal.iter().count())).unwrap()
}

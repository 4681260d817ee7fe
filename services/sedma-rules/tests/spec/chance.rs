//! Seeded chance, and deals played by it.

use sedma_rules::{Action, Fact, Match, Pack, Preset, Rules, Seat};

/// splitmix64: small, seeded, and good enough to play cards by.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn seeded(seed: u64) -> Chance {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn pack(&mut self, rules: &Rules) -> Pack {
        let mut pack = rules.canonical_pack();
        pack.shuffle(|bound| self.below(usize::from(bound)) as u8);
        pack
    }

    pub(crate) fn action(&mut self, actions: &[Action]) -> Action {
        actions[self.below(actions.len())]
    }
}

pub(crate) fn rules(preset: Preset, seats: u8) -> Rules {
    preset.options(seats).check().unwrap()
}

/// Every preset on offer with every number of seats it is played with.
pub(crate) fn presets_on_offer() -> impl Iterator<Item = (Preset, u8)> {
    let seat_counts = |preset: &'static Preset| preset.seat_counts().iter().map(|seats| (*preset, *seats));
    Preset::ALL.iter().flat_map(seat_counts)
}

/// Plays whole deals at random and shows every state with the fact that led to it.
pub(crate) fn play_deals(rules: &Rules, seed: u64, deals: usize, mut see: impl FnMut(&Match, &Fact, &Match)) {
    let mut chance = Chance::seeded(seed);
    let mut game = Match::new(rules);
    let mut facts = Vec::new();
    for _ in 0..deals {
        if game.is_over() {
            game = Match::new(rules);
        }
        let dealer = Seat::new(1 + chance.below(usize::from(rules.seats())) as u8).unwrap();
        let pack = chance.pack(rules);
        facts.clear();
        game.start_deal(rules, dealer, pack, &mut facts).unwrap();
        apply(&mut game, &facts, &mut see);
        while let Some(seat) = game.turn() {
            let actions: Vec<Action> = game.legal_actions(rules, seat).iter().collect();
            assert!(!actions.is_empty(), "{seat} is to act and can't: {game}");
            facts.clear();
            game.act(rules, seat, chance.action(&actions), &mut facts).unwrap();
            apply(&mut game, &facts, &mut see);
        }
    }
}

fn apply(game: &mut Match, facts: &[Fact], see: &mut impl FnMut(&Match, &Fact, &Match)) {
    for fact in facts {
        let before = game.clone();
        game.evolve(fact).unwrap_or_else(|corrupt| panic!("{corrupt}: {fact} in {before}"));
        see(&before, fact, game);
    }
}

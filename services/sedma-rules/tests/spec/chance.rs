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
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    pub(crate) fn pack(&mut self, rules: &Rules) -> Pack {
        let mut pack = rules.canonical_pack();
        pack.shuffle(|bound| u8::try_from(self.below(usize::from(bound))).unwrap());
        pack
    }

    pub(crate) fn seat(&mut self, rules: &Rules) -> Seat {
        Seat::ALL[self.below(usize::from(rules.seats()))]
    }

    pub(crate) fn action(&mut self, actions: &[Action]) -> Action {
        actions[self.below(actions.len())]
    }
}

pub(crate) fn rules(preset: Preset, seats: u8) -> Rules {
    preset.options(seats).check().unwrap()
}

/// Every preset with every number of seats it is played with.
pub(crate) fn every_preset() -> impl Iterator<Item = (Preset, u8)> {
    let seat_counts = |preset: &'static Preset| preset.seat_counts().iter().map(|seats| (*preset, *seats));
    Preset::ALL.iter().flat_map(seat_counts)
}

/// Whether the long proofs run: what `make prove-rules` asks for.
pub(crate) fn proving() -> bool {
    std::env::var_os("PROVE_RULES").is_some()
}

/// Plays whole deals at random, one match after the other, and shows every fact between the states it leads
/// from and to.
pub(crate) fn play_deals(rules: &Rules, seed: u64, deals: usize, mut see: impl FnMut(&Match, &Fact, &Match)) {
    let mut chance = Chance::seeded(seed);
    let mut game = Match::new(rules);
    for _ in 0..deals {
        game = play_next(rules, game, &mut chance, &mut |_| (), &mut see);
    }
}

/// Plays deals at random and shows every state in which somebody is to act, and the one after each deal, in
/// which nobody is.
pub(crate) fn play_states(rules: &Rules, seed: u64, deals: usize, mut see: impl FnMut(&Match)) {
    let mut chance = Chance::seeded(seed);
    let mut game = Match::new(rules);
    for _ in 0..deals {
        game = play_next(rules, game, &mut chance, &mut see, &mut |_, _, _| ());
        see(&game);
    }
}

/// Plays the first deal of a match at random, with this pack.
pub(crate) fn play_deal(rules: &Rules, seed: u64, pack: Pack, mut see: impl FnMut(&Match, &Fact, &Match)) {
    play_on(rules, Match::new(rules), pack, &mut Chance::seeded(seed), &mut |_| (), &mut see);
}

/// The next deal of the match, or of a new one if it is over.
fn play_next(
    rules: &Rules,
    game: Match,
    chance: &mut Chance,
    at_turn: &mut impl FnMut(&Match),
    see: &mut impl FnMut(&Match, &Fact, &Match),
) -> Match {
    let game = if game.is_over() { Match::new(rules) } else { game };
    let pack = chance.pack(rules);
    play_on(rules, game, pack, chance, at_turn, see)
}

fn play_on(
    rules: &Rules,
    mut game: Match,
    pack: Pack,
    chance: &mut Chance,
    at_turn: &mut impl FnMut(&Match),
    see: &mut impl FnMut(&Match, &Fact, &Match),
) -> Match {
    let mut facts = Vec::new();
    game.start_deal(rules, chance.seat(rules), pack, &mut facts).unwrap();
    apply(&mut game, &facts, see);
    while let Some(seat) = game.turn() {
        at_turn(&game);
        let actions: Vec<Action> = game.legal_actions(rules, seat).iter().collect();
        assert!(!actions.is_empty(), "{seat} is to act and can't: {game}");
        facts.clear();
        game.act(rules, seat, chance.action(&actions), &mut facts).unwrap();
        apply(&mut game, &facts, see);
    }
    game
}

fn apply(game: &mut Match, facts: &[Fact], see: &mut impl FnMut(&Match, &Fact, &Match)) {
    for fact in facts {
        let before = game.clone();
        game.evolve(fact).unwrap_or_else(|corrupt| panic!("{corrupt}: {fact} in {before}"));
        see(&before, fact, game);
    }
}

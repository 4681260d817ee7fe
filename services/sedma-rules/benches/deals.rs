//! Random deals per second on one core, through the public API.
//!
//! `cargo bench -p sedma-rules` prints one line for each preset on offer: with shuffling, and with packs that
//! were shuffled before.

use std::time::{Duration, Instant};

use sedma_rules::{Action, Deal, Fact, LegalActions, Pack, Preset, Rules, Seat};

/// Each figure is the best of so many windows: what else runs on the machine only ever slows one down.
const WINDOWS: usize = 20;
/// How long a window is.
const WINDOW: Duration = Duration::from_millis(75);
/// Packs that the second figure goes through again and again.
const SHUFFLED_BEFORE: usize = 1024;

/// Wyrand: one multiplication a number.
struct Chance(u64);

impl Chance {
    #[inline]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        let [low, high] =
            [wide, wide >> 64].map(|half| u64::try_from(half & u128::from(u64::MAX)).unwrap_or(0));
        low ^ high
    }

    /// A number below a small bound; its bias, below one in a hundred million, does not matter here.
    #[inline]
    fn below(&mut self, bound: u8) -> u8 {
        let high = ((self.next() >> 32) * u64::from(bound)) >> 32;
        u8::try_from(high).unwrap_or(0)
    }
}

fn main() {
    println!("{:<16} {:>5} {:>18} {:>22}", "preset", "seats", "deals/s, shuffled", "deals/s, not shuffled");
    for preset in Preset::ALL {
        for &seats in preset.seat_counts() {
            let Ok(rules) = preset.options(seats).check() else { continue };
            let shuffled = shuffled_each_time(&rules);
            let before = shuffled_before(&rules);
            println!("{:<16} {seats:>5} {shuffled:>18.0} {before:>22.0}", preset.name());
        }
    }
}

fn shuffled_each_time(rules: &Rules) -> f64 {
    let mut chance = Chance(1);
    let mut pack = rules.canonical_pack();
    deals_per_second(|| {
        pack.shuffle(|bound| chance.below(bound));
        play(rules, &pack, &mut chance)
    })
}

fn shuffled_before(rules: &Rules) -> f64 {
    let mut chance = Chance(2);
    let mut pack = rules.canonical_pack();
    let mut shuffle = || {
        pack.shuffle(|bound| chance.below(bound));
        pack
    };
    let packs: Vec<Pack> = (0..SHUFFLED_BEFORE).map(|_| shuffle()).collect();
    let mut next = packs.iter().cycle();
    deals_per_second(|| next.next().map_or(0, |pack| play(rules, pack, &mut chance)))
}

fn deals_per_second(mut deal: impl FnMut() -> u64) -> f64 {
    (0..WINDOWS).map(|_| window(&mut deal)).fold(0.0, f64::max)
}

#[expect(clippy::disallowed_methods, reason = "a bench measures real time and has no runtime to ask")]
fn window(deal: &mut impl FnMut() -> u64) -> f64 {
    let begun = Instant::now();
    let mut deals = 0_u32;
    let mut points = 0;
    while begun.elapsed() < WINDOW {
        for _ in 0..1000 {
            points += deal();
        }
        deals += 1000;
    }
    assert!(std::hint::black_box(points) > 0, "deals are played to an end");
    f64::from(deals) / begun.elapsed().as_secs_f64()
}

/// Plays one deal at random and answers the points that were made in it.
fn play(rules: &Rules, pack: &Pack, chance: &mut Chance) -> u64 {
    let mut points = 0;
    let mut tell = |fact: &Fact| {
        if let Fact::DealEnded(result) = fact {
            points = result.sides.iter().map(|side| u64::from(side.points)).sum();
        }
    };
    let Ok(mut deal) = Deal::start(rules, 1, Seat::One, pack, &mut tell) else { return 0 };
    while let Some(seat) = deal.turn() {
        let legal = deal.legal_actions(rules, seat);
        let accepted = if legal.is_only_plays() {
            let Some(card) = legal.plays.choose(|bound| chance.below(bound)) else { return 0 };
            deal.play_card(rules, seat, card, false, &mut tell)
        } else {
            deal.apply(rules, seat, choose(&legal, chance), &mut tell)
        };
        if accepted.is_err() {
            return 0;
        }
    }
    points
}

/// One of the actions, each with the same chance but for announcements, which are left out.
fn choose(legal: &LegalActions, chance: &mut Chance) -> Action {
    let plays = legal.plays.len();
    let others = u8::from(legal.from_stock) + u8::from(legal.end_trick) + u8::from(legal.exchange);
    let chosen = chance.below(plays + others);
    match legal.plays.nth(usize::from(chosen)) {
        Some(card) => Action::Play { card, announce_marriage: false },
        None if legal.exchange => Action::ExchangeHands(false),
        None if legal.end_trick => Action::EndTrick,
        None => Action::PlayFromStock,
    }
}

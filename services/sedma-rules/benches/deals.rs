//! Random deals per second on one core, through the public API.
//!
//! `cargo bench -p sedma-rules` prints one line for each preset on offer: with shuffling, and with packs that
//! were shuffled before. `cargo bench -p sedma-rules -- classic two` measures these presets only.

use std::fmt;
use std::time::{Duration, Instant};

use sedma_rules::{Action, Deal, Fact, LegalActions, Pack, Preset, Rules, Seat};

/// Each figure is the best of so many windows: what else runs on the machine only ever slows one down.
const WINDOWS: usize = 400;
/// How long a window is: short, so that some fall between two turns of whatever else runs.
const WINDOW: Duration = Duration::from_millis(4);
/// Packs that the second figure goes through again and again.
const SHUFFLED_BEFORE: usize = 1024;
/// Deals a second that the four-handed game must reach, shuffling included, and that every other must.
const CLASSIC_BUDGET: f64 = 2_000_000.0;
const BUDGET: f64 = 500_000.0;

/// Deals a second of one preset and number of seats, shuffling included.
struct Figure {
    preset: Preset,
    seats: u8,
    shuffled: f64,
}

/// A linear congruential generator modulo 2^64, of full period; the factor is Steele and Vigna's. Only the
/// highest bits are used, which are the good ones.
struct Chance(u64);

impl Chance {
    /// A number below a small bound; its bias, below one in 2^57, does not matter here.
    #[inline]
    fn below(&mut self, bound: u8) -> u8 {
        self.0 = self.0.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        let high = (u128::from(self.0) * u128::from(bound)) >> 64;
        u8::try_from(high).unwrap_or(0)
    }
}

fn main() {
    println!("{:<16} {:>5} {:>18} {:>22}", "preset", "seats", "deals/s, shuffled", "deals/s, not shuffled");
    let asked: Vec<Preset> = std::env::args().filter_map(|name| Preset::from_name(&name)).collect();
    let mut slowest: Option<Figure> = None;
    for &preset in if asked.is_empty() { Preset::ALL } else { &asked } {
        for &seats in preset.seat_counts() {
            let Ok(rules) = preset.options(seats).check() else { continue };
            let figure = Figure { preset, seats, shuffled: shuffled_each_time(&rules) };
            let before = shuffled_before(&rules);
            println!("{:<16} {seats:>5} {:>18.0} {before:>22.0}", preset.name(), figure.shuffled);
            if slowest.as_ref().is_none_or(|it| figure.of_budget() < it.of_budget()) {
                slowest = Some(figure);
            }
        }
    }
    if let Some(slowest) = slowest {
        println!("{slowest}");
    }
}

impl Figure {
    fn budget(&self) -> f64 {
        if self.preset == Preset::Classic { CLASSIC_BUDGET } else { BUDGET }
    }

    fn of_budget(&self) -> f64 {
        self.shuffled / self.budget()
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, seats) = (self.preset.name(), self.seats);
        write!(
            f,
            "slowest for its budget: {name} with {seats} seats, {:.0} deals/s shuffled, ",
            self.shuffled
        )?;
        write!(f, "{:.2} times the budget of {:.0}", self.of_budget(), self.budget())
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
        for _ in 0..500 {
            points += deal();
        }
        deals += 500;
    }
    assert!(std::hint::black_box(points) > 0, "deals are played to an end");
    f64::from(deals) / begun.elapsed().as_secs_f64()
}

/// Plays one deal at random and answers the points that were made in it. Never inlined: its code is the same
/// for both figures, and does not depend on what stands around it.
#[inline(never)]
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

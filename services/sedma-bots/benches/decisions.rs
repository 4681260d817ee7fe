//! Microseconds a decision, on one core: `cargo bench -p sedma-bots` prints one line for each preset on offer.
//! Views that random play reaches are made before; only choosing is measured.

use std::hint::black_box;
use std::time::Instant;

use sedma_bots::steady;
use sedma_rules::{Match, MatchView, Preset, Rules, Seat, SeatSet};

/// Views of each game.
const VIEWS: usize = 4096;
/// Each figure is the best of so many rounds: what else runs on the machine only ever slows one down.
const ROUNDS: usize = 20;

fn main() {
    println!("{:<16} {:>5} {:>14}", "preset", "seats", "us a decision");
    for preset in Preset::ALL {
        for &seats in preset.seat_counts() {
            let Ok(rules) = preset.options(seats).check() else { continue };
            let views = views(&rules);
            let best = (0..ROUNDS).map(|_| round(&rules, &views)).fold(f64::MAX, f64::min);
            println!("{:<16} {seats:>5} {best:>14.2}", preset.name());
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a bench measures real time and has no runtime to ask")]
fn round(rules: &Rules, views: &[(MatchView, Seat)]) -> f64 {
    let begun = Instant::now();
    let chosen = views.iter().filter(|(view, seat)| black_box(steady(view, rules, *seat)).is_some()).count();
    let micros = begun.elapsed().as_secs_f64() * 1e6;
    assert_eq!(chosen, views.len(), "every view gets an action");
    micros / f64::from(u32::try_from(chosen).unwrap_or(u32::MAX))
}

/// What seats see in deals that are played at random.
fn views(rules: &Rules) -> Vec<(MatchView, Seat)> {
    let mut state = 1_u64;
    let mut below = move |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0).checked_rem(bound).unwrap_or(0)
    };
    let mut views = Vec::new();
    while views.len() < VIEWS {
        let mut pack = rules.canonical_pack();
        pack.shuffle(|bound| u8::try_from(below(usize::from(bound))).unwrap_or(0));
        let (mut game, mut facts) = (Match::new(rules), Vec::new());
        if game.start_deal(rules, Seat::One, pack, &mut facts).is_err() {
            break;
        }
        loop {
            for fact in facts.drain(..) {
                assert_eq!(game.evolve(&fact), Ok(()), "the rules' own facts fit");
            }
            let Some(seat) = game.turn() else { break };
            views.push((game.view(rules, SeatSet::of(&[seat])), seat));
            let legal = game.legal_actions(rules, seat);
            let chosen = legal.iter().nth(below(legal.iter().count()));
            if chosen.is_none_or(|action| game.act(rules, seat, action, &mut facts).is_err()) {
                break;
            }
        }
    }
    views
}

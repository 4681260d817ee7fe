//! What holds in every state of every deal, whatever is played. An observer who is told every fact keeps his
//! own books ([`crate::observer`]), and the engine must agree with them.

use std::io::{self, Write as _};

use sedma_rules::{Action, DealScore, DealTier, Fact, Match, Pack, Preset, Rules, Seat, SeatSet};

use crate::chance::{Chance, every_preset, proving, rules};
use crate::observer::Observer;
use crate::outcome::{scores_rise_by_the_result, settled_by_the_rules};

#[test]
fn every_invariant_holds_in_random_deals_of_every_preset() {
    let deals = if proving() { 100_000 } else { 5_000 };
    for (preset, seats) in every_preset() {
        let mut progress = Progress::of(preset, seats, deals);
        keep_every_invariant(preset, seats, deals, || progress.step());
    }
}

/// One deal as it was played, to play it again.
struct Played {
    before: Match,
    dealer: Seat,
    pack: Pack,
    actions: Vec<(Seat, Action)>,
}

fn keep_every_invariant(preset: Preset, seats: u8, deals: usize, mut played: impl FnMut()) {
    let rules = rules(preset, seats);
    let mut chance = Chance::seeded(1);
    let mut game = Match::new(&rules);
    for _ in 0..deals {
        if game.is_over() {
            game = Match::new(&rules);
        }
        let (dealer, pack) = (chance.seat(&rules), chance.pack(&rules));
        let mut deal = Played { before: game.clone(), dealer, pack, actions: Vec::new() };
        game = watch_deal(&rules, &mut deal, &mut chance);
        assert_eq!(played_again(&rules, &deal), game, "the same pack and actions lead to the same state");
        played();
    }
}

/// Plays the deal at random while the observer looks on.
fn watch_deal(rules: &Rules, deal: &mut Played, chance: &mut Chance) -> Match {
    let mut game = deal.before.clone();
    let mut observer = Observer::default();
    let mut facts = Vec::new();
    game.start_deal(rules, deal.dealer, deal.pack, &mut facts).unwrap();
    observe(rules, &mut observer, &mut game, &mut facts);
    while let Some(seat) = game.turn() {
        only_this_seat_may_act(rules, &game, seat);
        let actions: Vec<Action> = game.legal_actions(rules, seat).iter().collect();
        let action = chance.action(&actions);
        game.act(rules, seat, action, &mut facts).unwrap();
        deal.actions.push((seat, action));
        observe(rules, &mut observer, &mut game, &mut facts);
    }
    assert!(deal.actions.len() <= most_actions(rules), "{} actions", deal.actions.len());
    assert_eq!(observer.endings, 1, "a deal ends once");
    stops_at_the_target(rules, &game);
    game
}

fn observe(rules: &Rules, observer: &mut Observer, game: &mut Match, facts: &mut Vec<Fact>) {
    for fact in facts.drain(..) {
        let before = game.clone();
        game.evolve(&fact).unwrap_or_else(|corrupt| panic!("{corrupt}: {fact} in {before}"));
        observer.see(rules, &fact);
        observer.agrees(rules, game, &fact);
        if let Fact::DealEnded(result) = &fact {
            settled_by_the_rules(rules, observer, result);
            scores_rise_by_the_result(&before, game, result);
        }
    }
}

fn only_this_seat_may_act(rules: &Rules, game: &Match, turn: Seat) {
    for seat in Seat::first(rules.seats()) {
        let legal = game.legal_actions(rules, seat);
        assert_eq!(legal.is_empty(), seat != turn, "{seat}: {game}");
        assert!(legal.marriages.minus(legal.plays).is_empty(), "who announces a card plays it");
    }
}

/// Each card is played once. The trick is ended at most once after each full round but the last, after which
/// no leader has a card left to go on with. The exchange is answered at most once.
fn most_actions(rules: &Rules) -> usize {
    let cards = usize::from(rules.pack().len());
    let goes_on = rules.options().continuation != sedma_rules::Continuation::None;
    let ends = if goes_on { cards / usize::from(rules.seats()) - 1 } else { 0 };
    cards + ends + usize::from(rules.options().partner_exchange)
}

/// The match ends with the first deal after which a score is at the target, for those who have the highest;
/// where points are scored as they are taken, it goes on while two are level above it.
fn stops_at_the_target(rules: &Rules, game: &Match) {
    let target = rules.options().match_target;
    let most = game.standing().map(|(_, score)| score).max().unwrap();
    let top: Vec<SeatSet> =
        game.standing().filter(|(_, score)| *score == most).map(|(side, _)| side).collect();
    let raw = matches!(rules.options().deal_score, DealScore::RawPoints { .. });
    let won = most >= target && !(raw && top.len() > 1);
    let winners = top.into_iter().fold(SeatSet::EMPTY, SeatSet::union);
    assert_eq!(game.winners(), won.then_some(winners), "{game}");
    let raw_tier = game.last_deal().map(|result| result.tier == DealTier::RawPoints);
    assert_eq!(raw_tier, Some(raw));
}

fn played_again(rules: &Rules, deal: &Played) -> Match {
    let mut game = deal.before.clone();
    let mut facts = Vec::new();
    game.start_deal(rules, deal.dealer, deal.pack, &mut facts).unwrap();
    for &(seat, action) in &deal.actions {
        for fact in facts.drain(..) {
            game.evolve(&fact).unwrap();
        }
        game.act(rules, seat, action, &mut facts).unwrap();
    }
    for fact in &facts {
        game.evolve(fact).unwrap();
    }
    game
}

/// Ten figures for each preset while the long proof runs, past the capture of a test's output.
struct Progress {
    name: String,
    deals: usize,
    played: usize,
}

impl Progress {
    fn of(preset: Preset, seats: u8, deals: usize) -> Progress {
        Progress { name: format!("{preset} {seats}:"), deals, played: 0 }
    }

    fn step(&mut self) {
        self.played += 1;
        if !proving() || !self.played.is_multiple_of(self.deals / 10) {
            return;
        }
        let name = if self.played == self.deals / 10 { self.name.as_str() } else { "" };
        let end = if self.played == self.deals { "\n" } else { "" };
        write!(io::stderr(), "{name} {}{end}", self.played).unwrap();
    }
}

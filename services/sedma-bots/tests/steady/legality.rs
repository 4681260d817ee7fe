//! Every action is legal, and there is one wherever there is one to choose. [`play_deal`] holds both.

use sedma_bots::steady;
use sedma_rules::{Match, SeatSet};

use crate::play::{Chance, dealt, every_game, name, play_deal};

/// Deals of each game and company.
const DEALS: usize = 2000;

/// Matches are begun anew when they are over, so that later deals with their exchange of hands occur as well.
fn deals_end(company: impl Fn(&SeatSet, usize) -> SeatSet) {
    for rules in every_game() {
        let mut chance = Chance::seeded(11);
        let mut game = Match::new(&rules);
        for deal in 0..DEALS {
            if game.is_over() {
                game = Match::new(&rules);
            }
            game = dealt(&rules, &game, chance.pack(&rules));
            let everybody = SeatSet::all(rules.seats());
            if game.deal_running() {
                play_deal(&rules, &mut game, company(&everybody, deal), &mut chance);
            }
            assert!(!game.deal_running(), "{}: the deal ends", name(&rules));
        }
    }
}

#[test]
fn steady_players_among_themselves_play_every_game_to_its_end() {
    deals_end(|everybody, _| *everybody);
}

#[test]
fn steady_players_among_random_ones_play_every_game_to_its_end() {
    deals_end(|everybody, deal| everybody.iter().filter(|seat| seat.index() % 2 == deal % 2).collect());
}

#[test]
fn whoever_is_not_to_act_or_is_not_shown_has_no_action() {
    for rules in every_game() {
        let game = dealt(&rules, &Match::new(&rules), Chance::seeded(3).pack(&rules));
        let turn = game.turn().unwrap();
        let all = SeatSet::all(rules.seats());
        for seat in all.iter() {
            let sees_all = game.view(&rules, all);
            assert_eq!(steady(&sees_all, &rules, seat).is_some(), seat == turn, "{}", name(&rules));
            let spectates = game.view(&rules, SeatSet::EMPTY);
            assert_eq!(steady(&spectates, &rules, seat), None, "{}", name(&rules));
        }
    }
}

#[test]
fn hands_of_others_that_a_view_shows_besides_make_no_difference() {
    for rules in every_game() {
        let mut chance = Chance::seeded(5);
        for _ in 0..50 {
            let game = dealt(&rules, &Match::new(&rules), chance.pack(&rules));
            let Some(seat) = game.turn() else { continue };
            let view = game.view(&rules, SeatSet::of(&[seat]));
            let sees_more = game.view(&rules, SeatSet::all(rules.seats()));
            assert_eq!(steady(&view, &rules, seat), steady(&sees_more, &rules, seat), "{}", name(&rules));
        }
    }
}

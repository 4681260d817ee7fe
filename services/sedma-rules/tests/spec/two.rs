//! The two-player game.

use sedma_rules::{DealTier, Preset, RuleOptions};

use crate::transcript::{Table, seat, table, table_with};

/// A takes five tricks of ten points each.
fn five_tricks(options: RuleOptions) -> Table {
    table_with(options)
        .deal(&["Ac Ah 10c 8c", "Kc Qc Jc 9c"], "10h Kd 10s Kh As Ks 8d Qd")
        .plays("Ac Kc Ah Qc 10c Jc")
        .happens(&["trick 1 points 10 cards 2", "draw 1 cards 2"])
        .plays("10h 9c 10s Kd")
}

#[test]
fn example_48_fifty_points_stop_the_deal_and_win_it() {
    five_tricks(Preset::Two.options(2))
        .happens(&[
            "trick 1 points 10 cards 2",
            "end win bonus 0 last - side 1 points 50 tricks 5 game 1 side 2 points 0 tricks 0 game 0",
        ])
        .ended()
        .standing(&[1, 0])
        .stock(16);
}

#[test]
fn example_48_played_out_it_has_the_same_winner() {
    let played_out = RuleOptions { stop_at_points: 0, ..Preset::Two.options(2) };
    let table = five_tricks(played_out).happens(&["trick 1 points 10 cards 2", "draw 1 cards 2"]).turn(1);
    let result = *table.played_out().game.last_deal().unwrap();
    let winner = result.sides.iter().find(|side| side.game_points > 0).unwrap();
    assert!(winner.seats.contains(seat(1)));
    assert_ne!(result.tier, DealTier::Void);
    assert!(result.last_trick_seat.is_some());
}

#[test]
fn the_opponent_of_the_dealer_leads_and_the_deal_alternates() {
    let table = table(Preset::Two, 2).deal(&[], "").turn(1).played_out();
    table.deal(&[], "").turn(2);
}

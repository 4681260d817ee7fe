//! The four-player game. Seats 1 to 4 are A to D of the rule book's worked examples, which the tests are
//! named after.

use sedma_rules::Preset;

use crate::transcript::{Table, table};

/// One trick: four hands of at least one card, played in order.
fn trick(plays: [&str; 4]) -> Table {
    table(Preset::Classic, 4).deal(&plays, "").plays(&plays.join(" "))
}

#[test]
fn example_1_the_last_nine_takes_the_trick_draws_first_and_leads() {
    let table = table(Preset::Classic, 4).deal(&["9c", "Ac", "9d", "Kc"], "10c 10d 10h 10s");
    let table = table.plays("9c Ac 9d Kc").happens(&["trick 3 points 10 cards 4", "draw 3 cards 4"]).turn(3);
    let drawn = |seat: u8, card: &str| {
        let view = table.game.view(&table.rules, sedma_rules::SeatSet::all(4));
        view.hands[usize::from(seat - 1)].cards.contains(card.parse().unwrap())
    };
    assert!(drawn(3, "10c") && drawn(4, "10d") && drawn(1, "10h") && drawn(2, "10s"));
}

#[test]
fn example_2_without_a_match_the_leader_takes_it() {
    trick(["9c", "Ac", "Kc", "8c"]).happens(&["trick 1 points 10 cards 4", "draw 1 cards 4"]).turn(1);
}

#[test]
fn example_3_a_seven_is_beaten_by_a_later_card_of_the_led_rank() {
    trick(["10c", "7c", "10d", "Kc"]).happens(&["trick 3 points 20 cards 4", "draw 3 cards 4"]);
}

#[test]
fn example_4_a_seven_matches_last() {
    trick(["10c", "10d", "Kc", "7c"]).happens(&["trick 4 points 20 cards 4", "draw 4 cards 4"]);
}

#[test]
fn example_5_only_a_seven_matches_a_led_seven() {
    trick(["7c", "7d", "Ac", "Kc"]).happens(&["trick 2 points 10 cards 4", "draw 2 cards 4"]);
}

#[test]
fn example_6_nothing_else_matches_a_led_seven() {
    trick(["7c", "Ac", "10c", "Kc"]).happens(&["trick 1 points 20 cards 4", "draw 1 cards 4"]);
}

#[test]
fn example_7_the_last_of_three_sevens_takes_the_ace() {
    trick(["Ac", "7c", "7d", "7h"]).happens(&["trick 4 points 10 cards 4", "draw 4 cards 4"]);
}

#[test]
fn example_8_the_partner_takes_it_and_the_side_has_the_points() {
    let table = trick(["Ac", "Kc", "Ad", "8c"]).happens(&["trick 3 points 20 cards 4", "draw 3 cards 4"]);
    let view = table.game.view(&table.rules, sedma_rules::SeatSet::EMPTY);
    assert_eq!((view.sides[0].points, view.sides[1].points), (20, 0));
}

#[test]
fn example_9_the_trick_is_over_after_one_round_whatever_the_leader_holds() {
    table(Preset::Classic, 4)
        .deal(&["9c 9h 7c 8c", "Ac", "9d", "Kc"], "")
        .plays("9c Ac 9d Kc")
        .happens(&["trick 3 points 10 cards 4", "draw 3 cards 4"])
        .turn(3)
        .refuses(1, "play 9h", "another seat is to act")
        .refuses(3, "end", "there is no trick to end");
}

#[test]
fn a_match_is_won_at_four_game_points_and_the_deal_goes_round() {
    let mut table = table(Preset::Classic, 4);
    let mut leaders = Vec::new();
    while !table.game.is_over() {
        table = table.deal(&[], "");
        leaders.extend(table.game.turn());
        table = table.played_out();
    }
    let expected: Vec<_> = (0..leaders.len()).map(|deal| sedma_rules::Seat::One.after(deal, 4)).collect();
    assert_eq!(leaders, expected);
    let best = table.game.standing().map(|(_, score)| score).max();
    assert!(best >= Some(4), "{best:?}");
    table.ended().refuses(1, "play 7c", "no deal is running");
}

//! Czech burned hands and burned tricks.

use sedma_rules::{BurnedHand, Preset, RuleOptions};

use crate::transcript::{Table, table, table_with};

fn cervena(seats: u8, hands: &[&str], stock: &str) -> Table {
    table(Preset::Cervena, seats).deal(hands, stock)
}

#[test]
fn example_27_drawing_the_fourth_king_ends_the_deal_at_once() {
    cervena(4, &["Jc 10d 10h 9d", "Kc Kd Kh 8c", "Qc", "9c"], "10c Ks")
        .plays("Jc 8c Qc 9c")
        .happens(&[
            "trick 1 points 0 cards 4",
            "draw 1 cards 2",
            "end burned_hand bonus 0 last - side 13 points 0 tricks 1 game 0 side 24 points 0 tricks 0 game 4",
        ])
        .ended()
        .standing(&[0, 4]);
}

#[test]
fn example_28_four_kings_as_dealt_burn_only_where_the_rules_say_so() {
    let hands = ["Jc 10d 10h 9d", "Kc Kd Kh Ks"];
    cervena(4, &hands, "").turn(1);
    let options = RuleOptions { burned_hand: BurnedHand::OnDealOrDraw, ..Preset::Cervena.options(4) };
    table_with(options)
        .deal(&hands, "")
        .happens(&[
            "end burned_hand bonus 0 last - side 13 points 0 tricks 0 game 0 side 24 points 0 tricks 0 game 4",
        ])
        .ended()
        .standing(&[0, 4]);
}

#[test]
fn example_29_who_draws_first_burns_first() {
    cervena(4, &["Jc Jd Jh 9c", "Kc Kd Kh 8c", "Qc", "10c"], "Js Ks")
        .plays("9c 8c Qc 10c")
        .happens(&[
            "trick 1 points 10 cards 4",
            "draw 1 cards 1",
            "end burned_hand bonus 0 last - side 13 points 10 tricks 1 game 4 side 24 points 0 tricks 0 game 0",
        ])
        .standing(&[4, 0]);
}

/// With four cards in hand nobody can complete four a round later than another after the same trick and be
/// the first seat to draw; with six, a trick of two rounds lets each draw two.
#[test]
fn example_29_who_draws_his_fourth_card_a_round_earlier_burns_first() {
    let six = RuleOptions { hand_size: 6, ..Preset::Cervena.options(4) };
    table_with(six)
        .deal(&["Jc Jd Jh 9c 9d 8c", "Kc Kd Kh 9h Ac 8d", "Qc 10c", "Qd 10d"], "As Ks 8h 8s Js")
        .plays("9c 9h Qc Qd | 9d Ac 10c 10d")
        .happens(&[
            "trick 1 points 30 cards 8",
            "draw 1 cards 2",
            "end burned_hand bonus 0 last - side 13 points 30 tricks 1 game 0 side 24 points 0 tricks 0 game 4",
        ])
        .standing(&[0, 4]);
}

#[test]
fn example_30_four_queens_burn_the_trick_with_the_fourth() {
    cervena(4, &["Qc", "Qd", "Qh", "Qs"], "")
        .plays("Qc Qd Qh Qs")
        .happens(&[
            "end burned_trick bonus 0 last - side 13 points 0 tricks 0 game 0 side 24 points 0 tricks 0 game 1",
        ])
        .ended()
        .standing(&[0, 1]);
}

#[test]
fn example_31_aces_over_sevens_do_not_burn() {
    cervena(2, &["Ac 7c Ah 8c", "Ad 7d As 9c"], "")
        .plays("Ac Ad | 7c 7d | Ah As")
        .happens(&["trick 2 points 40 cards 6", "draw 2 cards 6"]);
}

#[test]
fn example_32_four_sevens_after_two_aces_do_not_burn() {
    cervena(2, &["Ac 7c 7h 8c", "Ad 7d 7s 9c"], "")
        .plays("Ac Ad | 7c 7d | 7h 7s")
        .happens(&["trick 2 points 20 cards 6", "draw 2 cards 6"]);
}

#[test]
fn example_33_sevens_do_not_stand_in() {
    cervena(4, &["Ac Ah 8d 8h", "Ad As", "7c 8c", "7d 9c"], "")
        .plays("Ac Ad 7c 7d | Ah As 8c 9c")
        .happens(&["trick 2 points 40 cards 8", "draw 2 cards 8"]);
}

#[test]
fn example_34_four_sevens_burn_as_well() {
    cervena(4, &["7c", "7d", "7h", "7s"], "").plays("7c 7d 7h 7s").ended().standing(&[0, 1]);
}

#[test]
fn example_35_a_seven_among_kings_does_not_burn() {
    cervena(4, &["Kc 8c 8d 8h", "Kd", "7c", "Kh"], "")
        .plays("Kc Kd 7c Kh")
        .happens(&["trick 4 points 0 cards 4", "draw 4 cards 4"]);
}

#[test]
fn with_two_players_the_leaders_second_card_counts() {
    cervena(2, &["Kc Kh 8c 8d", "Kd Ks 9c 9d"], "").plays("Kc Kd | Kh Ks").ended().standing(&[0, 1]);
}

//! Tricks that their leader may go on with.

use sedma_rules::Preset;

use crate::transcript::{Table, table};

/// A nine is led and three cards follow; seat 1 keeps these three.
fn led_nine(preset: Preset, kept: &str, [second, third, fourth]: [&str; 3]) -> Table {
    table(preset, 4)
        .deal(&[&format!("9c {kept}"), second, third, fourth], "")
        .plays(&format!("9c {second} {third} {fourth}"))
}

#[test]
fn example_10_the_last_match_over_all_rounds_takes_eight_cards() {
    table(Preset::Pagat, 4)
        .deal(&["9c 9h Kc Qc", "10c 7c", "Jc 8c", "9d 10d"], "")
        .plays("9c 10c Jc 9d")
        .happens(&["round"])
        .turn(1)
        .plays("9h 7c 8c 10d")
        .happens(&["trick 2 points 20 cards 8", "draw 2 cards 8"])
        .turn(2)
        .hand_counts(&[4, 4, 4, 4]);
}

#[test]
fn example_11_only_the_led_rank_and_sevens_go_on() {
    led_nine(Preset::Pagat, "9d 7c Ac", ["Ad", "9h", "Kc"])
        .may("play 7c, play 9d, end")
        .refuses(1, "play Ac", "only a card of the led rank or a wild one")
        .refuses(2, "end", "another seat")
        .act("end")
        .happens(&["trick 3 points 10 cards 4", "draw 3 cards 4"]);
}

#[test]
fn example_12_the_leader_may_go_on_though_nobody_matched() {
    led_nine(Preset::Pagat, "9d Qc Qd", ["Ac", "Kc", "8c"]).may("play 9d, end");
}

#[test]
fn example_13_when_nobody_confirms_the_trick_ends() {
    let table = led_nine(Preset::Cervena, "9d Qc Qd", ["Ac", "Kc", "8c"]);
    table.happens(&["trick 1 points 10 cards 4", "draw 1 cards 4"]);
}

#[test]
fn example_14_the_partner_confirms_too() {
    led_nine(Preset::Cervena, "7c Qc Qd", ["Ac", "9d", "Kc"]).may("play 7c, end");
}

#[test]
fn example_15_against_a_winning_partner_nobody_goes_on() {
    for preset in [Preset::Sedmice, Preset::Zsirozas] {
        let table = led_nine(preset, "7c Qc Qd", ["Ac", "9d", "Kc"]);
        table.happens(&["trick 3 points 10 cards 4", "draw 3 cards 4"]);
    }
}

#[test]
fn example_16_against_a_winning_opponent_the_leader_may_go_on() {
    led_nine(Preset::Zsirozas, "9d Qc Qd", ["Ac", "10c", "7c"]).may("play 9d, end");
}

#[test]
fn example_17_four_rounds_empty_the_hands_and_end_the_trick() {
    table(Preset::Pagat, 4)
        .deal(&["9c 9d 9h 9s", "Ac Kc Qc Jc", "Ad Kd Qd Jd", "Ah Kh Qh Jh"], "")
        .plays("9c Ac Ad Ah | 9d Kc Kd Kh | 9h Qc Qd Qh | 9s Jc Jd Jh")
        .happens(&["trick 1 points 30 cards 16", "draw 1 cards 16"])
        .hand_counts(&[4, 4, 4, 4])
        .stock(0);
}

/// Three short tricks, after which the stock has four cards.
fn a_stock_of_four(drawn: &str) -> Table {
    table(Preset::Cervena, 4)
        .deal(&["8c 8d 8h 9c", "Jc Jd Jh Ac", "Qc Qd Qh Ad", "Kc Kd Kh Ah"], drawn)
        .plays("8c Jc Qc Kc 8d Jd Qd Kd 8h Jh Qh Kh")
        .stock(4)
}

#[test]
fn example_18_a_short_stock_is_shared_evenly() {
    a_stock_of_four("9h 10c 9d 10d Js Ks Qs 10h As 7c 7d 7h 9s 10s 8s 7s")
        .plays("9c 10c 9d 10d | 9h Ks Qs 10h")
        .happens(&["trick 1 points 30 cards 8", "draw 1 cards 4"])
        .hand_counts(&[3, 3, 3, 3])
        .stock(0);
}

#[test]
fn example_19_with_empty_hands_each_draws_one_and_play_goes_on_from_one_card() {
    a_stock_of_four("9h 10c 9d 10d 9s 7c Qs 7d 7s Ks Js 10h As 10s 8s 7h")
        .plays("9c 10c 9d 10d | 9h 7c Qs 10h | 9s Ks Js 7d | 7s Ac Ad Ah")
        .happens(&["trick 1 points 60 cards 16", "draw 1 cards 4"])
        .hand_counts(&[1, 1, 1, 1])
        .stock(0)
        .plays("As 10s 8s 7h")
        .happens_also("trick 4 points 20 cards 4")
        .ended();
}

#[test]
fn schmierer_binds_whoever_can_match() {
    table(Preset::Schmierer, 4)
        .deal(&["9c 8c 8d 8h", "9d 7c Ac Kc", "Jc Qc Kd Ad"], "")
        .plays("9c")
        .may("play 7c, play 9d")
        .refuses(2, "play Ac", "a card of the led rank or a wild one must be played")
        .plays("9d")
        .may("play Jc, play Qc, play Kd, play Ad");
}

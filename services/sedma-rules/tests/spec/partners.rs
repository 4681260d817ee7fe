//! Czech rules that bind a player to a rank, and partners who exchange hands.

use sedma_rules::{Event, Fact, ForcedMatch, ForcedMatchScope, Preset, RuleOptions, Seat, SeatSet};

use crate::transcript::{Table, cards, table, table_with};

fn cervena(hands: &[&str]) -> Table {
    table(Preset::Cervena, 4).deal(hands, "")
}

#[test]
fn example_36_two_kings_in_succession_bind_the_next_king() {
    let hands = ["9c 8c 8d 8h", "Kc", "Kd", "Kh 7c Jc Qc"];
    cervena(&hands)
        .plays("9c Kc Kd")
        .may("play Kh")
        .refuses(4, "play 7c", "it must be played")
        .plays("Kh")
        .happens(&["trick 1 points 0 cards 4", "draw 1 cards 4"]);
    let led_rank =
        RuleOptions { forced_match_scope: ForcedMatchScope::LedRank, ..Preset::Cervena.options(4) };
    table_with(led_rank).deal(&hands, "").plays("9c Kc Kd").may("play 7c, play Jc, play Qc, play Kh");
}

#[test]
fn example_37_a_seven_is_not_what_binds() {
    cervena(&["Qc", "Qd", "Qh Ac 7c 8c"]).plays("Qc Qd").may("play Qh");
    cervena(&["Qc", "Qd", "Ac 8c 7c Jc"]).plays("Qc Qd").may("play 7c, play 8c, play Jc, play Ac");
}

#[test]
fn example_38_a_broken_chain_binds_nobody() {
    cervena(&["Qc", "Qd", "8c Jd Kd Ad", "Qh Jc Kc 9c"])
        .plays("Qc Qd 8c")
        .may("play 9c, play Jc, play Kc, play Qh");
}

#[test]
fn example_39_two_sevens_bind_the_third() {
    cervena(&["7c", "7d", "7h 8c 9c Jc"]).plays("7c 7d").may("play 7h");
}

#[test]
fn example_40_a_new_round_begins_without_a_chain() {
    cervena(&["9c 9h Ah Ks", "8c 9s Kc Qc", "Jc", "9d"])
        .plays("9c 8c Jc 9d | 9h")
        .turn(2)
        .may("play Qc, play Kc, play 9s");
}

#[test]
fn example_41_two_players_are_never_bound() {
    let table = table(Preset::Cervena, 2).deal(&["Ac 7c Ah 8c", "Ad 7d As 9c"], "").plays("Ac Ad | Ah");
    table.may("play 9c, play 7d, play As");
    assert_eq!(Preset::Cervena.options(2).forced_match, ForcedMatch::Off);
}

#[test]
fn example_42_from_the_second_deal_on_the_leader_may_exchange_hands() {
    let table = cervena(&[]).refuses(1, "exchange yes", "there is no exchange").played_out();
    let hands = ["Ac Kc Qc Jc", "Ad Kd Qd Jd", "Ah Kh Qh Jh", "As Ks Qs Js"];
    let table = table.deal(&hands, "").may("exchange yes, exchange no");
    let leader = table.game.turn().unwrap();
    let (partner, first) = (leader.after(2, 4), leader.number());
    let card = hands[leader.index()].split(' ').next().unwrap();
    table
        .refuses(first, &format!("play {card}"), "must be answered first")
        .act("exchange yes")
        .happens(&[&format!("exchange {leader} yes")])
        .holds(first, hands[partner.index()])
        .holds(partner.number(), hands[leader.index()])
        .turn(first)
        .refuses(first, "exchange no", "there is no exchange");
}

#[test]
fn an_exchange_that_is_declined_leaves_the_hands() {
    let table = cervena(&[]).played_out();
    let hands = ["Ac Kc Qc Jc", "Ad Kd Qd Jd", "Ah Kh Qh Jh", "As Ks Qs Js"];
    let table = table.deal(&hands, "").act("exchange no");
    let leader = table.game.turn().unwrap();
    table.holds(leader.number(), hands[leader.index()]).refuses(
        leader.number(),
        "exchange yes",
        "no exchange",
    );
}

/// All are told that hands were changed, and only the two whose hands they are what came to them.
#[test]
fn nobody_but_the_two_partners_is_told_a_hand() {
    let hands = ["Ac Kc Qc Jc", "Ad Kd Qd Jd", "Ah Kh Qh Jh", "As Ks Qs Js"];
    let table = cervena(&[]).played_out().deal(&hands, "");
    let leader = table.game.turn().unwrap();
    let partner = leader.after(2, 4);
    let fact = Fact::HandsExchanged { seat: leader, exchanged: true };
    for seat in Seat::ALL {
        let mut told = Vec::new();
        table.game.events(&fact, SeatSet::of(&[seat]), &mut told);
        let other = if seat == leader { partner } else { leader };
        let new_hand = || (seat, cards(hands[other.index()]).into_iter().collect());
        let own = [leader, partner].contains(&seat).then(new_hand).into_iter().collect();
        assert_eq!(told, [Event::HandsExchanged { seat: leader, exchanged: true, own }]);
    }
}

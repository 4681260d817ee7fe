//! What binds a player to a rank, and partners who exchange hands, at a table.

use tests::views::{hand, public};
use tests::{Client, NewTable, Table, v1};
use v1::BrokenRule as Rule;

use crate::script::{forbids, may, told};

async fn cervena(client: &Client, hands: &[&str]) -> Table {
    NewTable::preset("cervena", 4).deal(hands, "").start(client).await
}

/// A match whose first deal ends with its first trick: side 1 and 3 has the points that end it, so that seat 2 deals
/// the second, which seat 3 leads.
async fn second_deal(client: &Client, hands: &[&str]) -> Table {
    let short = |rules: &mut v1::SedmaRules| rules.stop_at_points = Some(10);
    let first = ["10c 8c 8d 8h", "9c", "9d", "9h"];
    let new = NewTable::preset("cervena", 4).changed(short).deal(&first, "").dealt_by(2, hands, "");
    let table = new.start(client).await;
    let last = table.play(&["1:10c", "2:9c", "3:9d", "4:9h"]).await;
    assert_eq!(told(&last)[1..], ["Win 13:10+1 24:0", "deal 2 by 2, led by 3"]);
    table
}

/// Hands that are told apart at a glance, in canonical order.
const ACES_AND_DOWN: [&str; 4] = ["Jc Qc Kc Ac", "Jd Qd Kd Ad", "Jh Qh Kh Ah", "Js Qs Ks As"];

on_a_server! {
    async fn example_36_two_kings_in_succession_bind_the_next_king(client: &Client) {
        let hands = ["9c 8c 8d 8h", "Kc", "Kd", "Kh 7c Jc Qc"];
        let table = cervena(client, &hands).await;
        table.play(&["1:9c", "2:Kc", "3:Kd"]).await;
        assert_eq!(may(&table, 4).await, "Kh");
        forbids(&table, "4:7c", Rule::ForcedMatch).await;
        let last = table.play(&["4:Kh"]).await;
        assert_eq!(told(&last), ["1 takes 4 cards with 0 points", "1 draws first of 4"]);

        let led_rank = |rules: &mut v1::SedmaRules| rules.forced_match_scope = Some(v1::ForcedMatchScope::LedRank.into());
        let table = NewTable::preset("cervena", 4).changed(led_rank).deal(&hands, "").start(client).await;
        table.play(&["1:9c", "2:Kc", "3:Kd"]).await;
        assert_eq!(may(&table, 4).await, "7c Jc Qc Kh");
    }

    async fn example_37_a_seven_is_not_what_binds(client: &Client) {
        let table = cervena(client, &["Qc", "Qd", "Qh Ac 7c 8c"]).await;
        table.play(&["1:Qc", "2:Qd"]).await;
        assert_eq!(may(&table, 3).await, "Qh");
        forbids(&table, "3:7c", Rule::ForcedMatch).await;
        let table = cervena(client, &["Qc", "Qd", "Ac 8c 7c Jc"]).await;
        table.play(&["1:Qc", "2:Qd"]).await;
        assert_eq!(may(&table, 3).await, "7c 8c Jc Ac");
    }

    async fn example_38_a_broken_chain_binds_nobody(client: &Client) {
        let table = cervena(client, &["Qc", "Qd", "8c Jd Kd Ad", "Qh Jc Kc 9c"]).await;
        table.play(&["1:Qc", "2:Qd", "3:8c"]).await;
        assert_eq!(may(&table, 4).await, "9c Jc Kc Qh");
    }

    async fn example_39_two_sevens_bind_the_third(client: &Client) {
        let table = cervena(client, &["7c", "7d", "7h 8c 9c Jc"]).await;
        table.play(&["1:7c", "2:7d"]).await;
        assert_eq!(may(&table, 3).await, "7h");
        forbids(&table, "3:8c", Rule::ForcedMatch).await;
    }

    async fn example_40_a_new_round_begins_without_a_chain(client: &Client) {
        let table = cervena(client, &["9c 9h Ah Ks", "8c 9s Kc Qc", "Jc", "9d"]).await;
        table.play(&["1:9c", "2:8c", "3:Jc", "4:9d", "1:9h"]).await;
        assert_eq!(may(&table, 2).await, "Qc Kc 9s");
    }

    async fn example_41_two_players_are_never_bound(client: &Client) {
        let hands = ["Ac 7c Ah 8c", "Ad 7d As 9c"];
        let table = NewTable::preset("cervena", 2).deal(&hands, "").start(client).await;
        table.play(&["1:Ac", "2:Ad", "1:Ah"]).await;
        assert_eq!(may(&table, 2).await, "9c 7d As");
    }

    async fn example_42_in_the_first_deal_there_is_no_exchange(client: &Client) {
        let table = cervena(client, &[]).await;
        for word in ["1:swap", "1:keep"] {
            forbids(&table, word, Rule::NoExchange).await;
        }
    }

    async fn example_42_the_second_deals_leader_takes_the_partners_hand_and_leads(client: &Client) {
        let table = second_deal(client, &ACES_AND_DOWN).await;
        assert_eq!(may(&table, 3).await, "swap keep");
        forbids(&table, "3:Jh", Rule::ExchangeFirst).await;
        forbids(&table, "3:end", Rule::NoTrickToEnd).await;
        let swapped = table.play(&["3:swap"]).await;
        assert_eq!(told(&swapped), ["3 swaps"]);
        let view = table.view_of(&[1, 2, 3, 4]).await;
        let hands = [1, 2, 3, 4].map(|seat| hand(&view, seat));
        assert_eq!(hands, [ACES_AND_DOWN[2], ACES_AND_DOWN[1], ACES_AND_DOWN[0], ACES_AND_DOWN[3]]);
        assert_eq!(public(&view).turn_seat, 3);
        forbids(&table, "3:swap", Rule::NoExchange).await;
        table.play(&["3:Jc", "4:Js", "1:Jh"]).await;
    }

    async fn example_42_an_exchange_that_is_declined_leaves_the_hands(client: &Client) {
        let table = second_deal(client, &ACES_AND_DOWN).await;
        let kept = table.play(&["3:keep"]).await;
        assert_eq!(told(&kept), ["3 keeps"]);
        let view = table.view_of(&[1, 2, 3, 4]).await;
        assert_eq!([1, 2, 3, 4].map(|seat| hand(&view, seat)), ACES_AND_DOWN);
        forbids(&table, "3:keep", Rule::NoExchange).await;
        table.play(&["3:Jh"]).await;
    }

    async fn whoever_can_match_must_in_schmierer(client: &Client) {
        let hands = ["9c 8c 8d 8h", "9d 7c Ac Kc", "Jc Qc Kd Ad"];
        for seats in [2, 4] {
            let hands = &hands[..if seats == 2 { 2 } else { 3 }];
            let table = NewTable::preset("schmierer", seats).deal(hands, "").start(client).await;
            table.play(&["1:9c"]).await;
            assert_eq!(may(&table, 2).await, "7c 9d");
            forbids(&table, "2:Ac", Rule::MustMatch).await;
            table.play(&["2:9d"]).await;
            if seats == 4 {
                assert_eq!(may(&table, 3).await, "Jc Qc Kd Ad");
            }
        }
    }
}

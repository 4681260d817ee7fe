//! Tricks that their leader may go on with, played at a table.

use tests::views::{facts, game, public};
use tests::{Client, NewTable, Table, v1};
use v1::BrokenRule as Rule;
use v1::event::Fact;

use crate::script::{forbids, may, told};

/// A nine is led, and these three cards follow; seat 1 keeps these of its own.
async fn led_nine(
    client: &Client,
    preset: &str,
    kept: &str,
    [second, third, fourth]: [&str; 3],
) -> (Table, Vec<String>) {
    let first = format!("9c {kept}");
    let table = NewTable::preset(preset, 4).deal(&[&first, second, third, fourth], "").start(client).await;
    let lines = [format!("2:{second}"), format!("3:{third}"), format!("4:{fourth}")];
    let last = table.play(&["1:9c", &lines[0], &lines[1], &lines[2]]).await;
    (table, told(&last))
}

/// Three short tricks, after which the stock has four cards.
async fn a_stock_of_four(client: &Client, stock: &str) -> Table {
    let hands = ["8c 8d 8h 9c", "Jc Jd Jh Ac", "Qc Qd Qh Ad", "Kc Kd Kh Ah"];
    let table = NewTable::preset("cervena", 4).deal(&hands, stock).start(client).await;
    for round in ["8c Jc Qc Kc", "8d Jd Qd Kd", "8h Jh Qh Kh"] {
        play_round(&table, round).await;
    }
    assert_eq!(game(&table.view().await).stock_count, 4);
    table
}

/// Seat 1 leads a round.
async fn play_round(table: &Table, round: &str) -> v1::PlayCardResponse {
    let lines: Vec<String> =
        (1..).zip(round.split(' ')).map(|(seat, card)| format!("{seat}:{card}")).collect();
    table.play(&lines.iter().map(String::as_str).collect::<Vec<_>>()).await
}

async fn hand_counts(table: &Table) -> Vec<i32> {
    game(&table.view().await).hand_counts.clone()
}

on_a_server! {
    async fn example_09_classic_has_no_going_on(client: &Client) {
        let (table, told) = led_nine(client, "classic", "9h 7c 8d", ["Ac", "9d", "Kc"]).await;
        assert_eq!(told, ["3 takes 4 cards with 10 points", "3 draws first of 4"]);
        assert_eq!((may(&table, 1).await.as_str(), public(&table.view().await).turn_seat), ("", 3));
        forbids(&table, "3:end", Rule::NoTrickToEnd).await;
    }

    async fn example_10_the_last_match_over_all_rounds_takes_eight_cards(client: &Client) {
        let hands = ["9c 9h Kc Qc", "10c 7c", "Jc 8c", "9d 10d"];
        let table = NewTable::preset("pagat", 4).deal(&hands, "").start(client).await;
        assert_eq!(told(&play_round(&table, "9c 10c Jc 9d").await), ["1 may go on"]);
        let last = play_round(&table, "9h 7c 8c 10d").await;
        assert_eq!(told(&last), ["2 takes 8 cards with 20 points", "2 draws first of 8"]);
        let counts: Vec<(i32, i32)> = facts(last.update.as_ref().unwrap()).into_iter().filter_map(|fact| match fact {
            Fact::CardsDrawn(drawn) => Some((drawn.seat, drawn.count)),
            _ => None,
        }).collect();
        assert_eq!(counts, [(2, 2), (3, 2), (4, 2), (1, 2)]);
        assert_eq!((hand_counts(&table).await, public(&table.view().await).turn_seat), (vec![4; 4], 2));
    }

    async fn example_11_only_the_led_rank_and_sevens_go_on(client: &Client) {
        let (table, told_of_round) = led_nine(client, "pagat", "9d 7c Ac", ["Ad", "9h", "Kc"]).await;
        assert_eq!((told_of_round[0].as_str(), may(&table, 1).await.as_str()), ("1 may go on", "7c 9d end"));
        forbids(&table, "1:Ac", Rule::ContinuationCard).await;
        let last = table.play(&["1:end"]).await;
        assert_eq!(told(&last), ["3 takes 4 cards with 10 points", "3 draws first of 4"]);
    }

    async fn example_12_the_leader_may_go_on_though_nobody_matched(client: &Client) {
        let (table, _) = led_nine(client, "pagat", "9d Qc Qd", ["Ac", "Kc", "8c"]).await;
        assert_eq!(may(&table, 1).await, "9d end");
        table.play(&["1:9d"]).await;
        assert_eq!(public(&table.view().await).turn_seat, 2);
    }

    async fn example_13_when_nobody_confirms_the_trick_ends(client: &Client) {
        let (table, told) = led_nine(client, "cervena", "9d Qc Qd", ["Ac", "Kc", "8c"]).await;
        assert_eq!(told, ["1 takes 4 cards with 10 points", "1 draws first of 4"]);
        forbids(&table, "1:end", Rule::NoTrickToEnd).await;
    }

    async fn example_14_the_partner_confirms_too(client: &Client) {
        let (table, told) = led_nine(client, "cervena", "7c Qc Qd", ["Ac", "9d", "Kc"]).await;
        assert_eq!((told[0].as_str(), may(&table, 1).await.as_str()), ("1 may go on", "7c end"));
        forbids(&table, "1:Qc", Rule::ContinuationCard).await;
    }

    async fn example_15_against_a_winning_partner_nobody_goes_on(client: &Client) {
        for preset in ["sedmice", "zsirozas"] {
            let (_, told) = led_nine(client, preset, "7c Qc Qd", ["Ac", "9d", "Kc"]).await;
            assert_eq!(told, ["3 takes 4 cards with 10 points", "3 draws first of 4"], "{preset}");
        }
    }

    async fn example_16_against_a_winning_opponent_the_leader_may_go_on(client: &Client) {
        for preset in ["zsirozas", "sedmice", "septica"] {
            let (table, told) = led_nine(client, preset, "9d Qc Qd", ["Ac", "10c", "7c"]).await;
            assert_eq!((told[0].as_str(), may(&table, 1).await.as_str()), ("1 may go on", "9d end"), "{preset}");
        }
    }

    async fn example_17_four_rounds_empty_the_hands_and_end_the_trick(client: &Client) {
        let hands = ["9c 9d 9h 9s", "Ac Kc Qc Jc", "Ad Kd Qd Jd", "Ah Kh Qh Jh"];
        for preset in ["pagat", "sedmice"] {
            let table = NewTable::preset(preset, 4).deal(&hands, "").start(client).await;
            let first = play_round(&table, "9c Ac Ad Ah").await;
            if preset == "sedmice" {
                // Its leader wins, and there only an opponent's winning lets him go on.
                assert_eq!(told(&first)[0], "1 takes 4 cards with 30 points");
                continue;
            }
            play_round(&table, "9d Kc Kd Kh").await;
            play_round(&table, "9h Qc Qd Qh").await;
            let last = play_round(&table, "9s Jc Jd Jh").await;
            assert_eq!(told(&last), ["1 takes 16 cards with 30 points", "1 draws first of 16"]);
            assert_eq!((hand_counts(&table).await, game(&table.view().await).stock_count), (vec![4; 4], 0));
        }
    }

    async fn example_18_a_short_stock_is_shared_evenly(client: &Client) {
        let table = a_stock_of_four(client, "9h 10c 9d 10d Js Ks Qs 10h As 7c 7d 7h 9s 10s 8s 7s").await;
        play_round(&table, "9c 10c 9d 10d").await;
        let last = play_round(&table, "9h Ks Qs 10h").await;
        assert_eq!(told(&last), ["1 takes 8 cards with 30 points", "1 draws first of 4"]);
        assert_eq!((hand_counts(&table).await, game(&table.view().await).stock_count), (vec![3; 4], 0));
    }

    async fn example_19_from_empty_hands_each_draws_one_and_play_goes_on(client: &Client) {
        let table = a_stock_of_four(client, "9h 10c 9d 10d 9s 7c Qs 7d 7s Ks Js 10h As 10s 8s 7h").await;
        play_round(&table, "9c 10c 9d 10d").await;
        play_round(&table, "9h 7c Qs 10h").await;
        play_round(&table, "9s Ks Js 7d").await;
        let last = play_round(&table, "7s Ac Ad Ah").await;
        assert_eq!(told(&last), ["1 takes 16 cards with 60 points", "1 draws first of 4"]);
        assert_eq!(hand_counts(&table).await, [1; 4], "never two each for two of them");
        let last = told(&play_round(&table, "As 10s 8s 7h").await);
        assert_eq!(last[..2], ["4 takes 4 cards with 20 points", "Win 13:60+1 24:30"]);
    }
}

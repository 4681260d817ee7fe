//! The other games' own rules, played at a table: soloists, fights, blind plays, marriages.

use tests::views::{game, hand, public};
use tests::{Client, NewTable, Table, v1};
use v1::BrokenRule as Rule;

use crate::script::{forbids, may, told};

/// Plays a round that seat 1 leads.
async fn round(table: &Table, cards: &str) -> Vec<String> {
    let lines: Vec<String> =
        (1..).zip(cards.split(' ')).map(|(seat, card)| format!("{seat}:{card}")).collect();
    told(&table.play(&lines.iter().map(String::as_str).collect::<Vec<_>>()).await)
}

/// A table where these hands begin with what is played.
async fn dealt(client: &Client, preset: &str, hands: &[&str], stock: &str) -> Table {
    let seats = i32::try_from(hands.len()).unwrap();
    NewTable::preset(preset, seats).deal(hands, stock).start(client).await
}

async fn soloist(table: &Table) -> i32 {
    game(&table.view().await).soloist_seat
}

on_a_server! {
    async fn example_43_the_red_king_matches_and_shows_the_soloist(client: &Client) {
        let table = dealt(client, "three_red_king", &["10c 8c 9c Jc", "Kh", "8s"], "").await;
        table.play(&["1:10c"]).await;
        for seat in 1..=3 {
            assert_eq!(game(&table.seat(seat).view().await).soloist_seat, 0, "not even its holder's view says it");
        }
        assert_eq!(game(&table.view().await).sides.len(), 3);
        table.play(&["2:Kh"]).await;
        assert_eq!(soloist(&table).await, 2);
        let last = told(&table.play(&["3:8s"]).await);
        assert_eq!(last, ["2 takes 3 cards with 10 points", "2 draws first of 3"]);
    }

    async fn example_44_the_red_king_leads_as_a_king(client: &Client) {
        let table = dealt(client, "three_red_king", &["Kh 8c 9c Jc", "Kc", "7c"], "").await;
        assert_eq!(round(&table, "Kh Kc 7c").await[0], "3 takes 3 cards with 0 points");
        let table = dealt(client, "three_red_king", &["7c 8c 9c Jc", "Kh", "9h"], "").await;
        assert_eq!(round(&table, "7c Kh 9h").await[0], "2 takes 3 cards with 0 points");
    }

    /// The soloist may go on with the red king as with a seven.
    async fn example_44_the_red_king_goes_on_as_well(client: &Client) {
        let table = dealt(client, "three_red_king", &["9c Kh Jc Qc", "9s", "8s"], "").await;
        assert_eq!(round(&table, "9c 9s 8s").await, ["1 may go on"]);
        assert_eq!(may(&table, 1).await, "Kh end");
        table.play(&["1:Kh"]).await;
        assert_eq!(soloist(&table).await, 1);
    }

    async fn example_46_three_players_burn_no_trick(client: &Client) {
        let table = dealt(client, "three_red_king", &["Ac As 8c 9c", "Ad", "Ah"], "").await;
        assert_eq!(round(&table, "Ac Ad Ah").await, ["1 may go on"]);
        table.play(&["1:As"]).await;
        assert_eq!(public(&table.view().await).turn_seat, 2);
    }

    async fn example_48_fifty_points_stop_the_deal(client: &Client) {
        let hands = ["Ac Ah 10c 8c", "Kc Qc Jc 9c"];
        let table = dealt(client, "two", &hands, "10h Kd 10s Kh As Ks 8d Qd").await;
        for cards in ["Ac Kc", "Ah Qc", "10c Jc", "10h 9c"] {
            assert_eq!(round(&table, cards).await[0], "1 takes 2 cards with 10 points");
        }
        let last = round(&table, "10s Kd").await;
        assert_eq!(last, ["1 takes 2 cards with 10 points", "Win 1:50+1 2:0", "deal 2 by 1, led by 2"]);
    }

    async fn example_49_twos_and_sevens_are_wild(client: &Client) {
        for (cards, taken) in [
            ("9c 9d 2c 8c", "3 takes 4 cards with 0 points"),
            ("2c 7c 5c 5d", "2 takes 4 cards with 0 points"),
            ("7c 2c Ac Kc", "2 takes 4 cards with 10 points"),
        ] {
            let hands: Vec<&str> = cards.split(' ').collect();
            let table = dealt(client, "hola", &hands, "").await;
            assert_eq!(round(&table, cards).await, ["1 may go on"]);
            assert_eq!(told(&table.play(&["1:end"]).await)[0], taken);
        }
    }

    async fn example_50_the_winner_of_a_fight_takes_what_lies_in_abeyance(client: &Client) {
        let table = dealt(client, "hola", &["9c Ac Qc Qd", "7c Kc", "8c Ad", "10c 3c"], "").await;
        round(&table, "9c 7c 8c 10c").await;
        assert_eq!(may(&table, 1).await, "Qc Ac Qd end");
        assert_eq!(told(&table.play(&["1:Ac"]).await), ["1 fights"]);
        let view = table.view().await;
        assert_eq!((game(&view).abeyance_count, game(&view).trick.len(), game(&view).stock_count), (4, 5, 36));
        assert_eq!(told(&table.play(&["2:Kc", "3:Ad", "4:3c"]).await), ["1 may go on"]);
        let last = told(&table.play(&["1:end"]).await);
        assert_eq!(last, ["3 takes 8 cards with 30 points", "3 draws first of 8"]);
        assert_eq!(game(&table.view().await).hand_counts, [4; 4]);
    }

    async fn example_51_without_a_card_there_is_no_fight(client: &Client) {
        let table = dealt(client, "hola", &["3c 4c 5c 6c", "Jc Qc Kc Ac"], "").await;
        for cards in ["3c Jc", "4c Qc", "5c Kc"] {
            let told = round(&table, cards).await;
            assert_eq!(told.last().unwrap(), "1 may go on");
        }
        assert_eq!(round(&table, "6c Ac").await, ["1 takes 8 cards with 10 points", "1 draws first of 8"]);
    }

    async fn example_52_the_dealer_who_has_most_deals_again(client: &Client) {
        let short = |rules: &mut v1::SedmaRules| rules.stop_at_points = Some(10);
        for (hands, cards, next) in [
            (["10c", "9c", "9d", "9h"], "10c 9c 9d 9h", "deal 2 by 1, led by 2"),
            (["9c", "10c", "8d", "9h"], "9c 10c 8d 9h", "deal 2 by 4, led by 1"),
        ] {
            let table = NewTable::preset("hola", 4).changed(short).deal(&hands, "").start(client).await;
            assert_eq!(round(&table, cards).await, ["1 may go on"]);
            let told = told(&table.play(&["1:end"]).await);
            assert_eq!(told.last().unwrap(), next);
        }
    }

    async fn example_53_in_ristikontra_sevens_are_nothing_special(client: &Client) {
        let table = dealt(client, "ristikontra", &["Kc", "3c", "10c", "Kd"], "").await;
        assert_eq!(told(&table.play(&["1:Kc"]).await), ["1 draws first of 1"], "a hand is filled up at once");
        let last = told(&table.play(&["2:3c", "3:10c", "4:Kd"]).await);
        assert_eq!(last, ["4 draws first of 1", "4 takes 4 cards with 18 points"]);
        let table = dealt(client, "ristikontra", &["7c", "5c", "Ac", "3c"], "").await;
        assert_eq!(round(&table, "7c 5c Ac 3c").await[1], "1 takes 4 cards with 11 points");
    }

    async fn example_54_nobody_leads_a_rank_four_times_in_a_row(client: &Client) {
        let hands = ["5c 5d 5h 5s Kc Kd", "Ac Ad Ah", "Jc Jd Jh", "Qc Qd Qh"];
        let stock = "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 6s";
        let table = dealt(client, "ristikontra", &hands, stock).await;
        for cards in ["5c Ac Jc Qc", "5d Ad Jd Qd", "5h Ah Jh Qh"] {
            round(&table, cards).await;
        }
        assert_eq!(may(&table, 1).await, "2c 3c 4c Kc Kd stock");
        forbids(&table, "1:5s", Rule::SameRankLeads).await;
        assert_eq!(told(&table.play(&["1:stock"]).await), ["1 plays the unseen 6s"], "and draws no other");
        assert_eq!(game(&table.view().await).hand_counts, [6; 4]);
    }

    /// A card that nobody has seen may have the rank that was led three times.
    async fn example_54_the_unseen_card_may_be_any(client: &Client) {
        let hands = ["5c 5d 5h Kc Kd Kh", "Ac Ad Ah", "Jc Jd Jh", "Qc Qd Qh"];
        let stock = "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 5s";
        let table = dealt(client, "ristikontra", &hands, stock).await;
        for cards in ["5c Ac Jc Qc", "5d Ad Jd Qd", "5h Ah Jh Qh"] {
            round(&table, cards).await;
        }
        assert_eq!(told(&table.play(&["1:stock"]).await), ["1 plays the unseen 5s"]);
        let lying = game(&table.view().await).trick[0];
        assert!(lying.from_stock && !lying.announced_marriage);
        table.play(&["2:stock"]).await;
    }

    async fn a_stock_that_is_used_up_is_not_played_from(client: &Client) {
        let table = dealt(client, "ristikontra", &["5c", "6c", "7c", "8c"], "").await;
        for _ in 0..28 {
            let seat = public(&table.view().await).turn_seat;
            table.seat(seat).act("stock").await.unwrap();
        }
        let seat = public(&table.view().await).turn_seat;
        assert!(!may(&table, seat).await.contains("stock"));
        forbids(&table, &format!("{seat}:stock"), Rule::NoStockPlay).await;
    }

    async fn example_56_lusti_kartln_has_no_wild_card_and_no_stock(client: &Client) {
        for (cards, taken) in [
            ("9c 9d 7c 7d", "2 takes 4 cards with 0 points"),
            ("7c 9c 7d Ac", "3 takes 4 cards with 10 points"),
        ] {
            let hands: Vec<&str> = cards.split(' ').collect();
            let table = dealt(client, "lusti_kartln", &hands, "").await;
            assert_eq!(round(&table, cards).await, [taken]);
            let view = table.view().await;
            assert_eq!((game(&view).stock_count, game(&view).hand_counts.as_slice()), (0, [7; 4].as_slice()));
        }
    }

    async fn example_57_with_three_the_eights_cut_as_well(client: &Client) {
        let table = dealt(client, "septica", &["Kc 9d Jc Qc", "8h", "9c"], "").await;
        assert_eq!(game(&table.view().await).stock_count, 18);
        assert_eq!(round(&table, "Kc 8h 9c").await, ["2 takes 3 cards with 0 points", "2 draws first of 3"]);
    }

    async fn example_58_an_announced_marriage_counts_though_the_trick_is_lost(client: &Client) {
        let table = dealt(client, "marias_sedma", &["Kh Qh Kc 8c", "Kd Qd", "8d", "9c"], "").await;
        assert_eq!(may(&table, 1).await, "8c Kc Qh Qh! Kh Kh!");
        forbids(&table, "1:Kc!", Rule::NoMarriage).await;
        assert_eq!(told(&table.play(&["1:Kh!"]).await), ["1 announces for 40"]);
        forbids(&table, "2:Kd!", Rule::NoMarriage).await;
        let last = told(&table.play(&["2:Kd", "3:8d", "4:9c"]).await);
        assert_eq!(last, ["2 takes 4 cards with 0 points", "2 draws first of 4"]);
        let view = table.view().await;
        assert_eq!([game(&view).sides[0].points, game(&view).sides[1].points], [40, 0]);
        assert!(game(&view).last_trick.as_ref().unwrap().plays[0].announced_marriage);
        assert_eq!(hand(&table.seat(1).view().await, 1).matches("Qh").count(), 1);
    }
}

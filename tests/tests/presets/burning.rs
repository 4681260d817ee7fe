//! Burned hands and burned tricks, played at a table.

use tests::views::{game, public};
use tests::{NewTable, Table, v1};

use crate::script::{may, told};

fn cervena(seats: i32, hands: &[&str], stock: &str) -> NewTable {
    NewTable::preset("cervena", seats).pausing_between_deals().deal(hands, stock)
}

/// Between two deals nobody is to act, and nobody's cards are of any use.
async fn assert_over(table: &Table) {
    let view = table.view().await;
    assert_eq!((public(&view).phase(), public(&view).turn_seat), (v1::TablePhase::BetweenDeals, 0));
}

on_a_server! {
    async fn example_27_drawing_the_fourth_king_ends_the_deal_at_once(client: &Client) {
        let hands = ["Jc 10d 10h 9d", "Kc Kd Kh 8c", "Qc", "9c"];
        let table = cervena(4, &hands, "10c Ks").start(client).await;
        let last = table.play(&["1:Jc", "2:8c", "3:Qc", "4:9c"]).await;
        let burned = "BurnedHand 13:0 24:0+4";
        assert_eq!(told(&last), ["1 takes 4 cards with 0 points", "1 draws first of 2", burned]);
        assert_over(&table).await;
        let score = client.get_score(v1::GetScoreRequest { name: table.name.clone(), min_revision: None }).await.unwrap();
        assert_eq!(score.sides.iter().map(|side| side.game_points).collect::<Vec<_>>(), [0, 4]);
    }

    async fn example_28_four_kings_as_dealt_burn_only_where_the_rules_say_so(client: &Client) {
        let hands = ["Jc 10d 10h 9d", "Kc Kd Kh Ks"];
        let table = cervena(4, &hands, "").start(client).await;
        assert_eq!(public(&table.view().await).turn_seat, 1);
        let as_dealt = |rules: &mut v1::SedmaRules| rules.burned_hand = Some(v1::BurnedHand::OnDealOrDraw.into());
        let table = cervena(4, &hands, "").changed(as_dealt).create(client).await;
        for seat in 1..4 {
            table.seat(seat).join().await.unwrap();
        }
        let started = table.seat(4).join().await.unwrap();
        let dealt = v1::PlayCardResponse { update: started.update, ..v1::PlayCardResponse::default() };
        assert_eq!(told(&dealt), ["deal 1 by 4, led by 1", "BurnedHand 13:0 24:0+4"]);
        assert_over(&table).await;
    }

    /// Both would draw their fourth card in one round of drawing; with six cards in hand and two rounds of draws the
    /// later seat can come first.
    async fn example_29_who_draws_first_burns_first(client: &Client) {
        let hands = ["Jc Jd Jh 9c", "Kc Kd Kh 8c", "Qc", "10c"];
        let table = cervena(4, &hands, "Js Ks").start(client).await;
        let last = table.play(&["1:9c", "2:8c", "3:Qc", "4:10c"]).await;
        let told = told(&last);
        assert_eq!(told[1..], ["1 draws first of 1", "BurnedHand 13:10+4 24:0"]);
        assert_over(&table).await;
    }

    async fn example_29_an_earlier_round_of_drawing_comes_first(client: &Client) {
        let six = |rules: &mut v1::SedmaRules| rules.hand_size = Some(6);
        let hands = ["Jc Jd Jh 9c 9d Ac", "Kc Kd Kh 8c 8d Ad", "Qc 9h 8h 10h Ah As", "10c 10d Qd Qh 8s 9s"];
        let new = NewTable::preset("cervena", 4).pausing_between_deals().changed(six);
        let table = new.deal(&hands, "7c Ks 7d 7h Js").start(client).await;
        table.play(&["1:9c", "2:8c", "3:9h", "4:10c"]).await;
        assert_eq!(may(&table, 1).await, "9d end");
        let last = table.play(&["1:9d", "2:8d", "3:Qc", "4:10d"]).await;
        assert_eq!(told(&last)[1..], ["1 draws first of 2", "BurnedHand 13:20 24:0+4"], "jacks would come with the fifth");
        assert_over(&table).await;
    }

    async fn examples_30_and_34_four_equal_cards_end_the_deal_with_the_fourth(client: &Client) {
        for rank in ["Q", "7"] {
            let hands = ["c", "d", "h", "s"].map(|suit| format!("{rank}{suit}"));
            let table = cervena(4, &hands.each_ref().map(String::as_str), "").start(client).await;
            let lines: Vec<String> = (1..).zip(&hands).map(|(seat, card)| format!("{seat}:{card}")).collect();
            let last = table.play(&lines.iter().map(String::as_str).collect::<Vec<_>>()).await;
            assert_eq!(told(&last), ["BurnedTrick 13:0 24:0+1"], "no choice comes before it");
            assert_over(&table).await;
            assert_eq!(game(&table.view().await).last_deal.as_ref().unwrap().last_trick_seat, 0);
        }
    }

    async fn example_31_aces_over_sevens_do_not_burn(client: &Client) {
        let table = cervena(2, &["Ac 7c Ah 8c", "Ad 7d As 9c"], "").start(client).await;
        table.play(&["1:Ac", "2:Ad", "1:7c", "2:7d"]).await;
        let last = table.play(&["1:Ah", "2:As"]).await;
        assert_eq!(told(&last), ["2 takes 6 cards with 40 points", "2 draws first of 6"]);
    }

    async fn example_32_four_sevens_after_two_aces_do_not_burn(client: &Client) {
        let table = cervena(2, &["Ac 7c 7h 8c", "Ad 7d 7s 9c"], "").start(client).await;
        table.play(&["1:Ac", "2:Ad", "1:7c", "2:7d"]).await;
        let last = table.play(&["1:7h", "2:7s"]).await;
        assert_eq!(told(&last), ["2 takes 6 cards with 20 points", "2 draws first of 6"]);
    }

    async fn example_33_sevens_do_not_stand_in(client: &Client) {
        let table = cervena(4, &["Ac Ah 8d 8h", "Ad As", "7c 8c", "7d 9c"], "").start(client).await;
        let round = table.play(&["1:Ac", "2:Ad", "3:7c", "4:7d"]).await;
        assert_eq!(told(&round), ["1 may go on"]);
        let last = table.play(&["1:Ah", "2:As", "3:8c", "4:9c"]).await;
        assert_eq!(told(&last), ["2 takes 8 cards with 40 points", "2 draws first of 8"]);
    }

    async fn example_35_a_seven_among_kings_does_not_burn(client: &Client) {
        let table = cervena(4, &["Kc 8c 8d 8h", "Kd", "7c", "Kh"], "").start(client).await;
        let last = table.play(&["1:Kc", "2:Kd", "3:7c", "4:Kh"]).await;
        assert_eq!(told(&last), ["4 takes 4 cards with 0 points", "4 draws first of 4"]);
    }

    async fn with_two_players_the_leaders_second_card_counts(client: &Client) {
        let table = cervena(2, &["Kc Kh 8c 8d", "Kd Ks 9c 9d"], "").start(client).await;
        let last = table.play(&["1:Kc", "2:Kd", "1:Kh", "2:Ks"]).await;
        assert_eq!(told(&last), ["BurnedTrick 1:0 2:0+1"]);
    }
}

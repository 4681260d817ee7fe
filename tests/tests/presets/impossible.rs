//! Tricks and deals that can't have been played, though nobody's hand is known: each is refused where it is wrong.

use tests::{Client, v1};

use crate::script::{plays, rules};

/// Tricks that seat 1 leads, and what is wrong with which play.
const TRICKS: [(&str, i32, &str, &str, &str); 8] = [
    // Example 13: nobody confirmed the nine, so the trick had ended.
    ("cervena", 4, "9c Ac Kc 8c | 9d As Ks 8s", "plays[4]", "the trick had ended"),
    // Only the leader matched in the second round.
    ("cervena", 4, "9c 9d Kc 8c | 9h As Ks 8s | 9s Ad Kd 8d", "plays[8]", "the trick had ended"),
    // Example 15: the leader's partner was winning.
    ("zsirozas", 4, "9c Ac 9d Kc | 9h As Ks 8s", "plays[4]", "the trick had ended"),
    ("zsirozas", 2, "9c Ac | 9d Kc", "plays[2]", "the trick had ended"),
    // Four cards in a hand are four rounds at most.
    ("pagat", 2, "9c 8c | 9d 8d | 9h 8h | 9s 8s | 7c Kc", "plays[8]", "more rounds than a hand has cards"),
    ("hola", 2, "9c 8c | 2c 8d | Kh 8h | Qs 8s | 7c Kc", "plays[8]", "more rounds than a hand has cards"),
    ("classic", 4, "9c Ac 9d Kc | 9h", "plays[4]", "no leader go on"),
    ("marias_sedma", 4, "Jh Kh! 8h 9h", "plays[1]", "no marriage"),
];

fn said(status: &tonic::Status) -> (String, String) {
    use tonic_types::StatusExt as _;
    let details = status.get_error_details();
    let violation = details.bad_request().unwrap().field_violations[0].clone();
    (violation.field, violation.description)
}

async fn deal(
    client: &Client,
    rules: v1::SedmaRules,
    tricks: &[&str],
    (burned, soloist): (i32, i32),
) -> Result<v1::ScoreDealResponse, tonic::Status> {
    let seats = rules.seats.unwrap();
    let tricks = tricks.iter().map(|text| v1::ScoredTrick { plays: plays(1, seats, text) }).collect();
    let request =
        v1::ScoreDealRequest { rules: Some(rules), tricks, burned_hand_seat: burned, soloist_seat: soloist };
    client.score_deal(request).await
}

on_a_server! {
    async fn tricks_that_nobody_can_have_played(client: &Client) {
        for (preset, seats, cards, field, why) in TRICKS {
            let request = v1::ScoreTrickRequest {
                rules: Some(rules(preset, seats)),
                plays: plays(1, seats, cards),
                last_trick: false,
            };
            let (at, description) = said(&client.score_trick(request).await.unwrap_err());
            assert_eq!(at, field, "{preset} {cards}: {description}");
            assert!(description.contains(why), "{preset} {cards}: {description}");
        }
    }

    /// A marriage needs both cards in one hand: neither can have been played.
    async fn a_marriage_whose_other_card_is_gone(client: &Client) {
        let tricks = ["Qh 8c 9c Jc", "Kh! 8d 9d Jd"];
        let (at, description) = said(&deal(client, rules("marias_sedma", 4), &tricks, (0, 0)).await.unwrap_err());
        assert_eq!(at, "tricks[1].plays[0]");
        assert!(description.contains("no marriage"), "{description}");
    }

    async fn hands_that_cannot_have_burned(client: &Client) {
        let burned = async |preset, seats, tricks: &[&str], who| {
            said(&deal(client, rules(preset, seats), tricks, who).await.unwrap_err())
        };
        // Dealt cards don't burn here, and nobody has drawn.
        assert_eq!(burned("cervena", 4, &[], (1, 0)).await.0, "burned_hand_seat");
        assert_eq!(burned("cervena", 2, &["Jc 8c"], (4, 0)).await.0, "burned_hand_seat");
        assert_eq!(burned("classic", 4, &["Jc 8c 9c Qc"], (1, 0)).await.0, "burned_hand_seat");
        let red_king = async |tricks: &[&str], who| burned("three_red_king", 3, tricks, who).await.0;
        assert_eq!(red_king(&["Jc 8c Qc"], (1, 4)).await, "soloist_seat");
        assert_eq!(red_king(&["10c Kh Jc"], (3, 1)).await, "soloist_seat", "seat 2 has played the king");
        assert_eq!(burned("cervena", 4, &["Jc 8c Qc 9c"], (1, 1)).await.0, "soloist_seat", "there is no soloist");
    }

    /// Where cards are drawn after each play a hand can burn in the middle of a trick: nobody takes it.
    async fn a_hand_that_burns_in_the_middle_of_a_trick(client: &Client) {
        let timing = v1::DrawTiming::AfterEachPlay.into();
        let rules = v1::SedmaRules { draw_timing: Some(timing), ..rules("cervena", 4) };
        let said = deal(client, rules.clone(), &["Ac Jc Qc 9c", "Ad 8c"], (2, 0)).await.unwrap();
        assert_eq!(said.tier(), v1::DealTier::BurnedHand);
        let points: Vec<(i32, i32)> = said.sides.iter().map(|side| (side.points, side.game_points)).collect();
        assert_eq!(points, [(10, 0), (0, 4)], "the second ace is nobody's");
        let unburned = deal(client, rules, &["Ac Jc Qc 9c", "Ad 8c"], (0, 0)).await.unwrap_err();
        assert_eq!(said_field(&unburned), "tricks[1].plays");
    }

    async fn a_burned_trick_is_nobodys(client: &Client) {
        let request = v1::ScoreTrickRequest {
            rules: Some(rules("cervena", 4)),
            plays: plays(1, 4, "Ac Ad Ah As"),
            last_trick: true,
        };
        let said = client.score_trick(request).await.unwrap();
        assert_eq!((said.winner_seat, said.burned_by_seat, said.last_trick_bonus), (0, 4, 0));
    }

    /// Tiers that are not named are the preset's.
    async fn some_tiers_are_enough(client: &Client) {
        let tiers = v1::DealTiers { win: 2, ..v1::DealTiers::default() };
        let asked = v1::SedmaRules { deal_score: Some(v1::sedma_rules::DealScore::Tiers(tiers)), ..rules("cervena", 4) };
        let request = v1::ValidateRulesRequest { rules: Some(tests::table::game_rules(asked)) };
        let answer = client.validate_rules(request).await.unwrap();
        let Some(v1::game_rules::Game::Sedma(resolved)) = answer.rules.unwrap().game else { panic!("no rules") };
        let Some(v1::sedma_rules::DealScore::Tiers(tiers)) = resolved.deal_score else { panic!("no tiers") };
        assert_eq!((tiers.win, tiers.sweep_points, tiers.sweep_cards), (2, 2, 3));
        assert_eq!((tiers.burned_hand, tiers.burned_trick), (4, 1));
    }
}

fn said_field(status: &tonic::Status) -> String {
    said(status).0
}

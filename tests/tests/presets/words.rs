//! Why a trick or a deal came out as it did, word for word.

use tests::v1;
use v1::PlayEffect as Effect;

use crate::deals::{BLANK_FIRST_TRICK, BLANK_LAST_TRICK, DEALS, EVERY_TRICK, FORTY_FIFTY};
use crate::script::{judged, plays, rules, settled};

/// Tricks that seat 1 leads, and why they went where they went.
const TRICKS: [(&str, i32, &str, &str); 9] = [
    (
        "classic",
        4,
        "9c Ac Kc 8c",
        "Nobody matched the 9c that seat 1 led, so seat 1 takes the trick with 10 points in its cards.",
    ),
    (
        "classic",
        4,
        "9c Ac 9d Kc",
        "Play 3, the 9d of seat 3, is the last to match the led 9c, so seat 3 takes the trick with 10 points in its \
         cards.",
    ),
    (
        "classic",
        4,
        "10c 10d Kc 7c",
        "Play 4, the 7c of seat 4, is wild and the last to match the led 10c, so seat 4 takes the trick with 20 points \
         in its cards.",
    ),
    (
        "pagat",
        4,
        "9c Ac Kc 8c | 9d Jc Jd Jh",
        "Play 5, the 9d of seat 1, is the last to match the led 9c, so seat 1 takes the trick with 10 points in its \
         cards.",
    ),
    (
        "hola",
        4,
        "7c 2c 8c 10c",
        "Play 2, the 2c of seat 2, is wild and the last to match the led 7c, so seat 2 takes the trick with 10 points \
         in its cards.",
    ),
    (
        "hola",
        4,
        "9c 7c 8c 10c | Ac Kc Ad 3c",
        "Play 7, the Ad of seat 3, is the last to match the led Ac, so seat 3 takes the trick with 30 points in its \
         cards, what lay in abeyance included.",
    ),
    (
        "cervena",
        4,
        "Qc Qd Qh Qs",
        "The first four cards are of one rank: the trick burns, and seat 4 wins the deal.",
    ),
    (
        "septica",
        4,
        "9c Ac 9d Kc",
        "Play 3, the 9d of seat 3, is the last to match the led 9c, so seat 3 takes the trick with 1 point in its cards.",
    ),
    (
        "marias_sedma",
        4,
        "Qs! Kd 8d 9c",
        "Nobody matched the Qs that seat 1 led, so seat 1 takes the trick with 0 points in its cards. The marriage \
         adds 20 points for seat 1.",
    ),
];

/// Effect, points and text of each play.
fn reasons(said: &v1::ScoreTrickResponse) -> Vec<(Effect, i32, &str)> {
    said.reasons.iter().map(|reason| (reason.effect(), reason.points, reason.text.as_str())).collect()
}

/// What is said of a worked example's deal.
async fn of_deal(client: &tests::Client, number: u8, preset: &str) -> Vec<String> {
    let mut said = Vec::new();
    for example in DEALS.iter().filter(|example| example.number == number && example.preset == preset) {
        said.push(settled(client, rules(preset, example.seats), example.tricks).await.explanation);
    }
    said
}

on_a_server! {
    async fn why_a_trick_is_taken(client: &Client) {
        for (preset, seats, cards, why) in TRICKS {
            assert_eq!(judged(client, rules(preset, seats), cards).await.explanation, why);
        }
    }

    async fn the_last_trick_says_what_it_brings(client: &Client) {
        let request = v1::ScoreTrickRequest { rules: None, plays: plays(1, 4, "9c Ac 9d Kc"), last_trick: true };
        let said = client.score_trick(request).await.unwrap();
        let why = "Play 3, the 9d of seat 3, is the last to match the led 9c, so seat 3 takes the trick with 10 points in \
                   its cards. Being the last trick it counts 10 points more.";
        assert_eq!(said.explanation, why);
    }

    async fn what_each_play_did(client: &Client) {
        let said = judged(client, rules("classic", 4), "10c 7c 10d Kc").await;
        assert_eq!(reasons(&said), [
            (Effect::Led, 10, "leads"),
            (Effect::Wild, 0, "is wild and matches the led 10c"),
            (Effect::Matched, 10, "matches the led 10c"),
            (Effect::Unmatched, 0, "does not match the led 10c"),
        ]);
        let seven = judged(client, rules("classic", 4), "7c 7d Ac Kc").await;
        assert_eq!(reasons(&seven)[1], (Effect::Matched, 0, "matches the led 7c"));
        let fight = judged(client, rules("hola", 4), "9c 7c 8c 10c | Ac Kc Ad 3c").await;
        assert_eq!(reasons(&fight)[4..7], [
            (Effect::Led, 10, "leads anew; what lay on the table is in abeyance"),
            (Effect::Unmatched, 0, "does not match the led Ac"),
            (Effect::Matched, 10, "matches the led Ac"),
        ]);
        let red_king = judged(client, rules("three_red_king", 3), "10c Kh 8s").await;
        assert_eq!(reasons(&red_king)[1], (Effect::Wild, 0, "is wild and matches the led 10c"));
    }

    /// One sentence counts, one decides: every tier has its own.
    async fn why_a_deal_is_won(client: &Client) {
        let decided = async |preset: &str, tricks: &[&str]| {
            let said = settled(client, rules(preset, 4), tricks).await.explanation;
            said.rsplit_once(". ").unwrap().1.to_owned()
        };
        assert_eq!(decided("classic", &FORTY_FIFTY).await, "Seats 2 and 4 win with at least 50 points and get 1 game point.");
        assert_eq!(decided("pagat", &FORTY_FIFTY).await, "Seats 2 and 4 win with the most points and get 1 game point.");
        assert_eq!(
            decided("classic", &BLANK_LAST_TRICK).await,
            "Seats 1 and 3 took all 80 points of the cards and get 2 game points."
        );
        assert!(decided("cervena", &BLANK_FIRST_TRICK).await.contains("left the others without a point"));
        assert_eq!(decided("classic", &EVERY_TRICK).await, "Seats 1 and 3 took every trick and get 3 game points.");
        assert_eq!(
            settled(client, rules("classic", 4), &FORTY_FIFTY).await.explanation.rsplit_once(". ").unwrap().0,
            "Seats 1 and 3 made 40 points in 4 tricks and seats 2 and 4 made 50 points in 4 tricks. The last trick, taken \
             by seat 4, counted 10 of these points"
        );
    }

    async fn why_a_level_deal_is_nobodys_or_several(client: &Client) {
        let level = of_deal(client, 26, "zsirozas").await;
        assert!(level[1].contains("The sides are level, so the last trick decides"), "{level:?}");
        let three = of_deal(client, 47, "three_24").await;
        assert!(three[1].ends_with("Seat 1 and seat 2 are level on top and get 1 game point each."), "{three:?}");
        assert!(three[2].ends_with("The sides are level and nobody scores."), "{three:?}");
        let hola = of_deal(client, 52, "hola").await;
        assert!(hola[0].contains("Each side scores its points"), "{hola:?}");
        let no_bonus = v1::SedmaRules { last_trick_bonus: Some(0), win_threshold: Some(0), ..rules("classic", 4) };
        let forties = DEALS.iter().find(|example| example.outcome == "Win 13:40 24:40+1").unwrap();
        let void = settled(client, no_bonus, forties.tricks).await;
        assert_eq!(void.tier(), v1::DealTier::Void);
        assert!(void.explanation.ends_with("Nobody wins, so the deal is void and the same dealer deals again."));
    }

    async fn why_a_deal_ended_early(client: &Client) {
        let stopped = settled(client, rules("two", 2), &["Ac Kc", "Ah Qc", "10c Jc", "10h 9c", "10s Kd"]).await;
        assert_eq!(
            stopped.explanation,
            "Seat 1 made 50 points in 5 tricks and seat 2 made 0 points in no trick. Seat 1 reached 50 points, which ends \
             the deal at once, and gets 1 game point."
        );
        let burned = |cards, burned_hand_seat| v1::ScoreDealRequest {
            rules: Some(rules("cervena", 4)),
            tricks: vec![v1::ScoredTrick { plays: plays(1, 4, cards) }],
            burned_hand_seat,
            ..v1::ScoreDealRequest::default()
        };
        let hand = client.score_deal(burned("Jc 8c Qc 9c", 2)).await.unwrap().explanation;
        assert!(hand.ends_with("one hand, which ends the deal, and seats 2 and 4 get 4 game points."), "{hand}");
        let trick = client.score_deal(burned("Qc Qd Qh Qs", 0)).await.unwrap().explanation;
        assert!(trick.ends_with("Four cards of a rank began a trick, which ends the deal, and seats 2 and 4 get 1 game point."), "{trick}");
    }
}

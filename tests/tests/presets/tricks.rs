//! One trick each, as `ScoreTrick` judges it: who takes it and for how much.

use tests::v1::PlayEffect as Effect;
use tests::{cards, v1};

use crate::script::{judged, plays, rules};

/// A worked example's trick; seat 1 leads it.
pub(crate) struct Trick {
    pub(crate) number: u8,
    preset: &'static str,
    seats: i32,
    cards: &'static str,
    winner: i32,
    points: i32,
}

const fn trick(
    number: u8,
    preset: &'static str,
    seats: i32,
    cards: &'static str,
    (winner, points): (i32, i32),
) -> Trick {
    Trick { number, preset, seats, cards, winner, points }
}

/// Every worked example that is about a trick's taker.
pub(crate) const TRICKS: [Trick; 42] = [
    trick(1, "classic", 4, "9c Ac 9d Kc", (3, 10)),
    trick(2, "classic", 4, "9c Ac Kc 8c", (1, 10)),
    trick(3, "classic", 4, "10c 7c 10d Kc", (3, 20)),
    trick(4, "classic", 4, "10c 10d Kc 7c", (4, 20)),
    trick(5, "classic", 4, "7c 7d Ac Kc", (2, 10)),
    trick(6, "classic", 4, "7c Ac 10c Kc", (1, 20)),
    trick(7, "classic", 4, "Ac 7c 7d 7h", (4, 10)),
    trick(8, "classic", 4, "Ac Kc Ad 8c", (3, 10 + 10)),
    trick(10, "pagat", 4, "9c 10c Jc 9d | 9h 7c 8c 10d", (2, 20)),
    trick(11, "pagat", 4, "9c Ac 9d Kc", (3, 10)),
    trick(12, "pagat", 4, "9c Ac Kc 8c | 9d Jc Jd Jh", (1, 10)),
    trick(13, "cervena", 4, "9c Ac Kc 8c", (1, 10)),
    trick(14, "cervena", 4, "9c Ac 9d Kc | 7c 8c 8d 8h", (1, 10)),
    trick(15, "sedmice", 4, "9c Ac 9d Kc", (3, 10)),
    trick(15, "zsirozas", 4, "9c Ac 9d Kc", (3, 10)),
    trick(16, "zsirozas", 4, "9c Ac 10c 7c", (4, 20)),
    trick(17, "pagat", 4, "9c Ac Ad Ah | 9d Kc Kd Kh | 9h Qc Qd Qh | 9s Jc Jd Jh", (1, 30)),
    trick(31, "cervena", 2, "Ac Ad | 7c 7d | Ah As", (2, 40)),
    trick(32, "cervena", 2, "Ac Ad | 7c 7d | 7h 7s", (2, 20)),
    trick(33, "cervena", 4, "Ac Ad 7c 7d | Ah As 8c 9c", (2, 40)),
    trick(35, "cervena", 4, "Kc Kd 7c Kh", (4, 0)),
    trick(36, "cervena", 4, "9c Kc Kd Kh", (1, 0)),
    trick(37, "cervena", 4, "Qc Qd Qh 8c", (3, 0)),
    trick(38, "cervena", 4, "Qc Qd 8c Jc", (2, 0)),
    trick(39, "cervena", 4, "7c 7d 7h 8c", (3, 0)),
    trick(40, "cervena", 4, "9c 8c Jc 9d | 9h Kc Qc Ac", (1, 10)),
    trick(43, "three_red_king", 3, "10c Kh 8s", (2, 10)),
    trick(44, "three_red_king", 3, "Kh Kc 7c", (3, 0)),
    trick(44, "three_red_king", 3, "7c Kh 9h", (2, 0)),
    trick(46, "three_red_king", 3, "Ac Ad Ah | As Kc Kd", (1, 40)),
    trick(49, "hola", 4, "9c 9d 2c 8c", (3, 0)),
    trick(49, "hola", 4, "2c 7c 5c 5d", (2, 0)),
    trick(49, "hola", 4, "7c 2c Ac Kc", (2, 10)),
    trick(50, "hola", 4, "9c 7c 8c 10c | Ac Kc Ad 3c", (3, 30)),
    trick(51, "hola", 2, "3c Jc | 4c Qc | 5c Kc | 6c Ac", (1, 10)),
    trick(53, "ristikontra", 4, "Kc 3c 10c Kd", (4, 18)),
    trick(53, "ristikontra", 4, "7c 5c Ac 3c", (1, 11)),
    trick(54, "ristikontra", 4, "5c Ac Jc Qc", (1, 16)),
    trick(56, "lusti_kartln", 4, "9c 9d 7c 7d", (2, 0)),
    trick(56, "lusti_kartln", 4, "7c 9c 7d Ac", (3, 10)),
    trick(57, "septica", 3, "Kc 8h 9c", (2, 0)),
    trick(58, "marias_sedma", 4, "Kh! Kd 8d 9c", (2, 0)),
];

on_a_server! {
    async fn every_trick_is_judged_as_its_example_says(client: &Client) {
        for example in &TRICKS {
            let said = judged(client, rules(example.preset, example.seats), example.cards).await;
            let told = (said.winner_seat, said.points, said.burned_by_seat, said.last_trick_bonus);
            assert_eq!(told, (example.winner, example.points, 0, 0), "example {}", example.number);
            let cards = plays(1, example.seats, example.cards);
            assert_eq!(said.reasons.len(), cards.len());
            for (reason, play) in said.reasons.iter().zip(&cards) {
                assert_eq!((reason.seat, reason.card), (play.seat, play.card), "example {}", example.number);
                assert!(!reason.text.is_empty() && reason.effect() != Effect::Unspecified);
            }
            let of_each: i32 = said.reasons.iter().map(|reason| reason.points).sum();
            assert_eq!(of_each, example.points, "example {}", example.number);
            let taking = said.reasons.iter().rfind(|reason| reason.effect() != Effect::Unmatched).unwrap();
            assert_eq!(taking.seat, example.winner, "example {}", example.number);
        }
    }

    /// The last trick's bonus is never among the points of its cards.
    async fn the_last_trick_brings_what_its_preset_says(client: &Client) {
        for (preset, seats) in crate::pairs::pairs() {
            let cards = ["Kc Qc", "Kc Qc Jd", "Kc Qc Jd Ah"][usize::try_from(seats - 2).unwrap()];
            let plays = plays(1, seats, cards);
            let request = v1::ScoreTrickRequest { rules: Some(rules(preset, seats)), plays, last_trick: true };
            let said = client.score_trick(request).await.unwrap();
            let none = ["ristikontra", "zsirozas", "septica", "schmierer"].contains(&preset);
            assert_eq!(said.last_trick_bonus, if none { 0 } else { 10 }, "{preset} {seats}");
        }
    }

    async fn example_30_and_34_four_equal_cards_burn_the_trick(client: &Client) {
        for cards in ["Qc Qd Qh Qs", "7c 7d 7h 7s"] {
            assert_eq!(judged(client, rules("cervena", 4), cards).await.burned_by_seat, 4, "{cards}");
            assert_eq!(judged(client, rules("pagat", 4), cards).await.burned_by_seat, 0, "{cards}");
        }
        let two = judged(client, rules("cervena", 2), "Kc Kd | Kh Ks").await;
        assert_eq!(two.burned_by_seat, 2, "the leader's second card counts");
    }

    async fn example_58_only_hearts_bring_forty(client: &Client) {
        let marias = rules("marias_sedma", 4);
        for (cards, brought) in [("Kh! Kd 8d 9c", 40), ("Qh! 7d 8d 9c", 40), ("Qs! 7d 8d 9c", 20), ("Qs 7d 8d 9c", 0)] {
            assert_eq!(judged(client, marias.clone(), cards).await.marriage_points, brought, "{cards}");
        }
        let none = v1::SedmaRules { marriage_forty: Some(v1::MarriageForty::default()), ..marias.clone() };
        assert_eq!(judged(client, none, "Kh! Kd 8d 9c").await.marriage_points, 20);
        let bells = v1::MarriageForty { suit: v1::Suit::Diamonds.into() };
        let bells = v1::SedmaRules { marriage_forty: Some(bells), ..marias };
        assert_eq!(judged(client, bells, "Kd! Ks 8d 9c").await.marriage_points, 40);
    }

    /// What a preset does not have, its options give.
    async fn custom_rules_judge_as_they_say(client: &Client) {
        let nobody_wild = v1::SedmaRules { wild_ranks: Some(v1::RankList::default()), ..rules("classic", 4) };
        assert_eq!(judged(client, nobody_wild, "10c 7c 10d 7d").await.winner_seat, 3);
        let eights = v1::RankList { ranks: vec![v1::Rank::Eight.into(), v1::Rank::Nine.into()] };
        let eights = v1::SedmaRules { wild_ranks: Some(eights), ..rules("classic", 4) };
        assert_eq!(judged(client, eights.clone(), "10c 8c 9c 7d").await.winner_seat, 3);
        assert_eq!(judged(client, eights, "7c 10c Jc 7d").await.winner_seat, 4);
        let one_card = v1::CardList { cards: cards("Js") };
        let one_card = v1::SedmaRules { wild_cards: Some(one_card), ..rules("classic", 4) };
        assert_eq!(judged(client, one_card.clone(), "10c Js Jc Kd").await.winner_seat, 2);
        assert_eq!(judged(client, one_card, "Js Kc Jc Kd").await.winner_seat, 3, "led it is a jack");
        let counted = v1::CardPoints::AceTenFull.into();
        let counted = v1::SedmaRules { card_points: Some(counted), ..rules("pagat", 4) };
        assert_eq!(judged(client, counted, "Ac Kc Qc Jc").await.points, 20);
        let green = v1::SoloistCard::KingOfLeaves.into();
        let green = v1::SedmaRules { soloist_card: Some(green), ..rules("three_red_king", 3) };
        assert_eq!(judged(client, green, "10c Ks Kh").await.winner_seat, 2);
    }
}

//! Whole deals, as `ScoreDeal` scores them: points, tiers and game points.

use tests::v1::{self, DealTier as Tier};

use crate::script::{outcome, plays, rules, settled};

/// Seats 1 and 3 take every trick.
pub(crate) const EVERY_TRICK: [&str; 8] = [
    "7c Ac Kc Qc",
    "7d Ad Kd Qd",
    "7h Ah Kh Qh",
    "7s As Ks Qs",
    "10c Jc 9c 8c",
    "10d Jd 9d 8d",
    "10h Jh 9h 8h",
    "10s Js 9s 8s",
];
/// They take every ace and ten, and seat 4 a blank last trick.
pub(crate) const BLANK_LAST_TRICK: [&str; 8] = [
    "7c Ac Kc Qc",
    "7d Ad Kd Qd",
    "7h Ah Kh Qh",
    "7s As Ks Qs",
    "10c 9c 8h Jd",
    "10d 9d 8s Jh",
    "10h 9h 10s 9s",
    "8c 8d Jc Js",
];
/// They take all ninety, and seat 2 a blank first trick.
pub(crate) const BLANK_FIRST_TRICK: [&str; 8] = [
    "8c 8d Jc Js",
    "Kc Kd Qc Ac",
    "7c Ad 9c 10c",
    "7d Ah 9d 10d",
    "7h As 9h 10h",
    "7s 10s 9s Qd",
    "8h Jd Qh Kh",
    "8s Jh Qs Ks",
];
/// 40 against 50.
pub(crate) const FORTY_FIFTY: [&str; 8] = [
    "7c Ac Kc Qc",
    "7d Ad Kd Qd",
    "7h Ah Kh Qh",
    "7s As Ks Qs",
    "10c 9c 8h 10d",
    "10h 9d 8s Jc",
    "10s 9s Jd 8c",
    "9h Jh 8d Js",
];
const FORTY_EACH: [&str; 8] = [
    "9s 7d Ah 8d",
    "9c Qc 9h As",
    "7s Kh Jc 8s",
    "10h 9d 10c 10d",
    "Qs Js Ad Kd",
    "Ac 7h 10s Qd",
    "Kc Qh Jd Ks",
    "8h Jh 7c 8c",
];
const EIGHTY: [&str; 8] = [
    "Ks Ac 7h Jc",
    "10d 8c Qc Qh",
    "9c Jh Qs 8h",
    "7s 9s Ah 10h",
    "As 8s 7d Kc",
    "Qd Js Jd 8d",
    "7c 10c 10s Ad",
    "9d Kh Kd 9h",
];
/// Seat 2 plays the red king and has 40.
const SOLOIST_FORTY: [&str; 10] = [
    "Js 9h 10d",
    "Ah 7s 8h",
    "Qd 9c Ks",
    "Kc Jd Ac",
    "7d 8s 10s",
    "Jc 9s As",
    "Kh 10c Kd",
    "Jh 10h Qs",
    "7c Qh 7h",
    "Ad Qc 8c",
];
/// Seat 2 plays the red king and has 50.
const SOLOIST_FIFTY: [&str; 10] = [
    "8h 9s Jh",
    "Qc Jd Qs",
    "Jc 10c Ad",
    "As 10d Ac",
    "Kh 9c 8c",
    "8s 7h 7s",
    "Qh 9h Ah",
    "Ks Js 10s",
    "Qd 7d 10h",
    "7c Kd Kc",
];
const FORTY_THIRTY_TWENTY: [&str; 8] =
    ["Ah Kd 10s", "Qc 7h 7c", "Ad Qh Kc", "Jh Jd As", "Jc Qd 10c", "10d 7d Ac", "10h Kh Js", "Qs 7s Ks"];
const FORTY_FORTY_TEN: [&str; 8] =
    ["As Jh Jc", "Ac Ad 10c", "10s Qh 10h", "7s Ah Kd", "7h 7d 10d", "7c Jd Qc", "Ks Js Kc", "Qd Kh Qs"];
const THIRTY_EACH: [&str; 8] =
    ["Kd Kc Ac", "Qs 7s Qc", "Js Kh Ad", "Jh Qd As", "10c 10d 10s", "7h 7c Ks", "10h Jd Jc", "Qh 7d Ah"];
const SIXTY_EACH: [&str; 13] = [
    "4s 5h Kh 5c",
    "5d 8c As 2s",
    "Qs 8d 5s 10c",
    "2d 10h 2h 9c",
    "Kd 10d Jh 3c",
    "Kc Jd 7d 6s",
    "3d 3h 4h Qd",
    "6d Ac 2c Ad",
    "7h Qc 8s 9d",
    "Ah Qh Ks 8h",
    "9h 10s 6c 7c",
    "Js 3s 9s 4c",
    "4d 7s 6h Jc",
];
/// Seat 1 leads a wild card and later threes to everything else that 52 cards have.
const HOLA: [&str; 13] = [
    "2c 4d 4h 4s",
    "2d 5c 5d 5h",
    "2h 5s 6c 6d",
    "2s 6h 6s 8c",
    "7c 8d 8h 8s",
    "7d 9c 9d 9h",
    "7h 9s 10c 10d",
    "7s 10h 10s Jc",
    "3c Jd Jh Js",
    "3d Qc Qd Qh",
    "3h Qs Kc Kd",
    "3s Kh Ks Ac",
    "4c Ad Ah As",
];

/// A worked example's deal.
pub(crate) struct Scored {
    pub(crate) number: u8,
    pub(crate) preset: &'static str,
    pub(crate) seats: i32,
    pub(crate) tricks: &'static [&'static str],
    pub(crate) outcome: &'static str,
}

const fn deal(
    number: u8,
    (preset, seats): (&'static str, i32),
    tricks: &'static [&'static str],
    outcome: &'static str,
) -> Scored {
    Scored { number, preset, seats, tricks, outcome }
}

/// Every worked example that is about what a deal brings.
pub(crate) const DEALS: [Scored; 22] = [
    deal(20, ("classic", 4), &FORTY_FIFTY, "Win 13:40 24:50+1"),
    deal(22, ("classic", 4), &BLANK_LAST_TRICK, "SweepPoints 13:80+2 24:10"),
    deal(23, ("cervena", 4), &BLANK_LAST_TRICK, "Win 13:80+1 24:10"),
    deal(23, ("pagat", 4), &BLANK_LAST_TRICK, "Win 13:80+1 24:10"),
    deal(23, ("sedmice", 4), &BLANK_LAST_TRICK, "Win 13:80+1 24:10"),
    deal(24, ("classic", 4), &BLANK_FIRST_TRICK, "SweepPoints 13:90+2 24:0"),
    deal(24, ("cervena", 4), &BLANK_FIRST_TRICK, "SweepPoints 13:90+2 24:0"),
    deal(25, ("classic", 4), &EVERY_TRICK, "SweepCards 13:90+3 24:0"),
    deal(25, ("cervena", 4), &EVERY_TRICK, "SweepCards 13:90+3 24:0"),
    deal(25, ("marias_sedma", 4), &EVERY_TRICK, "SweepCards 13:90+3 24:0"),
    deal(25, ("septica", 4), &EVERY_TRICK, "Win 13:8+1 24:0"),
    deal(26, ("zsirozas", 4), &EIGHTY, "SweepPoints 13:80+2 24:0"),
    deal(26, ("zsirozas", 4), &FORTY_EACH, "Win 13:40 24:40+1"),
    deal(26, ("schmierer", 4), &FORTY_EACH, "Win 13:40 24:40+1"),
    deal(26, ("septica", 4), &FORTY_EACH, "Void 13:4 24:4"),
    deal(45, ("three_red_king", 3), &SOLOIST_FORTY, "Win 13:50+1 2:40"),
    deal(45, ("three_red_king", 3), &SOLOIST_FIFTY, "Win 13:40 2:50+1"),
    deal(47, ("three_24", 3), &FORTY_THIRTY_TWENTY, "Win 1:40+1 2:30 3:20"),
    deal(47, ("three_24", 3), &FORTY_FORTY_TEN, "Shared 1:40+1 2:40+1 3:10"),
    deal(47, ("three_24", 3), &THIRTY_EACH, "Void 1:30 2:30 3:30"),
    deal(52, ("hola", 4), &HOLA, "RawPoints 13:90+170 24:0"),
    deal(55, ("ristikontra", 4), &SIXTY_EACH, "Void 13:60 24:60"),
];

/// What a burned hand brings after these tricks.
async fn burned(
    client: &tests::Client,
    rules: &v1::SedmaRules,
    (seat, soloist): (i32, i32),
    trick: &str,
) -> String {
    let seats = rules.seats.expect("a number of seats");
    let tricks =
        if trick.is_empty() { vec![] } else { vec![v1::ScoredTrick { plays: plays(1, seats, trick) }] };
    let request = v1::ScoreDealRequest {
        rules: Some(rules.clone()),
        tricks,
        burned_hand_seat: seat,
        soloist_seat: soloist,
    };
    let said = client.score_deal(request).await.expect("a deal that can be scored");
    assert_eq!((said.tier(), said.last_trick_bonus, said.last_trick_seat), (Tier::BurnedHand, 0, 0));
    outcome(said.tier(), &said.sides)
}

on_a_server! {
    async fn every_deal_is_scored_as_its_example_says(client: &Client) {
        for example in &DEALS {
            let said = settled(client, rules(example.preset, example.seats), example.tricks).await;
            assert_eq!(outcome(said.tier(), &said.sides), example.outcome, "example {}", example.number);
            let taken: i32 = said.sides.iter().map(|side| side.tricks).sum();
            assert_eq!(usize::try_from(taken).unwrap(), example.tricks.len(), "example {}", example.number);
            let of_cards: i32 = said.tricks.iter().map(|trick| trick.points).sum();
            let of_sides: i32 = said.sides.iter().map(|side| side.points).sum();
            assert_eq!(of_cards + said.last_trick_bonus, of_sides, "example {}", example.number);
            assert_eq!(said.last_trick_seat, said.tricks.last().unwrap().winner_seat);
        }
    }

    /// All there is to win is nine tens. Two sides that are level would have nine fives each.
    async fn example_21_forty_five_each_cannot_be(client: &Client) {
        for (preset, seats) in [("classic", 4), ("two", 2), ("cervena", 4), ("cervena", 2), ("pagat", 4)] {
            let seen = client.get_preset(v1::GetPresetRequest { preset: preset.to_owned(), seats }).await.unwrap();
            let Some(v1::game_rules::Game::Sedma(rules)) = seen.preset.unwrap().rules.unwrap().game else { panic!() };
            assert_eq!(rules.card_points(), v1::CardPoints::AceTen10, "{preset} {seats}");
            assert_eq!((8 * 10 + rules.last_trick_bonus.unwrap()) / 10 % 2, 1, "{preset} {seats}");
        }
    }

    async fn examples_27_to_29_a_burned_hand_brings_four_whatever_the_cards_were(client: &Client) {
        let cervena = rules("cervena", 4);
        assert_eq!(burned(client, &cervena, (2, 0), "Jc 8c Qc 9c").await, "BurnedHand 13:0 24:0+4");
        assert_eq!(burned(client, &cervena, (2, 0), "9c Ac 9d Kc").await, "BurnedHand 13:10 24:0+4");
        assert_eq!(burned(client, &cervena, (1, 0), "9c 8c Qc 10c").await, "BurnedHand 13:10+4 24:0");
        let as_dealt = v1::BurnedHand::OnDealOrDraw.into();
        let as_dealt = v1::SedmaRules { burned_hand: Some(as_dealt), ..cervena };
        assert_eq!(burned(client, &as_dealt, (2, 0), "").await, "BurnedHand 13:0 24:0+4");
        let red_king = rules("three_red_king", 3);
        assert_eq!(burned(client, &red_king, (2, 0), "Jc 8c Qc").await, "BurnedHand 1:0 2:0+4 3:0");
        assert_eq!(burned(client, &red_king, (2, 3), "Jc 8c Qc").await, "BurnedHand 12:0+4 3:0");
        assert_eq!(burned(client, &red_king, (2, 2), "Jc 8c Qc").await, "BurnedHand 13:0 2:0+4");
        assert_eq!(burned(client, &red_king, (3, 0), "10c Kh Jc").await, "BurnedHand 13:0+4 2:10", "a played king tells");
    }

    async fn examples_30_and_34_a_burned_trick_brings_one_and_is_taken_by_nobody(client: &Client) {
        let tricks = vec![v1::ScoredTrick { plays: plays(1, 4, "Qc Qd Qh Qs") }];
        let request = v1::ScoreDealRequest { rules: Some(rules("cervena", 4)), tricks, ..v1::ScoreDealRequest::default() };
        let said = client.score_deal(request).await.unwrap();
        assert_eq!(outcome(said.tier(), &said.sides), "BurnedTrick 13:0 24:0+1");
        assert_eq!(said.tricks, [v1::TrickScore { winner_seat: 0, points: 0 }]);
    }

    /// Stopped at fifty or played to its last card, the same side wins.
    async fn example_48_the_first_to_fifty(client: &Client) {
        let five = ["Ac Kc", "Ah Qc", "10c Jc", "10h 9c", "10s Kd"];
        let stopped = settled(client, rules("two", 2), &five).await;
        assert_eq!(outcome(stopped.tier(), &stopped.sides), "Win 1:50+1 2:0");
        assert_eq!((stopped.last_trick_bonus, stopped.last_trick_seat), (0, 0));
        let rest = ["7c 8c", "7d 8d", "7h 8h", "9d Jd", "9h Jh", "9s Js", "10d Qd", "Qh Kh", "Qs Ks", "8s As", "7s Ad"];
        let whole = v1::SedmaRules { stop_at_points: Some(0), ..rules("two", 2) };
        let played_out = settled(client, whole, &[five.as_slice(), &rest].concat()).await;
        assert_eq!(outcome(played_out.tier(), &played_out.sides), "SweepCards 1:90+3 2:0");
    }

    async fn example_58_a_marriage_counts_for_its_side_though_the_trick_is_lost(client: &Client) {
        let tricks = |third: &'static str| [&FORTY_FIFTY[..2], &[third], &FORTY_FIFTY[3..]].concat();
        for (third, sides) in [("Kh Ah 7h Qh", "Win 13:40 24:50+1"), ("Kh! Ah 7h Qh", "Win 13:80+1 24:50")] {
            let said = settled(client, rules("marias_sedma", 4), &tricks(third)).await;
            assert_eq!(said.tricks[2], v1::TrickScore { winner_seat: 3, points: 10 });
            assert_eq!(outcome(said.tier(), &said.sides), sides, "{third}");
        }
        let mut points = Vec::new();
        for third in ["Kh 7h Ah Qh", "Kh! 7h Ah Qh"] {
            let said = settled(client, rules("marias_sedma", 4), &tricks(third)).await;
            assert_eq!(said.tricks[2], v1::TrickScore { winner_seat: 2, points: 10 }, "the others take the trick");
            points.push([said.sides[0].points, said.sides[1].points]);
        }
        assert_eq!(points[1], [points[0][0] + 40, points[0][1]]);
    }
}

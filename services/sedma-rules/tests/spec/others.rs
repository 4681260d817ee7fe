//! Lusti-Kartl'n, Mariáš-Sedma, Zsírozás and Șeptică where they differ from the rest.

use sedma_rules::{DealTier, Fact, Preset, SeatSet};

use crate::chance::{play_deals, rules};
use crate::transcript::table;

#[test]
fn example_26_without_a_bonus_forty_each_go_to_the_last_trick() {
    let mut seen = [0, 0];
    play_deals(&rules(Preset::Zsirozas, 4), 26, 3_000, |_, fact, _| {
        let Fact::DealEnded(result) = fact else { return };
        let sides = result.sides.as_slice();
        let last = result.last_trick_seat.unwrap();
        if sides[0].points == 40 {
            assert_eq!(result.sides.side_of(last).unwrap().game_points, 1);
            seen[0] += 1;
        }
        if sides.iter().any(|side| side.points == 80) && sides.iter().all(|side| side.tricks > 0) {
            let scores = sides.iter().map(|side| side.game_points).max();
            assert_eq!((result.tier, scores), (DealTier::SweepPoints, Some(2)));
            seen[1] += 1;
        }
    });
    assert!(seen.iter().all(|times| *times > 0), "{seen:?}");
}

#[test]
fn example_56_lusti_has_no_wild_card() {
    let trick =
        |plays: [&str; 4]| table(Preset::LustiKartln, 4).deal(&plays, "").stock(0).plays(&plays.join(" "));
    trick(["9c", "9d", "7c", "7d"]).happens(&["trick 2 points 0 cards 4"]);
    trick(["7c", "9c", "7d", "Ac"]).happens(&["trick 3 points 10 cards 4"]);
}

#[test]
fn example_58_an_announced_marriage_counts_though_the_trick_is_lost() {
    let table = table(Preset::MariasSedma, 4)
        .deal(&["Kh Qh Kc 8c", "Kd", "8d", "9c"], "")
        .may("play 8c, play Kc, play Qh, play Qh marriage, play Kh, play Kh marriage")
        .refuses(1, "play Kc marriage", "no marriage")
        .act("play Kh marriage")
        .plays("Kd 8d 9c")
        .happens(&["trick 2 points 0 cards 4", "draw 2 cards 4"]);
    let view = table.game.view(&table.rules, SeatSet::EMPTY);
    assert_eq!((view.sides[0].points, view.sides[1].points), (40, 0));
    assert!(view.last_trick.unwrap().plays[0].announced);
}

#[test]
fn only_hearts_are_worth_forty_and_only_the_leader_announces() {
    let table = table(Preset::MariasSedma, 4)
        .deal(&["Kc Qc 8c 8d", "Kd Qd"], "")
        .act("play Qc marriage")
        .refuses(2, "play Kd marriage", "no marriage");
    assert_eq!(table.game.view(&table.rules, SeatSet::EMPTY).sides[0].points, 20);
}

#[test]
fn four_points_each_are_drawn_in_septica() {
    let mut drawn = 0;
    play_deals(&rules(Preset::Septica, 2), 4, 1_000, |_, fact, _| {
        let Fact::DealEnded(result) = fact else { return };
        let points: Vec<u8> = result.sides.iter().map(|side| side.points).collect();
        assert_eq!(points.iter().sum::<u8>(), 8);
        assert_eq!(result.tier == DealTier::Void, points == [4, 4]);
        drawn += u32::from(points == [4, 4]);
    });
    assert!(drawn > 0);
}

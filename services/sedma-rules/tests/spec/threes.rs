//! Three players: alone, and against a secret soloist.

use sedma_rules::{Card, DealResult, DealTier, Fact, Preset, Rank, Seat, SeatSet, Suit};

use crate::chance::{play_deals, rules};
use crate::transcript::table;

#[test]
fn example_43_the_red_king_matches_and_shows_the_soloist() {
    let nothing_to_go_on_with = table(Preset::ThreeRedKing, 3)
        .deal(&["10c 8c 9c Jc", "Kh", "8s"], "")
        .plays("10c Kh 8s")
        .happens(&["trick 2 points 10 cards 3", "draw 2 cards 3"]);
    let view = nothing_to_go_on_with.game.view(&nothing_to_go_on_with.rules, SeatSet::EMPTY);
    let king = view.last_trick.unwrap().plays[1];
    assert_eq!((king.seat, king.card.to_string().as_str()), (Seat::Two, "Kh"), "all see who has it");
    table(Preset::ThreeRedKing, 3)
        .deal(&["10c 10d 7c Jc", "Kh", "8s"], "")
        .plays("10c Kh 8s")
        .happens(&["round"])
        .may("play 7c, play 10d, end")
        .act("end")
        .happens(&["trick 2 points 10 cards 3", "draw 2 cards 3"]);
}

#[test]
fn example_44_the_red_king_leads_as_a_king() {
    table(Preset::ThreeRedKing, 3)
        .deal(&["Kh 8c 9c Jc", "Kc", "7c"], "")
        .plays("Kh Kc 7c")
        .happens(&["trick 3 points 0 cards 3", "draw 3 cards 3"]);
    table(Preset::ThreeRedKing, 3)
        .deal(&["7c 8c 9c Jc", "Kh", "9h"], "")
        .plays("7c Kh 9h")
        .happens(&["trick 2 points 0 cards 3", "draw 2 cards 3"]);
}

#[test]
fn example_45_the_two_others_add_their_points() {
    let red_king = Card::new(Rank::King, Suit::Hearts);
    let (mut soloist, mut outcomes) = (None, [0, 0]);
    let (mut forty_against_fifty, mut fifty_against_forty) = (0, 0);
    play_deals(&rules(Preset::ThreeRedKing, 3), 45, 2_000, |before, fact, after| match fact {
        Fact::Dealt { .. } => soloist = None,
        Fact::CardPlayed { seat, card, .. } if *card == red_king => soloist = Some(*seat),
        Fact::DealEnded(result) if result.tier != DealTier::BurnedHand => {
            let alone = SeatSet::of(&[soloist.unwrap()]);
            let sides = result.sides.as_slice();
            assert_eq!(sides.len(), 2);
            let (solo, pair) =
                if sides[0].seats == alone { (sides[0], sides[1]) } else { (sides[1], sides[0]) };
            assert_eq!((solo.seats, pair.seats.len()), (alone, 2));
            assert_eq!(solo.points > pair.points, solo.game_points > 0);
            assert_eq!(pair.points > solo.points, pair.game_points > 0);
            outcomes[usize::from(pair.game_points > 0)] += 1;
            assert_eq!(after.standing().count(), 3, "in the match each scores alone");
            let gained: Vec<u16> =
                after.standing().zip(before.standing()).map(|(new, old)| new.1 - old.1).collect();
            let lone_gain = gained[soloist.unwrap().index()];
            if (solo.points, pair.points) == (40, 50) {
                forty_against_fifty += 1;
                assert_eq!((gained.iter().sum::<u16>(), lone_gain), (2, 0), "each of the others scores 1");
            }
            if (solo.points, pair.points) == (50, 40) {
                fifty_against_forty += 1;
                assert_eq!((gained.iter().sum::<u16>(), lone_gain), (1, 1), "the soloist scores 1");
            }
        }
        _ => {}
    });
    assert!(outcomes[0] > 100 && outcomes[1] > 100, "{outcomes:?}");
    assert!(forty_against_fifty > 10 && fifty_against_forty > 10);
}

#[test]
fn example_46_three_players_burn_no_trick() {
    table(Preset::ThreeRedKing, 3)
        .deal(&["Ac As 8c 9c", "Ad", "Ah"], "")
        .plays("Ac Ad Ah")
        .happens(&["round"])
        .plays("As")
        .turn(2);
}

/// While a deal runs, every view counts each seat for itself, though the engine knows the soloist.
#[test]
fn nobody_is_told_who_the_soloist_is_before_the_red_king_is_played() {
    let table = table(Preset::ThreeRedKing, 3).deal(&["10c 8c 9c Jc", "Kh", "8s"], "");
    let view = table.game.view(&table.rules, SeatSet::of(&[Seat::Two]));
    assert_eq!(view.sides.len(), 3);
}

#[test]
fn a_hand_burned_while_the_red_king_is_in_the_stock_scores_for_the_burner_alone() {
    table(Preset::ThreeRedKing, 3)
        .deal(&["Jc 10d 10h 9c", "Ac Ad Ah 8c", "Qc"], "10c As Qd Kh")
        .plays("Jc 8c Qc")
        .happens_also(
            "end burned_hand bonus 0 last - side 1 points 0 tricks 1 game 0 side 2 points 0 tricks 0 game 4 side 3 \
             points 0 tricks 0 game 0",
        )
        .standing(&[0, 4, 0]);
}

#[test]
fn a_partner_who_burns_scores_for_both() {
    table(Preset::ThreeRedKing, 3)
        .deal(&["Jc 10d 10h 9c", "Ac Ad Ah 8c", "Qc Kh"], "10c As")
        .plays("Jc 8c Qc")
        .standing(&[4, 4, 0]);
}

#[test]
fn example_47_most_points_win_two_level_share_three_level_score_nothing() {
    let mut seen = [0, 0, 0];
    play_deals(&rules(Preset::Three24, 3), 47, 3_000, |_, fact, _| {
        let Fact::DealEnded(result) = fact else { return };
        let most = result.sides.iter().map(|side| side.points).max().unwrap();
        let level = result.sides.iter().filter(|side| side.points == most).count();
        let scores = |result: &DealResult| result.sides.iter().filter(|side| side.game_points > 0).count();
        let expected = if level == 3 { 0 } else { level };
        assert_eq!(scores(result), expected, "{result}");
        if level == 2 {
            assert!(
                result.sides.iter().all(|side| side.game_points == u8::from(side.points == most)),
                "{result}"
            );
        }
        seen[level - 1] += 1;
    });
    assert!(seen.iter().all(|times| *times > 0), "{seen:?}");
}

#[test]
fn example_57_with_three_the_eights_cut_as_well() {
    let table = table(Preset::Septica, 3).deal(&["Kc 9d Jc Qc", "8h", "9c"], "").stock(18);
    assert_eq!(table.rules.pack().len(), 30);
    table.plays("Kc 8h 9c").happens(&["trick 2 points 0 cards 3", "draw 2 cards 3"]);
}

//! Ristikontra: 52 cards, six in a hand, no wild card, a card drawn after each play.

use sedma_rules::{DealTier, Fact, Preset, RuleOptions, next_dealer};

use crate::chance::{play_deals, rules};
use crate::transcript::{table, table_with};

#[test]
fn example_53_sevens_are_nothing_special() {
    table(Preset::Ristikontra, 4)
        .deal(&["Kc", "3c", "10c", "Kd"], "")
        .plays("Kc")
        .happens(&["draw 1 cards 1"])
        .plays("3c 10c Kd")
        .happens(&["draw 4 cards 1", "trick 4 points 18 cards 4"])
        .turn(4);
    table(Preset::Ristikontra, 4)
        .deal(&["7c", "5c", "Ac", "3c"], "")
        .plays("7c 5c Ac 3c")
        .happens(&["draw 4 cards 1", "trick 1 points 11 cards 4"]);
}

#[test]
fn example_54_nobody_leads_a_rank_four_times_in_a_row() {
    table(Preset::Ristikontra, 4)
        .deal(
            &["5c 5d 5h 5s Kc Kd", "Ac Ad Ah", "Jc Jd Jh", "Qc Qd Qh"],
            "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s",
        )
        .plays("5c Ac Jc Qc 5d Ad Jd Qd 5h Ah Jh Qh")
        .turn(1)
        .refuses(1, "play 5s", "as many times in a row as the rules allow")
        .may("play 2c, play 3c, play 4c, play Kc, play Kd, blind")
        .act("blind");
}

#[test]
fn a_blind_card_is_the_top_of_the_stock_and_no_other_is_drawn() {
    let table = table(Preset::Ristikontra, 4).deal(&["Kc"], "9s 8s").stock(28).act("blind").stock(27);
    let view = table.game.view(&table.rules, sedma_rules::SeatSet::EMPTY);
    assert_eq!((view.trick[0].card.to_string().as_str(), view.trick[0].from_stock), ("9s", true));
    table.hand_counts(&[6, 6, 6, 6]).turn(2);
}

#[test]
fn example_55_sixty_each_scores_nothing_and_the_deal_passes_on() {
    let rules = rules(Preset::Ristikontra, 4);
    let mut level = 0;
    play_deals(&rules, 55, 3_000, |before, fact, after| {
        let Fact::DealEnded(result) = fact else { return };
        let sides = result.sides.as_slice();
        assert_eq!(result.tier == DealTier::Void, sides[0].points == sides[1].points);
        if result.tier == DealTier::Void {
            level += 1;
            assert!(before.standing().eq(after.standing()));
            let dealer = after.view(&rules, sedma_rules::SeatSet::EMPTY).dealer.unwrap();
            assert_eq!(next_dealer(&rules, dealer, result), dealer.next(4));
        }
    });
    assert!(level > 0);
}

/// Here no rank may be led twice in a row. Seat 2 takes the trick with a five and leads a five, though one was
/// led before: not by him.
#[test]
fn only_leads_of_the_same_player_count() {
    let options = RuleOptions { max_same_rank_leads: 1, ..Preset::Ristikontra.options(4) };
    table_with(options)
        .deal(&["5c Ac Kc", "5d 5h Qc", "Jc", "Js"], "")
        .plays("5c 5d Jc Js")
        .turn(2)
        .plays("5h")
        .turn(3);
}

/// Here no rank may be led twice in a row, on Lusti-Kartl'n's eight cards without a stock, to come to it sooner.
#[test]
fn who_holds_nothing_else_leads_the_rank_again() {
    let options = RuleOptions { max_same_rank_leads: 1, ..Preset::LustiKartln.options(4) };
    let hands = [
        "7c 8c 7d 8d 7h 10c 9c 9d",
        "Ac Kc Qc Jc 10d Ad 10h 10s",
        "Ah Kh Qh Jh As Ks Qs Js",
        "8h 7s 8s 9h 9s Kd Qd Jd",
    ];
    table_with(options)
        .deal(&hands, "")
        .plays("7c Ac Ah 8h")
        .refuses(1, "play 7d", "as many times in a row")
        .plays("8c Kc Kh 7s 7d Qc Qh 8s 8d Jc Jh 9h 7h 10d As 9s 10c Ad Ks Kd 9c 10h Qs Qd")
        .may("play 9d");
}

//! Cards of a set and seats of a table by their places.

use sedma_rules::{CardSet, Seat};

/// Sets of every size: the first cards in canonical order, and as many with gaps between them.
fn sets() -> impl Iterator<Item = CardSet> {
    let dense = (0..=52).map(|size| CardSet::FULL.iter().take(size).collect());
    let sparse = (0..=17).map(|size| CardSet::FULL.iter().skip(1).step_by(3).take(size).collect());
    dense.chain(sparse)
}

#[test]
fn a_card_is_found_by_its_place_in_canonical_order() {
    for set in sets() {
        for place in 0..70 {
            assert_eq!(set.nth(place), set.iter().nth(place), "place {place} of {set:?}");
        }
    }
}

#[test]
fn choosing_offers_each_card_of_a_set_once_and_nothing_else() {
    for set in sets() {
        for place in 0..70 {
            let mut offered = None;
            let chosen = set.choose(|cards| {
                offered = Some(cards);
                place
            });
            assert_eq!(offered, Some(set.len()), "{set:?}");
            assert_eq!(chosen, set.iter().nth(usize::from(place)), "place {place} of {set:?}");
        }
    }
}

#[test]
fn seats_follow_each_other_round_and_round() {
    for seats in 1..=4_u8 {
        for (place, seat) in Seat::first(seats).enumerate() {
            for further in 0..60 {
                let there = Seat::ALL[(place + further) % usize::from(seats)];
                assert_eq!(seat.after(further, seats), there, "{further} after {seat} of {seats}");
            }
            assert_eq!(seat.next(seats), seat.after(1, seats));
            assert!(
                seat.round(seats).take(2).eq([seat, seat.next(seats)].into_iter().take(usize::from(seats)))
            );
        }
    }
}

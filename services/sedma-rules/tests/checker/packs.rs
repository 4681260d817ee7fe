//! Packs to deal: shuffled ones, and stacked ones that lead to what chance seldom brings.

use crate::chance::Chance;
use crate::referee::Referee;

/// A pack for the next deal, top first.
pub(crate) fn pack(referee: &Referee, seats: usize, chance: &mut Chance) -> Vec<String> {
    let mut pack = referee.pack();
    let dealt = seats * referee.hand_size();
    match chance.below(8) {
        0 => few_swaps(&mut pack, chance),
        1 => {
            by_rank(&mut pack, chance);
            few_swaps(&mut pack, chance);
        }
        2 => {
            by_rank(&mut pack, chance);
            deal_in_blocks(&mut pack, seats, dealt);
            few_swaps(&mut pack, chance);
        }
        3 => {
            by_rank(&mut pack, chance);
            deal_in_blocks(&mut pack, seats, dealt);
            deal_out_of_blocks(&mut pack, dealt, chance);
        }
        4 => {
            chance.shuffle(&mut pack);
            favour_a_side(&mut pack, dealt, chance);
        }
        _ => chance.shuffle(&mut pack),
    }
    pack
}

fn few_swaps(pack: &mut [String], chance: &mut Chance) {
    for _ in 0..chance.below(6) {
        let (one, other) = (chance.below(pack.len()), chance.below(pack.len()));
        pack.swap(one, other);
    }
}

/// Equal ranks one after the other, the ranks in any order.
fn by_rank(pack: &mut [String], chance: &mut Chance) {
    chance.shuffle(pack);
    let ranks: Vec<String> = pack.iter().map(|card| rank(card).to_owned()).collect();
    pack.sort_by_key(|card| ranks.iter().position(|it| it == rank(card)));
}

/// Lets each hand have cards that lay one after the other, so many of one rank each.
fn deal_in_blocks(pack: &mut [String], seats: usize, dealt: usize) {
    let blocks: Vec<String> = pack[..dealt].to_vec();
    let hand_size = dealt / seats;
    for (place, card) in blocks.into_iter().enumerate() {
        pack[place % hand_size * seats + place / hand_size] = card;
    }
}

/// Changes one card of each hand with the top of the stock: what it waits for comes soon, or to another.
fn deal_out_of_blocks(pack: &mut [String], dealt: usize, chance: &mut Chance) {
    let stock = pack.len() - dealt;
    for place in 0..dealt.min(stock).min(4) {
        let other = dealt + chance.below(stock.min(8));
        pack.swap(place, other);
    }
}

/// Gives the first cards of one side what is worth having.
fn favour_a_side(pack: &mut [String], dealt: usize, chance: &mut Chance) {
    let side = chance.below(2);
    let mut places = (0..dealt).filter(|place| place % 2 == side);
    for from in dealt..pack.len() {
        if matches!(rank(&pack[from]), "7" | "A" | "10")
            && let Some(place) = places.next()
        {
            pack.swap(from, place);
        }
    }
}

/// The rank of a card's text.
pub(crate) fn rank(card: &str) -> &str {
    &card[..card.len() - 1]
}

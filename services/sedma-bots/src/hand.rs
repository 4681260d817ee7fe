//! What cards are worth as long as they are held.

use sedma_rules::{BurnedHand, Card, CardSet, Rank};

use crate::habits;
use crate::sight::Sight;

/// What a hand is worth.
pub(crate) fn worth(sight: &Sight<'_>, hand: CardSet) -> f64 {
    let wild = sight.rules.wild();
    let mut worth = f64::from(hand.common(wild).len()) * wild_card(sight);
    let mut rest = hand;
    while let Some(card) = rest.iter().next() {
        let rank = CardSet::same_rank(card);
        let held = hand.common(rank);
        rest = rest.minus(rank);
        worth += nearly_burned(sight, held, rank);
    }
    worth + marriages(sight, hand)
}

/// What a hand is the poorer for a card that is played; a card that is drawn for it makes up for some of it.
pub(crate) fn cost(sight: &Sight<'_>, card: Card) -> f64 {
    let mut left = sight.hand;
    left.remove(card);
    worth(sight, sight.hand) - worth(sight, left)
}

/// What one card is worth on average, when nothing is known of it but that it was not seen.
pub(crate) fn average(sight: &Sight<'_>) -> f64 {
    let wild = f64::from(sight.unseen.common(sight.rules.wild()).len());
    wild * wild_card(sight) / f64::from(sight.unseen.len().max(1))
}

fn wild_card(sight: &Sight<'_>) -> f64 {
    if sight.stock > 0 { habits::WILD } else { habits::WILD_AT_THE_END }
}

/// Three of a rank may become four by the next draw, where that wins the deal.
fn nearly_burned(sight: &Sight<'_>, held: CardSet, rank: CardSet) -> f64 {
    let burns = sight.rules.options().burned_hand != BurnedHand::Off && sight.stock > 0;
    let fourth_is_out = !rank.minus(held).common(sight.unseen).is_empty();
    if burns && held.len() == 3 && fourth_is_out { habits::NEARLY_BURNED } else { 0.0 }
}

/// A marriage whose cards are both in the hand was not announced yet.
fn marriages(sight: &Sight<'_>, hand: CardSet) -> f64 {
    if !sight.rules.options().marriages {
        return 0.0;
    }
    let kings = hand.common(CardSet::of_rank(Rank::King));
    let whole = kings.iter().filter(|king| hand.contains(Card::new(Rank::Queen, king.suit())));
    whole.map(|king| marriage(sight, king) * habits::MARRIAGE_IN_HAND).sum()
}

/// What announcing a card's marriage earns.
pub(crate) fn marriage(sight: &Sight<'_>, card: Card) -> f64 {
    let forty = sight.rules.options().marriage_forty_suit == Some(card.suit());
    sight.scaled(if forty { 40 } else { 20 })
}

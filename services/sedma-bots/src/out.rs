//! Which cards are still out: in other hands or in the stock.

use sedma_rules::{CardSet, MatchView, Rules};

/// What is known of the cards that are out. Tricks that were taken before the last one are not shown, but
/// their points are: so it is known how many of the points are out, and how many cards, but not which.
#[derive(Clone, Copy)]
pub(crate) struct Out {
    /// How many.
    pub(crate) cards: f64,
    /// Those that this seat has not seen; the ones that are out are among them.
    unseen: CardSet,
    /// How likely one of them that counts something is out.
    counting: f64,
    /// How likely one that counts nothing is.
    plain: f64,
}

impl Out {
    /// What is out for a seat with this hand, to which so many cards are unseen.
    pub(crate) fn of(view: &MatchView, rules: &Rules, hand: CardSet, unseen: CardSet) -> Out {
        let points = |cards: CardSet| cards.iter().map(|card| f64::from(rules.value(card))).sum::<f64>();
        let taken: f64 = view.sides.iter().map(|side| f64::from(side.points)).sum();
        let lying = view.trick.iter().map(|play| play.card).collect();
        // Announced marriages are among the points taken, and make this a little too low.
        let points_out = f64::from(rules.card_total()) - taken - points(lying) - points(hand);
        let counting_cards: CardSet = unseen.iter().filter(|card| rules.value(*card) > 0).collect();
        let counting = (points_out / points(counting_cards).max(1.0)).clamp(0.0, 1.0);

        let in_hands: f64 = view.hand_counts.iter().map(|count| f64::from(*count)).sum();
        let cards = in_hands - f64::from(hand.len()) + f64::from(view.stock_count);
        let plain_cards = f64::from(unseen.minus(counting_cards).len()).max(1.0);
        let plain = (cards - counting * f64::from(counting_cards.len())) / plain_cards;
        Out { cards, unseen, counting, plain: plain.clamp(0.0, 1.0) }
    }

    /// How many of these cards are out, as far as one can tell.
    pub(crate) fn how_many(&self, rules: &Rules, cards: CardSet) -> f64 {
        let likely = |card| if rules.value(card) > 0 { self.counting } else { self.plain };
        cards.common(self.unseen).iter().map(likely).sum()
    }
}

//! Cards.

use sedma_proto::v1;
use sedma_rules::{Card, Rank, Suit};
use sedma_table::Refusal;

use crate::choices::Choice;

/// A card; absent and unspecified parts are refused.
pub(crate) fn card(field: &str, card: Option<&v1::Card>) -> Result<Card, Refusal> {
    let card = card.ok_or_else(|| Refusal::field(field, "it is required"))?;
    let suit = Suit::from_wire(card.suit).ok_or_else(|| {
        Refusal::field(format!("{field}.suit"), "it must be clubs, diamonds, hearts or spades")
    })?;
    Ok(Card::new(rank(|| format!("{field}.rank"), card.rank)?, suit))
}

/// A rank of the French pack.
pub(crate) fn rank(field: impl FnOnce() -> String, number: i32) -> Result<Rank, Refusal> {
    let rank = Rank::from_wire(number);
    rank.ok_or_else(|| Refusal::field(field(), "it must be two to ten, jack, queen, king or ace"))
}

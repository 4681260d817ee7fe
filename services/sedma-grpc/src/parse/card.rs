//! Cards.

use sedma_proto::v1;
use sedma_rules::{Card, Rank, Suit};
use sedma_table::Refusal;

/// A card; absent and unspecified parts are refused.
pub(crate) fn card(field: &str, card: Option<&v1::Card>) -> Result<Card, Refusal> {
    let card = card.ok_or_else(|| Refusal::field(field, "it is required"))?;
    let suit = suit(card.suit).ok_or_else(|| {
        Refusal::field(format!("{field}.suit"), "it must be clubs, diamonds, hearts or spades")
    })?;
    let rank = rank(card.rank).ok_or_else(|| {
        Refusal::field(format!("{field}.rank"), "it must be two to ten, jack, queen, king or ace")
    })?;
    Ok(Card::new(rank, suit))
}

fn suit(number: i32) -> Option<Suit> {
    match v1::Suit::try_from(number).ok()? {
        v1::Suit::Clubs => Some(Suit::Clubs),
        v1::Suit::Diamonds => Some(Suit::Diamonds),
        v1::Suit::Hearts => Some(Suit::Hearts),
        v1::Suit::Spades => Some(Suit::Spades),
        _ => None,
    }
}

fn rank(number: i32) -> Option<Rank> {
    match v1::Rank::try_from(number).ok()? {
        v1::Rank::Two => Some(Rank::Two),
        v1::Rank::Three => Some(Rank::Three),
        v1::Rank::Four => Some(Rank::Four),
        v1::Rank::Five => Some(Rank::Five),
        v1::Rank::Six => Some(Rank::Six),
        v1::Rank::Seven => Some(Rank::Seven),
        v1::Rank::Eight => Some(Rank::Eight),
        v1::Rank::Nine => Some(Rank::Nine),
        v1::Rank::Ten => Some(Rank::Ten),
        v1::Rank::Jack => Some(Rank::Jack),
        v1::Rank::Queen => Some(Rank::Queen),
        v1::Rank::King => Some(Rank::King),
        v1::Rank::Ace => Some(Rank::Ace),
        _ => None,
    }
}

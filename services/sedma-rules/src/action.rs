//! What a seat may ask for, and why it may be refused.

use std::fmt;

use crate::card::Card;
use crate::card_set::CardSet;

/// What a seat asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Play a card from the hand: lead, follow, or go on.
    Play {
        /// The card.
        card: Card,
        /// Announce the marriage it belongs to.
        announce_marriage: bool,
    },
    /// Play the top card of the stock, unseen.
    PlayFromStock,
    /// As leader, do not go on: the trick is taken.
    EndTrick,
    /// As first leader, change whole hands with the partner (or not).
    ExchangeHands(bool),
}

/// What a seat may do now; nothing when it is not its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct LegalActions {
    /// Cards of the hand that may be played.
    pub plays: CardSet,
    /// Those of `plays` that may announce a marriage.
    pub marriages: CardSet,
    /// Whether the stock's top card may be played unseen.
    pub from_stock: bool,
    /// Whether the leader may end the trick.
    pub end_trick: bool,
    /// Whether the exchange of hands is to be answered, yes or no.
    pub exchange: bool,
}

/// Why an action was refused. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refused {
    /// No deal is running.
    DealOver,
    /// Another seat is to act.
    NotYourTurn,
    /// The card is not in the hand. Where it is instead is not said.
    CardNotInHand,
    /// The rules forbid it.
    Illegal(Rule),
}

/// The rule an action would break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The exchange of hands must be answered before the first lead.
    ExchangeFirst,
    /// There is no exchange of hands to answer now.
    NoExchange,
    /// Two equal cards were played just before, and the hand has that rank: it must be played.
    FollowForcedMatch,
    /// The hand has a card of the led rank or a wild one: one of these must be played.
    MustMatch,
    /// The leader may only go on with a card of the led rank or a wild one.
    ContinuationMatch,
    /// There is no full round that the leader could end the trick after.
    NoContinuation,
    /// The same player has led this rank as many times in a row as the rules allow.
    ThreeLeads,
    /// These rules have no play from the stock.
    NoBlindPlay,
    /// The stock is gone.
    StockEmpty,
    /// No marriage can be announced with this card now.
    NoMarriage,
}

impl LegalActions {
    /// Nothing may be done.
    pub const NONE: LegalActions = LegalActions {
        plays: CardSet::EMPTY,
        marriages: CardSet::EMPTY,
        from_stock: false,
        end_trick: false,
        exchange: false,
    };

    /// Whether nothing may be done.
    pub fn is_empty(&self) -> bool {
        self.plays.is_empty() && !self.from_stock && !self.end_trick && !self.exchange
    }

    /// Whether there is nothing but cards of the hand to play.
    #[inline]
    pub const fn is_only_plays(&self) -> bool {
        !self.from_stock && !self.end_trick && !self.exchange
    }

    /// Every single action: plays in canonical order, each announcement after its plain play, then the rest.
    pub fn iter(&self) -> impl Iterator<Item = Action> {
        let marriages = self.marriages;
        let plays = self.plays.iter().flat_map(move |card| {
            let announced =
                marriages.contains(card).then_some(Action::Play { card, announce_marriage: true });
            std::iter::once(Action::Play { card, announce_marriage: false }).chain(announced)
        });
        plays
            .chain(self.from_stock.then_some(Action::PlayFromStock))
            .chain(self.end_trick.then_some(Action::EndTrick))
            .chain([true, false].map(Action::ExchangeHands).into_iter().filter(|_| self.exchange))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::DealOver => f.write_str("no deal is running"),
            Refused::NotYourTurn => f.write_str("another seat is to act"),
            Refused::CardNotInHand => f.write_str("the card is not in the hand"),
            Refused::Illegal(rule) => rule.fmt(f),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::ExchangeFirst => "the exchange of hands must be answered first",
            Rule::NoExchange => "there is no exchange of hands to answer",
            Rule::FollowForcedMatch => {
                "two equal cards were played and the hand has that rank: it must be played"
            }
            Rule::MustMatch => "a card of the led rank or a wild one must be played",
            Rule::ContinuationMatch => "only a card of the led rank or a wild one goes on with the trick",
            Rule::NoContinuation => "there is no trick to end",
            Rule::ThreeLeads => "this rank was led as many times in a row as the rules allow",
            Rule::NoBlindPlay => "these rules have no play from the stock",
            Rule::StockEmpty => "the stock is gone",
            Rule::NoMarriage => "no marriage can be announced with this card now",
        })
    }
}

impl std::error::Error for Refused {}

//! The rules of a table, as far as hidden cards make a difference that everybody sees.

use tests::v1::{self, BurnedHand, Card, Continuation, ForcedMatch, Partnership, Rank, SoloistCard, Suit};
use tests::{cards, views};

use crate::turn::Kind;

/// Resolved rules, as a table's view shows them.
#[derive(Clone, Debug)]
pub(crate) struct Rules(pub(crate) v1::SedmaRules);

impl Rules {
    /// The rules of the table in this view.
    pub(crate) fn of(view: &v1::TableView) -> Self {
        let rules = views::public(view).rules.as_ref().and_then(|rules| rules.game.clone());
        let Some(v1::game_rules::Game::Sedma(rules)) = rules else { panic!("no rules in the view") };
        Self(rules)
    }

    pub(crate) fn seats(&self) -> usize {
        usize::try_from(self.0.seats()).expect("seats")
    }

    /// The card whose holder plays alone.
    pub(crate) fn soloist_card(&self) -> Option<Card> {
        let suit = match self.0.soloist_card() {
            _ if self.0.partnership() != Partnership::SecretSoloist => return None,
            SoloistCard::KingOfHearts => Suit::Hearts,
            SoloistCard::KingOfLeaves => Suit::Spades,
            SoloistCard::Unspecified => panic!("rules that are not resolved"),
        };
        Some(Card { rank: Rank::King.into(), suit: suit.into() })
    }

    pub(crate) fn burns_hands(&self) -> bool {
        self.0.burned_hand() != BurnedHand::Off
    }

    /// The turns that these rules know beside a card that is played.
    pub(crate) fn special_turns(&self) -> Vec<Kind> {
        let mut kinds = Vec::new();
        kinds.extend(self.0.marriages().then_some(Kind::Announcement));
        kinds.extend(self.0.blind_stock_play().then_some(Kind::TopOfStock));
        kinds.extend((self.0.continuation() != Continuation::None).then_some(Kind::End));
        kinds.extend(
            self.0.partner_exchange().then_some([Kind::Exchange, Kind::NoExchange]).into_iter().flatten(),
        );
        kinds
    }

    /// The cards of which a leader needs one to go on with this trick; `None` where no cards make a difference.
    pub(crate) fn goes_on_with(&self, trick: &[Card]) -> Option<Vec<Card>> {
        (self.0.continuation() == Continuation::SameRankOrWild).then(|| self.matching(trick[0]))
    }

    /// The cards of which a seat must play one, if it can, as the next of this trick; so many were played in its last
    /// round.
    pub(crate) fn bound_to(&self, trick: &[Card], in_round: usize) -> Vec<Card> {
        match (self.0.forced_match(), trick) {
            (ForcedMatch::MustMatchIfAble, [led, ..]) => self.matching(*led),
            (ForcedMatch::AfterTwoEqual, [.., one, two]) if in_round >= 2 && one.rank == two.rank => {
                of_rank(two.rank)
            }
            _ => Vec::new(),
        }
    }

    /// The cards that match a led one.
    fn matching(&self, led: Card) -> Vec<Card> {
        let ranks = self.0.wild_ranks.as_ref().map_or(&[][..], |list| &list.ranks);
        let wild = self.0.wild_cards.as_ref().map_or(&[][..], |list| &list.cards);
        let is_wild = |card: &Card| {
            ranks.contains(&card.rank) || wild.contains(card) || self.soloist_card() == Some(*card)
        };
        cards::all().into_iter().filter(|card| card.rank == led.rank || is_wild(card)).collect()
    }
}

/// The other half of a marriage.
pub(crate) fn spouse(card: Card) -> Card {
    let rank = if card.rank() == Rank::King { Rank::Queen } else { Rank::King };
    Card { rank: rank.into(), ..card }
}

fn of_rank(rank: i32) -> Vec<Card> {
    cards::all().into_iter().filter(|card| card.rank == rank).collect()
}

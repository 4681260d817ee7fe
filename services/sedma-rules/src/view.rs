//! What a player may see: the only door out of a match's state. Its types have no place for what he may not
//! know.

use crate::action::LegalActions;
use crate::card::Card;
use crate::card_set::CardSet;
use crate::deal::{Deal, Place};
use crate::fact::{DealResult, Fact};
use crate::matchplay::{Match, TakenTrick};
use crate::rules::Rules;
use crate::seat::{Seat, SeatSet};

/// A match as some seats may see it; a spectator is the empty set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchView {
    /// The number of the running deal or the last one, from 1; 0 before the first.
    pub deal: u16,
    /// Who dealt it.
    pub dealer: Option<Seat>,
    /// Who led to the running trick, or is to lead; nobody when no deal is running.
    pub leader: Option<Seat>,
    /// Who is to act; nobody between deals.
    pub turn: Option<Seat>,
    /// Everything on the table in the order of play, all rounds.
    pub trick: Vec<PlayView>,
    /// How many of these, from the front, lie in abeyance.
    pub abeyance: u8,
    /// The last trick taken in this deal.
    pub last_trick: Option<LastTrick>,
    /// Cards in the stock.
    pub stock_count: u8,
    /// Cards in each hand, by seat.
    pub hand_counts: Vec<u8>,
    /// The match's sides, by their lowest seats.
    pub sides: Vec<SideView>,
    /// Who plays alone, once everybody knows: he has played the soloist's card in this deal. Nobody when the
    /// deal has ended; its result has its sides.
    pub soloist: Option<Seat>,
    /// How the last deal that ended came out.
    pub last_deal: Option<DealResult>,
    /// Who has won the match.
    pub winners: Option<SeatSet>,
    /// The viewers' own hands; empty for a spectator.
    pub hands: Vec<HandView>,
}

/// A card on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayView {
    /// Who played it.
    pub seat: Seat,
    /// The card.
    pub card: Card,
    /// Whether it came unseen from the stock.
    pub from_stock: bool,
    /// Whether a marriage was announced with it.
    pub announced: bool,
}

/// A trick that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LastTrick {
    /// Its cards in the order of play.
    pub plays: Vec<PlayView>,
    /// Who took it.
    pub winner: Seat,
    /// Its card points, without the last-trick bonus.
    pub points: u8,
}

/// A side of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SideView {
    /// Its seats.
    pub seats: SeatSet,
    /// What it has made of this deal so far: cards and marriages, and the last-trick bonus once the deal has
    /// ended.
    pub points: u8,
    /// Tricks it has taken in this deal.
    pub tricks: u8,
    /// Its match score.
    pub game_points: u16,
}

/// A viewer's own hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HandView {
    /// Whose.
    pub seat: Seat,
    /// Its cards.
    pub cards: CardSet,
    /// What may be done with them now.
    pub legal: LegalActions,
}

impl Match {
    /// The match as these seats may see it together.
    pub fn view(&self, rules: &Rules, viewers: SeatSet) -> MatchView {
        let deal = self.deal.as_ref();
        let seats = || Seat::first(self.seats);
        let hand = |seat| deal.map_or(CardSet::EMPTY, |deal| deal.hand(seat));
        MatchView {
            deal: self.deal_number(),
            dealer: deal.map(Deal::dealer),
            leader: deal.filter(|deal| !deal.is_over()).map(Deal::leader),
            turn: self.turn(),
            trick: deal.map_or_else(Vec::new, |deal| plays(deal.table_places(), deal.leader, self.seats)),
            abeyance: deal.map_or(0, |deal| deal.trick_at),
            last_trick: self.last_trick.as_ref().map(|trick| self.view_taken(trick)),
            stock_count: deal.map_or(0, Deal::stock_len),
            hand_counts: seats().map(|seat| hand(seat).len()).collect(),
            sides: self.view_sides(),
            soloist: deal.filter(|deal| !deal.is_over()).and_then(|deal| deal.known_soloist(rules)),
            last_deal: self.last_deal,
            winners: self.winners,
            hands: seats()
                .filter(|seat| viewers.contains(*seat))
                .map(|seat| HandView { seat, cards: hand(seat), legal: self.legal_actions(rules, seat) })
                .collect(),
        }
    }

    fn view_taken(&self, trick: &TakenTrick) -> LastTrick {
        LastTrick {
            plays: plays(trick.places(), trick.leader, self.seats),
            winner: trick.winner,
            points: trick.points,
        }
    }

    /// The sides of the match after a fact that is about to be applied.
    pub(crate) fn sides_after(&self, fact: &Fact) -> Vec<SideView> {
        let mut after = self.clone();
        // A fact that doesn't fit changes nothing.
        let _ = after.evolve(fact);
        after.view_sides()
    }

    /// Each match side for itself: a deal's own sides would betray a soloist, and show in its result only.
    fn view_sides(&self) -> Vec<SideView> {
        let tally = self.deal.map(|deal| deal.tally).unwrap_or_default();
        self.standing()
            .map(|(seats, game_points)| SideView {
                seats,
                points: tally.side_points(seats),
                tricks: tally.tricks(seats),
                game_points,
            })
            .collect()
    }
}

fn plays(places: &[Place], leader: Seat, seats: u8) -> Vec<PlayView> {
    let view = |(at, place): (usize, &Place)| PlayView {
        seat: leader.after(at, seats),
        card: place.card(),
        from_stock: place.is_from_stock(),
        announced: place.is_announced(),
    };
    places.iter().enumerate().map(view).collect()
}

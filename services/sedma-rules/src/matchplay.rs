//! A match: deals one after the other until a side has won.

use crate::action::{Action, LegalActions, Refused};
use crate::corrupt::Corrupt;
use crate::deal::{Deal, NoDeal, Place};
use crate::fact::{DealResult, Fact};
use crate::pack::Pack;
use crate::rules::Rules;
use crate::scoring::{match_winners, next_dealer};
use crate::seat::{Seat, SeatSet};
use crate::sides::Sides;

/// The state of a match, hidden cards and all. What a player may see of it is [`Match::view`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub(crate) seats: u8,
    pub(crate) sides: Sides,
    /// By the place of the side in `sides`.
    pub(crate) game_points: [u16; 4],
    /// The last deal that was dealt, running or over.
    pub(crate) deal: Option<Deal>,
    /// The last trick that was taken in it.
    pub(crate) last_trick: Option<TakenTrick>,
    /// How the last deal that ended came out.
    pub(crate) last_deal: Option<DealResult>,
    pub(crate) winners: Option<SeatSet>,
}

/// A trick that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TakenTrick {
    pub(crate) places: [Place; Pack::MAX_CARDS],
    pub(crate) len: u8,
    pub(crate) leader: Seat,
    pub(crate) winner: Seat,
    pub(crate) points: u8,
}

impl Match {
    /// A match before its first deal.
    pub fn new(rules: &Rules) -> Match {
        Match {
            seats: rules.seats(),
            sides: *rules.match_sides(),
            game_points: [0; 4],
            deal: None,
            last_trick: None,
            last_deal: None,
            winners: None,
        }
    }

    /// Deals the next pack. The first deal is dealt by `first_dealer`, each later one by whom the rules name.
    /// Tells that the pack was dealt, and the end of a deal that is burned as it was dealt; changes nothing
    /// itself.
    pub fn start_deal(
        &self,
        rules: &Rules,
        first_dealer: Seat,
        pack: Pack,
        out: &mut Vec<Fact>,
    ) -> Result<(), NoDeal> {
        if self.seats != rules.seats() {
            return Err(NoDeal::WrongSeats);
        }
        if self.is_over() {
            return Err(NoDeal::MatchOver);
        }
        if self.deal_running() {
            return Err(NoDeal::DealRunning);
        }
        let number = self.deal_number().checked_add(1).ok_or(NoDeal::TooManyDeals)?;
        let dealer = match (&self.deal, &self.last_deal) {
            (Some(deal), Some(result)) => next_dealer(rules, deal.dealer, result),
            _ => first_dealer,
        };
        let before = out.len();
        Deal::start(rules, number, dealer, &pack, &mut |fact| out.push(fact.clone()))?;
        self.tell_match_end(rules, out, before);
        Ok(())
    }

    /// Judges what a seat asks for and tells all that follows, in order: the end of trick, deal and match
    /// included. Changes nothing itself: the facts do, by [`Match::evolve`]. A refused action tells nothing.
    pub fn act(&self, rules: &Rules, seat: Seat, action: Action, out: &mut Vec<Fact>) -> Result<(), Refused> {
        let mut deal = self.deal.ok_or(Refused::DealOver)?;
        let before = out.len();
        deal.apply(rules, seat, action, &mut |fact| out.push(fact.clone()))?;
        self.tell_match_end(rules, out, before);
        Ok(())
    }

    fn tell_match_end(&self, rules: &Rules, out: &mut Vec<Fact>, since: usize) {
        let Some(Fact::DealEnded(result)) = out.get(since..).and_then(<[Fact]>::last) else { return };
        let game_points = self.game_points_after(result);
        let known = game_points.get(..self.sides.as_slice().len()).unwrap_or(&[]);
        if let Some(winners) = match_winners(rules, known) {
            out.push(Fact::MatchEnded { winners });
        }
    }

    /// Each member of a deal's side gets its game points; partners of the match get them together.
    pub(crate) fn game_points_after(&self, result: &DealResult) -> [u16; 4] {
        let mut game_points = self.game_points;
        for (total, side) in game_points.iter_mut().zip(self.sides.iter()) {
            let member = side.iter().next().and_then(|seat| result.sides.side_of(seat));
            *total = total.saturating_add(member.map_or(0, |score| u16::from(score.game_points)));
        }
        game_points
    }

    /// Applies what happened. Judges nothing; a fact that the state can't take (a card that isn't where it
    /// was played from, a deal dealt into a running one) changes nothing and is reported.
    pub fn evolve(&mut self, fact: &Fact) -> Result<(), Corrupt> {
        match fact {
            Fact::Dealt { deal, dealer, leader, hand_size, pack } => {
                let dealt = Deal::dealt(*deal, self.seats, *dealer, *leader, *hand_size, pack);
                if self.deal_running() || *deal != self.deal_number().wrapping_add(1) {
                    return Err(Corrupt::OutOfPlace);
                }
                if usize::from(*hand_size) * usize::from(self.seats) > pack.cards().len() {
                    return Err(Corrupt::Cards);
                }
                dealt.check()?;
                self.deal = Some(dealt);
                self.last_trick = None;
            }
            Fact::MatchEnded { winners } => self.winners = Some(*winners),
            _ => {
                let mut deal = self.running()?;
                deal.admits(fact)?;
                if let Fact::TrickWon { seat, points, .. } = *fact {
                    self.last_trick = Some(TakenTrick::of(&deal, seat, points));
                }
                deal.evolve(fact);
                if let Fact::DealEnded(result) = fact {
                    self.game_points = self.game_points_after(result);
                    self.last_deal = Some(*result);
                }
                self.deal = Some(deal);
            }
        }
        Ok(())
    }

    fn running(&self) -> Result<Deal, Corrupt> {
        self.deal.filter(|deal| !deal.is_over()).ok_or(Corrupt::OutOfPlace)
    }

    /// What a seat may do now; nothing when it is not its turn.
    pub fn legal_actions(&self, rules: &Rules, seat: Seat) -> LegalActions {
        self.deal.as_ref().map_or(LegalActions::NONE, |deal| deal.legal_actions(rules, seat))
    }

    /// Why an action would be refused; `None` when it would be accepted.
    pub fn refusal(&self, rules: &Rules, seat: Seat, action: Action) -> Option<Refused> {
        match &self.deal {
            Some(deal) => deal.refusal(rules, seat, action),
            None => Some(Refused::DealOver),
        }
    }

    /// Who is to act; nobody between deals.
    pub fn turn(&self) -> Option<Seat> {
        self.deal.as_ref().and_then(Deal::turn)
    }

    /// The number of the last deal that was dealt, from 1; 0 before the first.
    pub fn deal_number(&self) -> u16 {
        self.deal.as_ref().map_or(0, Deal::number)
    }

    /// Whether a deal is running.
    pub fn deal_running(&self) -> bool {
        self.deal.as_ref().is_some_and(|deal| !deal.is_over())
    }

    /// Whether the match is over.
    pub const fn is_over(&self) -> bool {
        self.winners.is_some()
    }

    /// Who has won the match.
    pub const fn winners(&self) -> Option<SeatSet> {
        self.winners
    }

    /// How many play.
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// The sides of the match with their game points, by their lowest seats.
    pub fn standing(&self) -> impl Iterator<Item = (SeatSet, u16)> {
        self.sides.iter().zip(self.game_points)
    }

    /// How the last deal that ended came out.
    pub const fn last_deal(&self) -> Option<&DealResult> {
        self.last_deal.as_ref()
    }
}

impl TakenTrick {
    fn of(deal: &Deal, winner: Seat, points: u8) -> TakenTrick {
        let mut places = [Place::BLANK; Pack::MAX_CARDS];
        for (slot, place) in places.iter_mut().zip(deal.table_places()) {
            *slot = *place;
        }
        TakenTrick { places, len: deal.table_len, leader: deal.leader, winner, points }
    }

    pub(crate) fn places(&self) -> &[Place] {
        self.places.get(..usize::from(self.len)).unwrap_or(&[])
    }
}

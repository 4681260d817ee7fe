//! The beginning of a deal.

use std::fmt;

use crate::deal::Deal;
use crate::fact::Fact;
use crate::pack::Pack;
use crate::rules::{BurnedHand, Rules};
use crate::scoring::Ending;
use crate::seat::Seat;

/// Why no deal can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoDeal {
    /// One is running.
    DealRunning,
    /// The match is over.
    MatchOver,
    /// The pack is not the rules' pack.
    WrongPack,
    /// The rules are for another number of seats than the match.
    WrongSeats,
    /// The dealer's seat isn't at the table.
    NoSuchSeat,
    /// The match has had as many deals as can be numbered, 65,535.
    TooManyDeals,
}

impl Deal {
    /// Deals a pack; the seat after the dealer leads. Tells that it was dealt, and the end of a deal that is
    /// burned as it was dealt.
    #[inline]
    pub fn start(
        rules: &Rules,
        number: u16,
        dealer: Seat,
        pack: &Pack,
        tell: &mut impl FnMut(&Fact),
    ) -> Result<Deal, NoDeal> {
        if pack.set() != rules.pack() {
            return Err(NoDeal::WrongPack);
        }
        if dealer.number() > rules.seats() {
            return Err(NoDeal::NoSuchSeat);
        }
        let leader = dealer.next(rules.seats());
        let hand_size = rules.options().hand_size;
        let deal = Deal::dealt(number, rules.seats(), dealer, leader, hand_size, pack);
        tell(&Fact::Dealt { deal: number, dealer, leader, hand_size, pack: *pack });
        if rules.options().burned_hand == BurnedHand::OnDealOrDraw {
            return Ok(deal.looked_at(rules, tell));
        }
        Ok(deal)
    }

    /// The deal, ended if a hand is burned as it was dealt.
    #[cold]
    fn looked_at(mut self, rules: &Rules, tell: &mut impl FnMut(&Fact)) -> Deal {
        if let Some(seat) = self.burned_as_dealt() {
            self.end(rules, Ending::BurnedHand(seat), tell);
        }
        self
    }
}

impl fmt::Display for NoDeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoDeal::DealRunning => "a deal is running",
            NoDeal::MatchOver => "the match is over",
            NoDeal::WrongPack => "the pack is not the one these rules are played with",
            NoDeal::WrongSeats => "the rules are for another number of seats",
            NoDeal::NoSuchSeat => "the dealer's seat is not at the table",
            NoDeal::TooManyDeals => "the match has had as many deals as it can have",
        })
    }
}

impl std::error::Error for NoDeal {}

//! What a deal can come to: named, so that a run can tell whether it met everything it is meant to try.

use super::book::{Bound, Company, GoingOn};
use super::settle::{Outcome, soloist};
use super::story::{Deed, Ending, Story};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Situation {
    LedRankBeatsAWild,
    WildLed,
    GoesOn,
    GoesOnWithAWild,
    EndsTheTrick,
    GoesOnUntilHandsAreEmpty,
    HasTheCardsButMayNotGoOn,
    Fights,
    FightsAgain,
    BoundToARank,
    BoundToMatch,
    RankLedTooOften,
    NothingButTheWornOutRank,
    PlaysBlind,
    LeadsBlind,
    ShortStock,
    HandsExchanged,
    HandsKept,
    HandBurnedAsDealt,
    HandBurned,
    HandBurnedByPartnerOfSoloist,
    HandBurnedWithSoloistsCardInStock,
    TrickBurned,
    Marriage,
    MarriageOfForty,
    MarriageOfALosingTrick,
    Stopped,
    StopsAtTheLastTrick,
    SoloistWins,
    SoloistLoses,
    SoloistsCardDrawn,
    SoloistsCardLed,
    SoloistsCardMatches,
    Wins,
    TakesAllPoints,
    TakesAllTricks,
    AllCardPointsButNotTheBonus,
    AllTricksForPoints,
    LevelOnTop,
    AllThreeLevel,
    SameDealerAgain,
    NextSeatDeals,
    DealersPartnerDeals,
    MatchWon,
    SeveralWinTheMatch,
    LevelAboveTheTarget,
}

impl Story {
    /// Notes what is special about a deed before it is done.
    pub(super) fn note_deed(&mut self, seat: usize, deed: Deed) {
        let mut met: Vec<Situation> = Vec::new();
        match deed {
            Deed::Exchange(true) => met.push(Situation::HandsExchanged),
            Deed::Exchange(false) => met.push(Situation::HandsKept),
            Deed::End => met.push(Situation::EndsTheTrick),
            Deed::Blind => {
                met.push(Situation::PlaysBlind);
                if self.table.is_empty() {
                    met.push(Situation::LeadsBlind);
                }
            }
            Deed::Play(card, announce) => {
                self.note_bounds(seat, &mut met);
                let wild = self.book.is_wild(card);
                if self.is_round_full() {
                    self.note_going_on(wild, &mut met);
                }
                if announce {
                    met.push(Situation::Marriage);
                    if self.book.forty_suit == Some(card.suit) {
                        met.push(Situation::MarriageOfForty);
                    }
                }
                if self.table.is_empty() && wild {
                    met.push(Situation::WildLed);
                }
                if self.book.company == Company::Soloist && card == self.book.soloist_card {
                    let led = self.table.is_empty();
                    met.push(if led { Situation::SoloistsCardLed } else { Situation::SoloistsCardMatches });
                }
            }
        }
        self.met.extend(met);
    }

    fn note_bounds(&self, seat: usize, met: &mut Vec<Situation>) {
        let all = self.hand(seat).len();
        let playable = self.playable(seat).len();
        if self.table.is_empty() && self.book.leads_of_a_rank > 0 {
            let rank = self.hand(seat)[0].rank;
            let one_rank = self.hand(seat).iter().all(|card| card.rank == rank);
            let leads = self.taken.iter().rev().flat_map(|taken| taken.tricks.iter().rev());
            let worn_out =
                leads.take_while(|trick| trick.lead().seat == seat && trick.lead().card.rank == rank);
            if playable < all {
                met.push(Situation::RankLedTooOften);
            } else if one_rank && worn_out.count() >= self.book.leads_of_a_rank {
                met.push(Situation::NothingButTheWornOutRank);
            }
        } else if playable < all && !self.table.is_empty() && !self.is_round_full() {
            let must_match = self.book.bound == Bound::MustMatch;
            met.push(if must_match { Situation::BoundToMatch } else { Situation::BoundToARank });
        }
    }

    fn note_going_on(&self, wild: bool, met: &mut Vec<Situation>) {
        if self.book.going_on == GoingOn::NewTrick {
            met.push(if self.table.len() > 1 { Situation::FightsAgain } else { Situation::Fights });
        } else {
            met.push(if wild { Situation::GoesOnWithAWild } else { Situation::GoesOn });
        }
    }

    /// Notes why a full round is the last one of its trick.
    pub(super) fn note_no_going_on(&mut self) {
        let rounds: usize = self.table.iter().map(|trick| trick.plays.len() / self.book.seats).sum();
        let hand = self.hand(self.leader);
        let Some(trick) = self.table.last() else { return };
        let matching = hand.iter().any(|card| self.book.matches(trick.lead().card, *card));
        let met = if hand.is_empty() && rounds == self.book.hand_size && rounds > 1 {
            Some(Situation::GoesOnUntilHandsAreEmpty)
        } else if matching && self.book.going_on == GoingOn::SameTrick {
            Some(Situation::HasTheCardsButMayNotGoOn)
        } else {
            None
        };
        self.met.extend(met);
    }

    /// Notes what is special about hands that were just filled up.
    pub(super) fn note_draw(&mut self, drawers: &[usize]) {
        let short = self.stock.is_empty() && self.hands.iter().any(|hand| hand.len() < self.book.hand_size);
        if short && self.hands.iter().all(|hand| !hand.is_empty()) && !self.book.draw_after_each_play {
            let taken = self.taken.last().is_some_and(|taken| {
                taken.tricks.iter().map(|trick| trick.plays.len()).sum::<usize>() > self.book.seats
            });
            self.met.extend(taken.then_some(Situation::ShortStock));
        }
        let soloist = self.book.company == Company::Soloist
            && drawers.iter().any(|seat| {
                let hand = self.hand(*seat);
                hand.last() == Some(&self.book.soloist_card)
            });
        self.met.extend(soloist.then_some(Situation::SoloistsCardDrawn));
    }

    /// Notes what is special about the end of the deal.
    pub(super) fn note_ending(&mut self, ending: Ending, outcome: &Outcome) {
        let mut met: Vec<Situation> = Vec::new();
        match ending {
            Ending::Stopped => met.push(Situation::Stopped),
            Ending::BurnedTrick(_) => met.push(Situation::TrickBurned),
            Ending::BurnedHand(seat) => self.note_burned_hand(seat, &mut met),
            Ending::PlayedOut => self.note_played_out(outcome, &mut met),
        }
        let losing = self.taken.iter().flat_map(|taken| &taken.tricks).any(|trick| {
            trick.lead().marriage > 0 && !self.book.partners(trick.lead().seat, trick.winner(&self.book))
        });
        met.extend(losing.then_some(Situation::MarriageOfALosingTrick));
        let after_a_wild = self.taken.iter().flat_map(|taken| &taken.tricks).any(|trick| {
            let winner = trick.plays.iter().rfind(|play| self.book.matches(trick.lead().card, play.card));
            let wild = |card| self.book.is_wild(card) && !self.book.is_wild(trick.lead().card);
            winner.is_some_and(|winner| !wild(winner.card)) && trick.plays.iter().any(|play| wild(play.card))
        });
        met.extend(after_a_wild.then_some(Situation::LedRankBeatsAWild));
        self.met.extend(met);
    }

    fn note_burned_hand(&self, seat: usize, met: &mut Vec<Situation>) {
        met.push(Situation::HandBurned);
        if self.book.company == Company::Soloist {
            match soloist(self) {
                None => met.push(Situation::HandBurnedWithSoloistsCardInStock),
                Some(soloist) if soloist != seat => met.push(Situation::HandBurnedByPartnerOfSoloist),
                Some(_) => {}
            }
        }
    }

    fn note_played_out(&self, outcome: &Outcome, met: &mut Vec<Situation>) {
        let everything = self.book.all_card_points();
        let all_cards = |side: &super::settle::Side| side.cards == everything && side.last_trick == 0;
        if self.book.last_trick > 0 && outcome.sides.iter().any(all_cards) {
            met.push(Situation::AllCardPointsButNotTheBonus);
        }
        match outcome.tier {
            "win" if outcome.level => {}
            "win" => met.push(Situation::Wins),
            "sweep_points" => met.push(Situation::TakesAllPoints),
            "sweep_cards" => met.push(Situation::TakesAllTricks),
            "raw_points" if outcome.sides.iter().any(|side| side.tricks == 0) => {
                met.push(Situation::AllTricksForPoints);
            }
            _ => {}
        }
        if outcome.level {
            let all = outcome.sides.len() > 2
                && outcome.sides.iter().all(|side| side.points() == outcome.sides[0].points());
            met.push(if all { Situation::AllThreeLevel } else { Situation::LevelOnTop });
        }
        if self.book.stop_at > 0 {
            met.push(Situation::StopsAtTheLastTrick);
        }
        if self.book.company == Company::Soloist && !outcome.winners.is_empty() {
            let alone = outcome.winners.len() == 1;
            met.push(if alone { Situation::SoloistWins } else { Situation::SoloistLoses });
        }
    }
}

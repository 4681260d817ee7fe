//! Scoring a deal that somebody wrote down.

use crate::card::{Card, Rank};
use crate::card_set::CardSet;
use crate::fact::DealResult;
use crate::rules::{BurnedHand, Rules};
use crate::scoring::given_trick::{GivenPlay, ReadTrick, ScoreError, ScoreProblem, read_trick};
use crate::scoring::settle::{Ending, settle};
use crate::scoring::tally::Tally;
use crate::seat::Seat;

/// Who burned a deal with four of a rank in his hand, which the tricks can't tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BurnedHandOf {
    /// Whose hand it was.
    pub seat: Seat,
    /// Who held the soloist's card, unplayed; nobody when it was in the stock. A played one tells itself.
    pub soloist: Option<Seat>,
}

/// What was read of a deal so far.
struct Reading<'a> {
    rules: &'a Rules,
    tally: Tally,
    cards: CardSet,
    soloist: Option<Seat>,
    ending: Option<Ending>,
    leader: Option<Seat>,
}

/// Scores a deal from its tricks. Checked: every card is in the pack and there once, seats play in turn, the
/// winner of a trick leads the next, and the tricks use the whole pack or end by a stop or by burning. A hand
/// that burned can't be seen in the tricks, so it is named. What one would need hands for is not checked.
pub fn score_deal(
    rules: &Rules,
    tricks: &[Vec<GivenPlay>],
    burned_hand: Option<BurnedHandOf>,
) -> Result<DealResult, ScoreError> {
    let mut reading = Reading {
        rules,
        tally: Tally::default(),
        cards: CardSet::EMPTY,
        soloist: None,
        ending: None,
        leader: None,
    };
    // Where cards are drawn after each play, a hand may burn in the middle of a trick.
    let breaks_off = burned_hand.is_some() && rules.burns_hands() && rules.draws_after_each_play();
    for (trick, plays) in tricks.iter().enumerate() {
        reading.read(trick, plays, breaks_off && trick + 1 == tricks.len())?;
    }
    let at_the_end = |problem| ScoreError { problem, trick: tricks.len(), play: 0 };
    let ending = match (burned_hand, reading.ending) {
        (Some(_), _) if !rules.burns_hands() => return Err(at_the_end(ScoreProblem::NoBurnedHand)),
        (Some(burned), _) if burned.seat.number() > rules.seats() => {
            return Err(at_the_end(ScoreProblem::NoSuchBurnedSeat));
        }
        (Some(burned), _) if !reading.may_be_soloist(burned.soloist) => {
            return Err(at_the_end(ScoreProblem::NoSuchSoloist));
        }
        (Some(_), None) if tricks.is_empty() && rules.options().burned_hand == BurnedHand::OnDraw => {
            return Err(at_the_end(ScoreProblem::NothingDrawn));
        }
        (Some(_), Some(_)) => return Err(at_the_end(ScoreProblem::AfterTheEnd)),
        (Some(burned), None) => {
            reading.soloist = reading.soloist.or(burned.soloist);
            Ending::BurnedHand(burned.seat)
        }
        (None, Some(ending)) => ending,
        (None, None) => return Err(at_the_end(ScoreProblem::Unfinished)),
    };
    Ok(settle(rules, &reading.tally, ending, reading.soloist))
}

impl Reading<'_> {
    /// Whether he may have held the soloist's card, by the rules and by what was played.
    fn may_be_soloist(&self, named: Option<Seat>) -> bool {
        named.is_none_or(|seat| {
            let unplayed = self.soloist.is_none_or(|played| played == seat);
            self.rules.soloist_card().is_some() && seat.number() <= self.rules.seats() && unplayed
        })
    }

    fn read(&mut self, trick: usize, plays: &[GivenPlay], may_break_off: bool) -> Result<(), ScoreError> {
        let wrong = |problem, play| ScoreError { problem, trick, play };
        if self.ending.is_some() {
            return Err(wrong(ScoreProblem::AfterTheEnd, 0));
        }
        let read = read_trick(self.rules, plays, trick, may_break_off)?;
        if let Some(play) = plays.iter().position(|play| self.cards.contains(play.1)) {
            return Err(wrong(ScoreProblem::Twice, play));
        }
        for &(seat, card, _) in plays {
            if Some(card) == self.rules.soloist_card() {
                self.soloist = Some(seat);
            }
        }
        let leader = plays.first().map(|play| play.0);
        if self.leader.is_some() && leader != self.leader {
            return Err(wrong(ScoreProblem::WrongLeader, 0));
        }
        self.marriages(plays, &read).map_err(|problem| wrong(problem, 0))?;
        self.cards = self.cards.union(read.cards);
        self.leader = Some(read.score.winner);
        if let Some(seat) = read.score.burned_by {
            self.ending = Some(Ending::BurnedTrick(seat));
            return Ok(());
        }
        if !plays.len().is_multiple_of(usize::from(self.rules.seats())) {
            // Broken off by a burned hand: nobody takes it.
            return Ok(());
        }
        self.tally.trick(read.score.winner, read.score.points);
        self.ending = self.ended_by(read.score.winner);
        Ok(())
    }

    fn marriages(&mut self, plays: &[GivenPlay], read: &ReadTrick) -> Result<(), ScoreProblem> {
        let Some((leader, ..)) = plays.first() else { return Ok(()) };
        for &(suit, points) in &read.marriages {
            let one_is_gone =
                [Rank::King, Rank::Queen].map(|rank| self.cards.contains(Card::new(rank, suit)));
            if self.tally.is_announced(suit) || one_is_gone.contains(&true) {
                return Err(ScoreProblem::NoMarriage);
            }
            self.tally.marriage(*leader, suit, points);
        }
        Ok(())
    }

    fn ended_by(&self, winner: Seat) -> Option<Ending> {
        if self.cards == self.rules.pack() {
            return Some(Ending::PlayedOut { last: winner });
        }
        let stop = self.rules.options().stop_at_points;
        let points = self.tally.side_points(self.rules.match_sides().side_of(winner));
        (stop > 0 && points >= stop).then_some(Ending::Stopped { by: winner })
    }
}

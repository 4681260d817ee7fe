//! Scoring a trick that somebody wrote down: who takes it, what it is worth, and why.

use std::fmt;

use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::deal::condition_holds;
use crate::rules::{Continuation, Rules};
use crate::seat::Seat;

/// A trick's score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrickScore {
    /// Who takes it.
    pub winner: Seat,
    /// Its card points, without bonus and marriage.
    pub points: u8,
    /// The last-trick bonus, if it is the last one.
    pub last_trick_bonus: u8,
    /// What the leader's announced marriages earned him, whoever takes the trick.
    pub marriage_points: u8,
    /// Who played the fourth of four equal first cards, where that ends the deal.
    pub burned_by: Option<Seat>,
    /// What each play did, in order.
    pub reasons: Vec<PlayReason>,
}

/// What a play did in its trick. The last one that led or matched takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlayReason {
    /// It was led: later cards are compared with it. After a fight the newest lead counts.
    Led,
    /// It has the led card's rank.
    SameRank,
    /// It is wild, and so matches.
    Wild,
    /// It matches nothing.
    NoMatch,
}

/// What is wrong with written-down tricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScoreProblem {
    /// A trick has no card.
    Empty,
    /// A trick breaks off in the middle of a round.
    Incomplete,
    /// The seat isn't at the table.
    NoSuchSeat,
    /// Another seat was to play.
    OutOfTurn,
    /// The trick isn't led by the winner of the last one.
    WrongLeader,
    /// The card is not in the pack.
    NotInPack,
    /// The card was played before.
    Twice,
    /// These rules let no leader go on with a trick.
    NoContinuation,
    /// The leader went on with a card that neither has the led rank nor is wild.
    ContinuationMatch,
    /// No marriage can be announced with this card here.
    NoMarriage,
    /// Play goes on after the deal has ended.
    AfterTheEnd,
    /// Cards of the pack are missing and nothing ended the deal before.
    Unfinished,
    /// These rules know no burned hand.
    NoBurnedHand,
    /// The trick had ended: by these rules its leader could not go on after such a round.
    TrickHadEnded,
    /// The trick has more rounds than a hand has cards.
    TooManyRounds,
    /// No hand can burn yet: nobody has drawn a card.
    NothingDrawn,
    /// The seat whose hand burned isn't at the table.
    NoSuchBurnedSeat,
    /// The soloist isn't at the table, is another by the cards that were played, or these rules have none.
    NoSuchSoloist,
}

/// What is wrong with written-down tricks, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreError {
    /// What is wrong.
    pub problem: ScoreProblem,
    /// In which trick, from 0.
    pub trick: usize,
    /// At which play of it, from 0.
    pub play: usize,
}

/// A play as it was written down: by whom, which card, and whether a marriage was announced with it.
pub(crate) type GivenPlay = (Seat, Card, bool);

/// A trick that was read and judged.
pub(crate) struct ReadTrick {
    pub(crate) score: TrickScore,
    /// The marriages that its leader announced, with what each earned.
    pub(crate) marriages: Vec<(Suit, u8)>,
    pub(crate) cards: CardSet,
}

/// Scores a trick: who takes it, its card points, the bonus if it is the last one, and what each play did.
/// Rounds run on; a Hola fight is one trick.
/// A burned trick has no bonus, for it ends the deal before its last trick.
pub fn score_trick(rules: &Rules, plays: &[GivenPlay], last_trick: bool) -> Result<TrickScore, ScoreError> {
    let mut score = read_trick(rules, plays, 0, false)?.score;
    if last_trick && score.burned_by.is_none() {
        score.last_trick_bonus = rules.options().last_trick_bonus;
    }
    Ok(score)
}

/// Reads a trick; one that a burned hand broke off may end in the middle of a round.
pub(crate) fn read_trick(
    rules: &Rules,
    plays: &[GivenPlay],
    trick: usize,
    broken_off: bool,
) -> Result<ReadTrick, ScoreError> {
    let wrong = |problem, play| ScoreError { problem, trick, play };
    let Some(&(leader, first, _)) = plays.first() else { return Err(wrong(ScoreProblem::Empty, 0)) };
    let seats = usize::from(rules.seats());
    let fights = rules.options().continuation == Continuation::AbeyanceNewLead;
    let mut cards = CardSet::EMPTY;
    let mut led = first;
    let mut winner = leader;
    let mut points = 0;
    let mut reasons = Vec::with_capacity(plays.len());
    let mut marriages = Vec::new();
    for (at, &(seat, card, announces)) in plays.iter().enumerate() {
        check_play(rules, leader, plays, at, cards).map_err(|problem| wrong(problem, at))?;
        if at > 0 && at % seats == 0 && !goes_on(rules, leader, winner, &reasons) {
            return Err(wrong(ScoreProblem::TrickHadEnded, at));
        }
        let partner_gone = card.other_of_marriage().is_some_and(|other| cards.contains(other));
        cards.insert(card);
        points += rules.value(card);
        let leads = at == 0 || (fights && at % seats == 0);
        if announces {
            let again = marriages.iter().any(|(suit, _)| *suit == card.suit());
            let earned = marriage(rules, card).filter(|_| leads && !again && !partner_gone);
            marriages.push((card.suit(), earned.ok_or(wrong(ScoreProblem::NoMarriage, at))?));
        }
        if leads {
            led = card;
            winner = seat;
            reasons.push(PlayReason::Led);
            continue;
        }
        let reason = reason(rules, led, card);
        if reason == PlayReason::NoMatch {
            if at % seats == 0 {
                return Err(wrong(ScoreProblem::ContinuationMatch, at));
            }
        } else {
            winner = seat;
        }
        reasons.push(reason);
    }
    let burned_by = burned_by(rules, plays);
    if !plays.len().is_multiple_of(seats) && burned_by.is_none() && !broken_off {
        return Err(wrong(ScoreProblem::Incomplete, plays.len()));
    }
    let marriage_points = marriages.iter().map(|(_, points)| points).sum();
    let score = TrickScore { winner, points, last_trick_bonus: 0, marriage_points, burned_by, reasons };
    Ok(ReadTrick { score, marriages, cards })
}

fn check_play(
    rules: &Rules,
    leader: Seat,
    plays: &[GivenPlay],
    at: usize,
    before: CardSet,
) -> Result<(), ScoreProblem> {
    let Some(&(seat, card, _)) = plays.get(at) else { return Err(ScoreProblem::Empty) };
    let seats = usize::from(rules.seats());
    if seat.number() > rules.seats() {
        Err(ScoreProblem::NoSuchSeat)
    } else if seat != leader.after(at, rules.seats()) {
        Err(ScoreProblem::OutOfTurn)
    } else if !rules.pack().contains(card) {
        Err(ScoreProblem::NotInPack)
    } else if before.contains(card) {
        Err(ScoreProblem::Twice)
    } else if at >= seats && rules.options().continuation == Continuation::None {
        Err(ScoreProblem::NoContinuation)
    } else if at >= most_plays(rules) {
        Err(ScoreProblem::TooManyRounds)
    } else if at >= 4 && burned_by(rules, plays).is_some() {
        Err(ScoreProblem::AfterTheEnd)
    } else {
        Ok(())
    }
}

/// Whether the leader could go on after the round that the last of these plays filled.
fn goes_on(rules: &Rules, leader: Seat, winner: Seat, reasons: &[PlayReason]) -> bool {
    let others = usize::from(rules.seats()).saturating_sub(1);
    let matched = || reasons.iter().rev().take(others).any(|reason| *reason != PlayReason::NoMatch);
    condition_holds(rules, leader, || winner, matched)
}

/// Plays of the longest trick: a hand lasts so many rounds, or the pack where each play is followed by a draw.
fn most_plays(rules: &Rules) -> usize {
    if rules.draws_after_each_play() {
        return usize::from(rules.pack().len());
    }
    usize::from(rules.options().hand_size) * usize::from(rules.seats())
}

fn reason(rules: &Rules, led: Card, card: Card) -> PlayReason {
    if led.rank() == card.rank() {
        PlayReason::SameRank
    } else if rules.wild().contains(card) {
        PlayReason::Wild
    } else {
        PlayReason::NoMatch
    }
}

fn burned_by(rules: &Rules, plays: &[GivenPlay]) -> Option<Seat> {
    let [first, rest @ ..] = plays.get(..4)? else { return None };
    let equal = rest.iter().all(|play| play.1.rank() == first.1.rank());
    (rules.options().burned_trick && equal).then(|| rest.last().map_or(first.0, |play| play.0))
}

/// What the marriage of a led card earns; nothing where it can be none.
fn marriage(rules: &Rules, led: Card) -> Option<u8> {
    let can_be = rules.options().marriages && led.other_of_marriage().is_some();
    can_be.then(|| rules.options().marriage_value(led.suit()))
}

impl fmt::Display for ScoreProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScoreProblem::Empty => "a trick has no card",
            ScoreProblem::Incomplete => "the trick breaks off in the middle of a round",
            ScoreProblem::NoSuchSeat => "the seat is not at the table",
            ScoreProblem::OutOfTurn => "another seat was to play",
            ScoreProblem::WrongLeader => "the winner of the last trick leads",
            ScoreProblem::NotInPack => "the card is not in the pack",
            ScoreProblem::Twice => "the card was played before",
            ScoreProblem::NoContinuation => "these rules let no leader go on with a trick",
            ScoreProblem::ContinuationMatch => "the leader may only go on with the led rank or a wild card",
            ScoreProblem::NoMarriage => "no marriage can be announced with this card here",
            ScoreProblem::AfterTheEnd => "the deal had ended before this",
            ScoreProblem::Unfinished => "cards of the pack are missing and nothing ended the deal before",
            ScoreProblem::NoBurnedHand => "these rules know no burned hand",
            ScoreProblem::TrickHadEnded => "the trick had ended: its leader could not go on after that round",
            ScoreProblem::TooManyRounds => "the trick has more rounds than a hand has cards",
            ScoreProblem::NothingDrawn => "no hand can burn yet: nobody has drawn a card",
            ScoreProblem::NoSuchBurnedSeat => "the seat whose hand burned is not at the table",
            ScoreProblem::NoSuchSoloist => {
                "the soloist is not at the table, is another by the cards played, or these rules have none"
            }
        })
    }
}

impl fmt::Display for ScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "trick {}, play {}: {}", self.trick + 1, self.play + 1, self.problem)
    }
}

impl std::error::Error for ScoreError {}

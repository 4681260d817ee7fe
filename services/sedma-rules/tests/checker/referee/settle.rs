//! What a deal that has ended is worth, and to whom.

use std::fmt;

use super::book::{Book, Company, Tie, Worth};
use super::story::{Ending, Story};
use super::trick::points_and_cards;

/// What one side made of a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) seats: Vec<usize>,
    /// Points of its cards alone.
    pub(crate) cards: u32,
    pub(crate) marriages: u32,
    pub(crate) last_trick: u32,
    pub(crate) tricks: usize,
    pub(crate) game: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) tier: &'static str,
    pub(crate) bonus: u32,
    pub(crate) last: Option<usize>,
    pub(crate) sides: Vec<Side>,
    /// Seats of the sides that won.
    pub(crate) winners: Vec<usize>,
    /// Whether sides were level on top.
    pub(crate) level: bool,
}

impl Side {
    pub(crate) fn points(&self) -> u32 {
        self.cards + self.marriages + self.last_trick
    }
}

impl Outcome {
    pub(crate) fn side_of(&self, seat: usize) -> &Side {
        self.sides.iter().find(|side| side.seats.contains(&seat)).unwrap()
    }
}

/// Who holds or has played the soloist's card, if it has left the stock.
pub(crate) fn soloist(story: &Story) -> Option<usize> {
    let card = story.book.soloist_card;
    let holder = (1..=story.book.seats).find(|seat| story.hand(*seat).contains(&card));
    holder.or_else(|| story.plays().find(|play| play.card == card).map(|play| play.seat))
}

/// Who scores with whom in the deal.
fn companies(story: &Story) -> Vec<Vec<usize>> {
    let everybody: Vec<usize> = (1..=story.book.seats).collect();
    let alone = || everybody.iter().map(|seat| vec![*seat]).collect();
    match (story.book.company, soloist(story)) {
        (Company::Pairs, _) => vec![vec![1, 3], vec![2, 4]],
        (Company::Soloist, Some(soloist)) => {
            let (one, others) = everybody.into_iter().partition(|seat| *seat == soloist);
            let mut sides: Vec<Vec<usize>> = vec![one, others];
            sides.sort();
            sides
        }
        _ => alone(),
    }
}

pub(crate) fn settle(story: &Story, ending: Ending) -> Outcome {
    let last = story.taken.last().map(|taken| taken.by).filter(|_| ending == Ending::PlayedOut);
    let bonus = if last.is_some() { story.book.last_trick } else { 0 };
    let sides = companies(story).into_iter().map(|seats| side_with(story, seats, last)).collect();
    let mut outcome = Outcome { tier: "void", bonus, last, sides, winners: Vec::new(), level: false };
    match (&story.book.worth, ending) {
        (Worth::Points(all_tricks), _) => score_points(&mut outcome, *all_tricks),
        (Worth::Categories(worth), Ending::BurnedHand(seat)) => {
            award(&mut outcome, &[seat], "burned_hand", worth[3]);
        }
        (Worth::Categories(worth), Ending::BurnedTrick(seat)) => {
            award(&mut outcome, &[seat], "burned_trick", worth[4]);
        }
        (Worth::Categories(worth), Ending::Stopped) => {
            let stopped_by: Vec<usize> = story.taken.last().map(|taken| taken.by).into_iter().collect();
            award(&mut outcome, &stopped_by, "win", worth[0]);
        }
        (Worth::Categories(worth), Ending::PlayedOut) => score_categories(&story.book, &mut outcome, worth),
    }
    outcome
}

fn side_with(story: &Story, seats: Vec<usize>, last: Option<usize>) -> Side {
    let taken: Vec<_> = story.taken.iter().filter(|taken| seats.contains(&taken.by)).collect();
    let cards = taken.iter().map(|taken| points_and_cards(&story.book, &taken.tricks).0).sum();
    let marriages = story.plays().filter(|play| seats.contains(&play.seat)).map(|play| play.marriage).sum();
    let has_last = last.is_some_and(|seat| seats.contains(&seat));
    let last_trick = if has_last { story.book.last_trick } else { 0 };
    Side { seats, cards, marriages, last_trick, tricks: taken.len(), game: 0 }
}

/// Lets the sides of these seats win so many game points each.
fn award(outcome: &mut Outcome, seats: &[usize], tier: &'static str, worth: u32) {
    outcome.tier = tier;
    for side in &mut outcome.sides {
        if seats.iter().any(|seat| side.seats.contains(seat)) {
            side.game = worth;
            outcome.winners.extend(&side.seats);
        }
    }
}

/// All tricks are more than those of a deal that was stopped.
fn score_points(outcome: &mut Outcome, all_tricks: u32) {
    outcome.tier = "raw_points";
    let tricks: usize = outcome.sides.iter().map(|side| side.tricks).sum();
    let top = outcome.sides.iter().map(Side::points).max().unwrap_or(0);
    for side in &mut outcome.sides {
        let has_all = outcome.last.is_some() && side.tricks == tricks;
        let bonus = if has_all { all_tricks } else { 0 };
        side.game = side.points() + bonus;
        if side.points() == top {
            outcome.winners.extend(&side.seats);
        }
    }
}

/// A side alone on top wins if it has enough. Sides that are level on top can't all have that: there the tie
/// rule has the word.
fn score_categories(book: &Book, outcome: &mut Outcome, worth: &[u32]) {
    let top = outcome.sides.iter().map(Side::points).max().unwrap_or(0);
    let on_top: Vec<usize> =
        outcome.sides.iter().filter(|side| side.points() == top).map(|side| side.seats[0]).collect();
    outcome.level = on_top.len() > 1;
    match (&on_top[..], book.tie) {
        ([winner], _) if top >= book.enough => {
            let (tier, worth) = category(book, outcome, *winner, worth);
            award(outcome, &[*winner], tier, worth);
        }
        ([_, _, ..], Tie::LastTrick) => {
            if let Some(last) = outcome.last.filter(|seat| outcome.side_of(*seat).points() == top) {
                award(outcome, &[last], "win", worth[0]);
            }
        }
        ([_, _, ..], Tie::Share) if on_top.len() < outcome.sides.len() => {
            award(outcome, &on_top, "shared", worth[0]);
        }
        _ => {}
    }
}

/// The highest category that the winner's side reached and the game knows, with what it is worth.
fn category(book: &Book, outcome: &Outcome, winner: usize, worth: &[u32]) -> (&'static str, u32) {
    let won = outcome.side_of(winner);
    let mut losers = outcome.sides.iter().filter(|side| *side != won);
    let all_tricks = losers.clone().all(|side| side.tricks == 0);
    let all_points = if book.sweep_needs_bonus {
        losers.all(|side| side.cards + side.last_trick == 0)
    } else {
        won.cards == book.all_card_points()
    };
    match worth {
        [_, _, worth, ..] if all_tricks => ("sweep_cards", *worth),
        [_, worth, ..] if all_points => ("sweep_points", *worth),
        _ => ("win", worth[0]),
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.last.map_or("-".to_owned(), |seat| seat.to_string());
        write!(f, "{} bonus {} last {last}", self.tier, self.bonus)?;
        for side in &self.sides {
            let seats = seats_text(&side.seats);
            write!(f, " side {seats} points {} tricks {} game {}", side.points(), side.tricks, side.game)?;
        }
        Ok(())
    }
}

/// Seats one after the other, as in `13`; a dash for none.
pub(crate) fn seats_text(seats: &[usize]) -> String {
    if seats.is_empty() { "-".to_owned() } else { seats.iter().map(ToString::to_string).collect() }
}

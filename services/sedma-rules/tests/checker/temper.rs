//! How seats choose among what they may do. Chance alone seldom burns a trick or sweeps a deal, so each deal is
//! played in some temper.

use std::collections::BTreeSet;

use crate::chance::Chance;
use crate::packs::rank;
use crate::referee::Referee;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Temper {
    /// Does anything.
    Free,
    /// Leads and matches, and goes on where it can.
    Takes,
    /// Neither matches nor goes on.
    Ducks,
    /// Plays what was just played, and leads what it has most of.
    Echoes,
    /// Keeps what it has most of to the end.
    Hoards,
    /// Announces marriages, and keeps kings and queens for that.
    Announces,
    /// Plays from the stock.
    Blind,
}

const ALL: [Temper; 7] = [
    Temper::Free,
    Temper::Takes,
    Temper::Ducks,
    Temper::Echoes,
    Temper::Hoards,
    Temper::Announces,
    Temper::Blind,
];

/// A temper for each seat of a deal: one for all, one for each side, or each its own.
pub(crate) fn tempers(seats: usize, chance: &mut Chance) -> Vec<Temper> {
    let (one, other) = (*chance.one_of(&ALL), *chance.one_of(&ALL));
    let alternating = |odd, even| (0..seats).map(|seat| if seat % 2 == 0 { odd } else { even }).collect();
    match chance.below(6) {
        0 => vec![Temper::Free; seats],
        1 => vec![one; seats],
        2 => alternating(Temper::Takes, Temper::Ducks),
        3 => alternating(Temper::Ducks, Temper::Takes),
        4 => alternating(one, other),
        _ => (0..seats).map(|_| *chance.one_of(&ALL)).collect(),
    }
}

impl Temper {
    /// One of the actions, mostly as the temper prefers.
    pub(crate) fn choose(self, referee: &Referee, legal: &BTreeSet<String>, chance: &mut Chance) -> String {
        let all: Vec<&String> = legal.iter().collect();
        let preferred = self.preferred(referee, &all);
        let choices = if preferred.is_empty() || chance.once_in(16) { all } else { preferred };
        (*chance.one_of(&choices)).clone()
    }

    fn preferred<'a>(self, referee: &Referee, all: &[&'a String]) -> Vec<&'a String> {
        let plays = all.iter().copied().filter(|action| card_of(action).is_some());
        let of_rank = |action: &str| plays.clone().filter(|other| rank_of(other) == rank_of(action)).count();
        let matching = |action: &&String| card_of(action).is_some_and(|card| referee.leads_or_matches(card));
        match self {
            Temper::Free => Vec::new(),
            Temper::Takes => plays.filter(matching).collect(),
            Temper::Ducks => all.iter().copied().filter(|action| !matching(action)).collect(),
            Temper::Echoes => {
                let echo = referee.last_played();
                let most = plays.clone().map(|action| of_rank(action)).max();
                let leads = |action: &&String| echo.is_none() && Some(of_rank(action)) == most;
                let echoes = |action: &&String| echo.as_deref().map(rank) == rank_of(action);
                plays.clone().filter(|action| leads(action) || echoes(action)).collect()
            }
            Temper::Hoards => {
                let least = plays.clone().map(|action| of_rank(action)).min();
                plays.clone().filter(|action| Some(of_rank(action)) == least).collect()
            }
            Temper::Announces => {
                let keeps = |action: &str| matches!(rank_of(action), Some("K" | "Q"));
                let announces = |action: &str| action.ends_with(" marriage");
                let good = |action: &&String| announces(action) || !keeps(action);
                all.iter().copied().filter(good).collect()
            }
            Temper::Blind => all.iter().copied().filter(|action| *action == "blind").collect(),
        }
    }
}

/// The card that an action plays from the hand.
fn card_of(action: &str) -> Option<&str> {
    action.strip_prefix("play ")?.split(' ').next()
}

fn rank_of(action: &str) -> Option<&str> {
    card_of(action).map(rank)
}

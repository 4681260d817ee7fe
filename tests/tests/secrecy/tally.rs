//! What was tried, so that the proof can't become one of nothing.

use std::fmt;

use tests::v1::TablePhase;
use tests::views::public;

use crate::action::Action;
use crate::games::{GAMES, Game, RED_KING};
use crate::permute::Moved;
use crate::rules::Rules;
use crate::story::Story;
use crate::turn::{self, Kind};

/// Where a match was cut: the table's phase, and the number of the deal.
type Situation = (TablePhase, i32);

/// Situations that a random choice of cuts must have hit.
const WANTED: [Situation; 6] = [
    (TablePhase::Playing, 1),
    (TablePhase::Playing, 2),
    (TablePhase::BetweenDeals, 1),
    (TablePhase::Finished, 1),
    (TablePhase::Closed, 1),
    (TablePhase::Closed, 2),
];

/// One deal that was tried.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    game: Game,
    situation: Situation,
    /// What lay elsewhere for each of the viewers that looked.
    looks: Vec<Moved>,
    /// What was done in turn.
    turns: Vec<Kind>,
    /// What the rules know beside cards that are played.
    special: Vec<Kind>,
    burned: bool,
}

impl Trial {
    pub(crate) fn of(story: &Story, looks: Vec<Moved>) -> Self {
        let turns = story.actions.iter().filter_map(|action| match action {
            Action::Turn { turn, .. } => Some(turn::kind(turn)),
            _ => None,
        });
        Self {
            game: story.plan.game,
            situation: (public(&story.view).phase(), story.seen.deal()),
            looks,
            turns: turns.collect(),
            special: Rules::of(&story.view).special_turns(),
            burned: story.course.has_burned(),
        }
    }
}

/// Everything that was tried.
#[derive(Debug)]
pub(crate) struct Tally {
    trials: Vec<Trial>,
    /// Deals of a game with a share of 1.
    share: usize,
}

impl Tally {
    pub(crate) fn new(trials: Vec<Trial>, share: usize) -> Self {
        Self { trials, share }
    }

    /// That nothing was left out, and that viewers could have seen differences.
    pub(crate) fn check(&self) {
        for game in GAMES {
            assert_eq!(self.of(game).count(), self.share * game.share, "deals of {game}\n{self}");
            let [dealt, hands] =
                [self.looks(game, |look| look.dealt > 0), self.looks(game, |look| look.hands > 0)];
            assert!(2 * dealt >= self.looks(game, |_| true), "{game}: few cards lay elsewhere\n{self}");
            assert!(5 * hands >= 2 * self.looks(game, |_| true), "{game}: few hands had other cards\n{self}");
            for kind in self.of(game).flat_map(|trial| &trial.special) {
                assert!(self.turns(game, *kind) > 0, "{game} without {kind:?}\n{self}");
            }
        }
        assert!(
            2 * self.looks(RED_KING, |look| look.soloist) >= self.share,
            "hardly another soloist\n{self}"
        );
        assert!(self.trials.iter().any(|trial| trial.burned), "no hand burned\n{self}");
        for situation in WANTED {
            let hit = self.trials.iter().any(|trial| trial.situation == situation);
            assert!(hit, "no cut was in {situation:?}\n{self}");
        }
    }

    fn of(&self, game: Game) -> impl Iterator<Item = &Trial> {
        self.trials.iter().filter(move |trial| trial.game == game)
    }

    fn looks(&self, game: Game, like: impl Fn(&Moved) -> bool) -> usize {
        self.of(game).flat_map(|trial| &trial.looks).filter(|look| like(look)).count()
    }

    fn turns(&self, game: Game, kind: Kind) -> usize {
        self.of(game).flat_map(|trial| &trial.turns).filter(|turn| **turn == kind).count()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for game in GAMES {
            let (deals, looks) = (self.of(game).count(), self.looks(game, |_| true));
            let moved = self.looks(game, |look| look.dealt > 0);
            let hands = self.looks(game, |look| look.hands > 0);
            let soloist = self.looks(game, |look| look.soloist);
            let burned = self.of(game).filter(|trial| trial.burned).count();
            write!(
                f,
                "{game}: {deals} deals, {looks} looks, {moved} with other cards, {hands} in other hands"
            )?;
            write!(f, ", {soloist} with another soloist; {burned} burned;")?;
            for kind in Kind::ALL {
                write!(f, " {kind:?} {}", self.turns(game, kind))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

//! `win bonus 10 last 2 side 13 points 40 tricks 3 game 0 side 24 points 50 tricks 5 game 1`.

use std::fmt;

use crate::corrupt::Corrupt;
use crate::fact::{DealResult, DealSides, DealTier, SideScore};
use crate::notation::{MaybeSeat, Words};

impl fmt::Display for DealResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = MaybeSeat(self.last_trick_seat);
        write!(f, "{} bonus {} last {last}", self.tier, self.last_trick_bonus)?;
        for side in &self.sides {
            let SideScore { seats, points, tricks, game_points } = side;
            write!(f, " side {seats} points {points} tricks {tricks} game {game_points}")?;
        }
        Ok(())
    }
}

/// Takes a result and whatever follows: a result is always the last thing in its text.
pub(crate) fn read_result(mut words: Words<'_>) -> Result<DealResult, Corrupt> {
    let tier = words.word()?;
    let tier = DealTier::ALL.into_iter().find(|it| it.name() == tier).ok_or(Corrupt::NoSuchValue)?;
    let last_trick_bonus = words.named("bonus")?;
    let MaybeSeat(last_trick_seat) = words.named("last")?;
    let mut sides = Vec::new();
    while words.0.clone().next().is_some() {
        sides.push(SideScore {
            seats: words.named("side")?,
            points: words.named("points")?,
            tricks: words.named("tricks")?,
            game_points: words.named("game")?,
        });
    }
    Ok(DealResult { tier, sides: DealSides::new(&sides), last_trick_bonus, last_trick_seat })
}

//! Single tricks, judged by both.

use sedma_rules::{PlayReason, score_trick};

use crate::amount::Amount;
use crate::case::Case;
use crate::chance::Chance;
use crate::disagreement::Disagreement;
use crate::lockstep::given;
use crate::referee::{Referee, Verdict, WholeTrick};

#[test]
fn the_engine_judges_every_trick_as_the_referee_does() {
    let amount = Amount::asked_for();
    for case in Case::presets() {
        judge(&case, amount.tricks).unwrap();
        amount.tell(format_args!("{case}: {} tricks", amount.tricks));
    }
}

/// Judges so many tricks of random hands.
pub(crate) fn judge(case: &Case, tricks: usize) -> Result<(), Box<Disagreement>> {
    let rules = case.rules();
    let referee = case.referee();
    let mut chance = Chance::of(&case.to_string(), 1);
    for number in 0..tricks {
        let trick = random_trick(&referee, case.seats, &mut chance);
        let last = chance.once_in(2);
        let scored = score_trick(&rules, &given(&trick.plays()), last).map(|score| Verdict {
            winner: usize::from(score.winner.number()),
            points: u32::from(score.points),
            last_trick_bonus: u32::from(score.last_trick_bonus),
            marriage_points: u32::from(score.marriage_points),
            reasons: score.reasons.iter().map(|reason| word(*reason)).collect(),
        });
        let verdict = Ok(trick.verdict(last));
        if scored != verdict {
            return Err(Box::new(Disagreement {
                case: case.clone(),
                run: 1,
                deal: number,
                about: format!("a trick (the last one: {last})"),
                engine: format!("{scored:?}"),
                referee: format!("{verdict:?}"),
                transcript: trick.plays().iter().map(|play| format!("{play:?}")).collect(),
            }));
        }
    }
    Ok(())
}

/// A whole trick of hands with any number of cards, in which half of the seats prefer to match.
fn random_trick(referee: &Referee, seats: usize, chance: &mut Chance) -> WholeTrick {
    let mut pack = referee.pack();
    chance.shuffle(&mut pack);
    let cards = 1 + chance.below(referee.hand_size());
    let hands: Vec<Vec<String>> = pack.chunks(cards).take(seats).map(<[String]>::to_vec).collect();
    let goes_on = chance.once_in(2);
    let mut trick = referee.trick(&hands, 1 + chance.below(seats));
    while let Some((seat, choices)) = trick.choices() {
        if trick.is_whole() && !(goes_on || chance.once_in(4)) {
            break;
        }
        let matching: Vec<String> = choices.iter().filter(|card| trick.matches(card)).cloned().collect();
        let prefers = !matching.is_empty() && chance.once_in(2);
        let card = chance.one_of(if prefers { &matching } else { &choices }).clone();
        let announce = trick.may_announce(&card) && chance.once_in(2);
        trick.play(seat, &card, announce);
    }
    trick
}

const fn word(reason: PlayReason) -> &'static str {
    match reason {
        PlayReason::Led => "leads",
        PlayReason::SameRank | PlayReason::Wild => "matches",
        PlayReason::NoMatch => "-",
    }
}

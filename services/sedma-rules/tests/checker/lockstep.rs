//! Deals that the engine and the referee play side by side.

use std::collections::{BTreeMap, BTreeSet};

use sedma_rules::{
    BurnedHandOf, DealResult, Fact, Match, Pack, Rules, Seat, match_winners, next_dealer, score_deal,
};

use crate::case::Case;
use crate::chance::Chance;
use crate::disagreement::Disagreement;
use crate::packs::pack;
use crate::referee::{Referee, Situation};
use crate::refusals::permitted_against;
use crate::temper::tempers;

/// How often each situation was met.
pub(crate) type Met = BTreeMap<Situation, usize>;

/// Plays so many deals, one match after the other, and compares at every state.
pub(crate) fn play(case: &Case, run: usize, deals: usize) -> Result<Met, Box<Disagreement>> {
    let mut table = Table::new(case, run);
    let mut met = Met::new();
    for deal in 1..=deals {
        table.deal = deal;
        if table.engine.is_over() {
            table.start_over();
        }
        table.play_deal()?;
        for situation in table.referee.met() {
            *met.entry(*situation).or_default() += 1;
        }
    }
    Ok(met)
}

/// The two of them at one table.
struct Table {
    case: Case,
    run: usize,
    deal: usize,
    rules: Rules,
    engine: Match,
    referee: Referee,
    chance: Chance,
    transcript: Vec<String>,
}

impl Table {
    fn new(case: &Case, run: usize) -> Table {
        let rules = case.rules();
        Table {
            case: case.clone(),
            run,
            deal: 0,
            engine: Match::new(&rules),
            rules,
            referee: case.referee(),
            chance: Chance::of(&case.to_string(), run),
            transcript: Vec::new(),
        }
    }

    fn start_over(&mut self) {
        self.engine = Match::new(&self.rules);
        self.referee = self.case.referee();
        self.transcript.clear();
    }

    fn play_deal(&mut self) -> Result<(), Box<Disagreement>> {
        self.start_deal()?;
        let tempers = tempers(self.case.seats, &mut self.chance);
        let mut most_actions = 2 * self.referee.pack().len() + 10;
        while let Some(seat) = self.referee.turn() {
            self.compare_state()?;
            let legal = self.referee.legal();
            let action = tempers[seat - 1].choose(&self.referee, &legal, &mut self.chance);
            self.act(seat, &action)?;
            most_actions -= 1;
            self.same("an end of the deal in good time", &(most_actions > 0), &true)?;
        }
        self.compare_state()?;
        self.compare_end()
    }

    fn start_deal(&mut self) -> Result<(), Box<Disagreement>> {
        let cards = pack(&self.referee, self.case.seats, &mut self.chance);
        let dealer = 1 + self.chance.below(self.case.seats);
        let told = self.referee.start_deal(dealer, &cards);
        self.transcript.push(format!("deal {}", cards.join(" ")));
        let cards: Vec<_> = cards.iter().map(|card| card.parse().unwrap()).collect();
        let pack = Pack::new(&self.rules, &cards);
        let mut facts = Vec::new();
        let dealt = pack.map_err(|error| error.to_string()).and_then(|pack| {
            let dealt = self.engine.start_deal(&self.rules, seat_of(dealer), pack, &mut facts);
            dealt.map_err(|error| format!("{error:?}"))
        });
        self.same("whether the pack can be dealt", &dealt, &Ok(()))?;
        self.compare_facts(&facts, &told)
    }

    fn act(&mut self, seat: usize, action: &str) -> Result<(), Box<Disagreement>> {
        self.transcript.push(format!("{seat} {action}"));
        let mut facts = Vec::new();
        let done = self.engine.act(&self.rules, seat_of(seat), action.parse().unwrap(), &mut facts);
        self.same("whether it may be done", &done.map_err(|refused| refused.to_string()), &Ok(()))?;
        let told = self.referee.act(action);
        self.compare_facts(&facts, &told)
    }

    fn compare_facts(&mut self, facts: &[Fact], told: &[String]) -> Result<(), Box<Disagreement>> {
        let texts: Vec<String> = facts.iter().map(ToString::to_string).collect();
        self.same("what happened", &texts, &told.to_vec())?;
        self.transcript.extend(told.iter().map(|fact| format!("  {fact}")));
        for fact in facts {
            let evolved = self.engine.evolve(fact).map_err(|corrupt| corrupt.to_string());
            self.same("whether it can have happened", &evolved, &Ok(()))?;
        }
        Ok(())
    }

    fn compare_state(&mut self) -> Result<(), Box<Disagreement>> {
        let turn = self.engine.turn().map(|seat| usize::from(seat.number()));
        self.same("whose turn it is", &turn, &self.referee.turn())?;
        let legal: BTreeSet<String> = match self.engine.turn() {
            Some(seat) => {
                self.engine.legal_actions(&self.rules, seat).iter().map(|it| it.to_string()).collect()
            }
            None => BTreeSet::new(),
        };
        self.same("what may be done", &legal, &self.referee.legal())?;
        if turn.is_none() || self.chance.once_in(16) {
            let permitted = permitted_against(&self.rules, &self.engine, &legal);
            self.same("what is refused", &permitted, &Vec::new())?;
        }
        Ok(())
    }

    fn compare_end(&mut self) -> Result<(), Box<Disagreement>> {
        let result = self.engine.last_deal().copied();
        self.same("the result", &result.map(|it| it.to_string()), &self.referee.result())?;
        let standing: Vec<String> =
            self.engine.standing().map(|(seats, points)| format!("{seats}:{points}")).collect();
        self.same("the standing", &standing.join(" "), &self.referee.standing())?;
        let winners: String = self.referee.winners().iter().map(ToString::to_string).collect();
        let told = self.engine.winners().map_or(String::new(), |seats| seats.to_string());
        self.same("who has won the match", &told, &winners)?;
        let points: Vec<u16> = self.engine.standing().map(|(_, points)| points).collect();
        let found = match_winners(&self.rules, &points).map_or(String::new(), |seats| seats.to_string());
        self.same("who has won a match with such a standing", &found, &winners)?;
        match result {
            Some(result) => self.compare_functions(&result),
            None => Ok(()),
        }
    }

    /// What the engine also says without a match: who deals next, and what written-down tricks are worth.
    fn compare_functions(&mut self, result: &DealResult) -> Result<(), Box<Disagreement>> {
        let dealer = self.referee.dealer();
        let next = next_dealer(&self.rules, seat_of(dealer), result);
        self.same("who deals next", &Some(usize::from(next.number())), &self.referee.next_dealer())?;
        if !self.referee.tricks_say_all() {
            return Ok(());
        }
        let tricks: Vec<Vec<_>> = self.referee.tricks().iter().map(|trick| given(trick)).collect();
        let soloist = self.referee.soloist().map(seat_of);
        let burned = self.referee.burned_hand().map(|seat| BurnedHandOf { seat: seat_of(seat), soloist });
        let scored = score_deal(&self.rules, &tricks, burned);
        let scored = scored.map(|it| it.to_string()).map_err(|error| format!("{error:?}"));
        self.same("what these tricks are worth", &scored, &Ok(result.to_string()))
    }

    fn same<T: PartialEq + std::fmt::Debug>(
        &self,
        about: &str,
        engine: &T,
        referee: &T,
    ) -> Result<(), Box<Disagreement>> {
        if engine == referee {
            return Ok(());
        }
        Err(Box::new(Disagreement {
            case: self.case.clone(),
            run: self.run,
            deal: self.deal,
            about: about.to_owned(),
            engine: format!("{engine:?}"),
            referee: format!("{referee:?}"),
            transcript: self.transcript.clone(),
        }))
    }
}

pub(crate) fn seat_of(number: usize) -> Seat {
    Seat::new(u8::try_from(number).unwrap()).unwrap()
}

/// A trick as the engine reads it.
pub(crate) fn given(plays: &[(usize, String, bool)]) -> Vec<(Seat, sedma_rules::Card, bool)> {
    plays.iter().map(|(seat, card, announced)| (seat_of(*seat), card.parse().unwrap(), *announced)).collect()
}

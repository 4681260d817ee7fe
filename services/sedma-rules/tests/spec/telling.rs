//! Tells a match as it is played, a line for each trick, so that a person can follow it and a program can play
//! it again.

use std::fmt::Write as _;

use sedma_rules::{
    Action, Card, CardSet, Continuation, ContinuationCondition, DealResult, DealTier, DrawTiming, Event,
    Fact, ForcedMatch, LegalActions, Match, Pack, Rules, Seat, SeatSet, SideScore,
};

/// A match with what was told of it.
pub(crate) struct Telling {
    pub(crate) rules: Rules,
    pub(crate) game: Match,
    pub(crate) text: String,
    pub(crate) results: Vec<DealResult>,
    /// Who dealt each deal.
    pub(crate) dealers: Vec<Seat>,
    /// The trick so far, as it will be written.
    trick: String,
    /// What is to be said under the trick.
    notes: Vec<String>,
    drawn: Vec<(Seat, Card)>,
    taken: String,
}

impl Telling {
    pub(crate) fn new(rules: Rules, head: &str) -> Telling {
        Telling {
            game: Match::new(&rules),
            rules,
            text: head.to_owned(),
            results: Vec::new(),
            dealers: Vec::new(),
            trick: String::new(),
            notes: Vec::new(),
            drawn: Vec::new(),
            taken: String::new(),
        }
    }

    /// The last seat deals first, so that seat 1 leads.
    pub(crate) fn deal(&mut self, pack: Pack) {
        let last = Seat::new(self.rules.seats()).unwrap();
        let mut facts = Vec::new();
        self.game.start_deal(&self.rules, last, pack, &mut facts).unwrap();
        let Some(&Fact::Dealt { deal, dealer, leader, hand_size, .. }) = facts.first() else {
            panic!("{facts:?}")
        };
        self.dealers.push(dealer);
        let cards = pack.cards().len();
        self.line(&format!(
            "\ndeal {deal}: {dealer} deals {hand_size} cards each from {cards}, {leader} leads"
        ));
        self.line(&format!("pack {}", texts(pack.cards().iter().copied())));
        self.happen(facts);
        self.line(&format!("  in hand: {}", self.hands()));
    }

    fn hands(&self) -> String {
        let hands = self.game.view(&self.rules, SeatSet::all(self.rules.seats())).hands;
        let hand = |(seat, cards): (Seat, CardSet)| format!("{seat} {}", texts(cards));
        hands.iter().map(|view| hand((view.seat, view.cards))).collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn act(&mut self, action: Action) {
        let seat = self.game.turn().unwrap();
        let legal = self.game.legal_actions(&self.rules, seat);
        let table = self.table();
        match action {
            Action::ExchangeHands(yes) => {
                let partner = seat.after(2, self.rules.seats());
                let what =
                    if yes { format!("exchanges hands with {partner}") } else { "keeps the hand".to_owned() };
                self.line(&format!("{seat} {what}"));
            }
            Action::EndTrick => self.trick.push_str(" end"),
            Action::Play { .. } | Action::PlayFromStock if legal.end_trick => self.goes_on(seat),
            Action::Play { .. } if table.is_empty() => self.lead_is_limited(seat, legal),
            Action::Play { .. } => self.is_bound(seat, legal, &table),
            Action::PlayFromStock => {}
        }
        if table.is_empty() && !matches!(action, Action::ExchangeHands(_)) {
            self.trick = format!("{seat} leads");
        }
        let mut facts = Vec::new();
        self.game.act(&self.rules, seat, action, &mut facts).unwrap();
        let ended_by_itself = !matches!(action, Action::EndTrick);
        if ended_by_itself && facts.iter().any(|fact| matches!(fact, Fact::TrickWon { .. })) {
            self.may_not_go_on(&facts);
        }
        self.happen(facts);
    }

    fn table(&self) -> Vec<Card> {
        self.game.view(&self.rules, SeatSet::EMPTY).trick.iter().map(|play| play.card).collect()
    }

    fn hand(&self, seat: Seat) -> CardSet {
        self.game.view(&self.rules, SeatSet::of(&[seat])).hands[0].cards
    }

    fn goes_on(&mut self, seat: Seat) {
        let fights = self.rules.options().continuation == Continuation::AbeyanceNewLead;
        self.trick.push_str(if fights { " ||" } else { " |" });
        let winning = self.winning();
        let verb = if fights { "fights" } else { "goes on" };
        self.notes.push(format!("{seat} {verb} while {winning} wins"));
    }

    /// Who would take the trick if it were ended now.
    fn winning(&self) -> Seat {
        let mut facts = Vec::new();
        let turn = self.game.turn().unwrap();
        self.game.act(&self.rules, turn, Action::EndTrick, &mut facts).unwrap();
        match facts[0] {
            Fact::TrickWon { seat, .. } => seat,
            ref other => panic!("{other}"),
        }
    }

    fn lead_is_limited(&mut self, seat: Seat, legal: LegalActions) {
        let excluded = self.hand(seat).minus(legal.plays);
        if !excluded.is_empty() {
            self.notes
                .push(format!("{seat} may not lead {}: three such leads in a row were his", texts(excluded)));
        }
    }

    fn is_bound(&mut self, seat: Seat, legal: LegalActions, table: &[Card]) {
        if legal.plays == self.hand(seat) {
            return;
        }
        let cards = texts(legal.plays);
        self.notes.push(match (self.rules.options().forced_match, table) {
            (ForcedMatch::AfterTwoEqual, [.., one, two]) => {
                let led = table[0].rank();
                let though =
                    if led == two.rank() { String::new() } else { format!(", though {led} was led") };
                format!("{seat} has to play {cards} after {one} {two}{though}")
            }
            _ => format!("{seat} has to match: {cards}"),
        });
    }

    /// Where the leader had a card to go on with and the rules did not let him.
    fn may_not_go_on(&mut self, facts: &[Fact]) {
        let Fact::CardPlayed { seat: last, .. } = facts[0] else { panic!("{facts:?}") };
        let options = self.rules.options();
        let leader = last.next(options.seats);
        let table = self.table();
        if options.continuation != Continuation::SameRankOrWild || table.is_empty() {
            return;
        }
        let cards = self.rules.matching(table[0]).common(self.hand(leader));
        if !cards.is_empty() {
            let why = match options.continuation_condition {
                ContinuationCondition::OpponentWinning => "no opponent wins",
                _ => "nobody else matched",
            };
            self.notes.push(format!("{leader} may not go on with {}: {why}", texts(cards)));
        }
    }

    fn happen(&mut self, facts: Vec<Fact>) {
        for fact in facts {
            self.tell(&fact);
            self.game.evolve(&fact).unwrap();
        }
        if self.table().is_empty() && !self.trick.is_empty() {
            self.end_of_trick();
        }
        if let (false, Some(result)) = (self.game.deal_running(), self.game.last_deal()) {
            let result = *result;
            self.results.push(result);
            self.end_of_deal(&result);
        }
    }

    fn tell(&mut self, fact: &Fact) {
        match *fact {
            Fact::CardPlayed { seat, card, from_stock, marriage_points } => {
                let announced = if marriage_points > 0 { "!" } else { "" };
                let written = if from_stock { format!("({card})") } else { format!("{card}{announced}") };
                write!(self.trick, " {written}").unwrap();
                if marriage_points > 0 {
                    self.notes.push(format!("{seat} announces a marriage of {marriage_points}"));
                }
            }
            Fact::TrickWon { seat, points, cards } => self.taken = self.takes(seat, points, cards),
            Fact::Drawn { .. } => {
                let mut events = Vec::new();
                self.game.events(fact, SeatSet::all(self.rules.seats()), &mut events);
                for event in events {
                    if let Event::OwnCardsDrawn { seat, cards } = event {
                        self.drawn.extend(cards.into_iter().map(|card| (seat, card)));
                    }
                }
            }
            Fact::DealEnded(ref result) => self.burns(result),
            _ => {}
        }
    }

    fn burns(&mut self, result: &DealResult) {
        if result.tier == DealTier::BurnedTrick {
            self.taken = "nobody takes it".to_owned();
            self.notes.push("four of a rank burn the trick".to_owned());
        }
        if let (DealTier::BurnedHand, Some((seat, card))) = (result.tier, self.drawn.last()) {
            self.notes.push(format!("{seat} has drawn the fourth {}: the hand is burned", card.rank()));
        }
    }

    fn takes(&self, winner: Seat, points: u8, cards: u8) -> String {
        let view = self.game.view(&self.rules, SeatSet::EMPTY);
        let trick = &view.trick[usize::from(view.abeyance)..];
        let by =
            trick.iter().rev().find(|play| self.rules.matching(trick[0].card).contains(play.card)).unwrap();
        let unit = if points == 1 { "point" } else { "points" };
        let rounds = if cards > self.rules.seats() { format!(" in {cards} cards") } else { String::new() };
        let wild = if by.card.rank() == trick[0].card.rank() {
            String::new()
        } else {
            format!(" by wild {}", by.card)
        };
        format!("{winner} takes {points} {unit}{rounds}{wild}")
    }

    fn end_of_trick(&mut self) {
        let at_once = self.rules.options().draw_timing == DrawTiming::AfterEachPlay;
        let how = if at_once { "drawn at each play" } else { "drawn" };
        let drawn: Vec<String> = self.drawn.drain(..).map(|(seat, card)| format!("{seat} {card}")).collect();
        let drawn = if drawn.is_empty() { String::new() } else { format!("; {how} {}", drawn.join(", ")) };
        let line = format!("{} -> {}{drawn}", self.trick, self.taken);
        self.line(&line);
        for note in std::mem::take(&mut self.notes) {
            self.line(&format!("  {note}"));
        }
        self.trick.clear();
        self.taken.clear();
    }

    fn end_of_deal(&mut self, result: &DealResult) {
        if !self.trick.is_empty() {
            self.end_of_trick();
        }
        self.taken.clear();
        let sides: Vec<String> = result.sides.iter().map(side).collect();
        let last = match (result.last_trick_seat, result.last_trick_bonus) {
            (Some(seat), 0) => format!("; last trick to {seat}"),
            (Some(seat), bonus) => format!("; last trick to {seat}, {bonus} points"),
            (None, _) => String::new(),
        };
        let scores: Vec<String> =
            self.game.standing().map(|(side, score)| format!("{side} {score}")).collect();
        self.line(&format!("= {}: {}{last}", result.tier, sides.join(", ")));
        let won = self.game.winners().map_or(String::new(), |winners| format!(": {winners} won the match"));
        self.line(&format!("= score {}{won}", scores.join(", ")));
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

fn side(side: &SideScore) -> String {
    let SideScore { seats, points, tricks, game_points } = side;
    let scores = if *game_points > 0 { format!(" and score {game_points}") } else { String::new() };
    let unit = if *tricks == 1 { "trick" } else { "tricks" };
    format!("{seats} have {points} in {tricks} {unit}{scores}")
}

fn texts(cards: impl IntoIterator<Item = Card>) -> String {
    cards.into_iter().map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
}

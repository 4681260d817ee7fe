//! Deals as transcripts: who holds what, what is played, and what happens then.

use sedma_rules::{Action, Card, Fact, LegalActions, Match, Pack, Preset, RuleOptions, Rules, Seat, SeatSet};

use crate::chance::Chance;

/// A match at a table, told in text.
pub(crate) struct Table {
    pub(crate) rules: Rules,
    pub(crate) game: Match,
    /// What happened since the last step, without the plays themselves.
    news: Vec<String>,
}

pub(crate) fn table(preset: Preset, seats: u8) -> Table {
    table_with(preset.options(seats))
}

pub(crate) fn table_with(options: RuleOptions) -> Table {
    let rules = options.check().unwrap();
    Table { game: Match::new(&rules), rules, news: Vec::new() }
}

pub(crate) fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

pub(crate) fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

impl Table {
    /// Deals so that seats 1, 2, ... hold at least these cards and the stock begins with those. What is not
    /// said comes from the rest of the pack. The last seat deals the first deal, so seat 1 leads.
    pub(crate) fn deal(mut self, hands: &[&str], stock: &str) -> Table {
        let leader = self.next_leader();
        let pack = self.pack(leader, hands, stock);
        self.start(pack);
        self
    }

    fn start(&mut self, pack: Pack) {
        let mut facts = Vec::new();
        self.game.start_deal(&self.rules, seat(self.rules.seats()), pack, &mut facts).unwrap();
        self.news.clear();
        self.happen(&facts);
    }

    fn next_leader(&self) -> Seat {
        let mut facts = Vec::new();
        let pack = self.rules.canonical_pack();
        self.game.start_deal(&self.rules, seat(self.rules.seats()), pack, &mut facts).unwrap();
        match facts.first() {
            Some(Fact::Dealt { leader, .. }) => *leader,
            other => panic!("not dealt: {other:?}"),
        }
    }

    fn pack(&self, leader: Seat, hands: &[&str], stock: &str) -> Pack {
        let seats = usize::from(self.rules.seats());
        let dealt = seats * usize::from(self.rules.options().hand_size);
        let mut places: Vec<Option<Card>> = vec![None; self.rules.canonical_pack().cards().len()];
        for (index, hand) in hands.iter().enumerate() {
            let first = (index + seats - leader.index()) % seats;
            for (round, card) in cards(hand).into_iter().enumerate() {
                places[first + round * seats] = Some(card);
            }
        }
        for (place, card) in places[dealt..].iter_mut().zip(cards(stock)) {
            *place = Some(card);
        }
        let named: Vec<Card> = places.iter().flatten().copied().collect();
        let mut rest = self.rules.pack().iter().filter(|card| !named.contains(card));
        let pack: Vec<Card> =
            places.into_iter().map(|place| place.or_else(|| rest.next()).unwrap()).collect();
        Pack::new(&self.rules, &pack).unwrap()
    }

    fn happen(&mut self, facts: &[Fact]) {
        for fact in facts {
            self.game.evolve(fact).unwrap();
            if !matches!(fact, Fact::CardPlayed { .. } | Fact::Dealt { .. }) {
                self.news.push(fact.to_string());
            }
        }
    }

    /// Whoever is to act does this.
    pub(crate) fn act(mut self, action: &str) -> Table {
        let turn = self.game.turn().unwrap_or_else(|| panic!("nobody is to act: {action}"));
        let mut facts = Vec::new();
        let done = self.game.act(&self.rules, turn, action.parse().unwrap(), &mut facts);
        assert_eq!(done, Ok(()), "{turn} does {action}: {}", self.game);
        self.news.clear();
        self.happen(&facts);
        self
    }

    /// These cards are played one after the other by whoever is to act. `|` is for the reader: it stands
    /// where a round is full and the leader goes on.
    pub(crate) fn plays(mut self, plays: &str) -> Table {
        for card in plays.split_whitespace().filter(|word| *word != "|") {
            self = self.act(&format!("play {card}"));
        }
        self
    }

    /// Plays on at random until the deal is over.
    pub(crate) fn played_out(mut self) -> Table {
        let mut chance = Chance::seeded(7);
        while let Some(turn) = self.game.turn() {
            let actions: Vec<Action> = self.game.legal_actions(&self.rules, turn).iter().collect();
            self = self.act(&chance.action(&actions).to_string());
        }
        self
    }

    /// The last action led to just this.
    pub(crate) fn happens(self, news: &[&str]) -> Table {
        assert_eq!(self.news, news, "{}", self.game);
        self
    }

    /// The last action led to this among other things.
    pub(crate) fn happens_also(self, news: &str) -> Table {
        assert!(self.news.iter().any(|it| it == news), "{news} is not in {:?}", self.news);
        self
    }

    pub(crate) fn turn(self, number: u8) -> Table {
        assert_eq!(self.game.turn(), Some(seat(number)), "{}", self.game);
        self
    }

    pub(crate) fn ended(self) -> Table {
        assert_eq!(self.game.turn(), None, "{}", self.game);
        self
    }

    /// Whoever is to act may do just this: actions with commas between.
    pub(crate) fn may(self, actions: &str) -> Table {
        let legal: Vec<String> = self.legal().iter().map(|action| action.to_string()).collect();
        assert_eq!(legal.join(", "), actions, "{}", self.game);
        self
    }

    pub(crate) fn legal(&self) -> LegalActions {
        self.game.turn().map_or(LegalActions::NONE, |turn| self.game.legal_actions(&self.rules, turn))
    }

    /// A seat is refused, for this reason, and nothing changes.
    pub(crate) fn refuses(self, number: u8, action: &str, why: &str) -> Table {
        let mut facts = Vec::new();
        let refused = self.game.act(&self.rules, seat(number), action.parse().unwrap(), &mut facts);
        let refused = refused.expect_err("it is accepted").to_string();
        assert!(refused.contains(why), "{refused}");
        assert!(facts.is_empty());
        self
    }

    /// A seat holds just these cards.
    pub(crate) fn holds(self, number: u8, hand: &str) -> Table {
        let view = self.game.view(&self.rules, SeatSet::of(&[seat(number)]));
        let held: Vec<Card> = view.hands[0].cards.iter().collect();
        let mut expected = cards(hand);
        expected.sort();
        assert_eq!(held, expected, "seat {number}");
        self
    }

    pub(crate) fn stock(self, count: u8) -> Table {
        assert_eq!(self.game.view(&self.rules, SeatSet::EMPTY).stock_count, count);
        self
    }

    pub(crate) fn hand_counts(self, counts: &[u8]) -> Table {
        assert_eq!(self.game.view(&self.rules, SeatSet::EMPTY).hand_counts, counts);
        self
    }

    /// The match score of each side.
    pub(crate) fn standing(self, scores: &[u16]) -> Table {
        assert_eq!(self.game.standing().map(|(_, score)| score).collect::<Vec<_>>(), scores);
        self
    }
}

//! What a spectator makes of a match from its facts alone, and that the views say the same.

use tests::v1::{self, event::Fact};
use tests::views::{facts, game, public};

/// The public state of a game, folded from facts.
pub(crate) struct Record {
    rules: v1::SedmaRules,
    turn: i32,
    table: v1::SedmaTable,
    /// The tricks of the running deal, as they would be written down.
    tricks: Vec<v1::ScoredTrick>,
    /// Every deal that ended, with its tricks.
    pub(crate) deals: Vec<(v1::DealEnded, Vec<v1::ScoredTrick>)>,
    /// Who won the match.
    pub(crate) winners: Vec<i32>,
}

impl Record {
    /// Before the first deal, under these resolved rules.
    pub(crate) fn new(rules: v1::SedmaRules) -> Self {
        let seats: Vec<i32> = (1..=rules.seats()).collect();
        let pairs = rules.partnership() == v1::Partnership::FixedPairs;
        let sides =
            if pairs { vec![vec![1, 3], vec![2, 4]] } else { seats.iter().map(|seat| vec![*seat]).collect() };
        let standing = |seats| v1::SideStanding { seats, ..v1::SideStanding::default() };
        let sides = sides.into_iter().map(standing).collect();
        let table = v1::SedmaTable { sides, ..v1::SedmaTable::default() };
        Self { rules, turn: 0, table, tricks: Vec::new(), deals: Vec::new(), winners: Vec::new() }
    }

    /// Takes an update in, and holds its own view of the table against it.
    pub(crate) fn update(&mut self, update: &v1::Update) {
        for fact in facts(update) {
            self.fact(fact);
        }
        let after = update.after.as_ref().expect("the view after it");
        assert_eq!(public(after).turn_seat, self.turn, "update {}", update.revision);
        assert_eq!(public(after).winner_seats, self.winners);
        if self.table.deal > 0 {
            assert_eq!(game(after), &self.table, "update {}: {:?}", update.revision, facts(update));
        }
    }

    fn fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Dealt(dealt) => self.dealt(dealt),
            Fact::CardPlayed(played) => self.played(played),
            Fact::RoundEnded(round) => {
                assert_eq!(round.leader_seat, self.table.leader_seat);
                self.turn = round.leader_seat;
            }
            Fact::TrickSetAside(aside) => {
                assert_eq!(aside.leader_seat, self.table.leader_seat);
                self.table.abeyance_count = i32::try_from(self.table.trick.len()).unwrap();
            }
            Fact::TrickWon(won) => self.won(won),
            Fact::CardsDrawn(drawn) => {
                self.table.stock_count -= drawn.count;
                *self.hand(drawn.seat) += drawn.count;
            }
            Fact::DealEnded(ended) => self.ended(ended),
            Fact::MatchEnded(ended) => self.winners.clone_from(&ended.winner_seats),
            _ => {}
        }
    }

    fn dealt(&mut self, dealt: &v1::Dealt) {
        assert_eq!(dealt.deal, self.table.deal + 1);
        assert_eq!(dealt.leader_seat, dealt.dealer_seat % self.rules.seats() + 1);
        assert_eq!(dealt.own, []);
        for side in &mut self.table.sides {
            (side.points, side.tricks) = (0, 0);
        }
        let seats = usize::try_from(self.rules.seats()).unwrap();
        self.turn = dealt.leader_seat;
        self.table = v1::SedmaTable {
            deal: dealt.deal,
            dealer_seat: dealt.dealer_seat,
            leader_seat: dealt.leader_seat,
            stock_count: dealt.stock_count,
            hand_counts: vec![self.rules.hand_size(); seats],
            sides: std::mem::take(&mut self.table.sides),
            last_deal: self.table.last_deal.take(),
            ..v1::SedmaTable::default()
        };
    }

    fn played(&mut self, played: &v1::CardPlayed) {
        assert_eq!(played.seat, self.turn);
        if played.from_stock {
            self.table.stock_count -= 1;
        } else {
            *self.hand(played.seat) -= 1;
        }
        self.side(played.seat).points += played.marriage_points;
        let soloist = self.rules.partnership() == v1::Partnership::SecretSoloist;
        if soloist && played.card == Some(tests::card("Kh")) {
            self.table.soloist_seat = played.seat;
        }
        self.table.trick.push(v1::Play {
            seat: played.seat,
            card: played.card,
            announced_marriage: played.announced_marriage,
            from_stock: played.from_stock,
        });
        self.turn = self.turn % self.rules.seats() + 1;
    }

    fn won(&mut self, won: &v1::TrickWon) {
        let plays = std::mem::take(&mut self.table.trick);
        assert_eq!(won.cards, plays.iter().filter_map(|play| play.card).collect::<Vec<_>>());
        let side = self.side(won.seat);
        (side.points, side.tricks) = (side.points + won.points, side.tricks + 1);
        self.tricks.push(v1::ScoredTrick { plays: plays.clone() });
        self.table.last_trick = Some(v1::TakenTrick { plays, winner_seat: won.seat, points: won.points });
        (self.table.leader_seat, self.table.abeyance_count, self.turn) = (won.seat, 0, won.seat);
    }

    fn ended(&mut self, ended: &v1::DealEnded) {
        assert_eq!(ended.deal, self.table.deal);
        if ended.last_trick_seat > 0 {
            self.side(ended.last_trick_seat).points += ended.last_trick_bonus;
        }
        for side in &mut self.table.sides {
            let scored = ended.sides.iter().find(|scored| scored.seats.contains(&side.seats[0]));
            let scored = scored.expect("a side of the deal");
            side.game_points += scored.game_points;
        }
        // Also two seats that a deal has joined against its soloist: each for itself, as in the view.
        assert_eq!(ended.totals, self.table.sides, "deal {}", ended.deal);
        if ended.tier() == v1::DealTier::BurnedTrick {
            self.tricks.push(v1::ScoredTrick { plays: self.table.trick.clone() });
        }
        // Nobody leads on, and who played alone is told by the sides of the deal.
        (self.turn, self.table.leader_seat, self.table.soloist_seat) = (0, 0, 0);
        self.deals.push((ended.clone(), std::mem::take(&mut self.tricks)));
        self.table.last_deal = Some(score(ended));
    }

    /// The sides of the match with what they have.
    pub(crate) fn sides(&self) -> &[v1::SideStanding] {
        &self.table.sides
    }

    fn side(&mut self, seat: i32) -> &mut v1::SideStanding {
        self.table.sides.iter_mut().find(|side| side.seats.contains(&seat)).expect("a side of the match")
    }

    fn hand(&mut self, seat: i32) -> &mut i32 {
        &mut self.table.hand_counts[usize::try_from(seat - 1).unwrap()]
    }
}

/// How a deal ended, as a score has it.
pub(crate) fn score(ended: &v1::DealEnded) -> v1::DealScore {
    v1::DealScore {
        deal: ended.deal,
        tier: ended.tier,
        sides: ended.sides.clone(),
        last_trick_bonus: ended.last_trick_bonus,
        last_trick_seat: ended.last_trick_seat,
    }
}

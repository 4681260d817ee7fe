//! The course of a match, told by the updates of a watch from which nothing is hidden: who holds what, and what
//! everybody has learnt about hands by what happened.
//!
//! No play is judged here. This knows only what depends, by the rules, on cards that are hidden: whether a leader may go
//! on, what a player is bound to, which hand burns, what a marriage shows, and who was alone when a deal ends.

use tests::v1::event::Fact;
use tests::v1::{self, Card};
use tests::views::facts;

use crate::promise::{Held, Promise};
use crate::rules::{Rules, spouse};

/// A match so far.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    rules: Rules,
    packs: Vec<Vec<Card>>,
    /// The deals that were dealt, in their order.
    deals: Vec<Deal>,
}

/// A deal so far.
#[derive(Clone, Debug, Default)]
struct Deal {
    pack: Vec<Card>,
    /// The places in the pack where each seat's cards lay.
    hands: Vec<Vec<usize>>,
    /// What was played since the trick was led.
    trick: Vec<Card>,
    leader: i32,
    /// How many cards of the trick are in its last round.
    in_round: usize,
    /// Whether the leader was asked since whether he goes on.
    asked: bool,
    promises: Vec<Promise>,
    burned: bool,
    /// How many cards were dealt; the rest of the pack was the stock.
    dealt: usize,
    /// What was played from the stock.
    unseen: Vec<Card>,
}

impl Course {
    /// A match by these rules, which is played with these packs.
    pub(crate) fn new(rules: Rules, packs: &[v1::ScriptedPack]) -> Self {
        let packs = packs.iter().map(|pack| pack.cards.clone()).collect();
        Self { rules, packs, deals: Vec::new() }
    }

    /// Takes the next update in, as one is told it who sees every hand.
    pub(crate) fn follow(&mut self, update: &v1::Update) {
        for fact in facts(update) {
            if let Fact::Dealt(dealt) = fact {
                let pack = self.packs[self.deals.len()].clone();
                self.deals.push(Deal {
                    pack,
                    hands: vec![Vec::new(); self.rules.seats()],
                    ..Deal::default()
                });
                assert_eq!(usize::try_from(dealt.deal), Ok(self.deals.len()), "a deal that was not told");
            }
            if let Some(deal) = self.deals.last_mut() {
                deal.follow(&self.rules, fact);
            }
        }
    }

    /// The cards in a seat's hand.
    pub(crate) fn hand(&self, seat: i32) -> Vec<Card> {
        let deal = self.deals.last();
        deal.map_or_else(Vec::new, |deal| deal.hand(seat).iter().map(|place| deal.pack[*place]).collect())
    }

    /// Those of them that came from the stock.
    pub(crate) fn drawn(&self, seat: i32) -> Vec<Card> {
        let deal = self.deals.last();
        let was_dealt = |card: &Card| deal.is_some_and(|deal| deal.place(*card) < deal.dealt);
        self.hand(seat).into_iter().filter(|card| !was_dealt(card)).collect()
    }

    /// The cards that were played unseen in the running deal.
    pub(crate) fn played_from_stock(&self) -> Vec<Card> {
        self.deals.last().map_or_else(Vec::new, |deal| deal.unseen.clone())
    }

    /// Who holds a card.
    pub(crate) fn holder(&self, card: Card) -> Option<i32> {
        (1..=self.rules.seats()).map(seat_number).find(|seat| self.hand(*seat).contains(&card))
    }

    /// The card whose holder plays alone.
    pub(crate) fn soloist_card(&self) -> Option<Card> {
        self.rules.soloist_card()
    }

    /// Whether a hand has burned.
    pub(crate) fn has_burned(&self) -> bool {
        self.deals.iter().any(|deal| deal.burned)
    }

    /// Whether a deal (from 1) could have taken the same course, for everybody to see, with another pack.
    pub(crate) fn allows(&self, deal: usize, pack: &[Card]) -> bool {
        let dealt = self.deals.get(deal - 1);
        dealt.is_none_or(|deal| deal.promises.iter().all(|promise| promise.is_kept_by(pack)))
    }
}

impl Deal {
    fn follow(&mut self, rules: &Rules, fact: &Fact) {
        match fact {
            Fact::Dealt(dealt) => {
                self.have(&dealt.own);
                self.dealt = self.hands.iter().map(Vec::len).sum();
            }
            Fact::HandsExchanged(exchanged) => self.have(&exchanged.own),
            Fact::CardPlayed(played) => self.played(rules, played),
            Fact::OwnCardsDrawn(drawn) => self.drew(rules, drawn),
            Fact::RoundEnded(_) => self.asks(rules),
            Fact::TrickSetAside(_) => self.clear(),
            Fact::TrickWon(_) => self.taken(rules),
            Fact::DealEnded(ended) => self.ended(rules, ended),
            _ => {}
        }
    }

    fn hand(&self, seat: i32) -> &Vec<usize> {
        &self.hands[index(seat)]
    }

    fn place(&self, card: Card) -> usize {
        self.pack.iter().position(|other| *other == card).expect("a card of the pack")
    }

    fn promise(&mut self, hand: &[usize], held: Held) -> bool {
        let promise = Promise::of(&self.pack, hand, held);
        let holds = promise.holds();
        self.promises.push(promise);
        holds
    }

    /// These seats have these hands now.
    fn have(&mut self, own: &[v1::SeatCards]) {
        for hand in own {
            self.hands[index(hand.seat)] = hand.cards.iter().map(|card| self.place(*card)).collect();
        }
    }

    fn played(&mut self, rules: &Rules, played: &v1::CardPlayed) {
        let card = played.card.expect("a card");
        let place = self.place(card);
        self.hands[index(played.seat)].retain(|held| *held != place);
        self.unseen.extend(played.from_stock.then_some(card));
        if self.trick.is_empty() {
            self.leader = played.seat;
        }
        let rest = self.hand(played.seat).clone();
        if let Some(other) = played.announced_marriage.then(|| spouse(card)) {
            assert!(self.promise(&rest, Held::AnyOf(vec![other])), "half a marriage was announced");
        }
        // The leader, who begins a round, is never bound.
        let follows = !self.trick.is_empty() && self.in_round < rules.seats();
        let bound = if follows { rules.bound_to(&self.trick, self.in_round) } else { Vec::new() };
        if !bound.is_empty() && !bound.contains(&card) {
            assert!(!self.promise(&rest, Held::AnyOf(bound)), "he was bound to another card");
        }
        self.in_round = if self.in_round < rules.seats() { self.in_round + 1 } else { 1 };
        self.trick.push(card);
        self.asked = false;
    }

    fn drew(&mut self, rules: &Rules, drawn: &v1::OwnCardsDrawn) {
        for card in &drawn.cards {
            let place = self.place(*card);
            self.hands[index(drawn.seat)].push(place);
            if rules.burns_hands() {
                let hand = self.hand(drawn.seat).clone();
                self.promise(&hand, Held::FourWithTheLast);
            }
        }
    }

    fn asks(&mut self, rules: &Rules) {
        self.asked = true;
        if let Some(wanted) = rules.goes_on_with(&self.trick) {
            let hand = self.hand(self.leader).clone();
            assert!(self.promise(&hand, Held::AnyOf(wanted)), "a leader may go on who can't");
        }
    }

    /// A full trick that is taken at once tells that its leader could not have gone on; unless he could have, by his
    /// hand, and it is the table that forbids it.
    fn taken(&mut self, rules: &Rules) {
        if let (false, Some(wanted)) = (self.asked, rules.goes_on_with(&self.trick)) {
            let promise = Promise::of(&self.pack, self.hand(self.leader), Held::AnyOf(wanted));
            self.promises.extend((!promise.holds()).then_some(promise));
        }
        self.clear();
    }

    fn clear(&mut self) {
        self.trick.clear();
        self.in_round = 0;
        self.asked = false;
    }

    /// The sides of a deal that has ended tell who has the soloist's card, where he has not played it.
    fn ended(&mut self, rules: &Rules, ended: &v1::DealEnded) {
        self.burned = ended.tier() == v1::DealTier::BurnedHand;
        assert_eq!(self.burned, self.promises.iter().any(Promise::burns), "which hands burn");
        if let Some(card) = rules.soloist_card() {
            for hand in self.hands.clone() {
                self.promise(&hand, Held::AnyOf(vec![card]));
            }
        }
    }
}

fn index(seat: i32) -> usize {
    usize::try_from(seat - 1).expect("a seat")
}

fn seat_number(seat: usize) -> i32 {
    i32::try_from(seat).expect("a seat")
}

#[cfg(test)]
mod unit {
    use tests::v1::event::Fact;
    use tests::v1::{self, BurnedHand, Continuation, ForcedMatch, Partnership, Rank, SoloistCard};
    use tests::{card, cards, text};

    use super::{Course, Rules};

    fn rules(seats: i32) -> v1::SedmaRules {
        let sevens = v1::RankList { ranks: vec![Rank::Seven.into()] };
        v1::SedmaRules { seats: Some(seats), wild_ranks: Some(sevens), ..v1::SedmaRules::default() }
    }

    /// What happened after these hands were dealt from a pack that has them one after the other, and then the stock.
    fn course(rules: v1::SedmaRules, hands: &[&str], stock: &str, then: Vec<Fact>) -> Course {
        let pack = v1::ScriptedPack { cards: cards(&format!("{} {stock}", hands.join(" "))) };
        let own = (1..).zip(hands).map(|(seat, hand)| v1::SeatCards { seat, cards: cards(hand) }).collect();
        let dealt = Fact::Dealt(v1::Dealt { deal: 1, own, ..v1::Dealt::default() });
        let mut course = Course::new(Rules(rules), &[pack]);
        let events = [dealt].into_iter().chain(then).map(|fact| v1::Event { fact: Some(fact) }).collect();
        course.follow(&v1::Update { events, ..v1::Update::default() });
        course
    }

    fn played(seat: i32, text: &str) -> Fact {
        Fact::CardPlayed(v1::CardPlayed { seat, card: Some(card(text)), ..v1::CardPlayed::default() })
    }

    fn drew(seat: i32, text: &str) -> Fact {
        Fact::OwnCardsDrawn(v1::OwnCardsDrawn { seat, cards: cards(text) })
    }

    #[track_caller]
    fn allows(course: &Course, packs: &[(&str, bool)]) {
        for (pack, allowed) in packs {
            assert_eq!(course.allows(1, &cards(pack)), *allowed, "{pack}");
        }
    }

    #[test]
    fn a_leader_who_is_asked_can_go_on_and_one_who_is_not_asked_cannot() {
        let going_on = || {
            let mut rules = rules(2);
            rules.set_continuation(Continuation::SameRankOrWild);
            rules
        };
        let round = [played(1, "9c"), played(2, "8c")].to_vec();
        let asked = [round.clone(), vec![Fact::RoundEnded(v1::RoundEnded { leader_seat: 1 })]].concat();
        let course_asked = course(going_on(), &["9c 9d Kc", "8c Qc Qd"], "7h Kd", asked);
        let packs = [("9c 7h Kc 8c Qc Qd 9d Kd", true), ("9c Qd Kc 8c Qc 9d 7h Kd", false)];
        allows(&course_asked, &packs);

        let taken = [round, vec![Fact::TrickWon(v1::TrickWon::default())]].concat();
        let course_taken = course(going_on(), &["9c Kc Kd", "8c Qc Qd"], "7h 9d", taken.clone());
        allows(&course_taken, &[("9c Qc Qd 8c Kc Kd 7h 9d", true), ("9c 7h Kd 8c Qc Qd Kc 9d", false)]);
        // Here he could have gone on by his hand, so that it was not his hand that told.
        let course_held = course(going_on(), &["9c 9d Kd", "8c Qc Qd"], "7h Kc", taken);
        allows(&course_held, &[("9c Qc Qd 8c 9d Kd 7h Kc", true)]);
    }

    #[test]
    fn who_played_another_card_was_not_bound() {
        let plays = vec![played(1, "Qc"), played(2, "Qd"), played(3, "8c")];
        let bound_by = |forced| {
            let mut rules = rules(3);
            rules.set_forced_match(forced);
            course(rules, &["Qc 9c", "Qd 9d", "8c 9h"], "Qh 7h", plays.clone())
        };
        let [queen, seven] = ["Qc 9c Qd 9d 8c Qh 9h 7h", "Qc 9c Qd 9d 8c 7h Qh 9h"];
        allows(&bound_by(ForcedMatch::AfterTwoEqual), &[(queen, false), (seven, true)]);
        allows(&bound_by(ForcedMatch::MustMatchIfAble), &[(queen, false), (seven, false)]);
        allows(&bound_by(ForcedMatch::Off), &[(queen, true), (seven, true)]);
    }

    #[test]
    fn a_hand_burns_where_it_did_and_nowhere_else() {
        let mut burning = rules(2);
        burning.set_burned_hand(BurnedHand::OnDraw);
        let ended = v1::DealEnded { tier: v1::DealTier::BurnedHand.into(), ..v1::DealEnded::default() };
        let then = vec![played(1, "8c"), drew(1, "Kd"), Fact::DealEnded(ended)];
        let burned = course(burning.clone(), &["8c Kc Ks Kh", "9c 9d 9h Jc"], "Kd 9s", then);
        assert!(burned.has_burned());
        let others = "8c 9c 9d 9h Kc Ks Kh Jc 9s Kd";
        allows(&burned, &[(others, true), ("8c Kc Ks Jc 9c 9d 9h Kh Kd 9s", false)]);

        let not_burned = course(burning, &["8c Kc Ks Kh", "9c 9d 9h Jc"], "10d 9s", vec![drew(2, "10d")]);
        assert!(!not_burned.has_burned());
        let [burns, stays] = ["8c Kc Ks Kh 9c 9d 9h Jc 9s 10d", "8c Kc Ks Kh 9c 9d 9h Jc 10d 9s"];
        allows(&not_burned, &[(burns, false), (stays, true)]);
    }

    #[test]
    fn a_marriage_shows_the_other_half() {
        let announced = v1::CardPlayed {
            seat: 1,
            card: Some(card("Kc")),
            announced_marriage: true,
            ..v1::CardPlayed::default()
        };
        let course = course(rules(2), &["Kc Qc 8c", "9c 9d"], "", vec![Fact::CardPlayed(announced)]);
        allows(&course, &[("Kc Qc 9d 9c 8c", true), ("Kc 8c Qc 9c 9d", true), ("Kc 9c 8c Qc 9d", false)]);
    }

    #[test]
    fn the_soloist_is_known_when_the_deal_has_ended() {
        let mut alone = rules(3);
        alone.set_partnership(Partnership::SecretSoloist);
        alone.set_soloist_card(SoloistCard::KingOfHearts);
        let running = course(alone.clone(), &["Kh 8c", "9c 9d", "10c 10d"], "Jc", Vec::new());
        let over = vec![Fact::DealEnded(v1::DealEnded::default())];
        let ended = course(alone, &["Kh 8c", "9c 9d", "10c 10d"], "Jc", over);
        let [elsewhere, same_hand] = ["9c 8c Kh 9d 10c 10d Jc", "8c Kh 9c 9d 10d Jc 10c"];
        allows(&running, &[(elsewhere, true), (same_hand, true)]);
        allows(&ended, &[(elsewhere, false), (same_hand, true)]);
        assert_eq!(running.holder(card("Kh")), Some(1));
    }

    #[test]
    fn hands_that_were_exchanged_are_in_the_other_seats() {
        let own = |seat, text| v1::SeatCards { seat, cards: cards(text) };
        let exchanged =
            v1::HandsExchanged { seat: 1, exchanged: true, own: vec![own(1, "10c 10d"), own(3, "7c 8c")] };
        let then = vec![Fact::HandsExchanged(exchanged), played(1, "10c"), drew(1, "As")];
        let course = course(rules(4), &["7c 8c", "9c 9d", "10c 10d", "Jc Jd"], "As", then);
        assert_eq!([1, 2, 3].map(|seat| text(&course.hand(seat))), ["10d As", "9c 9d", "7c 8c"]);
    }
}

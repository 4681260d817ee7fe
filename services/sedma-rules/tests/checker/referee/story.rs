//! A deal told from its beginning: the pack that was dealt and every deed since. Nothing is kept between two
//! tellings, so whatever the referee says follows from the whole history.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::book::{Book, BurnedHand, GoingOn};
use super::card::Card;
use super::legal;
use super::settle::{Outcome, settle};
use super::situation::Situation;
use super::trick::{Play, Trick, points_and_cards};

/// With what a deal begins.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub(crate) number: u32,
    pub(crate) dealer: usize,
    pub(crate) pack: Vec<Card>,
}

/// What a seat does when its turn comes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    Exchange(bool),
    Play(Card, bool),
    Blind,
    End,
}

/// Tricks that were taken together, and by whom.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) by: usize,
    pub(crate) tricks: Vec<Trick>,
}

/// How a deal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    PlayedOut,
    Stopped,
    BurnedHand(usize),
    BurnedTrick(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Story {
    pub(crate) book: Rc<Book>,
    pub(crate) hands: Vec<Vec<Card>>,
    /// The top card first.
    pub(crate) stock: Vec<Card>,
    /// The tricks on the table: the last is being played, the others are in abeyance.
    pub(crate) table: Vec<Trick>,
    pub(crate) taken: Vec<Taken>,
    /// Who leads the next trick.
    pub(crate) leader: usize,
    pub(crate) exchange_is_open: bool,
    pub(crate) ending: Option<Ending>,
    pub(crate) outcome: Option<Outcome>,
    /// Whether what happens now is told.
    aloud: bool,
    /// The facts that the last deed led to.
    pub(crate) told: Vec<String>,
    pub(crate) met: BTreeSet<Situation>,
}

impl Story {
    /// Tells a deal from its opening.
    pub(crate) fn tell(book: &Rc<Book>, opening: &Opening, deeds: &[Deed]) -> Story {
        let mut story = Story::open(book, opening, deeds.is_empty());
        for (number, deed) in deeds.iter().enumerate() {
            story.aloud = number + 1 == deeds.len();
            story.happen(*deed);
        }
        story
    }

    fn open(book: &Rc<Book>, opening: &Opening, aloud: bool) -> Story {
        let leader = book.seat_after(opening.dealer, 1);
        let mut story = Story {
            book: Rc::clone(book),
            hands: vec![Vec::new(); book.seats],
            stock: opening.pack.clone(),
            table: Vec::new(),
            taken: Vec::new(),
            leader,
            exchange_is_open: book.exchange && opening.number > 1,
            ending: None,
            outcome: None,
            aloud,
            told: Vec::new(),
            met: BTreeSet::new(),
        };
        story.say(|| opening.text(leader, book.hand_size));
        for _ in 0..book.hand_size {
            book.seats_from(leader).for_each(|seat| story.take_from_stock(seat));
        }
        if book.burned_hand == BurnedHand::DealtOrDrawn
            && let Some(seat) = book.seats_from(leader).find(|seat| has_four_equal(story.hand(*seat)))
        {
            story.met.insert(Situation::HandBurnedAsDealt);
            story.end(Ending::BurnedHand(seat));
        }
        story
    }

    fn say(&mut self, fact: impl FnOnce() -> String) {
        if self.aloud {
            self.told.push(fact());
        }
    }

    fn take_from_stock(&mut self, seat: usize) {
        let card = self.stock.remove(0);
        self.hands[seat - 1].push(card);
    }

    pub(crate) fn hand(&self, seat: usize) -> &[Card] {
        &self.hands[seat - 1]
    }

    /// Whether a round is full and its leader chooses.
    pub(crate) fn is_round_full(&self) -> bool {
        self.table.last().is_some_and(|trick| trick.is_round_full(&self.book))
    }

    /// Who is to act.
    pub(crate) fn turn(&self) -> Option<usize> {
        if self.outcome.is_some() {
            return None;
        }
        let in_round = self.table.last().map_or(0, |trick| trick.plays.len());
        Some(self.book.seat_after(self.leader, in_round))
    }

    /// Every lead of the deal so far.
    fn leads(&self) -> Vec<(usize, Card)> {
        let tricks = self.taken.iter().flat_map(|taken| &taken.tricks).chain(&self.table);
        tricks.map(|trick| (trick.lead().seat, trick.lead().card)).collect()
    }

    /// Every play of the deal so far.
    pub(crate) fn plays(&self) -> impl Iterator<Item = &Play> {
        let tricks = self.taken.iter().flat_map(|taken| &taken.tricks).chain(&self.table);
        tricks.flat_map(|trick| &trick.plays)
    }

    /// Whether the next card is the first of a trick, if it is not one to go on with in the same trick.
    fn is_lead(&self) -> bool {
        self.table.is_empty() || self.is_round_full() && self.book.going_on == GoingOn::NewTrick
    }

    /// The cards that the seat to act may play.
    pub(crate) fn playable(&self, seat: usize) -> Vec<Card> {
        let hand = self.hand(seat);
        match self.table.last() {
            Some(trick) if trick.is_round_full(&self.book) => trick.going_on(&self.book, hand),
            Some(trick) => legal::following(&self.book, trick, hand),
            None => legal::leading(&self.book, &self.leads(), seat, hand),
        }
    }

    /// Whether a marriage may be announced with a card that may be played.
    pub(crate) fn may_announce(&self, seat: usize, card: Card) -> bool {
        let announced = |play: &Play| play.marriage > 0 && play.card.suit == card.suit;
        self.book.marriages
            && self.is_lead()
            && legal::has_marriage(self.hand(seat), card)
            && !self.plays().any(announced)
    }

    /// Whether the top card of the stock may be played unseen.
    pub(crate) fn may_play_blind(&self) -> bool {
        self.book.blind_play && !self.stock.is_empty()
    }

    fn happen(&mut self, deed: Deed) {
        let seat = self.turn().expect("a deal that is over has no more deeds");
        self.note_deed(seat, deed);
        match deed {
            Deed::Exchange(yes) => self.exchange(seat, yes),
            Deed::Play(card, announce) => {
                self.hands[seat - 1].retain(|held| *held != card);
                let marriage = if announce { self.book.marriage_in(card.suit) } else { 0 };
                self.play(Play { seat, card, blind: false, marriage });
            }
            Deed::Blind => {
                let card = self.stock.remove(0);
                self.play(Play { seat, card, blind: true, marriage: 0 });
            }
            Deed::End => self.take(),
        }
    }

    fn exchange(&mut self, seat: usize, yes: bool) {
        self.exchange_is_open = false;
        self.say(|| format!("exchange {seat} {}", if yes { "yes" } else { "no" }));
        if yes {
            let partner = self.book.seat_after(seat, 2);
            self.hands.swap(seat - 1, partner - 1);
        }
    }

    fn play(&mut self, play: Play) {
        let leads = self.is_lead();
        if leads && !self.table.is_empty() {
            self.say(|| "aside".to_owned());
        }
        match self.table.last_mut() {
            Some(trick) if !leads => trick.plays.push(play),
            _ => self.table.push(Trick::led(play)),
        }
        self.say(|| play.text());
        if self.table.last().is_some_and(|trick| trick.is_burned(&self.book)) {
            return self.end(Ending::BurnedTrick(play.seat));
        }
        if self.book.draw_after_each_play && !play.blind {
            self.draw(play.seat, 1);
        }
        if self.outcome.is_none() && self.is_round_full() {
            self.close_round();
        }
    }

    /// A full round: its leader chooses whether to go on, if he may, else the trick is taken.
    fn close_round(&mut self) {
        if self.playable(self.leader).is_empty() {
            self.note_no_going_on();
            self.take();
        } else {
            self.say(|| "round".to_owned());
        }
    }

    fn take(&mut self) {
        let tricks = std::mem::take(&mut self.table);
        let by = tricks.last().map_or(self.leader, |trick| trick.winner(&self.book));
        let (points, cards) = points_and_cards(&self.book, &tricks);
        self.say(|| format!("trick {by} points {points} cards {cards}"));
        self.taken.push(Taken { by, tricks });
        self.leader = by;
        if self.stock.is_empty() && self.hands.iter().all(Vec::is_empty) {
            self.end(Ending::PlayedOut);
        } else if self.book.stop_at > 0 && self.points_of_side_of(by) >= self.book.stop_at {
            self.end(Ending::Stopped);
        } else if !self.book.draw_after_each_play {
            self.draw(by, self.book.seats);
        }
    }

    /// What a seat and its partner have taken and announced so far.
    fn points_of_side_of(&self, seat: usize) -> u32 {
        let taken = self.taken.iter().filter(|taken| self.book.partners(seat, taken.by));
        let cards: u32 = taken.map(|taken| points_and_cards(&self.book, &taken.tricks).0).sum();
        let own = self.plays().filter(|play| self.book.partners(seat, play.seat));
        cards + own.map(|play| play.marriage).sum::<u32>()
    }

    /// So many seats fill up their hands, one card at a time; the first hand with four equal cards ends it.
    fn draw(&mut self, first: usize, seats: usize) {
        let mut drawn = 0;
        let mut burned = None;
        let drawers: Vec<usize> = self.book.seats_from(first).take(seats).collect();
        for &seat in drawers.iter().cycle() {
            if self.stock.is_empty() || self.hand(seat).len() >= self.book.hand_size {
                break;
            }
            self.take_from_stock(seat);
            drawn += 1;
            if self.book.burned_hand != BurnedHand::Never && last_card_makes_four(self.hand(seat)) {
                burned = Some(seat);
                break;
            }
        }
        if drawn > 0 {
            self.say(|| format!("draw {first} cards {drawn}"));
            self.note_draw(&drawers);
        }
        if let Some(seat) = burned {
            self.end(Ending::BurnedHand(seat));
        }
    }

    fn end(&mut self, ending: Ending) {
        let outcome = settle(self, ending);
        self.say(|| format!("end {outcome}"));
        self.note_ending(ending, &outcome);
        self.ending = Some(ending);
        self.outcome = Some(outcome);
    }
}

impl Opening {
    fn text(&self, leader: usize, hand_size: usize) -> String {
        let Opening { number, dealer, pack } = self;
        let pack: Vec<String> = pack.iter().map(ToString::to_string).collect();
        let pack = pack.join(" ");
        format!("dealt {number} dealer {dealer} leader {leader} hand {hand_size} pack {pack}")
    }
}

impl Play {
    fn text(&self) -> String {
        let Play { seat, card, .. } = self;
        let blind = if self.blind { " blind" } else { "" };
        let marriage = if self.marriage > 0 { format!(" marriage {}", self.marriage) } else { String::new() };
        format!("play {seat} {card}{blind}{marriage}")
    }
}

fn equal_cards(hand: &[Card], rank: char) -> usize {
    hand.iter().filter(|card| card.rank == rank).count()
}

fn has_four_equal(hand: &[Card]) -> bool {
    hand.iter().any(|card| equal_cards(hand, card.rank) == 4)
}

fn last_card_makes_four(hand: &[Card]) -> bool {
    hand.last().is_some_and(|drawn| equal_cards(hand, drawn.rank) == 4)
}

//! A second opinion on the rules: every game written down again from its description, for clarity and not for
//! speed. It speaks the text forms of cards, actions and facts, and shares no code with what it judges.

mod book;
mod card;
mod dealer;
mod expected;
mod legal;
mod presets;
mod settle;
mod situation;
mod story;
mod trick;
mod verdict;

use std::collections::BTreeSet;
use std::rc::Rc;

use book::{Book, Company, Worth};
use card::Card;
use expected::expected;
use settle::{Outcome, seats_text, soloist};
use story::{Deed, Ending, Opening, Story};
use trick::Trick;

pub(crate) use presets::PAIRS;
pub(crate) use situation::Situation;
pub(crate) use verdict::{Verdict, WholeTrick};

/// One match, as the rule book would have it.
pub(crate) struct Referee {
    book: Rc<Book>,
    deal: Option<(Opening, Vec<Deed>)>,
    /// The deal's history as it was told last.
    story: Option<Story>,
    /// Game points by seat; partners have the same.
    scores: Vec<u32>,
    winners: Vec<usize>,
    met: BTreeSet<Situation>,
}

impl Referee {
    /// A match of a preset with some options changed: pairs of the option's name and its value.
    pub(crate) fn new(preset: &str, seats: usize, changes: &[(&str, &str)]) -> Referee {
        let book = Rc::new(Book::open(preset, seats, changes));
        let (scores, winners, met) = (vec![0; seats], Vec::new(), BTreeSet::new());
        Referee { book, deal: None, story: None, scores, winners, met }
    }

    /// The cards of the pack, suit by suit.
    pub(crate) fn pack(&self) -> Vec<String> {
        self.book.pack.iter().map(ToString::to_string).collect()
    }

    pub(crate) fn hand_size(&self) -> usize {
        self.book.hand_size
    }

    /// A trick of its own, led by the seat from these hands.
    pub(crate) fn trick(&self, hands: &[Vec<String>], leader: usize) -> WholeTrick {
        WholeTrick::new(Rc::clone(&self.book), hands, leader)
    }

    /// The situations that a run of these rules must meet.
    pub(crate) fn expected(&self) -> Vec<Situation> {
        expected(&self.book)
    }

    /// Deals the next pack and tells what happened. Only the first deal asks who deals it.
    pub(crate) fn start_deal(&mut self, first_dealer: usize, pack: &[String]) -> Vec<String> {
        let dealer = self.next_dealer().unwrap_or(first_dealer);
        let number = self.deal.as_ref().map_or(0, |(opening, _)| opening.number) + 1;
        let pack = pack.iter().map(|card| Card::read(card)).collect();
        self.met.clear();
        self.note_dealer(dealer);
        self.deal = Some((Opening { number, dealer, pack }, Vec::new()));
        self.retell()
    }

    /// Who deals next; nobody is named before the first deal.
    pub(crate) fn next_dealer(&self) -> Option<usize> {
        let (opening, _) = self.deal.as_ref()?;
        Some(dealer::next_dealer(&self.book, opening.dealer, self.outcome()?))
    }

    /// Who dealt.
    pub(crate) fn dealer(&self) -> usize {
        self.deal.as_ref().map_or(1, |(opening, _)| opening.dealer)
    }

    /// Who is to act.
    pub(crate) fn turn(&self) -> Option<usize> {
        self.story.as_ref()?.turn()
    }

    /// Everything that the seat to act may do.
    pub(crate) fn legal(&self) -> BTreeSet<String> {
        let (Some(story), Some(seat)) = (&self.story, self.turn()) else { return BTreeSet::new() };
        if story.exchange_is_open {
            return ["exchange yes", "exchange no"].map(str::to_owned).into();
        }
        let cards = story.playable(seat);
        let marriages = cards.iter().filter(|card| story.may_announce(seat, **card));
        let mut actions: BTreeSet<String> = marriages.map(|card| format!("play {card} marriage")).collect();
        actions.extend(cards.iter().map(|card| format!("play {card}")));
        actions.extend(story.may_play_blind().then(|| "blind".to_owned()));
        actions.extend(story.is_round_full().then(|| "end".to_owned()));
        actions
    }

    /// Does what the seat to act may do, and tells what happened.
    pub(crate) fn act(&mut self, action: &str) -> Vec<String> {
        let deed = match action.split(' ').collect::<Vec<_>>()[..] {
            ["exchange", answer] => Deed::Exchange(answer == "yes"),
            ["play", card] => Deed::Play(Card::read(card), false),
            ["play", card, "marriage"] => Deed::Play(Card::read(card), true),
            ["blind"] => Deed::Blind,
            ["end"] => Deed::End,
            _ => panic!("{action} is no action"),
        };
        self.deal.as_mut().unwrap().1.push(deed);
        self.retell()
    }

    fn retell(&mut self) -> Vec<String> {
        let (opening, deeds) = self.deal.as_ref().unwrap();
        let story = Story::tell(&self.book, opening, deeds);
        let mut told = story.told.clone();
        if let Some(outcome) = &story.outcome {
            for seat in 1..=self.book.seats {
                self.scores[seat - 1] += outcome.side_of(seat).game;
            }
            self.met.extend(&story.met);
            self.find_winners();
            told.extend((!self.winners.is_empty()).then(|| format!("match {}", seats_text(&self.winners))));
        }
        self.story = Some(story);
        told
    }

    /// The highest score wins if it has reached the target. Level on top, all of them win; only where points
    /// are scored as they are taken, play goes on.
    fn find_winners(&mut self) {
        let top = self.scores.iter().copied().max().unwrap_or(0);
        if self.book.target == 0 || top < self.book.target {
            return;
        }
        let on_top: Vec<usize> = (1..=self.book.seats).filter(|seat| self.scores[seat - 1] == top).collect();
        let one_side = on_top.iter().all(|seat| self.book.partners(*seat, on_top[0]));
        if !one_side && matches!(self.book.worth, Worth::Points(_)) {
            self.met.insert(Situation::LevelAboveTheTarget);
            return;
        }
        self.met.insert(if one_side { Situation::MatchWon } else { Situation::SeveralWinTheMatch });
        self.winners = on_top;
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.story.as_ref()?.outcome.as_ref()
    }

    /// The result of the deal that has ended.
    pub(crate) fn result(&self) -> Option<String> {
        self.outcome().map(ToString::to_string)
    }

    /// Each side of the match with its score: `13:4 24:1`.
    pub(crate) fn standing(&self) -> String {
        let sides: Vec<Vec<usize>> = match self.book.company {
            Company::Pairs => vec![vec![1, 3], vec![2, 4]],
            _ => (1..=self.book.seats).map(|seat| vec![seat]).collect(),
        };
        let text = |side: Vec<usize>| format!("{}:{}", seats_text(&side), self.scores[side[0] - 1]);
        sides.into_iter().map(text).collect::<Vec<_>>().join(" ")
    }

    /// Who has won the match; empty while it goes on.
    pub(crate) fn winners(&self) -> &[usize] {
        &self.winners
    }

    /// What the deal that has ended came to.
    pub(crate) fn met(&self) -> &BTreeSet<Situation> {
        &self.met
    }

    /// Whether playing the card leads to a trick or matches one.
    pub(crate) fn leads_or_matches(&self, card: &str) -> bool {
        let trick = self.story.as_ref().and_then(|story| story.table.last());
        trick.is_none_or(|trick| self.book.matches(trick.lead().card, Card::read(card)))
    }

    /// The card that was played last to what lies on the table.
    pub(crate) fn last_played(&self) -> Option<String> {
        let trick = self.story.as_ref()?.table.last()?;
        trick.plays.last().map(|play| play.card.to_string())
    }

    /// The tricks of the deal that were taken or burned, each with its plays: seat, card, and whether a marriage
    /// was announced.
    pub(crate) fn tricks(&self) -> Vec<Vec<(usize, String, bool)>> {
        let Some(story) = &self.story else { return Vec::new() };
        let burned = matches!(story.ending, Some(Ending::BurnedTrick(_))).then_some(&story.table);
        let plays = |tricks: &Vec<Trick>| {
            let plays = tricks.iter().flat_map(|trick| &trick.plays);
            plays.map(|play| (play.seat, play.card.to_string(), play.marriage > 0)).collect()
        };
        story.taken.iter().map(|taken| &taken.tricks).chain(burned).map(plays).collect()
    }

    /// Whose hand burned and ended the deal.
    pub(crate) fn burned_hand(&self) -> Option<usize> {
        match self.story.as_ref()?.ending? {
            Ending::BurnedHand(seat) => Some(seat),
            _ => None,
        }
    }

    /// Whether the deal's tricks, the seat of a burned hand and the soloist say all about its result. A burned
    /// hand may break off a trick.
    pub(crate) fn tricks_say_all(&self) -> bool {
        let broken_off = self.story.as_ref().is_some_and(|story| !story.table.is_empty());
        self.burned_hand().is_none() || !broken_off
    }

    /// Who holds or has played the soloist's card, where the rules have one.
    pub(crate) fn soloist(&self) -> Option<usize> {
        self.story.as_ref().filter(|_| self.book.company == Company::Soloist).and_then(soloist)
    }

    fn note_dealer(&mut self, dealer: usize) {
        let Some((before, _)) = &self.deal else { return };
        let met = match (dealer + self.book.seats - before.dealer) % self.book.seats {
            0 => Situation::SameDealerAgain,
            1 => Situation::NextSeatDeals,
            _ => Situation::DealersPartnerDeals,
        };
        self.met.insert(met);
    }
}

//! A match's state as one line of parts, each a name and its values, with `; ` between them.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, Suit};
use crate::card_set::CardSet;
use crate::corrupt::Corrupt;
use crate::deal::{Deal, KingsPlayed, Leads, Place};
use crate::matchplay::{Match, TakenTrick};
use crate::notation::result::read_result;
use crate::notation::{MaybeSeat, Words, canonical, spaced, yes_no};
use crate::pack::Pack;
use crate::rules::Partnership;
use crate::scoring::Tally;
use crate::seat::{BySeat, Seat, SeatSet};
use crate::sides::Sides;

impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.sides == Sides::of_match(Partnership::FixedPairs, self.seats);
        write!(f, "seats {} pairs {}; scores", self.seats, yes_no(pairs))?;
        spaced(f, self.standing().map(|(_, game_points)| game_points))?;
        write!(f, "; winners {}", self.winners.unwrap_or(SeatSet::EMPTY))?;
        if let Some(deal) = &self.deal {
            write_deal(f, deal)?;
        }
        if let Some(trick) = &self.last_trick {
            let TakenTrick { leader, winner, points, .. } = trick;
            write!(f, "; taken leader {leader} winner {winner} points {points} cards")?;
            spaced(f, trick.places())?;
        }
        if let Some(result) = &self.last_deal {
            write!(f, "; result {result}")?;
        }
        Ok(())
    }
}

fn write_deal(f: &mut fmt::Formatter<'_>, deal: &Deal) -> fmt::Result {
    let Deal { number, dealer, leader, stock_at, stock_end, trick_at, .. } = deal;
    write!(f, "; deal {number} dealer {dealer} leader {leader} over {}", yes_no(deal.is_over()))?;
    write!(f, " opened {}; pack {stock_end} dealt {stock_at}; stock", yes_no(deal.opened))?;
    spaced(f, deal.stock_places())?;
    write!(f, "; aside {trick_at}; table")?;
    spaced(f, deal.table_places())?;
    for (seat, hand) in deal.hands.iter(deal.seats) {
        write!(f, "; hand {seat}")?;
        spaced(f, hand.iter())?;
    }
    for (name, by_seat) in
        [("points", deal.tally.cards), ("extras", deal.tally.extras), ("tricks", deal.tally.tricks)]
    {
        write!(f, "; {name}")?;
        spaced(f, by_seat.iter(deal.seats).map(|(_, value)| *value))?;
    }
    f.write_str("; announced")?;
    spaced(f, Suit::ALL.into_iter().filter(|suit| deal.tally.is_announced(*suit)))?;
    let Leads { last, rank, times } = deal.leads;
    write!(f, "; leads {} rank {rank} times {times}", MaybeSeat(last))?;
    write!(f, "; kings {} {}", MaybeSeat(deal.kings.hearts()), MaybeSeat(deal.kings.leaves()))
}

impl FromStr for Match {
    type Err = Corrupt;

    fn from_str(text: &str) -> Result<Match, Corrupt> {
        let mut parts = Parts(text.split("; ").peekable());
        let mut words = parts.named("seats")?;
        let seats: u8 = words.value()?;
        words.fixed("pairs")?;
        let pairs = words.yes_or_no()?;
        let partnership = if pairs { Partnership::FixedPairs } else { Partnership::Individual };
        let mut scores = parts.named("scores")?;
        let mut game = Match {
            seats,
            sides: Sides::of_match(partnership, seats),
            game_points: [0; 4],
            deal: None,
            last_trick: None,
            last_deal: None,
            winners: None,
        };
        for points in game.game_points.iter_mut().take(game.sides.as_slice().len()) {
            *points = scores.value()?;
        }
        scores.end()?;
        let winners: SeatSet = parts.named("winners")?.value()?;
        game.winners = (!winners.is_empty()).then_some(winners);
        if let Some(words) = parts.optional("deal") {
            game.deal = Some(read_deal(seats, words, &mut parts)?);
        }
        if let Some(words) = parts.optional("taken") {
            game.last_trick = Some(read_taken(words)?);
        }
        if let Some(words) = parts.optional("result") {
            game.last_deal = Some(read_result(words)?);
        }
        if parts.0.next().is_some() {
            return Err(Corrupt::TooLong);
        }
        game.check()?;
        canonical(game, text)
    }
}

/// The parts of the line, taken in order.
struct Parts<'a>(std::iter::Peekable<std::str::Split<'a, &'static str>>);

impl<'a> Parts<'a> {
    /// Takes the next part if it has this name.
    fn optional(&mut self, name: &str) -> Option<Words<'a>> {
        let part = self.0.next_if(|part| part.split(' ').next() == Some(name))?;
        let mut words = Words::of(part);
        words.word().ok()?;
        Some(words)
    }

    fn named(&mut self, name: &str) -> Result<Words<'a>, Corrupt> {
        self.optional(name).ok_or(Corrupt::TooShort)
    }
}

fn read_deal(seats: u8, mut head: Words<'_>, parts: &mut Parts<'_>) -> Result<Deal, Corrupt> {
    let (number, dealer, leader) = (head.value()?, head.named("dealer")?, head.named("leader")?);
    head.fixed("over")?;
    let over = head.yes_or_no()?;
    head.fixed("opened")?;
    let opened = head.yes_or_no()?;
    let mut pack = parts.named("pack")?;
    let (stock_end, stock_at): (u8, u8) = (pack.value()?, pack.named("dealt")?);
    let mut places = [Place::BLANK; Pack::MAX_CARDS];
    read_places(parts.named("stock")?, places.get_mut(usize::from(stock_at)..).ok_or(Corrupt::Counts)?)?;
    let trick_at: u8 = parts.named("aside")?.value()?;
    let table_len = read_places(parts.named("table")?, &mut places)?;
    let mut hands = BySeat::new([CardSet::EMPTY; 4]);
    for seat in Seat::first(seats) {
        let mut words = parts.named("hand")?;
        words.fixed(&seat.to_string())?;
        let cards: Result<CardSet, _> = words.0.map(str::parse::<Card>).collect();
        *hands.get_mut(seat) = cards.map_err(|_| Corrupt::NoSuchValue)?;
    }
    let mut tally = Tally {
        cards: read_by_seat(seats, parts.named("points")?)?,
        extras: read_by_seat(seats, parts.named("extras")?)?,
        tricks: read_by_seat(seats, parts.named("tricks")?)?,
        announced: 0,
    };
    for suit in parts.named("announced")?.0 {
        let suit: Suit = suit.parse().map_err(|_| Corrupt::NoSuchValue)?;
        tally.announced |= 1 << (suit.number() - 1);
    }
    let mut leads = parts.named("leads")?;
    let MaybeSeat(last) = leads.value()?;
    let leads = Leads { last, rank: leads.named("rank")?, times: leads.named("times")? };
    let mut kings = parts.named("kings")?;
    let (MaybeSeat(hearts), MaybeSeat(leaves)) = (kings.value()?, kings.value()?);
    let plays = table_len.checked_sub(trick_at).ok_or(Corrupt::Counts)?;
    let in_round = if plays == 0 { 0 } else { (plays - 1).checked_rem(seats).ok_or(Corrupt::Counts)? + 1 };
    Ok(Deal {
        hands,
        places,
        tally,
        number,
        seats,
        dealer,
        leader,
        turn: (!over).then(|| leader.after(usize::from(in_round), seats)),
        opened,
        table_len,
        trick_at,
        in_round,
        stock_at,
        stock_end,
        leads,
        kings: KingsPlayed::new(hearts, leaves),
    })
}

fn read_taken(mut words: Words<'_>) -> Result<TakenTrick, Corrupt> {
    let (leader, winner, points) = (words.named("leader")?, words.named("winner")?, words.named("points")?);
    words.fixed("cards")?;
    let mut places = [Place::BLANK; Pack::MAX_CARDS];
    let len = read_places(words, &mut places)?;
    Ok(TakenTrick { places, len, leader, winner, points })
}

fn read_places(words: Words<'_>, places: &mut [Place]) -> Result<u8, Corrupt> {
    let mut count = 0;
    for word in words.0 {
        let slot = places.get_mut(usize::from(count)).ok_or(Corrupt::Counts)?;
        *slot = word.parse()?;
        count += 1;
    }
    Ok(count)
}

fn read_by_seat(seats: u8, mut words: Words<'_>) -> Result<BySeat<u8>, Corrupt> {
    let mut by_seat = BySeat::default();
    for seat in Seat::first(seats) {
        *by_seat.get_mut(seat) = words.value()?;
    }
    words.end()?;
    Ok(by_seat)
}

/// A card on the table: `10h`, `10h*` when it came from the stock, `Kh!` when a marriage was announced with
/// it.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stock = if self.is_from_stock() { "*" } else { "" };
        let announced = if self.is_announced() { "!" } else { "" };
        write!(f, "{}{stock}{announced}", self.card())
    }
}

impl FromStr for Place {
    type Err = Corrupt;

    fn from_str(text: &str) -> Result<Place, Corrupt> {
        let card: Card = text.trim_end_matches(['*', '!']).parse().map_err(|_| Corrupt::NoSuchValue)?;
        Ok(Place::played(card, text.contains('*'), text.contains('!')))
    }
}

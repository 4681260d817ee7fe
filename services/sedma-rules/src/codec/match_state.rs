//! The binary form of a match's state: a head, then the deal, the last trick and the last result where there
//! are any.

use crate::card_set::CardSet;
use crate::codec::{byte, bytes, high, low, nibbles, number, seat, seat_number, seat_or_nobody, seat_set};
use crate::corrupt::Corrupt;
use crate::deal::{Deal, KingsPlayed, Leads, Place};
use crate::fact::DealResult;
use crate::matchplay::{Match, TakenTrick};
use crate::pack::Pack;
use crate::rules::Partnership;
use crate::scoring::Tally;
use crate::seat::{BySeat, Seat, SeatSet};
use crate::sides::Sides;

const FORMAT: u8 = 1;
const PAIRS: u8 = 1 << 4;
const HAS_DEAL: u8 = 1 << 5;
const HAS_LAST_TRICK: u8 = 1 << 6;
const HAS_LAST_DEAL: u8 = 1 << 7;
const OVER: u8 = 1;
const OPENED: u8 = 2;
/// A hand's 52 bits.
const HAND_BYTES: u8 = 7;

impl Match {
    /// Appends: format, seats | flags, winners, game points of each side; deal, last trick and last result if
    /// any.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let pairs = self.sides == Sides::of_match(Partnership::FixedPairs, self.seats);
        let flags = [
            (pairs, PAIRS),
            (self.deal.is_some(), HAS_DEAL),
            (self.last_trick.is_some(), HAS_LAST_TRICK),
            (self.last_deal.is_some(), HAS_LAST_DEAL),
        ];
        let flags = flags.into_iter().filter(|(is, _)| *is).fold(self.seats, |all, (_, flag)| all | flag);
        out.extend([FORMAT, flags, self.winners.map_or(0, SeatSet::bits)]);
        for (_, game_points) in self.standing() {
            out.extend(game_points.to_le_bytes());
        }
        if let Some(deal) = &self.deal {
            encode_deal(deal, out);
        }
        if let Some(trick) = &self.last_trick {
            out.extend([nibbles(trick.leader.number(), trick.winner.number()), trick.points, trick.len]);
            out.extend(trick.places().iter().map(|place| place.byte()));
        }
        if let Some(result) = &self.last_deal {
            result.encode(out);
        }
    }

    /// The state of such bytes, if they are whole and hold together.
    pub fn decode(mut from: &[u8]) -> Result<Match, Corrupt> {
        let from = &mut from;
        if byte(from)? != FORMAT {
            return Err(Corrupt::NoSuchValue);
        }
        let flags = byte(from)?;
        let seats = low(flags);
        let winners = seat_set(byte(from)?)?;
        let partnership = if flags & PAIRS == 0 { Partnership::Individual } else { Partnership::FixedPairs };
        let fits = match partnership {
            Partnership::FixedPairs => seats == 4,
            _ => (2..=4).contains(&seats),
        };
        if !fits {
            return Err(Corrupt::Counts);
        }
        let mut game = Match {
            seats,
            sides: Sides::of_match(partnership, seats),
            game_points: [0; 4],
            deal: None,
            last_trick: None,
            last_deal: None,
            winners: (!winners.is_empty()).then_some(winners),
        };
        for points in game.game_points.iter_mut().take(game.sides.as_slice().len()) {
            *points = number(from)?;
        }
        if flags & HAS_DEAL != 0 {
            game.deal = Some(decode_deal(seats, from)?);
        }
        if flags & HAS_LAST_TRICK != 0 {
            game.last_trick = Some(decode_taken(from)?);
        }
        if flags & HAS_LAST_DEAL != 0 {
            game.last_deal = Some(DealResult::decode(from)?);
        }
        if !from.is_empty() {
            return Err(Corrupt::TooLong);
        }
        game.check()?;
        Ok(game)
    }
}

/// Number, dealer | leader, over and opened, four places, cards on the table and in the stock, hands, tally,
/// leads, kings.
fn encode_deal(deal: &Deal, out: &mut Vec<u8>) {
    out.extend(deal.number.to_le_bytes());
    let state = u8::from(deal.is_over()) * OVER + u8::from(deal.opened) * OPENED;
    out.extend([nibbles(deal.dealer.number(), deal.leader.number()), state]);
    out.extend([deal.table_len, deal.trick_at, deal.stock_at, deal.stock_end]);
    out.extend(deal.table_places().iter().chain(deal.stock_places()).map(|place| place.byte()));
    for (_, hand) in deal.hands.iter(deal.seats) {
        out.extend(hand.bits().to_le_bytes().iter().take(usize::from(HAND_BYTES)));
    }
    let tally = &deal.tally;
    for by_seat in [&tally.cards, &tally.extras, &tally.tricks] {
        out.extend(by_seat.iter(deal.seats).map(|(_, value)| *value));
    }
    let leads = nibbles(seat_number(deal.leads.last), deal.leads.times.min(15));
    let kings = nibbles(seat_number(deal.kings.hearts()), seat_number(deal.kings.leaves()));
    out.extend([tally.announced, leads, deal.leads.rank, kings]);
}

fn decode_deal(seats: u8, from: &mut &[u8]) -> Result<Deal, Corrupt> {
    let number = number(from)?;
    let dealer_leader = byte(from)?;
    let (dealer, leader) = (seat(low(dealer_leader))?, seat(high(dealer_leader))?);
    let state = byte(from)?;
    let (table_len, trick_at, stock_at, stock_end) = (byte(from)?, byte(from)?, byte(from)?, byte(from)?);
    let mut places = [Place::BLANK; Pack::MAX_CARDS];
    let stock = stock_at..stock_end;
    for at in (0..table_len).chain(stock) {
        let slot = places.get_mut(usize::from(at)).ok_or(Corrupt::Counts)?;
        *slot = Place::from_byte(byte(from)?).ok_or(Corrupt::NoSuchValue)?;
    }
    let mut hands = BySeat::new([CardSet::EMPTY; 4]);
    for at in Seat::first(seats) {
        let mut bits = [0; 8];
        for (bit_byte, given) in bits.iter_mut().zip(bytes(from, HAND_BYTES)?) {
            *bit_byte = *given;
        }
        *hands.get_mut(at) = CardSet::from_bits(u64::from_le_bytes(bits)).ok_or(Corrupt::NoSuchValue)?;
    }
    let mut tally = Tally::default();
    for by_seat in [&mut tally.cards, &mut tally.extras, &mut tally.tricks] {
        for at in Seat::first(seats) {
            *by_seat.get_mut(at) = byte(from)?;
        }
    }
    tally.announced = byte(from)?;
    let (leads, rank, kings) = (byte(from)?, byte(from)?, byte(from)?);
    let in_round = table_len.checked_sub(trick_at).ok_or(Corrupt::Counts)?.checked_sub(1);
    let in_round = in_round.map_or(0, |before| before % seats + 1);
    Ok(Deal {
        hands,
        places,
        tally,
        number,
        seats,
        dealer,
        leader,
        turn: (state & OVER == 0).then(|| leader.after(usize::from(in_round), seats)),
        opened: state & OPENED != 0,
        table_len,
        trick_at,
        in_round,
        stock_at,
        stock_end,
        leads: Leads { last: seat_or_nobody(low(leads))?, rank, times: high(leads) },
        kings: KingsPlayed::new(seat_or_nobody(low(kings))?, seat_or_nobody(high(kings))?),
    })
}

fn decode_taken(from: &mut &[u8]) -> Result<TakenTrick, Corrupt> {
    let leader_winner = byte(from)?;
    let points = byte(from)?;
    let len = byte(from)?;
    let mut places = [Place::BLANK; Pack::MAX_CARDS];
    for at in 0..len {
        let slot = places.get_mut(usize::from(at)).ok_or(Corrupt::Counts)?;
        *slot = Place::from_byte(byte(from)?).ok_or(Corrupt::NoSuchValue)?;
    }
    let (leader, winner) = (seat(low(leader_winner))?, seat(high(leader_winner))?);
    Ok(TakenTrick { places, len, leader, winner, points })
}

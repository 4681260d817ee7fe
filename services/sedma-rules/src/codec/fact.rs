//! The binary form of facts: a code, then what the fact says. A played card is three bytes.

use crate::card::Card;
use crate::codec::{byte, bytes, card, flag, high, low, nibbles, number, seat, seat_set};
use crate::corrupt::Corrupt;
use crate::fact::{DealResult, Fact};
use crate::pack::Pack;

const DEALT: u8 = 1;
const HANDS_EXCHANGED: u8 = 2;
const CARD_PLAYED: u8 = 3;
const ROUND_ENDED: u8 = 4;
const TRICK_SET_ASIDE: u8 = 5;
const TRICK_WON: u8 = 6;
const DRAWN: u8 = 7;
const DEAL_ENDED: u8 = 8;
const MATCH_ENDED: u8 = 9;

impl Fact {
    /// Appends the fact.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Fact::Dealt { deal, dealer, leader, hand_size, pack } => {
                let [deal_low, deal_high] = deal.to_le_bytes();
                let cards = u8::try_from(pack.cards().len()).unwrap_or(0);
                let seats = nibbles(dealer.number(), leader.number());
                out.extend([DEALT, deal_low, deal_high, seats, *hand_size, cards]);
                out.extend(pack.cards().iter().map(|card| card.index()));
            }
            Fact::HandsExchanged { seat, exchanged } => {
                out.extend([HANDS_EXCHANGED, seat.number(), u8::from(*exchanged)]);
            }
            Fact::CardPlayed { seat, card, from_stock, marriage_points } => {
                // Marriages count tens, so that they fit beside the seat: seat in bits 0-2, stock in bit 3,
                // tens above.
                let tens = (marriage_points / 10).min(15);
                let how = nibbles(seat.number() | u8::from(*from_stock) << 3, tens);
                out.extend([CARD_PLAYED, card.index(), how]);
            }
            Fact::RoundEnded => out.push(ROUND_ENDED),
            Fact::TrickSetAside => out.push(TRICK_SET_ASIDE),
            Fact::TrickWon { seat, points, cards } => out.extend([TRICK_WON, seat.number(), *points, *cards]),
            Fact::Drawn { first, cards } => out.extend([DRAWN, first.number(), *cards]),
            Fact::DealEnded(result) => {
                out.push(DEAL_ENDED);
                result.encode(out);
            }
            Fact::MatchEnded { winners } => out.extend([MATCH_ENDED, winners.bits()]),
        }
    }

    /// Takes one fact from the front. What follows it is left; on an error, anything may have been taken.
    pub fn decode(from: &mut &[u8]) -> Result<Fact, Corrupt> {
        Ok(match byte(from)? {
            DEALT => {
                let deal = number(from)?;
                let seats = byte(from)?;
                let (dealer, leader) = (seat(low(seats))?, seat(high(seats))?);
                let hand_size = byte(from)?;
                let cards = byte(from)?;
                let cards: Vec<Card> =
                    bytes(from, cards)?.iter().map(|it| card(*it)).collect::<Result<_, _>>()?;
                let pack = Pack::of_distinct(&cards).map_err(|_| Corrupt::Cards)?;
                Fact::Dealt { deal, dealer, leader, hand_size, pack }
            }
            HANDS_EXCHANGED => {
                Fact::HandsExchanged { seat: seat(byte(from)?)?, exchanged: flag(byte(from)?)? }
            }
            CARD_PLAYED => {
                let card = card(byte(from)?)?;
                let how = byte(from)?;
                Fact::CardPlayed {
                    seat: seat(how & 7)?,
                    card,
                    from_stock: how >> 3 & 1 == 1,
                    marriage_points: high(how) * 10,
                }
            }
            ROUND_ENDED => Fact::RoundEnded,
            TRICK_SET_ASIDE => Fact::TrickSetAside,
            TRICK_WON => Fact::TrickWon { seat: seat(byte(from)?)?, points: byte(from)?, cards: byte(from)? },
            DRAWN => Fact::Drawn { first: seat(byte(from)?)?, cards: byte(from)? },
            DEAL_ENDED => Fact::DealEnded(DealResult::decode(from)?),
            MATCH_ENDED => Fact::MatchEnded { winners: seat_set(byte(from)?)? },
            _ => return Err(Corrupt::NoSuchValue),
        })
    }
}

//! The binary form of facts, matches and rules, for stores. Compact and fixed: every layout says in one line
//! what it is, and golden bytes in the tests hold it.

mod fact;
mod match_state;
mod options;
mod result;

use crate::card::Card;
use crate::corrupt::Corrupt;
use crate::seat::{Seat, SeatSet};

/// Takes one byte.
fn byte(from: &mut &[u8]) -> Result<u8, Corrupt> {
    let (first, rest) = from.split_first().ok_or(Corrupt::TooShort)?;
    *from = rest;
    Ok(*first)
}

/// Takes so many bytes.
fn bytes<'a>(from: &mut &'a [u8], count: u8) -> Result<&'a [u8], Corrupt> {
    let (taken, rest) = from.split_at_checked(usize::from(count)).ok_or(Corrupt::TooShort)?;
    *from = rest;
    Ok(taken)
}

fn number(from: &mut &[u8]) -> Result<u16, Corrupt> {
    Ok(u16::from_le_bytes([byte(from)?, byte(from)?]))
}

fn seat(number: u8) -> Result<Seat, Corrupt> {
    Seat::new(number).ok_or(Corrupt::NoSuchValue)
}

/// A seat or nobody, who is 0.
fn seat_or_nobody(number: u8) -> Result<Option<Seat>, Corrupt> {
    if number == 0 { Ok(None) } else { seat(number).map(Some) }
}

fn seat_number(seat: Option<Seat>) -> u8 {
    seat.map_or(0, Seat::number)
}

fn seat_set(bits: u8) -> Result<SeatSet, Corrupt> {
    SeatSet::from_bits(bits).ok_or(Corrupt::NoSuchValue)
}

fn card(index: u8) -> Result<Card, Corrupt> {
    Card::from_index(index).ok_or(Corrupt::NoSuchValue)
}

fn flag(byte: u8) -> Result<bool, Corrupt> {
    match byte {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Corrupt::NoSuchValue),
    }
}

/// Two numbers below 16 in one byte.
const fn nibbles(low: u8, high: u8) -> u8 {
    low | high << 4
}

const fn low(byte: u8) -> u8 {
    byte & 15
}

const fn high(byte: u8) -> u8 {
    byte >> 4
}

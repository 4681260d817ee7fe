//! The text form of actions, facts and matches: one line each, stable for ever, because records are hashed
//! over it. Only the exact text that [`Display`](std::fmt::Display) writes is read back.

mod action;
mod fact;
mod match_state;
mod result;

use std::fmt;
use std::str::FromStr;

use crate::corrupt::Corrupt;
use crate::seat::{Seat, SeatSet};

/// The words of a text, taken one by one.
struct Words<'a>(std::str::Split<'a, char>);

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Words<'a> {
        Words(text.split(' '))
    }

    fn word(&mut self) -> Result<&'a str, Corrupt> {
        self.0.next().ok_or(Corrupt::TooShort)
    }

    /// Takes a word that can only be this one.
    fn fixed(&mut self, word: &str) -> Result<(), Corrupt> {
        if self.word()? == word { Ok(()) } else { Err(Corrupt::NoSuchValue) }
    }

    fn value<T: FromStr>(&mut self) -> Result<T, Corrupt> {
        self.word()?.parse().map_err(|_| Corrupt::NoSuchValue)
    }

    /// Takes a fixed word and the value behind it.
    fn named<T: FromStr>(&mut self, word: &str) -> Result<T, Corrupt> {
        self.fixed(word)?;
        self.value()
    }

    fn yes_or_no(&mut self) -> Result<bool, Corrupt> {
        match self.word()? {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(Corrupt::NoSuchValue),
        }
    }

    fn end(mut self) -> Result<(), Corrupt> {
        if self.0.next().is_none() { Ok(()) } else { Err(Corrupt::TooLong) }
    }
}

/// Lets only the one canonical text of a value through: `+1` or `01` is no way to write 1.
fn canonical<T: fmt::Display>(value: T, text: &str) -> Result<T, Corrupt> {
    if value.to_string() == text { Ok(value) } else { Err(Corrupt::NoSuchValue) }
}

/// Values with a space before each.
fn spaced<T: fmt::Display>(f: &mut fmt::Formatter<'_>, values: impl IntoIterator<Item = T>) -> fmt::Result {
    values.into_iter().try_for_each(|value| write!(f, " {value}"))
}

const fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// A seat, or `-` for nobody.
struct MaybeSeat(Option<Seat>);

impl fmt::Display for MaybeSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(seat) => seat.fmt(f),
            None => f.write_str("-"),
        }
    }
}

impl FromStr for MaybeSeat {
    type Err = Corrupt;

    fn from_str(text: &str) -> Result<MaybeSeat, Corrupt> {
        if text == "-" { Ok(MaybeSeat(None)) } else { text.parse().map(|seat| MaybeSeat(Some(seat))) }
    }
}

impl FromStr for Seat {
    type Err = Corrupt;

    fn from_str(text: &str) -> Result<Seat, Corrupt> {
        let number: u8 = text.parse().map_err(|_| Corrupt::NoSuchValue)?;
        Seat::new(number).ok_or(Corrupt::NoSuchValue)
    }
}

/// The numbers of the seats, as in `13`; `-` for none.
impl fmt::Display for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        self.iter().try_for_each(|seat| seat.fmt(f))
    }
}

impl FromStr for SeatSet {
    type Err = Corrupt;

    fn from_str(text: &str) -> Result<SeatSet, Corrupt> {
        if text == "-" {
            return Ok(SeatSet::EMPTY);
        }
        let digit = |letter: char| letter.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
        text.chars().map(|letter| digit(letter).and_then(Seat::new).ok_or(Corrupt::NoSuchValue)).collect()
    }
}

//! `play 10h`, `play Kh marriage`, `blind`, `end`, `exchange yes`, `exchange no`.

use std::fmt;
use std::str::FromStr;

use crate::action::Action;
use crate::corrupt::Corrupt;
use crate::notation::{Words, canonical, yes_no};

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Play { card, announce_marriage: false } => write!(f, "play {card}"),
            Action::Play { card, announce_marriage: true } => write!(f, "play {card} marriage"),
            Action::PlayFromStock => f.write_str("blind"),
            Action::EndTrick => f.write_str("end"),
            Action::ExchangeHands(exchange) => write!(f, "exchange {}", yes_no(*exchange)),
        }
    }
}

impl FromStr for Action {
    type Err = Corrupt;

    fn from_str(text: &str) -> Result<Action, Corrupt> {
        let mut words = Words::of(text);
        let action = match words.word()? {
            "play" => Action::Play { card: words.value()?, announce_marriage: text.ends_with(" marriage") },
            "blind" => Action::PlayFromStock,
            "end" => Action::EndTrick,
            "exchange" => Action::ExchangeHands(words.yes_or_no()?),
            _ => return Err(Corrupt::NoSuchValue),
        };
        canonical(action, text)
    }
}

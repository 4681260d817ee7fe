//! `dealt 1 dealer 4 leader 1 hand 4 pack 7c 8c ...`, `exchange 1 yes`, `play 1 10h`, `play 1 9c blind`,
//! `play 1 Kh marriage 40`, `round`, `aside`, `trick 3 points 10 cards 4`, `draw 3 cards 4`, `end` with a
//! result, `match 13`.

use std::fmt;
use std::str::FromStr;

use crate::card::Card;
use crate::corrupt::Corrupt;
use crate::fact::Fact;
use crate::notation::result::read_result;
use crate::notation::{Words, canonical, spaced, yes_no};
use crate::pack::Pack;

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Dealt { deal, dealer, leader, hand_size, pack } => {
                write!(f, "dealt {deal} dealer {dealer} leader {leader} hand {hand_size} pack")?;
                spaced(f, pack.cards())
            }
            Fact::HandsExchanged { seat, exchanged } => write!(f, "exchange {seat} {}", yes_no(*exchanged)),
            Fact::CardPlayed { seat, card, from_stock, marriage_points } => {
                write!(f, "play {seat} {card}{}", if *from_stock { " blind" } else { "" })?;
                if *marriage_points > 0 { write!(f, " marriage {marriage_points}") } else { Ok(()) }
            }
            Fact::RoundEnded => f.write_str("round"),
            Fact::TrickSetAside => f.write_str("aside"),
            Fact::TrickWon { seat, points, cards } => write!(f, "trick {seat} points {points} cards {cards}"),
            Fact::Drawn { first, cards } => write!(f, "draw {first} cards {cards}"),
            Fact::DealEnded(result) => write!(f, "end {result}"),
            Fact::MatchEnded { winners } => write!(f, "match {winners}"),
        }
    }
}

impl FromStr for Fact {
    type Err = Corrupt;

    fn from_str(text: &str) -> Result<Fact, Corrupt> {
        let mut words = Words::of(text);
        let fact = match words.word()? {
            "dealt" => read_dealt(words)?,
            "exchange" => Fact::HandsExchanged { seat: words.value()?, exchanged: words.yes_or_no()? },
            "play" => read_played(words)?,
            "round" => Fact::RoundEnded,
            "aside" => Fact::TrickSetAside,
            "trick" => Fact::TrickWon {
                seat: words.value()?,
                points: words.named("points")?,
                cards: words.named("cards")?,
            },
            "draw" => Fact::Drawn { first: words.value()?, cards: words.named("cards")? },
            "end" => Fact::DealEnded(read_result(words)?),
            "match" => Fact::MatchEnded { winners: words.value()? },
            _ => return Err(Corrupt::NoSuchValue),
        };
        canonical(fact, text)
    }
}

fn read_dealt(mut words: Words<'_>) -> Result<Fact, Corrupt> {
    let deal = words.value()?;
    let dealer = words.named("dealer")?;
    let leader = words.named("leader")?;
    let hand_size = words.named("hand")?;
    words.fixed("pack")?;
    let cards: Result<Vec<Card>, _> = words.0.map(str::parse).collect();
    let cards = cards.map_err(|_| Corrupt::NoSuchValue)?;
    let pack = Pack::of_distinct(&cards).map_err(|_| Corrupt::Cards)?;
    Ok(Fact::Dealt { deal, dealer, leader, hand_size, pack })
}

fn read_played(mut words: Words<'_>) -> Result<Fact, Corrupt> {
    let (seat, card) = (words.value()?, words.value()?);
    let mut next = words.0.next();
    let from_stock = next == Some("blind");
    if from_stock {
        next = words.0.next();
    }
    let marriage_points = match next {
        Some("marriage") => words.value()?,
        Some(_) => return Err(Corrupt::NoSuchValue),
        None => 0,
    };
    Ok(Fact::CardPlayed { seat, card, from_stock, marriage_points })
}

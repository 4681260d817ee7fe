//! Cards and numbers as a person says them, with the names that the players of a game have for them.

use crate::card::{Card, Rank, Suit};
use crate::card_set::RankSet;
use crate::rules::options::RuleOptions;
use crate::rules::preset::Preset;

/// The cards that a game is played with where it comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cards {
    /// Clubs, diamonds, hearts, spades.
    French,
    /// Czech and Slovak, German-suited.
    Bohemian,
    /// Hungarian, German-suited ("Tell").
    Hungarian,
    /// Bavarian and Austrian, German-suited.
    German,
}

fn cards(preset: Preset) -> Cards {
    match preset {
        Preset::Classic
        | Preset::Two
        | Preset::Three24
        | Preset::ThreeRedKing
        | Preset::Cervena
        | Preset::Pagat
        | Preset::MariasSedma => Cards::Bohemian,
        Preset::Zsirozas => Cards::Hungarian,
        Preset::LustiKartln | Preset::Schmierer => Cards::German,
        Preset::Hola | Preset::Ristikontra | Preset::Septica | Preset::Sedmice => Cards::French,
    }
}

/// What the cards are called where French ones are not at home.
pub(super) fn local_names(options: &RuleOptions) -> &'static str {
    match cards(options.preset) {
        Cards::French => "",
        Cards::Bohemian => {
            "With Czech cards clubs are acorns (žaludy), diamonds bells (kule), hearts are hearts \
             (červené) and spades leaves (zelené); the jack is the under (spodek), the queen the over (svršek)."
        }
        Cards::Hungarian => {
            "With Hungarian cards clubs are acorns (makk), diamonds bells (tök), hearts are hearts (piros) and \
             spades leaves (zöld); the jack is the under (alsó), the queen the over (felső), and the ace is \
             the deuce (ász)."
        }
        Cards::German => {
            "With German cards clubs are acorns (Eichel), diamonds bells (Schellen), hearts are hearts (Herz) and \
             spades leaves (Laub); the jack is the under (Unter), the queen the over (Ober), and the ace is \
             the deuce (Daus)."
        }
    }
}

/// `clubs (acorns)`, where the suit has another name.
pub(super) fn suit(options: &RuleOptions, suit: Suit) -> String {
    let (french, german) = suit_names(suit);
    if cards(options.preset) == Cards::French || french == german {
        french.to_owned()
    } else {
        format!("{french} ({german})")
    }
}

/// In French and in German cards.
const fn suit_names(suit: Suit) -> (&'static str, &'static str) {
    match suit {
        Suit::Clubs => ("clubs", "acorns"),
        Suit::Diamonds => ("diamonds", "bells"),
        Suit::Hearts => ("hearts", "hearts"),
        Suit::Spades => ("spades", "leaves"),
    }
}

/// `king of spades`, whatever it is called elsewhere.
pub(super) fn french(card: Card) -> String {
    format!("{} of {}", rank(card.rank()), suit_names(card.suit()).0)
}

/// `king of spades (leaves)`.
pub(super) fn card(options: &RuleOptions, card: Card) -> String {
    format!("{} of {}", rank(card.rank()), suit(options, card.suit()))
}

pub(super) const fn rank(rank: Rank) -> &'static str {
    match rank {
        Rank::Two => "two",
        Rank::Three => "three",
        Rank::Four => "four",
        Rank::Five => "five",
        Rank::Six => "six",
        Rank::Seven => "seven",
        Rank::Eight => "eight",
        Rank::Nine => "nine",
        Rank::Ten => "ten",
        Rank::Jack => "jack",
        Rank::Queen => "queen",
        Rank::King => "king",
        Rank::Ace => "ace",
    }
}

/// `sevens`, `sixes`.
fn ranks(of: Rank) -> String {
    let plural = if of == Rank::Six { "es" } else { "s" };
    format!("{}{plural}", rank(of))
}

/// `twos and sevens`.
pub(super) fn every(of: RankSet) -> Vec<String> {
    of.iter().map(ranks).collect()
}

/// `a, b and c`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// Small numbers in words.
pub(super) fn number(number: u8) -> String {
    let word = match number {
        1 => "one",
        2 => "two",
        3 => "three",
        4 => "four",
        6 => "six",
        8 => "eight",
        _ => return number.to_string(),
    };
    word.to_owned()
}

//! The names of the rule sets that options can begin as.

use std::fmt;

use crate::rules::constants;
use crate::rules::options::RuleOptions;

/// A named rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Preset {
    /// Four in pairs, 32 cards, one round a trick.
    Classic = 1,
    /// Two; the first to 50 points wins the deal.
    Two = 2,
    /// Three alone, 24 cards.
    Three24 = 3,
    /// Three, a secret soloist with the red king, 30 cards.
    ThreeRedKing = 4,
    /// Červená sedma, Czech rules for two or four.
    Cervena = 5,
    /// Sedma with free continuation, two to four.
    Pagat = 6,
    /// Mariáš-Sedma, a hybrid with marriages.
    MariasSedma = 7,
    /// Hola: 52 cards, fights, raw points.
    Hola = 8,
    /// Ristikontra: 52 cards, six in a hand, no wild card.
    Ristikontra = 9,
    /// Zsírozás, Hungarian.
    Zsirozas = 10,
    /// Șeptică, Romanian.
    Septica = 11,
    /// Sedmice, Serbian and Croatian.
    Sedmice = 12,
    /// Lusti-Kartl'n, Bavarian.
    LustiKartln = 13,
    /// Schmierer, Austrian.
    Schmierer = 14,
}

impl Preset {
    /// Every preset.
    pub const ALL: &'static [Preset] = &[
        Preset::Classic,
        Preset::Two,
        Preset::Three24,
        Preset::ThreeRedKing,
        Preset::Cervena,
        Preset::Pagat,
        Preset::MariasSedma,
        Preset::Hola,
        Preset::Ristikontra,
        Preset::Zsirozas,
        Preset::Septica,
        Preset::Sedmice,
        Preset::LustiKartln,
        Preset::Schmierer,
    ];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Classic => "classic",
            Preset::Two => "two",
            Preset::Three24 => "three_24",
            Preset::ThreeRedKing => "three_red_king",
            Preset::Cervena => "cervena",
            Preset::Pagat => "pagat",
            Preset::MariasSedma => "marias_sedma",
            Preset::Hola => "hola",
            Preset::Ristikontra => "ristikontra",
            Preset::Zsirozas => "zsirozas",
            Preset::Septica => "septica",
            Preset::Sedmice => "sedmice",
            Preset::LustiKartln => "lusti_kartln",
            Preset::Schmierer => "schmierer",
        }
    }

    /// The preset of a stable name.
    pub fn from_name(name: &str) -> Option<Preset> {
        Preset::ALL.iter().copied().find(|preset| preset.name() == name)
    }

    /// The stable number in stored bytes.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The preset of a stable number.
    pub fn from_code(code: u8) -> Option<Preset> {
        Preset::ALL.iter().copied().find(|preset| preset.code() == code)
    }

    /// How many may play, the default (the largest) first.
    pub const fn seat_counts(self) -> &'static [u8] {
        match self {
            Preset::Classic | Preset::MariasSedma | Preset::Ristikontra | Preset::LustiKartln => &[4],
            Preset::Two => &[2],
            Preset::Three24 | Preset::ThreeRedKing => &[3],
            Preset::Cervena | Preset::Hola | Preset::Zsirozas | Preset::Sedmice | Preset::Schmierer => {
                &[4, 2]
            }
            Preset::Pagat | Preset::Septica => &[4, 3, 2],
        }
    }

    /// How many play when nobody says.
    pub const fn default_seats(self) -> u8 {
        match self.seat_counts() {
            [most, ..] => *most,
            [] => 4,
        }
    }

    /// The preset's options for so many seats. For a number that it is not played with,
    /// [`RuleOptions::check`] refuses them.
    pub fn options(self, seats: u8) -> RuleOptions {
        constants::options(self, seats)
    }

    /// Where the rules come from, and who decided what the sources leave open.
    pub const fn source(self) -> &'static str {
        match self {
            Preset::Classic => "The French and Dutch rules pages for Sedma, four players.",
            Preset::Two => {
                "The French and Dutch rules pages for Sedma, two players: the first to 50 points. That the \
                 dealer's opponent leads follows the English encyclopedia's 'eldest hand leads'; target \
                 and rotation are the four-player game's."
            }
            Preset::Three24 => {
                "The French and Dutch rules pages for Sedma, three players. The two disagree about the \
                 sevens and neither pack adds up to 24; played here with 7, 10, J, Q, K, A. That the \
                 highest total wins, and level players score 1 each, is a decision of this project."
            }
            Preset::ThreeRedKing => {
                "The Czech and English encyclopedia pages on Sedma, three players. Which eight and nine \
                 are out, that a drawn red king counts and that it leads as a king are decisions of this \
                 project."
            }
            Preset::Cervena => {
                "The Czech encyclopedia page on Sedma. That four of a kind burn a hand automatically and \
                 on drawing only, and that leaders exchange by a yes or no, are decisions of this project."
            }
            Preset::Pagat => {
                "The Sedma page of the Card Games Website, read in excerpts and through programs written \
                 after it. The target of 5 is a decision of this project."
            }
            Preset::MariasSedma => {
                "One sentence of the French and Dutch rules pages; all else as classic. What earns 40 \
                 (hearts) is a decision of this project."
            }
            Preset::Hola => {
                "The English encyclopedia page on Sedma and the Hola page of the Card Games Website. \
                 Target 200; level on top plays on."
            }
            Preset::Ristikontra => {
                "Finnish rules pages on Ristikontra. Scored 1, or 2 for all 120 points, to 7; 60 each \
                 scores nothing."
            }
            Preset::Zsirozas => "Hungarian rules pages on Zsírozás and GameTwist's rules of it.",
            Preset::Septica => {
                "Romanian rules pages on Șeptică. The three-player pack, ties, and the target of 11 are \
                 decisions of this project."
            }
            Preset::Sedmice => {
                "Serbian and English rules pages on Sedmice. The score of 1, 2, 3 to 5 is a decision of \
                 this project."
            }
            Preset::LustiKartln => {
                "The English encyclopedia page on Lusti-Kartl'n. Eight cards each, and 1, 2, 3 to 4, are \
                 decisions of this project."
            }
            Preset::Schmierer => {
                "An Austrian rules page on Zsírozás (Schmierer): as Zsírozás, but who can match must. That \
                 sevens stay wild is a decision of this project."
            }
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

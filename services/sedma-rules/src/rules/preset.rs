//! The named rule sets: one entry each, and the options in `constants.rs`.

use std::fmt;

use crate::rules::constants;
use crate::rules::options::RuleOptions;

/// Writes the enum and everything that is said of a preset from one table.
macro_rules! presets {
    ($($(#[$doc:meta])* $variant:ident = $code:literal $name:literal $seats:tt $options:ident $source:literal,)+) => {
        /// A named rule set.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Preset {
            $($(#[$doc])* $variant = $code,)+
        }

        impl Preset {
            /// Every preset.
            pub const ALL: &'static [Preset] = &[$(Preset::$variant,)+];

            /// The stable name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Preset::$variant => $name,)+
                }
            }

            /// How many may play, the default (the largest) first.
            pub const fn seat_counts(self) -> &'static [u8] {
                match self {
                    $(Preset::$variant => &$seats,)+
                }
            }

            /// Where the rules come from, and who decided what the sources leave open.
            pub const fn source(self) -> &'static str {
                match self {
                    $(Preset::$variant => $source,)+
                }
            }

            /// The options for the largest number of seats.
            const fn largest(self) -> RuleOptions {
                match self {
                    $(Preset::$variant => constants::$options,)+
                }
            }
        }
    };
}

// Variant = stable number in stored bytes, stable name, numbers of seats with the largest first, options, source.
presets! {
    /// Four in pairs, 32 cards, one round a trick.
    Classic = 1 "classic" [4] CLASSIC
        "The French and Dutch rules pages for Sedma, four players.",
    /// Two; the first to 50 points wins the deal.
    Two = 2 "two" [2] TWO
        "The French and Dutch rules pages for Sedma, two players: the first to 50 points. That \
         the dealer's opponent leads follows the English encyclopedia's 'eldest hand leads'; \
         target and rotation are the four-player game's.",
    /// Three alone, 24 cards.
    Three24 = 3 "three_24" [3] THREE_24
        "The French and Dutch rules pages for Sedma, three players. The two disagree about the \
         sevens and neither pack adds up to 24; played here with 7, 10, J, Q, K, A. That the \
         highest total wins, and level players score 1 each, is a decision of this project.",
    /// Three, a secret soloist with the red king, 30 cards.
    ThreeRedKing = 4 "three_red_king" [3] THREE_RED_KING
        "The Czech and English encyclopedia pages on Sedma, three players. Which eight and nine \
         are out, that a drawn red king counts and that it leads as a king are decisions of this \
         project.",
    /// Červená sedma, Czech rules for two or four.
    Cervena = 5 "cervena" [4, 2] CERVENA
        "The Czech encyclopedia page on Sedma. That four of a kind burn a hand automatically and \
         on drawing only, and that leaders exchange by a yes or no, are decisions of this \
         project.",
    /// Sedma with free continuation, two to four.
    Pagat = 6 "pagat" [4, 3, 2] PAGAT
        "The Sedma page of the Card Games Website, read in excerpts and through programs written \
         after it. The target of 5 is a decision of this project.",
    /// Mariáš-Sedma, a hybrid with marriages.
    MariasSedma = 7 "marias_sedma" [4] MARIAS_SEDMA
        "One sentence of the French and Dutch rules pages; all else as classic. What earns 40 \
         (hearts) is a decision of this project.",
    /// Hola: 52 cards, fights, raw points.
    Hola = 8 "hola" [4, 2] HOLA
        "The English encyclopedia page on Sedma and the Hola page of the Card Games Website. \
         Target 200; level on top plays on.",
    /// Ristikontra: 52 cards, six in a hand, no wild card.
    Ristikontra = 9 "ristikontra" [4] RISTIKONTRA
        "Finnish rules pages on Ristikontra. Scored 1, or 2 for all 120 points, to 7; 60 each \
         scores nothing.",
    /// Zsírozás, Hungarian.
    Zsirozas = 10 "zsirozas" [4, 2] ZSIROZAS
        "Hungarian rules pages on Zsírozás and GameTwist's rules of it.",
    /// Șeptică, Romanian.
    Septica = 11 "septica" [4, 3, 2] SEPTICA
        "Romanian rules pages on Șeptică. The three-player pack, ties, and the target of 11 are \
         decisions of this project.",
    /// Sedmice, Serbian and Croatian.
    Sedmice = 12 "sedmice" [4, 2] SEDMICE
        "Serbian and English rules pages on Sedmice. The score of 1, 2, 3 to 5 is a decision of \
         this project.",
    /// Lusti-Kartl'n, Bavarian.
    LustiKartln = 13 "lusti_kartln" [4] LUSTI_KARTLN
        "The English encyclopedia page on Lusti-Kartl'n. Eight cards each, and 1, 2, 3 to 4, are \
         decisions of this project.",
    /// Schmierer, Austrian.
    Schmierer = 14 "schmierer" [4, 2] SCHMIERER
        "An Austrian rules page on Zsírozás (Schmierer): as Zsírozás, but who can match must. \
         That sevens stay wild is a decision of this project.",
}

impl Preset {
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
        constants::for_seats(self.largest(), seats)
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! Whole matches in text, under `tests/playthroughs`. Each is replayed from its own actions and must tell the
//! same story.
//!
//! `BLESS=1 cargo test -p sedma-rules playthroughs` plays them anew and writes them; look at the difference
//! before you keep it, for it says that played matches would have gone otherwise.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use sedma_rules::{Action, Fact, Match, Pack, Preset, Rules, Seat};

use crate::chance::{Chance, rules};

struct Playthrough {
    preset: Preset,
    seats: u8,
    shows: &'static str,
}

const PLAYTHROUGHS: &[Playthrough] = &[
    Playthrough {
        preset: Preset::Classic,
        seats: 4,
        shows: "one round a trick; the last card of the led rank or seven takes it; the winner draws \
                first; 1, 2 or 3 for the deal; the deal goes round; to 4",
    },
    Playthrough {
        preset: Preset::Two,
        seats: 2,
        shows: "fifty points end the deal at once and are worth 1; the opponent of the dealer leads; to 4",
    },
    Playthrough {
        preset: Preset::Three24,
        seats: 3,
        shows: "24 cards; most points win; two level on top score 1 each; to 4",
    },
    Playthrough {
        preset: Preset::ThreeRedKing,
        seats: 3,
        shows: "the red king is wild and makes a soloist; the others add their points; no burned \
                trick; a loser deals; to 10",
    },
    Playthrough {
        preset: Preset::Cervena,
        seats: 4,
        shows: "going on if somebody matched; burned hands and tricks; two equal cards bind; the \
                exchange of hands; to 10",
    },
    Playthrough {
        preset: Preset::Pagat,
        seats: 4,
        shows: "going on always; 2 if the others have no point; a loser deals; to 5",
    },
    Playthrough {
        preset: Preset::MariasSedma,
        seats: 4,
        shows: "marriages of 20, hearts 40, announced with the first card of a trick; to 4",
    },
    Playthrough {
        preset: Preset::Hola,
        seats: 4,
        shows: "fights and tricks in abeyance; twos and sevens wild; points as they are taken, 80 \
                more for every trick; to 200",
    },
    Playthrough {
        preset: Preset::Ristikontra,
        seats: 4,
        shows: "a card drawn after each play; blind plays; no rank led four times in a row; 1, or 2 \
                for all 120 points; to 7",
    },
    Playthrough {
        preset: Preset::Zsirozas,
        seats: 4,
        shows: "going on while an opponent wins the trick; no points for the last trick, which \
                decides 40 each; to 5",
    },
    Playthrough {
        preset: Preset::Septica,
        seats: 4,
        shows: "aces and tens count 1; 4 each is a draw; a won deal counts 1; to 11",
    },
    Playthrough {
        preset: Preset::Sedmice,
        seats: 4,
        shows: "going on while an opponent wins the trick; 10 for the last trick; to 5",
    },
    Playthrough {
        preset: Preset::LustiKartln,
        seats: 4,
        shows: "eight cards each and no stock; no wild card; to 4",
    },
    Playthrough {
        preset: Preset::Schmierer,
        seats: 4,
        shows: "who can match must; going on while an opponent wins the trick; to 5",
    },
];

#[test]
fn playthroughs_are_told_as_they_were() {
    for playthrough in PLAYTHROUGHS {
        let path = path(playthrough);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, play(playthrough)).unwrap();
        }
        let told = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(replay(playthrough, &told), told, "{}", path.display());
        assert!(told.contains("\n  match "), "a whole match is played");
    }
}

/// Every preset has its playthrough, and no file is left over.
#[test]
fn every_preset_has_its_playthrough() {
    let told: Vec<(Preset, u8)> = PLAYTHROUGHS.iter().map(|it| (it.preset, it.seats)).collect();
    assert_eq!(told, Preset::ALL.iter().map(|preset| (*preset, preset.default_seats())).collect::<Vec<_>>());
    let folder = path(&PLAYTHROUGHS[0]).parent().unwrap().to_path_buf();
    assert_eq!(fs::read_dir(folder).unwrap().count(), PLAYTHROUGHS.len());
}

fn path(playthrough: &Playthrough) -> PathBuf {
    let file = format!("{}_{}.txt", playthrough.preset, playthrough.seats);
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs").join(file)
}

/// Tells facts, two spaces in, and lets the match go on by them.
fn tell(game: &mut Match, facts: &mut Vec<Fact>, told: &mut String) {
    for fact in facts.drain(..) {
        game.evolve(&fact).unwrap();
        match &fact {
            // A play that is just what was asked for needs no second line, nor does the pack.
            Fact::CardPlayed { from_stock: false, marriage_points: 0, .. } => {}
            Fact::Dealt { .. } => {
                writeln!(told, "  {}", fact.to_string().split(" pack").next().unwrap()).unwrap();
            }
            _ => writeln!(told, "  {fact}").unwrap(),
        }
    }
    if game.turn().is_none() {
        writeln!(told, "= {game}").unwrap();
    }
}

fn head(playthrough: &Playthrough) -> String {
    let Playthrough { preset, seats, shows } = playthrough;
    format!(
        "# {preset} with {seats} seats, a whole match played at random\n# {shows}\n# A line that begins with a number \
         is what that seat did; what followed is set in; = is the state after a deal.\n"
    )
}

/// Plays a match at random and tells it.
fn play(playthrough: &Playthrough) -> String {
    let rules = rules(playthrough.preset, playthrough.seats);
    let mut chance = Chance::seeded(u64::from(playthrough.preset.code()));
    let mut told = head(playthrough);
    let mut game = Match::new(&rules);
    let mut facts = Vec::new();
    while !game.is_over() {
        let pack = chance.pack(&rules);
        writeln!(told, "deal {}", texts(&pack)).unwrap();
        start(&rules, &game, pack, &mut facts);
        tell(&mut game, &mut facts, &mut told);
        while let Some(seat) = game.turn() {
            let actions: Vec<Action> = game.legal_actions(&rules, seat).iter().collect();
            let action = chance.action(&actions);
            writeln!(told, "{seat} {action}").unwrap();
            game.act(&rules, seat, action, &mut facts).unwrap();
            tell(&mut game, &mut facts, &mut told);
        }
    }
    told
}

/// Does what the text says was done and tells what follows from it now.
fn replay(playthrough: &Playthrough, text: &str) -> String {
    let rules = rules(playthrough.preset, playthrough.seats);
    let mut told = head(playthrough);
    let mut game = Match::new(&rules);
    let mut facts = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with(['#', ' ', '='])) {
        writeln!(told, "{line}").unwrap();
        let (who, what) = line.split_once(' ').unwrap();
        if who == "deal" {
            let cards: Vec<_> = what.split(' ').map(|card| card.parse().unwrap()).collect();
            start(&rules, &game, Pack::new(&rules, &cards).unwrap(), &mut facts);
        } else {
            let seat: Seat = who.parse().unwrap();
            game.act(&rules, seat, what.parse().unwrap(), &mut facts).unwrap();
        }
        tell(&mut game, &mut facts, &mut told);
    }
    told
}

/// The last seat deals first, so that seat 1 leads.
fn start(rules: &Rules, game: &Match, pack: Pack, facts: &mut Vec<Fact>) {
    let last = Seat::new(rules.seats()).unwrap();
    game.start_deal(rules, last, pack, facts).unwrap();
}

fn texts(pack: &Pack) -> String {
    pack.cards().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

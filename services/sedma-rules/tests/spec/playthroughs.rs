//! Whole matches in text, under `tests/playthroughs`. Each is replayed from its own actions and must tell the same story.
//!
//! `BLESS=1 cargo test -p sedma-rules playthroughs` plays them anew and writes them; look at the difference before you
//! keep it, for it says that played matches would have gone otherwise.

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
        shows: "one round a trick; the last card of the led rank or seven takes it; the winner draws first; \
                1, 2 or 3 for the deal; the deal goes round; to 4",
    },
    Playthrough {
        preset: Preset::Two,
        seats: 2,
        shows: "fifty points end the deal at once and are worth 1; the opponent of the dealer leads; to 4",
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

/// Every preset on offer has its playthrough for every number of seats, and no file is left over.
#[test]
fn every_preset_has_its_playthrough() {
    let told: Vec<(Preset, u8)> = PLAYTHROUGHS.iter().map(|it| (it.preset, it.seats)).collect();
    assert_eq!(told, crate::chance::presets_on_offer().collect::<Vec<_>>());
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
        writeln!(told, "  {fact}").unwrap();
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

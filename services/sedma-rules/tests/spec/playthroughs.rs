//! Whole matches in text, under `tests/playthroughs`. Each is replayed from its own actions and must tell the
//! same story.
//!
//! `BLESS=1 cargo test -p sedma-rules told_as_they_were` plays them anew from their seeds and writes them; look at
//! the difference before you keep it, for it says that played matches would have gone otherwise.

use std::fs;
use std::path::PathBuf;

use sedma_rules::{Action, Match, Pack, Preset, Rules};

use crate::chance::{Chance, every_preset, rules};
use crate::telling::Telling;

/// Two seats or more play at random from a seed that was looked for: a short match that shows what it should.
pub(crate) struct Playthrough {
    pub(crate) preset: Preset,
    pub(crate) seats: u8,
    pub(crate) seed: u64,
    pub(crate) shows: &'static str,
}

const fn playthrough(preset: Preset, seats: u8, seed: u64, shows: &'static str) -> Playthrough {
    Playthrough { preset, seats, seed, shows }
}

pub(crate) const PLAYTHROUGHS: &[Playthrough] = &[
    playthrough(
        Preset::Classic,
        4,
        69,
        "one round a trick; the last card of the led rank or seven takes it; its winner draws first; \
         the deal goes round; 1 for a deal, 2 for all 80 card points though the last trick is lost; \
         to 4",
    ),
    playthrough(
        Preset::Two,
        2,
        3740,
        "fifty points end the deal at once and are worth 1; the opponent of the dealer leads; to 4",
    ),
    playthrough(
        Preset::Three24,
        3,
        551,
        "24 cards; each alone; most points win, fewer than fifty too; two level on top score 1 each, \
         three level nothing; to 4",
    ),
    playthrough(
        Preset::ThreeRedKing,
        3,
        562,
        "the red king is wild and makes a soloist, who wins and loses; the others add their points; \
         two equal cards bind the third player; a burned hand; a loser deals; to 10",
    ),
    playthrough(
        Preset::Cervena,
        4,
        3479,
        "going on if somebody matched, the partner too, and not if nobody did; burned hand and burned \
         trick; two equal cards bind; the exchange of hands, yes and no; a loser deals; to 10",
    ),
    playthrough(
        Preset::Cervena,
        2,
        974,
        "going on if the other matched; a burned hand; a burned trick, of two rounds; nobody is \
         bound; the loser deals; to 10",
    ),
    playthrough(
        Preset::Pagat,
        4,
        46,
        "going on always; 2 if the others have no point; a loser deals, the dealer's partner or the \
         next; to 5",
    ),
    playthrough(Preset::Pagat, 3, 705, "going on always; each alone; two level on top score 1 each; to 5"),
    playthrough(Preset::Pagat, 2, 227, "going on always; the loser deals; to 5"),
    playthrough(
        Preset::MariasSedma,
        4,
        1413,
        "marriages of 20, hearts 40, announced with the first card of a trick; most points win; to 4",
    ),
    playthrough(
        Preset::Hola,
        4,
        6,
        "fights and tricks in abeyance; twos and sevens wild; each side scores its points, 80 more \
         for every trick; the dealer goes on dealing with more than half; to 200",
    ),
    playthrough(Preset::Hola, 2, 14, "fights of two; twos and sevens wild; each scores his points; to 200"),
    playthrough(
        Preset::Ristikontra,
        4,
        4925,
        "a card drawn after each play; blind plays; no rank led four times in a row; no wild card; 61 \
         win, 1, or 2 for all 120; 60 each scores nothing; to 7",
    ),
    playthrough(
        Preset::Zsirozas,
        4,
        1455,
        "going on only while an opponent wins; nothing for the last trick, which decides 40 each; to \
         5",
    ),
    playthrough(
        Preset::Zsirozas,
        2,
        625,
        "going on only while the opponent wins; the last trick decides 40 each; to 5",
    ),
    playthrough(
        Preset::Septica,
        4,
        1499,
        "aces and tens count 1; 4 each is a draw; a won deal counts 1, with every point too; to 11",
    ),
    playthrough(
        Preset::Septica,
        3,
        1407,
        "sevens and eights wild; 30 cards; two level on top score 1 each; to 11",
    ),
    playthrough(Preset::Septica, 2, 1508, "aces and tens count 1; 4 each is a draw; to 11"),
    playthrough(
        Preset::Sedmice,
        4,
        3715,
        "going on only while an opponent wins; 10 for the last trick; 2 if the others have no point; \
         to 5",
    ),
    playthrough(
        Preset::Sedmice,
        2,
        4782,
        "going on only while the opponent wins; 10 for the last trick; to 5",
    ),
    playthrough(Preset::LustiKartln, 4, 22, "eight cards each and no stock; no wild card; to 4"),
    playthrough(Preset::Schmierer, 4, 493, "who can match must; going on only while an opponent wins; to 5"),
    playthrough(Preset::Schmierer, 2, 536, "who can match must; going on only while the opponent wins; to 5"),
];

#[test]
fn playthroughs_are_told_as_they_were() {
    for playthrough in PLAYTHROUGHS {
        let path = path(playthrough);
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, play(playthrough).text).unwrap();
        }
        let text = read(playthrough);
        let told = replay(playthrough, &text);
        assert_eq!(told.text, text, "{}", path.display());
        assert!(told.game.is_over(), "a whole match is played");
    }
}

/// Every preset has its playthrough with every number of seats, and no file is left over.
#[test]
fn every_preset_has_its_playthroughs() {
    let told: Vec<(Preset, u8)> = PLAYTHROUGHS.iter().map(|it| (it.preset, it.seats)).collect();
    assert_eq!(told, every_preset().collect::<Vec<_>>());
    let folder = path(&PLAYTHROUGHS[0]).parent().unwrap().to_path_buf();
    assert_eq!(fs::read_dir(folder).unwrap().count(), PLAYTHROUGHS.len());
}

fn path(playthrough: &Playthrough) -> PathBuf {
    let file = format!("{}_{}.txt", playthrough.preset, playthrough.seats);
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs").join(file)
}

pub(crate) fn read(playthrough: &Playthrough) -> String {
    let path = path(playthrough);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn head(playthrough: &Playthrough) -> String {
    let Playthrough { preset, seats, shows, .. } = playthrough;
    [
        format!("{preset} with {seats} seats, a whole match played at random."),
        format!("It shows: {shows}."),
        String::new(),
        "A line for each trick: its cards in turn from the leader on, who takes it, and who draws what. | stands \
         where a round is full and the leader goes on, || where he fights, end where he could and does not. (9s) \
         came unseen from the stock, Kh! announces a marriage. Below a trick stands what bound a player or what he \
         chose; = is how a deal ended."
            .to_owned(),
    ]
    .iter()
    .map(|text| comment(text))
    .collect()
}

/// Lines of at most 100 columns behind `#`.
fn comment(text: &str) -> String {
    let mut lines = "#".to_owned();
    let mut width = 1;
    for word in text.split_whitespace() {
        if width + 1 + word.len() > 100 {
            lines.push_str("\n#");
            width = 1;
        }
        lines.push(' ');
        lines.push_str(word);
        width += 1 + word.len();
    }
    lines + "\n"
}

/// Plays a match at random and tells it.
pub(crate) fn play(playthrough: &Playthrough) -> Telling {
    let rules = rules(playthrough.preset, playthrough.seats);
    let mut chance = Chance::seeded(playthrough.seed);
    let mut told = Telling::new(rules.clone(), &head(playthrough));
    while !told.game.is_over() {
        told.deal(chance.pack(&rules));
        while let Some(seat) = told.game.turn() {
            let actions: Vec<Action> = told.game.legal_actions(&rules, seat).iter().collect();
            told.act(chance.action(&actions));
        }
    }
    told
}

/// Does what the text says was done and tells what follows from it now.
pub(crate) fn replay(playthrough: &Playthrough, text: &str) -> Telling {
    let rules = rules(playthrough.preset, playthrough.seats);
    let mut told = Telling::new(rules.clone(), &head(playthrough));
    for line in text.lines() {
        if let Some(cards) = line.strip_prefix("pack ") {
            told.deal(pack(&rules, cards));
        }
        for action in actions(&told.game, line) {
            told.act(action);
        }
    }
    told
}

fn pack(rules: &Rules, cards: &str) -> Pack {
    let cards: Vec<_> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
    Pack::new(rules, &cards).unwrap()
}

/// What the seat that is to act does by this line, and those after it.
fn actions(game: &Match, line: &str) -> Vec<Action> {
    let Some((seat, what)) = line.split_once(' ') else { return Vec::new() };
    if game.turn().is_none_or(|turn| turn.to_string() != seat) {
        return Vec::new();
    }
    if let Some(cards) = what.strip_prefix("leads ") {
        let cards = cards.split(" -> ").next().unwrap();
        return cards.split(' ').filter(|word| !word.starts_with('|')).map(action).collect();
    }
    vec![Action::ExchangeHands(what != "keeps the hand")]
}

fn action(word: &str) -> Action {
    match word {
        "end" => Action::EndTrick,
        _ if word.starts_with('(') => Action::PlayFromStock,
        _ => {
            let card = word.trim_end_matches('!');
            Action::Play { card: card.parse().unwrap(), announce_marriage: card != word }
        }
    }
}

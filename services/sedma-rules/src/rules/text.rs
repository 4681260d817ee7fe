//! Rules in words that a player can learn from, made of the options, so that they can't drift from what is
//! played.

mod names;
mod playing;
mod scoring;
mod setting;

use crate::rules::resolved::Rules;

/// The widest line.
const COLUMNS: usize = 100;

/// How an example begins.
const EXAMPLE: &str = "Example:";

/// The rules in plain English: short paragraphs, each under its title, in lines of at most 100 columns.
pub fn rule_text(rules: &Rules) -> String {
    [
        ("Players and cards", setting::players_and_cards(rules)),
        ("The deal", setting::the_deal(rules)),
        ("Playing a trick", playing::playing(rules)),
        ("Taking the trick", playing::taking(rules)),
        ("Going on", playing::going_on(rules)),
        ("Drawing", playing::drawing(rules)),
        ("Burning", playing::burning(rules)),
        ("Marriages", playing::marriages(rules)),
        ("Scoring a deal", scoring::the_deal(rules)),
        ("The match", scoring::the_match(rules)),
    ]
    .into_iter()
    .filter(|(_, sentences)| !sentences.is_empty())
    .map(|(title, sentences)| format!("{title}\n{}", wrapped(&sentences)))
    .collect::<Vec<_>>()
    .join("\n\n")
}

/// Lines as full as they can be; the words stay whole. An example has a line of its own.
fn wrapped(sentences: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut width = COLUMNS;
    for sentence in sentences {
        if sentence.starts_with(EXAMPLE) {
            width = COLUMNS;
        }
        for word in sentence.split(' ') {
            let wide = word.chars().count();
            match lines.last_mut() {
                Some(line) if width + 1 + wide <= COLUMNS => {
                    line.push(' ');
                    line.push_str(word);
                    width += 1 + wide;
                }
                _ => {
                    lines.push(word.to_owned());
                    width = wide;
                }
            }
        }
    }
    lines.join("\n")
}

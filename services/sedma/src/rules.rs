//! `sedma rules`: what can be played, and how.

use std::fmt::Write as _;

use anyhow::{Context as _, ensure};
use clap::Args as ClapArgs;
use sedma_rules::{Preset, RuleOptions, Rules, rule_text};

/// Columns of a terminal that text is wrapped at.
const COLUMNS: usize = 100;

/// Flags of `sedma rules`.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Args {
    /// The preset to explain. Without it all of them are listed.
    preset: Option<String>,
    /// How many play. Without it as many as the preset takes.
    #[arg(long)]
    seats: Option<u8>,
}

/// Prints what was asked for.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let text = match &args.preset {
        None => list()?,
        Some(name) => explain(name, args.seats)?,
    };
    print!("{text}");
    Ok(())
}

fn list() -> anyhow::Result<String> {
    let mut text = format!("{:<16} {:<8} {:<6} {:<5} rules\n", "preset", "seats", "cards", "to");
    for preset in Preset::ALL {
        let options = preset.options(preset.default_seats());
        let mut seats: Vec<String> = preset.seat_counts().iter().map(ToString::to_string).collect();
        seats.reverse();
        let cards = options.pack.cards().len();
        let target = options.match_target;
        writeln!(
            text,
            "{:<16} {:<8} {cards:<6} {target:<5} {}",
            preset.name(),
            seats.join(", "),
            summary(&options)
        )?;
    }
    text.push_str(
        "\n`sedma rules PRESET [--seats N]` explains one; `sedma demo --preset PRESET` plays it.\n",
    );
    Ok(text)
}

/// What is particular about a preset: the options that differ from `classic`'s.
fn summary(options: &RuleOptions) -> String {
    const TOLD: [&str; 17] = [
        "hand_size",
        "wild_ranks",
        "continuation",
        "continuation_condition",
        "draw_timing",
        "blind_stock_play",
        "burned_hand",
        "burned_trick",
        "forced_match",
        "partner_exchange",
        "marriages",
        "card_points",
        "last_trick_bonus",
        "tie",
        "direction",
        "stop_at_points",
        "partnership",
    ];
    let classic = Preset::Classic.options(4).list();
    let differs = |(own, classic): (&(&'static str, String), &(&'static str, String))| {
        (TOLD.contains(&own.0) && own.1 != classic.1).then(|| match own.1.as_str() {
            "yes" => own.0.to_owned(),
            value => format!("{} {value}", own.0),
        })
    };
    let particular: Vec<String> = options.list().iter().zip(&classic).filter_map(differs).collect();
    if particular.is_empty() { "as classic".to_owned() } else { particular.join(", ") }
}

fn explain(name: &str, seats: Option<u8>) -> anyhow::Result<String> {
    let preset = Preset::from_name(name).with_context(|| {
        let known: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
        format!("there is no preset {name:?}; there are {}", known.join(", "))
    })?;
    let seats = seats.unwrap_or_else(|| preset.default_seats());
    ensure!(
        preset.seat_counts().contains(&seats),
        "{preset} is not played by {seats}, but by {}",
        preset.seat_counts().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    );
    let rules: Rules = preset.options(seats).check()?;
    let mut text = format!("{preset}, {seats} seats\n\n{}\n\nOptions\n", rule_text(&rules).trim_end());
    for (option, value) in rules.options().list() {
        writeln!(text, "  {option:<24} {value}")?;
    }
    writeln!(text, "\nSource\n{}", wrap(preset.source()))?;
    Ok(text)
}

/// Text in lines, two spaces in.
fn wrap(text: &str) -> String {
    let mut lines = vec![String::from(" ")];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < COLUMNS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("  {word}")),
        }
    }
    lines.join("\n")
}

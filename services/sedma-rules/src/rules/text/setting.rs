//! Who plays, with what, and how a deal begins.

use crate::rules::choices::{Direction, PackKind, Partnership};
use crate::rules::options::RuleOptions;
use crate::rules::resolved::Rules;
use crate::rules::text::names;

pub(super) fn players_and_cards(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    vec![players(options), direction(options), talk(options), pack(options), suits(options)]
        .into_iter()
        .chain([names::local_names(options).to_owned()])
        .filter(|sentence| !sentence.is_empty())
        .collect()
}

fn players(options: &RuleOptions) -> String {
    let how_many = match options.seats {
        2 => "Two",
        3 => "Three",
        _ => "Four",
    };
    match options.partnership {
        Partnership::FixedPairs => {
            "Four play in two pairs: seats 1 and 3 are partners against seats 2 and 4.".to_owned()
        }
        Partnership::Individual if options.seats == 2 => "Two play against each other.".to_owned(),
        Partnership::Individual => format!("{how_many} play, each alone."),
        Partnership::SecretSoloist => {
            let king = names::card(options, options.soloist_card.card());
            format!(
                "{how_many} play. Whoever is dealt or draws the {king} is the soloist: he plays alone against the \
                 two others, whose points are added together at the end of the deal. He need not say so, and nobody \
                 else is told before he plays the card or the deal ends; while it is in the stock there is no \
                 soloist."
            )
        }
    }
}

fn direction(options: &RuleOptions) -> String {
    match options.direction {
        Direction::Clockwise => "Turns go clockwise: the next seat is the one to the left.".to_owned(),
        Direction::Anticlockwise => {
            "Turns go anticlockwise: the next seat is the one to the right.".to_owned()
        }
    }
}

fn talk(options: &RuleOptions) -> String {
    match (options.partnership, options.partner_calls) {
        (Partnership::FixedPairs, true) => {
            "Partners may call for a card (to play a point card or none, to match or not); a call binds nobody."
                .to_owned()
        }
        (Partnership::FixedPairs, false) => "Partners may not advise or signal each other.".to_owned(),
        _ => String::new(),
    }
}

fn pack(options: &RuleOptions) -> String {
    let suit = |suit| names::suit(options, suit);
    let (clubs, diamonds) = (suit(crate::card::Suit::Clubs), suit(crate::card::Suit::Diamonds));
    match options.pack {
        PackKind::French32 => "The pack has 32 cards, the seven to the ace of each suit.".to_owned(),
        PackKind::P30Minus8And9 => format!(
            "The pack has 30 cards: the seven to the ace of each suit, without the eight and the nine of {diamonds}."
        ),
        PackKind::P30MinusTwo8 => format!(
            "The pack has 30 cards: the seven to the ace of each suit, without the eights of {clubs} and {diamonds}."
        ),
        PackKind::P24WithSevens => {
            "The pack has 24 cards: the seven, ten, jack, queen, king and ace of each suit.".to_owned()
        }
        PackKind::P24WithoutSevens => "The pack has 24 cards, the nine to the ace of each suit.".to_owned(),
        PackKind::P52 => "The pack has all 52 cards, the two to the ace of each suit.".to_owned(),
    }
}

fn suits(options: &RuleOptions) -> String {
    let but = if options.marriages { "Suits matter for marriages only" } else { "Suits do not matter" };
    format!("{but}, and no rank is higher than another.")
}

pub(super) fn the_deal(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    let dealt = options.seats * options.hand_size;
    let each = names::number(options.hand_size);
    let stock = match rules.pack().len() - dealt {
        0 => "that is the whole pack, so there is no stock".to_owned(),
        rest => format!("the other {rest} cards lie face down as the stock"),
    };
    let mut text = vec![
        format!(
            "The first dealer is drawn by lot. Each player is dealt {each} cards, one at a time from the seat after \
             the dealer on; {stock}."
        ),
        "The seat after the dealer leads to the first trick.".to_owned(),
    ];
    if options.partner_exchange {
        text.push(
            "In every deal but the first of the match, its leader says before he leads whether he changes his whole \
             hand with his partner, who can't refuse. Nobody else sees the cards, and he still leads."
                .to_owned(),
        );
    }
    text
}

//! How a trick is played, taken and followed by the next, and what can end a deal in the middle of it.

use crate::card::{Card, Rank, Suit};
use crate::rules::choices::{
    BurnedHand, Continuation, ContinuationCondition, DrawTiming, ForcedMatch, ForcedMatchScope, Partnership,
};
use crate::rules::options::RuleOptions;
use crate::rules::resolved::Rules;
use crate::rules::text::{EXAMPLE, names, scoring};
use crate::seat::Seat;

pub(super) fn playing(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    let mut text = vec!["The leader plays any card, then each other seat in turn plays one.".to_owned()];
    text.push(duty(options));
    if options.blind_stock_play {
        text.push(
            "While there is a stock, a player may play its top card unseen instead of one from his hand, to lead or \
             to follow."
                .to_owned(),
        );
    }
    if options.max_same_rank_leads > 0 {
        text.push(lead_limit(options));
    }
    text
}

fn duty(options: &RuleOptions) -> String {
    match options.forced_match {
        ForcedMatch::Off => "Nobody has to match or to win: any card of the hand may be played.".to_owned(),
        // With two players nobody has two cards before him in the round.
        ForcedMatch::AfterTwoEqual if options.seats == 2 => {
            "Nobody has to match or to win: any card of the hand may be played.".to_owned()
        }
        ForcedMatch::AfterTwoEqual => {
            let scope = match options.forced_match_scope {
                ForcedMatchScope::AnyRank => "whatever was led",
                ForcedMatchScope::LedRank => "but only if it is the rank that was led",
            };
            format!(
                "Any card of the hand may be played, with one exception: when the two cards just before a player's \
                 turn, in the same round, are of one rank and he has that rank too, he must play it, {scope}. A wild \
                 card is here no more than its own rank."
            )
        }
        ForcedMatch::MustMatchIfAble => {
            "Whoever has a card that matches (see below) must play one of these, any of them; whoever has none plays \
             what he likes."
                .to_owned()
        }
    }
}

fn lead_limit(options: &RuleOptions) -> String {
    let led = match options.max_same_rank_leads {
        1 => "a trick".to_owned(),
        times => format!("{} tricks in a row with one rank", names::number(times)),
    };
    let blind = if options.blind_stock_play { " The unseen card may always be led." } else { "" };
    let fights = options.continuation == Continuation::AbeyanceNewLead;
    let fight = if fights { " A fight may lead any card." } else { "" };
    format!(
        "Whoever has led {led} must lead another rank to the next one, unless he holds no other.{blind}{fight}"
    )
}

pub(super) fn taking(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    let wild = wild_cards(rules);
    let matches = "A card matches if it has the rank of the first card of the trick";
    let mut text = vec![match &wild[..] {
        [] => format!("{matches}; no card is wild."),
        _ => format!("{matches}, or if it is wild: {}.", names::listed(&wild)),
    }];
    text.push(
        "The last card that matches takes the trick, however many matched before it; if none does, the first card \
         takes it."
            .to_owned(),
    );
    text.extend(led_wild(rules));
    text.push("The winner lays the cards face down before him and leads to the next trick.".to_owned());
    if options.partnership == Partnership::FixedPairs {
        text.push("What partners take counts together.".to_owned());
    }
    text.push(example(rules));
    text
}

/// Every wild card, those of a rank together.
fn wild_cards(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    let ranks = options.wild_ranks.cards();
    let single = rules.wild().minus(ranks).iter().map(|card| format!("the {}", names::card(options, card)));
    let ranks = names::every(options.wild_ranks).into_iter().map(|rank| format!("all {rank}"));
    ranks.chain(single).collect()
}

fn led_wild(rules: &Rules) -> Option<String> {
    let options = rules.options();
    let single = rules.wild().minus(options.wild_ranks.cards()).iter().next();
    let others = "the other wild cards match it too";
    if let Some(card) = single {
        let (name, rank) = (names::card(options, card), names::rank(card.rank()));
        return Some(if rules.wild().len() == 1 {
            format!("Led itself, the {name} is just a {rank}.")
        } else {
            format!("A wild card that is led stands for its own rank: the {name} leads {rank}s; {others}.")
        });
    }
    let mut ranks = options.wild_ranks.iter();
    match (ranks.next(), ranks.next()) {
        (Some(only), None) => {
            let rank = names::rank(only);
            Some(format!("A {rank} that is led is just a {rank}: only another {rank} matches it."))
        }
        (Some(_), Some(_)) => Some(format!("A wild card that is led stands for its own rank; {others}.")),
        _ => None,
    }
}

/// One round as the rules judge it: a ten is led, then a wild card or a queen, another ten and a king follow.
fn example(rules: &Rules) -> String {
    let options = rules.options();
    let led = Card::new(Rank::Ten, Suit::Hearts);
    let wild = || rules.wild().iter().filter(|card| card.rank() != Rank::Ten);
    let single = wild().find(|card| !options.wild_ranks.contains(card.rank()));
    let second = single.or_else(|| wild().next()).unwrap_or(Card::new(Rank::Queen, Suit::Spades));
    let cards = [led, second, Card::new(Rank::Ten, Suit::Clubs), Card::new(Rank::King, Suit::Diamonds)];
    let plays: Vec<(Seat, Card)> = Seat::first(options.seats).zip(cards).collect();
    let matching = rules.matching(led);
    let winner = plays.iter().rev().find(|play| matching.contains(play.1)).map_or(Seat::One, |play| play.0);
    let points: u16 = plays.iter().map(|play| u16::from(rules.value(play.1))).sum();
    let name = |card: Card| {
        if Some(card) == single { names::french(card) } else { names::rank(card.rank()).to_owned() }
    };
    let told: Vec<String> = plays.iter().map(|play| name(play.1)).collect();
    let ends = if options.continuation == Continuation::None { "" } else { "if it ends there, " };
    let to = if options.seats == 2 { "and" } else { "to" };
    format!(
        "{EXAMPLE} seats 1 {to} {} play {}; {ends}seat {winner} takes {}.",
        options.seats,
        told.join(", "),
        scoring::points(points)
    )
}

pub(super) fn going_on(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    let pairs = options.partnership == Partnership::FixedPairs;
    let when = match options.continuation_condition {
        ContinuationCondition::Always => "After each full round, whoever is winning,",
        ContinuationCondition::SomeoneMatched if pairs => {
            "After a full round in which somebody else matched, his partner included,"
        }
        ContinuationCondition::SomeoneMatched => "After a full round in which somebody else matched,",
        ContinuationCondition::OpponentWinning => {
            "After a full round, while an opponent would take the trick,"
        }
    };
    match options.continuation {
        Continuation::None => {
            vec!["Nobody goes on with a trick: it ends when each seat has played one card.".to_owned()]
        }
        Continuation::SameRankOrWild => vec![
            format!(
                "{when} the leader may go on with the same trick: he plays another card that matches its first one, \
                 and each other seat plays again, for as many rounds as he can and will."
            ),
            "He may end the trick instead; it ends by itself where he may not go on or has no card for it.".to_owned(),
            "The last card that matches in all its rounds takes all of it.".to_owned(),
        ],
        Continuation::AbeyanceNewLead => vec![
            format!(
                "{when} the leader may fight while he has a card: the cards stay on the table, in abeyance, and he \
                 leads any card to a new trick, for as many rounds as he can and will."
            ),
            "He may let the trick be taken instead.".to_owned(),
            "Only the newest lead is matched, and who takes this last trick takes all that lies on the table."
                .to_owned(),
        ],
    }
}

pub(super) fn drawing(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    if rules.pack().len() == options.seats * options.hand_size {
        return Vec::new();
    }
    let filled = names::number(options.hand_size);
    let mut text = vec![match options.draw_timing {
        DrawTiming::AfterTrick => format!(
            "When a trick has been taken, hands are filled up from the stock, one card at a time: the winner first, \
             then each seat in turn, until everybody has {filled} cards again or the stock is gone."
        ),
        DrawTiming::AfterEachPlay => {
            let blind =
                if options.blind_stock_play { "; a card played unseen came from it already" } else { "" };
            format!(
                "Whoever has played a card from his hand draws the top card of the stock at once, so that he has \
                 {filled} again{blind}."
            )
        }
    }];
    text.push("When the stock is gone, the hands are played out.".to_owned());
    text
}

pub(super) fn burning(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    let mut text = Vec::new();
    let drawn = match options.burned_hand {
        BurnedHand::Off => None,
        BurnedHand::OnDraw => {
            Some(("draws the fourth card of a rank into his hand", "; four as dealt do not count"))
        }
        BurnedHand::OnDealOrDraw => {
            Some(("is dealt four cards of a rank, or draws the fourth into his hand,", ""))
        }
    };
    if let Some((comes, but)) = drawn {
        text.push(format!("Whoever {comes} burns the deal: it ends at once, and {} it{but}.", wins(options)));
    }
    if let (Partnership::SecretSoloist, Some(_)) = (options.partnership, drawn) {
        let king = names::card(options, options.soloist_card.card());
        text.push(format!("While the {king} is in the stock there are no sides, and he wins alone."));
    }
    if options.burned_trick {
        text.push(format!(
            "When the first four cards of a trick are of one rank, whoever played the fourth burns the deal: it ends \
             at once, and {} it.",
            wins(options)
        ));
    }
    if !text.is_empty() {
        text.push("Points do not matter then".to_owned() + wild_burns(rules));
    }
    text
}

fn wild_burns(rules: &Rules) -> &'static str {
    if rules.wild().is_empty() { "." } else { ", and a wild card is no more than its own rank." }
}

fn wins(options: &RuleOptions) -> &'static str {
    match options.partnership {
        Partnership::FixedPairs => "he and his partner win",
        Partnership::Individual => "he wins",
        Partnership::SecretSoloist => "his side wins",
    }
}

pub(super) fn marriages(rules: &Rules) -> Vec<String> {
    let options = rules.options();
    if !options.marriages {
        return Vec::new();
    }
    let worth = match options.marriage_forty_suit {
        Some(suit) => format!("20 points, or 40 in {}", names::suit(options, suit)),
        None => "20 points".to_owned(),
    };
    vec![
        "King and queen of a suit are a marriage. Whoever leads one of the two as the first card of a trick and has \
         the other in his hand may announce it, each suit once in a deal."
            .to_owned(),
        format!("It counts {worth}, at once, and even if the trick is lost."),
    ]
}

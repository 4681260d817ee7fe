//! The options of the Sedma family's rules, one by one: what is absent stays as the preset has it.

use sedma_proto::v1;
use sedma_proto::v1::sedma_rules::DealScore as WireScore;
use sedma_rules::{CardSet, DealScore, Partnership, RankSet, RuleOptions, Suit, Tiers, WinRule};
use sedma_table::Refusal;

use super::card::{card, rank};
use super::create::unknown;
use super::rules::preset;
use crate::choices::Choice;

/// Most game points a match may be played to.
const MAX_MATCH_TARGET: i32 = 1_000;
/// Most points an option of a deal may name.
const MAX_POINTS: i32 = 170;
/// Most points a last trick may bring.
const MAX_BONUS: i32 = 90;
/// Most game points of one tier, and most points more for every trick.
const MAX_TIER: i32 = 100;
/// Most seats of a table of this family.
const MAX_SEATS: i32 = 4;
/// Most leads in a row that a limit may allow: a rank has four cards.
const MAX_LEADS: i32 = 4;

/// The options asked for, over those of the preset. They may not hold together yet.
pub(super) fn options(field: &str, asked: &v1::SedmaRules) -> Result<RuleOptions, Refusal> {
    let path = |option: &str| format!("{field}.{option}");
    let preset = preset(&path("preset"), &asked.preset)?;
    let mut seats = preset.default_seats();
    number(&path("seats"), asked.seats, MAX_SEATS, &mut seats)?;
    let mut options = preset.options(seats);
    cards(&path, asked, &mut options)?;
    play(&path, asked, &mut options)?;
    score(&path, asked, &mut options)?;
    if options.partnership == Partnership::SecretSoloist {
        // The soloist's card is wild whether or not it is named.
        options.wild_cards.remove(options.soloist_card.card());
    }
    Ok(options)
}

fn cards(
    path: &impl Fn(&str) -> String,
    asked: &v1::SedmaRules,
    to: &mut RuleOptions,
) -> Result<(), Refusal> {
    choice(&path("pack"), asked.pack, &mut to.pack)?;
    choice(&path("partnership"), asked.partnership, &mut to.partnership)?;
    choice(&path("soloist_card"), asked.soloist_card, &mut to.soloist_card)?;
    choice(&path("direction"), asked.direction, &mut to.direction)?;
    number(&path("hand_size"), asked.hand_size, 8, &mut to.hand_size)?;
    if let Some(wild) = &asked.wild_ranks {
        let named = wild.ranks.iter().enumerate();
        let ranks = named.map(|(i, number)| rank(|| format!("{}.ranks[{i}]", path("wild_ranks")), *number));
        to.wild_ranks = ranks.collect::<Result<RankSet, _>>()?;
    } else {
        // Whoever takes the sevens out of the pack need not also say that they are not wild.
        let pack = to.pack.cards();
        to.wild_ranks =
            to.wild_ranks.iter().filter(|rank| !pack.common(CardSet::of_rank(*rank)).is_empty()).collect();
    }
    if let Some(wild) = &asked.wild_cards {
        let named = wild.cards.iter().enumerate();
        let cards = named.map(|(i, one)| card(&format!("{}.cards[{i}]", path("wild_cards")), Some(one)));
        to.wild_cards = cards.collect::<Result<CardSet, _>>()?;
    }
    choice(&path("wild_led"), asked.wild_led, &mut to.wild_led)
}

fn play(path: &impl Fn(&str) -> String, asked: &v1::SedmaRules, to: &mut RuleOptions) -> Result<(), Refusal> {
    choice(&path("continuation"), asked.continuation, &mut to.continuation)?;
    let condition = asked.continuation_condition;
    choice(&path("continuation_condition"), condition, &mut to.continuation_condition)?;
    choice(&path("draw_timing"), asked.draw_timing, &mut to.draw_timing)?;
    choice(&path("draw_order"), asked.draw_order, &mut to.draw_order)?;
    number(&path("max_same_rank_leads"), asked.max_same_rank_leads, MAX_LEADS, &mut to.max_same_rank_leads)?;
    choice(&path("burned_hand"), asked.burned_hand, &mut to.burned_hand)?;
    choice(&path("forced_match"), asked.forced_match, &mut to.forced_match)?;
    choice(&path("forced_match_scope"), asked.forced_match_scope, &mut to.forced_match_scope)?;
    to.blind_stock_play = asked.blind_stock_play.unwrap_or(to.blind_stock_play);
    to.burned_trick = asked.burned_trick.unwrap_or(to.burned_trick);
    to.partner_exchange = asked.partner_exchange.unwrap_or(to.partner_exchange);
    to.partner_calls = asked.partner_calls.unwrap_or(to.partner_calls);
    to.marriages = asked.marriages.unwrap_or(to.marriages);
    if let Some(forty) = asked.marriage_forty {
        to.marriage_forty_suit = match forty.suit {
            0 => None,
            suit => Some(
                Suit::from_wire(suit)
                    .ok_or_else(|| unknown(&format!("{}.suit", path("marriage_forty")), suit))?,
            ),
        };
    } else if !to.marriages {
        // Whoever turns marriages off need not also say that none of them counts 40.
        to.marriage_forty_suit = None;
    }
    Ok(())
}

fn score(
    path: &impl Fn(&str) -> String,
    asked: &v1::SedmaRules,
    to: &mut RuleOptions,
) -> Result<(), Refusal> {
    if let Some(target) = asked.match_target {
        let within = u16::try_from(target).ok().filter(|_| target <= MAX_MATCH_TARGET);
        to.match_target = within.ok_or_else(|| between(&path("match_target"), MAX_MATCH_TARGET))?;
    }
    choice(&path("card_points"), asked.card_points, &mut to.card_points)?;
    number(&path("stop_at_points"), asked.stop_at_points, MAX_POINTS, &mut to.stop_at_points)?;
    number(&path("last_trick_bonus"), asked.last_trick_bonus, MAX_BONUS, &mut to.last_trick_bonus)?;
    if !to.last_trick_bonus.is_multiple_of(10) {
        return Err(Refusal::field(path("last_trick_bonus"), "it must be a multiple of 10"));
    }
    let mut threshold = match to.win_rule {
        WinRule::Majority => 0,
        WinRule::Threshold(points) => points,
    };
    number(&path("win_threshold"), asked.win_threshold, MAX_POINTS, &mut threshold)?;
    to.win_rule = if threshold == 0 { WinRule::Majority } else { WinRule::Threshold(threshold) };
    choice(&path("tie"), asked.tie, &mut to.tie)?;
    choice(&path("sweep_points_rule"), asked.sweep_points_rule, &mut to.sweep_points_rule)?;
    choice(&path("dealer_rotation"), asked.dealer_rotation, &mut to.dealer_rotation)?;
    match &asked.deal_score {
        None => {}
        Some(WireScore::Tiers(tiers)) => {
            let own = match to.deal_score {
                DealScore::Tiers(own) => own,
                DealScore::RawPoints { .. } => Tiers::USUAL,
            };
            let one = |name: &str, asked: i32, mut tier: u8| {
                number(&path(&format!("tiers.{name}")), (asked != 0).then_some(asked), MAX_TIER, &mut tier)?;
                Ok::<u8, Refusal>(tier)
            };
            to.deal_score = DealScore::Tiers(Tiers {
                win: one("win", tiers.win, own.win)?,
                sweep_points: one("sweep_points", tiers.sweep_points, own.sweep_points)?,
                sweep_cards: one("sweep_cards", tiers.sweep_cards, own.sweep_cards)?,
                burned_hand: one("burned_hand", tiers.burned_hand, own.burned_hand)?,
                burned_trick: one("burned_trick", tiers.burned_trick, own.burned_trick)?,
            });
        }
        Some(WireScore::RawPoints(raw)) => {
            let mut all_tricks_bonus = 0;
            let bonus = Some(raw.all_tricks_bonus);
            number(&path("raw_points.all_tricks_bonus"), bonus, MAX_TIER, &mut all_tricks_bonus)?;
            to.deal_score = DealScore::RawPoints { all_tricks_bonus };
        }
    }
    Ok(())
}

/// Takes a choice over, where one was made.
fn choice<T: Choice>(field: &str, asked: Option<i32>, to: &mut T) -> Result<(), Refusal> {
    match asked {
        None | Some(0) => {}
        Some(number) => *to = T::from_wire(number).ok_or_else(|| unknown(field, number))?,
    }
    Ok(())
}

/// Takes a number from 0 to a most over, where one was given.
fn number(field: &str, asked: Option<i32>, most: i32, to: &mut u8) -> Result<(), Refusal> {
    if let Some(value) = asked {
        let within = u8::try_from(value).ok().filter(|_| value <= most);
        *to = within.ok_or_else(|| between(field, most))?;
    }
    Ok(())
}

fn between(field: &str, most: i32) -> Refusal {
    Refusal::field(field, format!("it must be 0 to {most}"))
}

//! Views of a table.

use std::collections::BTreeMap;

use sedma_proto::v1;
use sedma_rules::{HandView, LastTrick, MatchView, PlayView};
use sedma_table::{BetweenDeals, CloseReason, Phase, Results, SeatInfo, Spectators, StartPolicy, TableView};

use super::{Moment, card, cards, game_rules, legal_actions, seat, seats, side_standing};

/// Whether an answer goes to the platform itself: it alone gets its own reference and labels back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The platform that owns the table.
    Platform,
    /// A seat, a spectator, or anybody who watches.
    Table,
}

/// A viewer's whole view.
pub(crate) fn view(view: &TableView, audience: Audience, moment: Moment) -> v1::TableView {
    v1::TableView {
        table: Some(public(view, audience, moment)),
        seats: view.game.hands.iter().map(|hand| seat_view(view, hand)).collect(),
    }
}

fn seat_view(view: &TableView, hand: &HandView) -> v1::SeatView {
    let mut legal = legal_actions(&hand.legal);
    if view.phase == Phase::BetweenDeals && !view.paused {
        let next = v1::legal_action::Action::StartNextDeal(v1::StartNextDealAction {});
        legal.push(v1::LegalAction { action: Some(next) });
    }
    let cards = v1::SedmaHand { cards: cards(hand.cards.iter()) };
    let dealt = view.game.deal > 0;
    v1::SeatView {
        seat: seat(hand.seat),
        legal_actions: legal,
        hand: dealt.then_some(v1::seat_view::Hand::Sedma(cards)),
    }
}

fn public(view: &TableView, audience: Audience, moment: Moment) -> v1::PublicTable {
    let (deadline_time, remaining_duration) = moment.deadline(view.due).unzip();
    let own = audience == Audience::Platform;
    let labels = view.setup.labels();
    v1::PublicTable {
        name: view.id.to_string(),
        revision: view.revision,
        turn_revision: view.turn_revision,
        phase: phase(view.phase).into(),
        paused: view.paused,
        rules: Some(game_rules(view.setup.rules())),
        seats: view.seats.iter().map(seat_info).collect(),
        turn_seat: view.game.turn.map_or(0, seat),
        deadline_time,
        remaining_duration,
        commitment: view.setup.commitment().reveal().to_vec().into(),
        scripted: view.setup.scripted(),
        rematch: view.rematch.map(|table| table.to_string()).unwrap_or_default(),
        start_policy: start(view.setup.start()).into(),
        between_deals: between(view.setup.between_deals()).into(),
        spectators: spectators(view.setup.spectators()).into(),
        external_ref: if own { view.external_ref.clone() } else { String::new() },
        labels: if own { labels.clone() } else { BTreeMap::new() },
        winner_seats: view.winners().map(seats).unwrap_or_default(),
        close_cause: close_cause(view.closed.as_ref()).into(),
        close_reason: close_reason(view.closed.as_ref()),
        timing: Some(super::timing::timing(view.setup.timing())),
        spectator_delay: Some(super::timing::duration(view.setup.spectators().delay_ms().into())),
        results: results(view.setup.results()).into(),
        game: (view.game.deal > 0).then(|| v1::public_table::Game::Sedma(sedma(&view.game, view.last_deal))),
    }
}

/// Where a table is in its life.
pub(crate) fn phase(phase: Phase) -> v1::TablePhase {
    match phase {
        Phase::Open => v1::TablePhase::Open,
        Phase::Playing => v1::TablePhase::Playing,
        Phase::BetweenDeals => v1::TablePhase::BetweenDeals,
        Phase::Finished => v1::TablePhase::Finished,
        Phase::Closed => v1::TablePhase::Closed,
    }
}

/// One seat as everybody sees it.
pub(crate) fn seat_info(info: &SeatInfo) -> v1::SeatInfo {
    let player = info.player.as_deref();
    v1::SeatInfo {
        seat: seat(info.seat),
        player_id: player.map(|player| player.player_id.clone()).unwrap_or_default(),
        display_name: player.map(|player| player.display_name.clone()).unwrap_or_default(),
        ready: info.here,
        taken: player.is_some() || info.bot.is_some(),
        away: info.away,
        has_entropy: info.has_entropy,
        open: player.is_none() && info.bot.is_none(),
        bot_level: info.bot.map_or_else(String::new, |level| level.name().to_owned()),
    }
}

fn start(policy: StartPolicy) -> v1::StartPolicy {
    match policy {
        StartPolicy::WhenFull => v1::StartPolicy::WhenFull,
        StartPolicy::WhenReady => v1::StartPolicy::WhenReady,
        StartPolicy::Manual => v1::StartPolicy::Manual,
    }
}

fn between(policy: BetweenDeals) -> v1::BetweenDeals {
    match policy {
        BetweenDeals::AtOnce => v1::BetweenDeals::AtOnce,
        BetweenDeals::Manual => v1::BetweenDeals::Manual,
    }
}

fn spectators(policy: Spectators) -> v1::SpectatorPolicy {
    match policy {
        Spectators::Forbidden => v1::SpectatorPolicy::Forbidden,
        Spectators::Allowed { .. } => v1::SpectatorPolicy::Allowed,
    }
}

fn results(policy: Results) -> v1::ResultPolicy {
    match policy {
        Results::Keep => v1::ResultPolicy::Keep,
        Results::None => v1::ResultPolicy::None,
    }
}

/// Why a table was closed.
pub(super) fn close_cause(reason: Option<&CloseReason>) -> v1::CloseCause {
    match reason {
        None => v1::CloseCause::Unspecified,
        Some(CloseReason::Platform(_)) => v1::CloseCause::Platform,
        Some(CloseReason::Limit) => v1::CloseCause::Limit,
        Some(CloseReason::NotStarted) => v1::CloseCause::NotStarted,
        Some(CloseReason::Expired) => v1::CloseCause::Expired,
        Some(CloseReason::Forfeited(_)) => v1::CloseCause::Forfeited,
    }
}

/// The platform's words for it.
pub(super) fn close_reason(reason: Option<&CloseReason>) -> String {
    match reason {
        Some(CloseReason::Platform(words)) => words.clone(),
        _ => String::new(),
    }
}

fn sedma(game: &MatchView, last_deal: u16) -> v1::SedmaTable {
    v1::SedmaTable {
        deal: game.deal.into(),
        dealer_seat: game.dealer.map_or(0, seat),
        leader_seat: game.leader.map_or(0, seat),
        trick: game.trick.iter().map(play).collect(),
        last_trick: game.last_trick.as_ref().map(taken),
        stock_count: game.stock_count.into(),
        hand_counts: game.hand_counts.iter().map(|count| i32::from(*count)).collect(),
        sides: game.sides.iter().map(side_standing).collect(),
        last_deal: game.last_deal.as_ref().map(|result| super::deal_score(last_deal, result)),
        abeyance_count: game.abeyance.into(),
        soloist_seat: game.soloist.map_or(0, seat),
    }
}

fn play(play: &PlayView) -> v1::Play {
    v1::Play {
        seat: seat(play.seat),
        card: Some(card(play.card)),
        announced_marriage: play.announced,
        from_stock: play.from_stock,
    }
}

fn taken(trick: &LastTrick) -> v1::TakenTrick {
    v1::TakenTrick {
        plays: trick.plays.iter().map(play).collect(),
        winner_seat: seat(trick.winner),
        points: trick.points.into(),
    }
}

//! Updates and their events.

use bytes::Bytes;
use sedma_proto::v1;
use sedma_proto::v1::event::Fact as F;
use sedma_rules::{CardSet, Event as GameEvent, Seat};
use sedma_table::{Actor, CloseReason, Event, Logged, Version};

use super::table::{close_cause, close_reason};
use super::{card, cards, seat, seats, side_score, side_standing, tier, timestamp};

/// The opaque mark of a history: the token of its newest commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct History;

impl History {
    /// The mark of a version.
    pub(crate) fn of(version: Version) -> Bytes {
        Bytes::copy_from_slice(&version.token)
    }
}

/// An update as a viewer may know it, without `after`.
pub(crate) fn update(logged: &Logged, events: &[Event]) -> v1::Update {
    v1::Update {
        revision: logged.version.revision,
        history: History::of(logged.version),
        time: Some(timestamp(logged.time_ms)),
        actor: match logged.update.actor {
            Actor::Player => v1::Actor::Player,
            Actor::Platform => v1::Actor::Platform,
            Actor::Bot => v1::Actor::Bot,
            Actor::Timeout => v1::Actor::Timeout,
        }
        .into(),
        seat: logged.update.seat.map_or(0, seat),
        events: events.iter().map(|event| v1::Event { fact: Some(fact(event, logged)) }).collect(),
        after: None,
        traceparent: logged.update.traceparent.clone().unwrap_or_default(),
    }
}

fn fact(event: &Event, logged: &Logged) -> F {
    match event {
        Event::TableCreated { commitment } => {
            F::TableCreated(v1::TableCreated { commitment: commitment.reveal().to_vec().into() })
        }
        Event::SeatTaken { seat: at, player, .. } => F::SeatTaken(v1::SeatTaken {
            seat: seat(*at),
            player_id: player.player_id.clone(),
            display_name: player.display_name.clone(),
        }),
        Event::SeatReady { seat: at } => F::SeatReady(v1::SeatReady { seat: seat(*at) }),
        Event::SeatLeft { seat: at } => F::SeatLeft(v1::SeatLeft { seat: seat(*at) }),
        Event::SeatRevoked { seat: at } => F::SeatRevoked(v1::SeatRevoked { seat: seat(*at) }),
        Event::BotSeated { seat: at, level } => {
            F::BotSeated(v1::BotSeated { seat: seat(*at), bot_level: level.name().to_owned() })
        }
        Event::TurnMissed { seat: at } => F::TurnMissed(v1::TurnMissed { seat: seat(*at) }),
        Event::AwayChanged { seat: at, away } => {
            F::AwayChanged(v1::AwayChanged { seat: seat(*at), away: *away })
        }
        Event::Paused => F::TablePaused(v1::TablePaused {}),
        Event::Resumed => F::TableResumed(v1::TableResumed {}),
        Event::DeadlineExtended { remaining_ms } => {
            let deadline_ms = logged.time_ms.saturating_add(i64::from(*remaining_ms));
            F::DeadlineExtended(v1::DeadlineExtended { deadline_time: Some(timestamp(deadline_ms)) })
        }
        Event::TableClosed(CloseReason::Forfeited(at)) => {
            F::SeatForfeited(v1::SeatForfeited { seat: seat(*at) })
        }
        Event::EntropyGiven { seat: at } => F::EntropyGiven(v1::EntropyGiven { seat: seat(*at) }),
        Event::Game { event, deal, leader } => game(event, *deal, leader.map_or(0, seat)),
        Event::SeedRevealed { deal, seed, entropies } => F::SeedRevealed(v1::SeedRevealed {
            deal: i32::from(*deal),
            seed: seed.reveal().to_vec().into(),
            entropies: entropies.iter().map(|entropy| entropy.clone().into()).collect(),
        }),
        Event::RematchCreated { table } => F::RematchCreated(v1::RematchCreated { name: table.to_string() }),
        Event::TableClosed(reason) => F::TableClosed(v1::TableClosed {
            cause: close_cause(Some(reason)).into(),
            reason: close_reason(Some(reason)),
        }),
    }
}

fn game(event: &GameEvent, deal: u16, leader_seat: i32) -> F {
    match event {
        GameEvent::Dealt { deal, dealer, leader, stock_count, own } => F::Dealt(v1::Dealt {
            deal: i32::from(*deal),
            dealer_seat: seat(*dealer),
            leader_seat: seat(*leader),
            stock_count: i32::from(*stock_count),
            own: hands(own),
        }),
        GameEvent::HandsExchanged { seat: at, exchanged, own } => {
            F::HandsExchanged(v1::HandsExchanged { seat: seat(*at), exchanged: *exchanged, own: hands(own) })
        }
        GameEvent::CardPlayed { seat: at, card: played, from_stock, marriage_points } => {
            F::CardPlayed(v1::CardPlayed {
                seat: seat(*at),
                card: Some(card(*played)),
                from_stock: *from_stock,
                announced_marriage: *marriage_points > 0,
                marriage_points: i32::from(*marriage_points),
            })
        }
        GameEvent::RoundEnded => F::RoundEnded(v1::RoundEnded { leader_seat }),
        GameEvent::TrickSetAside => F::TrickSetAside(v1::TrickSetAside { leader_seat }),
        GameEvent::TrickWon { seat: at, points, cards: taken } => F::TrickWon(v1::TrickWon {
            seat: seat(*at),
            points: i32::from(*points),
            cards: cards(taken.iter().copied()),
        }),
        GameEvent::CardsDrawn { seat: at, count } => {
            F::CardsDrawn(v1::CardsDrawn { seat: seat(*at), count: i32::from(*count) })
        }
        GameEvent::OwnCardsDrawn { seat: at, cards: drawn } => {
            F::OwnCardsDrawn(v1::OwnCardsDrawn { seat: seat(*at), cards: cards(drawn.iter().copied()) })
        }
        GameEvent::DealEnded { result, totals } => F::DealEnded(v1::DealEnded {
            deal: i32::from(deal),
            tier: tier(result.tier).into(),
            sides: result.sides.iter().map(side_score).collect(),
            last_trick_bonus: result.last_trick_bonus.into(),
            last_trick_seat: result.last_trick_seat.map_or(0, seat),
            totals: totals.iter().map(side_standing).collect(),
        }),
        GameEvent::MatchEnded { winners } => F::MatchEnded(v1::MatchEnded { winner_seats: seats(*winners) }),
    }
}

/// The viewer's own hands.
fn hands(own: &[(Seat, CardSet)]) -> Vec<v1::SeatCards> {
    own.iter().map(|(at, set)| v1::SeatCards { seat: seat(*at), cards: cards(set.iter()) }).collect()
}

//! What an action is worth to the seat that looks.

use sedma_rules::{Action, Card, CardSet, Continuation, Seat};

use crate::habits;
use crate::hand;
use crate::odds::Race;
use crate::sight::Sight;

/// Whether an action is looked at: a marriage that can be announced always is.
pub(crate) fn is_considered(sight: &Sight<'_>, action: Action) -> bool {
    !matches!(action, Action::Play { card, announce_marriage: false } if sight.legal.marriages.contains(card))
}

/// What an action is worth, in points; only differences mean anything.
pub(crate) fn of(sight: &Sight<'_>, action: Action) -> f64 {
    match action {
        Action::Play { card, announce_marriage } => {
            let announced = if announce_marriage { hand::marriage(sight, card) } else { 0.0 };
            let mut left = sight.hand;
            left.remove(card);
            trick_with(sight, card, left) + announced - hand::cost(sight, card)
        }
        Action::PlayFromStock => from_stock(sight),
        Action::EndTrick => ended(sight),
        Action::ExchangeHands(exchange) => exchanged(sight, exchange),
    }
}

/// What comes of the trick when this card is played to it or led.
fn trick_with(sight: &Sight<'_>, card: Card, left: CardSet) -> f64 {
    let fights = sight.is_to_decide() && sight.rules.options().continuation == Continuation::AbeyanceNewLead;
    let leads = fights || sight.trick.is_empty();
    let led = sight.led().filter(|_| !leads).unwrap_or(card);
    let takes = leads || sight.rules.matching(led).contains(card);
    let race = Race {
        led,
        leader: sight.leader,
        holder: if takes { sight.me } else { sight.holder },
        pot: sight.pot + sight.points(card) + sight.bonus(left),
        left,
        to_follow: sight.to_follow(leads),
    };
    let chances = race.chances(sight);
    let seats = Seat::first(sight.rules.seats());
    let trick: f64 = seats.map(|seat| chances.get(seat) * taken(sight, &race, seat)).sum();
    trick + burning(sight, card)
}

/// What it means that a seat takes the trick: its points, what those who follow add to it, and the lead.
fn taken(sight: &Sight<'_>, race: &Race, seat: Seat) -> f64 {
    let mut points = race.pot + lead(sight);
    let mut follower = sight.me;
    for _ in 0..race.to_follow {
        follower = follower.next(sight.rules.seats());
        points += if sight.together(follower, seat) { habits::FATTENS } else { habits::SPARES };
    }
    points * sight.stake(seat)
}

/// What leading to the next trick is worth.
fn lead(sight: &Sight<'_>) -> f64 {
    let fights = sight.rules.options().continuation == Continuation::AbeyanceNewLead;
    if fights && sight.rules.seats() == 2 { habits::LEAD_OF_A_DUEL } else { habits::LEAD }
}

/// The fourth card of one rank in a row ends the deal, where the rules say so, and he who played it wins.
fn burning(sight: &Sight<'_>, card: Card) -> f64 {
    let rank = CardSet::same_rank(card);
    let fourth = sight.trick.len() == 3 && sight.trick.iter().all(|play| rank.contains(play.card));
    if fourth && sight.rules.options().burned_trick { habits::WINS_THE_DEAL } else { 0.0 }
}

/// The stock's top card may be any that was not seen. The hand stays as it is, where a card from it would
/// have been replaced by the top one.
fn from_stock(sight: &Sight<'_>) -> f64 {
    let total: f64 = sight.unseen.iter().map(|card| trick_with(sight, card, sight.hand)).sum();
    total / f64::from(sight.unseen.len().max(1)) - hand::average(sight) - habits::GAMBLE
}

/// Everybody keeps his cards, where going on would have cost one that is drawn anew.
fn ended(sight: &Sight<'_>) -> f64 {
    let points = sight.pot + sight.bonus(sight.hand) + lead(sight);
    points * sight.stake(sight.holder) - hand::average(sight)
}

/// A poor hand is changed for one that is as good as any.
fn exchanged(sight: &Sight<'_>, exchange: bool) -> f64 {
    if exchange { hand::average(sight) * f64::from(sight.hand.len()) } else { hand::worth(sight, sight.hand) }
}

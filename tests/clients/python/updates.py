"""Questions about updates of a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stubs import event_pb2, score_pb2

ACTOR_NAMES = {
    event_pb2.ACTOR_PLAYER: "player",
    event_pb2.ACTOR_TIMEOUT: "timeout",
    event_pb2.ACTOR_BOT: "bot",
}


def facts(update: event_pb2.Update, kind: str) -> list[Any]:
    """The facts of one kind in an update, as in `facts(update, "card_played")`."""
    return [getattr(event, kind) for event in update.events if event.HasField(kind)]


def is_here(update: event_pb2.Update, seat: int) -> bool:
    """Whether the player of a seat has said "here"."""
    return update.after.table.seats[seat - 1].ready


def turns_away(update: event_pb2.Update, seat: int) -> bool:
    """Whether a seat is away from this update on."""
    return any(fact.seat == seat and fact.away for fact in facts(update, "away_changed"))


def comes_back(update: event_pb2.Update, seat: int) -> bool:
    """Whether a seat is no longer away from this update on."""
    return any(fact.seat == seat and not fact.away for fact in facts(update, "away_changed"))


def plays(update: event_pb2.Update, seat: int, who: str) -> bool:
    """Whether a card of the seat was played, and by this actor."""
    return who_played([update], seat) == [who]


def who_played(updates: Iterable[event_pb2.Update], seat: int) -> list[str]:
    """Who played each card of a seat, in order: its player, a timeout or a bot."""
    return [
        ACTOR_NAMES[update.actor]
        for update in updates
        for fact in facts(update, "card_played")
        if fact.seat == seat
    ]


def deal_score(ended: event_pb2.DealEnded) -> score_pb2.DealScore:
    """The score that the end of a deal told."""
    return score_pb2.DealScore(
        deal=ended.deal,
        tier=ended.tier,
        sides=ended.sides,
        last_trick_bonus=ended.last_trick_bonus,
        last_trick_seat=ended.last_trick_seat,
    )

"""What one seat has seen of a match, checked as it comes.

A `History` raises `Broken` for a gap, a duplicate, a card that its seat must not know, or a view that
does not fit the events.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from google.protobuf.message import Message
from stubs import card_pb2, event_pb2, table_pb2

RANKS = {11: "J", 12: "Q", 13: "K", 14: "A", 15: "N"}
SUITS = ("?", "c", "d", "h", "s", "o", "u", "w", "b")
PRIVATE_FACTS = ("own_cards_drawn",)


class Broken(Exception):
    """The server broke a promise."""


@dataclass
class DealSeen:
    """One deal: what everybody knows of it, and the cards that this seat held."""

    deal: int
    dealer_seat: int
    dealt: list[str]
    drawn: list[str] = field(default_factory=list)
    seed: str = ""
    entropies: list[str] = field(default_factory=list)


class History:
    """The updates of one table, as one seat was shown them; seat 0 is a viewer who sees no hand.

    `digests[r - 1]` stands for everything public up to revision r.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.revision = 0
        self.winner_seats: list[int] = []
        self.deals: list[DealSeen] = []
        self.digests: list[str] = []
        self._digest = hashlib.sha256()
        self._own: set[str] = set()
        self._played: set[str] = set()

    def add(self, update: event_pb2.Update) -> None:
        """Takes the next update."""
        if update.revision != self.revision + 1:
            raise Broken(f"update {update.revision} came after {self.revision}")
        self.revision = update.revision
        self._digest.update(public_part(update).SerializeToString(deterministic=True))
        self.digests.append(self._digest.hexdigest())
        for event in update.events:
            self._fact(getattr(event, event.WhichOneof("fact") or "", None))
            self._allow(event)
        if not update.HasField("after"):
            raise Broken(f"update {update.revision} came without the view after it")
        self.check_view(update.after)

    def check_view(self, view: table_pb2.TableView) -> None:
        """Checks that a view shows nothing that this seat must not know."""
        if any(seat_view.seat != self.seat for seat_view in view.seats):
            raise Broken(f"seat {self.seat} was shown the hand of another")
        self._allow(view)

    def _fact(self, fact: Any) -> None:
        match fact:
            case event_pb2.Dealt():
                own = [card for hand in fact.own for card in self._owned(hand.seat, hand.cards)]
                self.deals.append(DealSeen(fact.deal, fact.dealer_seat, own))
                self._own, self._played = set(own), set()
            case event_pb2.OwnCardsDrawn():
                drawn = self._owned(fact.seat, fact.cards)
                self.deals[-1].drawn += drawn
                self._own |= set(drawn)
            case event_pb2.HandsExchanged():
                for hand in fact.own:
                    # What was given away stays known: the partner has it now.
                    self._own |= set(self._owned(hand.seat, hand.cards))
            case event_pb2.CardPlayed():
                self._played.add(text(fact.card))
            case event_pb2.SeedRevealed():
                deal = next(deal for deal in self.deals if deal.deal == fact.deal)
                deal.seed = fact.seed.hex()
                deal.entropies = [entropy.hex() for entropy in fact.entropies]
            case event_pb2.MatchEnded():
                self.winner_seats = list(fact.winner_seats)

    def _owned(self, seat: int, cards: Any) -> list[str]:
        if seat != self.seat:
            raise Broken(f"seat {self.seat} was told the cards of seat {seat}")
        return [text(card) for card in cards]

    def _allow(self, message: Message) -> None:
        hidden = set(cards_in(message)) - self._own - self._played
        if hidden:
            raise Broken(f"seat {self.seat} was shown {sorted(hidden)} at revision {self.revision}")

    def report(self) -> dict[str, Any]:
        """The history in a few words, for a comparison with the other seats'."""
        return {
            "seat": self.seat,
            "updates": self.revision,
            "history_sha256": self.digests[-1] if self.digests else "",
            "winner_seats": self.winner_seats,
            "deals": [asdict(deal) for deal in self.deals],
        }


def public_part(update: event_pb2.Update) -> event_pb2.Update:
    """An update without what depends on the viewer."""
    public = event_pb2.Update(revision=update.revision, actor=update.actor, seat=update.seat)
    public.time.CopyFrom(update.time)
    for event in update.events:
        if event.WhichOneof("fact") in PRIVATE_FACTS:
            continue
        kept = public.events.add()
        kept.CopyFrom(event)
        for private in ("dealt", "hands_exchanged"):
            if kept.HasField(private):
                getattr(kept, private).ClearField("own")
    return public


def for_seat(update: event_pb2.Update, seat: int) -> event_pb2.Update:
    """What one seat may know of an update that was told to a watch of several seats."""
    own = event_pb2.Update()
    own.CopyFrom(update)
    del own.events[:]
    for event in update.events:
        if event.HasField("own_cards_drawn") and event.own_cards_drawn.seat != seat:
            continue
        kept = own.events.add()
        kept.CopyFrom(event)
        for private in ("dealt", "hands_exchanged"):
            if kept.HasField(private):
                keep_seat(getattr(kept, private).own, seat)
    if own.HasField("after"):
        keep_seat(own.after.seats, seat)
    return own


def keep_seat(parts: Any, seat: int) -> None:
    """Drops those parts of a repeated field that belong to other seats."""
    kept = [part for part in parts if part.seat == seat]
    del parts[:]
    parts.extend(kept)


def cards_in(message: Message) -> Iterator[str]:
    """Every card anywhere in a message, but those that its rules name."""
    if isinstance(message, card_pb2.Card):
        yield text(message)
        return
    for descriptor, value in message.ListFields():
        if descriptor.name == "rules":
            continue
        if descriptor.message_type is None or descriptor.message_type.GetOptions().map_entry:
            continue
        for part in [value] if isinstance(value, Message) else value:
            yield from cards_in(part)


def text(card: card_pb2.Card) -> str:
    """A card's short name, as in `10h`."""
    return RANKS.get(card.rank, str(card.rank)) + SUITS[card.suit]

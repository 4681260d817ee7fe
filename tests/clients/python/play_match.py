"""Plays one seat of a whole match, as a person's client would.

    play_match.py --target HOST:PORT --table tables/... --seat 1 --token TOKEN

It knows no rules: it watches its table, and when the last view has legal actions it chooses one of them
by chance. It survives lost answers, cut streams and stale views. At the end of the match it prints one
line of JSON: what it saw, for a comparison with what the other seats saw.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import dataclass

import grpc
from calls import Failure, Refused, call, request_id
from history import Broken, History
from stubs import (
    action_pb2,
    event_pb2,
    table_lifecycle_pb2,
    table_pb2,
    table_reads_pb2,
    table_seats_pb2,
    table_service_pb2_grpc,
    trick_service_pb2,
    trick_service_pb2_grpc,
    watch_pb2,
)
from watching import Watch

STALE_TRIES = 8
TOO_LATE = ("TURN_EXPIRED", "TABLE_ENDED")
"""Reasons that say that others have acted: the watch will show what they did."""


@dataclass(frozen=True)
class Settings:
    """Which seat to play, and how. A platform that plays for its player has no token, and names him."""

    table: str
    seat: int
    token: str | None = None
    player_id: str = ""
    seed: str = "0"
    entropy: bytes = b""
    match_seconds: float = 120.0


class Player:
    """One seat: a watch, the last view, and the actions taken on it."""

    def __init__(self, settings: Settings, channel: grpc.Channel) -> None:
        self.settings = settings
        self.tables = table_service_pb2_grpc.TableServiceStub(channel)
        self.tricks = trick_service_pb2_grpc.TrickServiceStub(channel)
        self.chance = random.Random(f"{settings.seed}/{settings.seat}")
        self.history = History(settings.seat)
        self.view = table_pb2.TableView()
        self.acted_at = 0
        request = watch_pb2.WatchTableRequest(name=settings.table)
        self.watch = Watch(channel, request, settings.token, settings.match_seconds)

    def play(self) -> History:
        """Plays until the table has ended."""
        self.join()
        for update in self.watch:
            self.take(update)
            self.act()
        return self.history

    def join(self) -> None:
        """Says "here", and hands in a share of the packs' chance."""
        answer = call(
            self.tables.JoinTable,
            table_seats_pb2.JoinTableRequest(
                name=self.settings.table,
                request_id=request_id(),
                seat=self.settings.seat,
                player_id=self.settings.player_id,
                entropy=self.settings.entropy,
            ),
            self.settings.token,
        )
        if answer.seat_token.seat != self.settings.seat:
            raise Broken(f"joined seat {answer.seat_token.seat} instead of {self.settings.seat}")
        self.see(answer.view)

    def take(self, update: event_pb2.Update) -> None:
        """Takes the next update of the table."""
        self.history.add(update)
        self.see(update.after)

    def see(self, view: table_pb2.TableView) -> None:
        """Keeps the newest view."""
        if view.table.revision >= self.view.table.revision:
            self.view = view

    def act(self) -> None:
        """Does something legal if the last view has it, deciding anew while that view is stale."""
        if self.played_for():
            self.join()
        for _ in range(STALE_TRIES):
            table = self.view.table
            actions = [action for seat in self.view.seats for action in seat.legal_actions]
            if not actions or self.acted_at == table.turn_revision:
                return
            self.acted_at = table.turn_revision
            try:
                self.see(self.send(self.chance.choice(actions), table.revision))
                return
            except Refused as refused:
                if refused.failure.reason in TOO_LATE:
                    return
                if not self.overtaken(refused.failure):
                    raise
                self.acted_at = 0
                self.see(self.read())
        raise Broken("the view stayed stale however often it was read")

    def played_for(self) -> bool:
        """Whether a bot plays this seat because its player let turns pass: he is back by joining."""
        table = self.view.table
        running = table.phase in (table_pb2.TABLE_PHASE_PLAYING, table_pb2.TABLE_PHASE_BETWEEN_DEALS)
        return running and table.seats[self.settings.seat - 1].away

    def overtaken(self, failure: Failure) -> bool:
        """Whether an action failed only because others were faster, so that a new view tells more."""
        between_deals = self.view.table.phase == table_pb2.TABLE_PHASE_BETWEEN_DEALS
        return failure.stale or (between_deals and failure.reason == "NOT_YOUR_TURN")

    def send(self, action: action_pb2.LegalAction, revision: int) -> table_pb2.TableView:
        """Sends one action, under one request id however often it takes."""
        common = {
            "name": self.settings.table,
            "request_id": request_id(),
            "expected_revision": revision,
            "seat": self.settings.seat,
        }
        match action.WhichOneof("action"):
            case "play_card":
                play = action.play_card
                request = trick_service_pb2.PlayCardRequest(
                    card=play.card if play.HasField("card") else None,
                    announce_marriage=play.announce_marriage,
                    from_stock=play.from_stock,
                    **common,
                )
                answer = call(self.tricks.PlayCard, request, self.settings.token)
            case "end_trick":
                request = trick_service_pb2.EndTrickRequest(**common)
                answer = call(self.tricks.EndTrick, request, self.settings.token)
            case "exchange_hands":
                request = trick_service_pb2.ExchangeHandsRequest(
                    exchange=action.exchange_hands.exchange, **common
                )
                answer = call(self.tricks.ExchangeHands, request, self.settings.token)
            case "start_next_deal":
                request = table_lifecycle_pb2.StartNextDealRequest(**common)
                answer = call(self.tables.StartNextDeal, request, self.settings.token)
            case other:
                raise Broken(f"an action that this client cannot send: {other}")
        if answer.update.HasField("after"):
            raise Broken("the answer to an action has `after` beside its view")
        return answer.view

    def read(self) -> table_pb2.TableView:
        """Reads the table anew."""
        request = table_reads_pb2.GetTableRequest(name=self.settings.table, seats=[self.settings.seat])
        return call(self.tables.GetTable, request, self.settings.token).view


def parse(arguments: list[str]) -> tuple[str, Settings]:
    """Reads the command line: where the server is, and what to play."""
    parser = argparse.ArgumentParser(description="Plays one seat of a whole match.")
    parser.add_argument("--target", required=True, help="address of the server, as in localhost:50051")
    parser.add_argument("--table", required=True, help="name of the table, as in tables/...")
    parser.add_argument("--seat", required=True, type=int, help="seat to play, from 1")
    parser.add_argument("--token", required=True, help="token of the seat")
    parser.add_argument("--seed", default="0", help="seed of this player's choices")
    parser.add_argument("--entropy", default="", help="share in the packs' chance, hex, up to 32 bytes")
    parser.add_argument("--match-seconds", type=float, default=120.0, help="time for the whole match")
    values = vars(parser.parse_args(arguments))
    target, entropy = values.pop("target"), bytes.fromhex(values.pop("entropy"))
    return target, Settings(entropy=entropy, **values)


def main() -> int:
    target, settings = parse(sys.argv[1:])
    with grpc.insecure_channel(target) as channel:
        try:
            history = Player(settings, channel).play()
        except (Broken, Refused) as error:
            print(f"seat {settings.seat}: {type(error).__name__}: {error}", file=sys.stderr)
            return 1
    print(json.dumps(history.report()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

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
import time
from dataclasses import dataclass

import grpc
from calls import Failure, Refused, bearer, call, pause, request_id
from history import Broken, History
from stubs import (
    action_pb2,
    table_lifecycle_pb2,
    table_pb2,
    table_reads_pb2,
    table_seats_pb2,
    table_service_pb2_grpc,
    trick_service_pb2,
    trick_service_pb2_grpc,
    watch_pb2,
)

STALE_TRIES = 8
WATCH_TRIES = 8


@dataclass(frozen=True)
class Settings:
    """Which seat to play, and how."""

    target: str
    table: str
    seat: int
    token: str
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
        self.history_mark = b""
        self.view = table_pb2.TableView()
        self.acted_at = 0
        self.ended = False
        self.deadline = time.monotonic() + settings.match_seconds

    def play(self) -> History:
        """Plays until the table has ended."""
        self.join()
        attempt = 0
        while not self.ended:
            before = self.history.revision
            try:
                self.watch()
                attempt = 0
            except grpc.RpcError as error:
                failure = Failure.of(error)
                attempt = 0 if self.history.revision > before else attempt + 1
                if not failure.same_request_again or attempt == WATCH_TRIES or self.time_left() <= 0:
                    raise Refused(failure) from error
                pause(attempt, failure)
        return self.history

    def join(self) -> None:
        """Says "here", and hands in a share of the packs' chance."""
        answer = call(
            self.tables.JoinTable,
            table_seats_pb2.JoinTableRequest(
                name=self.settings.table,
                request_id=request_id(),
                seat=self.settings.seat,
                entropy=self.settings.entropy,
            ),
            self.settings.token,
        )
        if answer.seat_token.seat != self.settings.seat:
            raise Broken(f"joined seat {answer.seat_token.seat} instead of {self.settings.seat}")

    def watch(self) -> None:
        """Follows the table from the last update seen, acting when it is this seat's turn."""
        stream = self.tables.WatchTable(
            watch_pb2.WatchTableRequest(
                name=self.settings.table,
                after_revision=self.history.revision,
                history=self.history_mark,
            ),
            timeout=max(self.time_left(), 0.0),
            metadata=bearer(self.settings.token),
        )
        promised = False
        for message in stream:
            promised = self.take(message)
            if not promised:
                self.act()
        if not promised:
            raise Broken("the watch closed OK without saying why")

    def take(self, message: watch_pb2.WatchTableResponse) -> bool:
        """Takes one message of the watch, and says whether it was to be the last."""
        match message.WhichOneof("payload"):
            case "update":
                self.history.add(message.update)
                self.see(message.update.after)
                self.history_mark = message.history
            case "snapshot" | "reset":
                raise Broken("a watch that resumes started over")
            case "planned_end":
                return True
            case "end":
                self.ended = True
                return True
        if message.revision != self.history.revision:
            raise Broken(f"told {message.revision} after update {self.history.revision}")
        return False

    def see(self, view: table_pb2.TableView) -> None:
        """Keeps the newest view."""
        if view.table.revision >= self.view.table.revision:
            self.view = view

    def act(self) -> None:
        """Does something legal if the last view has it, deciding anew while that view is stale."""
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
                if not self.overtaken(refused.failure):
                    raise
                self.acted_at = 0
                self.see(self.read())
        raise Broken("the view stayed stale however often it was read")

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
        request = table_reads_pb2.GetTableRequest(name=self.settings.table)
        return call(self.tables.GetTable, request, self.settings.token).view

    def time_left(self) -> float:
        """Seconds until this player gives the match up."""
        return self.deadline - time.monotonic()


def parse(arguments: list[str]) -> Settings:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Plays one seat of a whole match.")
    parser.add_argument("--target", required=True, help="address of the server, as in localhost:50051")
    parser.add_argument("--table", required=True, help="name of the table, as in tables/...")
    parser.add_argument("--seat", required=True, type=int, help="seat to play, from 1")
    parser.add_argument("--token", required=True, help="token of the seat")
    parser.add_argument("--seed", default="0", help="seed of this player's choices")
    parser.add_argument("--entropy", default="", help="share in the packs' chance, hex, up to 32 bytes")
    parser.add_argument("--match-seconds", type=float, default=120.0, help="time for the whole match")
    values = parser.parse_args(arguments)
    return Settings(**{**vars(values), "entropy": bytes.fromhex(values.entropy)})


def main() -> int:
    settings = parse(sys.argv[1:])
    with grpc.insecure_channel(settings.target) as channel:
        try:
            history = Player(settings, channel).play()
        except (Broken, Refused) as error:
            print(f"seat {settings.seat}: {type(error).__name__}: {error}", file=sys.stderr)
            return 1
    print(json.dumps(history.report()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

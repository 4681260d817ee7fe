"""What a game platform's backend does with the service, built in two ways.

`Platform` makes a table, gives each player a token and lets them play by themselves; it watches, and looks
after the seats. `Proxy` stands between its players and the service as well: it has one watch of all seats,
and acts in their names.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

import grpc
from calls import call, request_id
from history import Broken, History, for_seat
from play_match import Player, Settings
from stubs import (
    event_pb2,
    scoring_service_pb2,
    scoring_service_pb2_grpc,
    table_control_pb2,
    table_lifecycle_pb2,
    table_seats_pb2,
    table_service_pb2_grpc,
    watch_pb2,
)
from watching import Watch


class Gone(Exception):
    """A player's connection is lost."""


class Platform:
    """One table of a platform, and everything that has happened at it so far."""

    def __init__(
        self,
        channel: grpc.Channel,
        new_table: table_lifecycle_pb2.CreateTableRequest,
        seats: Iterable[int] = (),
        seconds: float = 120.0,
    ) -> None:
        self.channel = channel
        self.tables = table_service_pb2_grpc.TableServiceStub(channel)
        self.scoring = scoring_service_pb2_grpc.ScoringServiceStub(channel)
        created = call(self.tables.CreateTable, new_table)
        self.table = created.view.table
        self.tokens = {token.seat: token.token for token in created.seat_tokens}
        request = watch_pb2.WatchTableRequest(name=self.table.name, seats=seats)
        self.watch = Watch(channel, request, seconds=seconds)
        self.history = History(0)
        self.updates: list[event_pb2.Update] = []
        self.news = threading.Condition()
        self.over = False
        self.failure: Exception | None = None

    def follow(self) -> None:
        """Watches the table to its end."""
        try:
            for update in self.watch:
                self.take(update)
        except Exception as failure:
            self.failure = failure
            raise
        finally:
            with self.news:
                self.over = True
                self.news.notify_all()

    def take(self, update: event_pb2.Update) -> None:
        """Takes the next update of the table."""
        self.history.add(for_seat(update, 0))
        with self.news:
            self.updates.append(update)
            self.news.notify_all()

    def until(self, what: str, happened: Callable[[event_pb2.Update], bool]) -> event_pb2.Update:
        """Waits for the first update that this is true of; it may have come already."""

        def found() -> event_pb2.Update | None:
            return next(filter(happened, self.updates), None)

        with self.news:
            self.news.wait_for(lambda: self.over or found(), self.watch.time_left())
            update = found()
        if update is None:
            raise Broken(f"not told while the table was watched: {what}") from self.failure
        return update

    def new_token(self, seat: int) -> str:
        """Another token for a seat, whose player has lost his."""
        request = table_seats_pb2.IssueSeatTokenRequest(name=self.table.name, seat=seat)
        return call(self.tables.IssueSeatToken, request).seat_token.token

    def add_bot(self, seat: int) -> int:
        """Gives the seat of a player who is away to a bot; answers the revision."""
        request = table_control_pb2.AddBotRequest(name=self.table.name, request_id=request_id(), seat=seat)
        return call(self.tables.AddBot, request).revision

    def score(self) -> scoring_service_pb2.GetScoreResponse:
        """How the match stands, deal by deal."""
        request = scoring_service_pb2.GetScoreRequest(name=self.table.name)
        return call(self.scoring.GetScore, request)


class Proxy(Platform):
    """A table whose players are connected to the platform alone: who is here, only it knows."""

    def __init__(
        self,
        channel: grpc.Channel,
        new_table: table_lifecycle_pb2.CreateTableRequest,
        new_player: Callable[[Settings, grpc.Channel], Player],
        seconds: float = 120.0,
    ) -> None:
        seats = range(1, len(new_table.seats) + 1)
        super().__init__(channel, new_table, seats, seconds)
        self.players = {
            seat.seat: new_player(Settings(self.table.name, seat.seat, player_id=seat.player_id), channel)
            for seat in self.table.seats
        }
        self.here: set[int] = set()
        self.one_at_a_time = threading.Lock()

    def connect(self, seat: int) -> None:
        """A player is here, for the first time or again."""
        with self.one_at_a_time:
            self.here.add(seat)
            self.players[seat].join()

    def take(self, update: event_pb2.Update) -> None:
        """Tells each player what his seat may know, and acts for those who are here."""
        super().take(update)
        with self.one_at_a_time:
            for seat, player in self.players.items():
                player.take(for_seat(update, seat))
                if seat in self.here:
                    self.act(player)

    def act(self, player: Player) -> None:
        """Lets a player do what his view offers, if it does; he may be gone instead."""
        try:
            player.act()
        except Gone:
            self.here.discard(player.settings.seat)

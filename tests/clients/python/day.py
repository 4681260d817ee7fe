"""A platform's day as it goes, whoever watches and acts: the story that test_day.py has played twice."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import grpc
from agreement import Agreement
from backend import Gone, Platform
from calls import request_id
from google.protobuf import duration_pb2
from history import History
from play_match import Player, Settings
from servers import Redis, Replica, channel_to, free_port
from stubs import action_pb2, rules_pb2, table_lifecycle_pb2, table_pb2, timing_pb2, watch_pb2
from updates import comes_back, plays, turns_away, who_played
from watching import Watch

GONE_SECONDS = int(os.environ.get("DAY_SECONDS", "5"))
MATCH_SECONDS = GONE_SECONDS + 60
PLAYERS = {"anna": "Ana", "bert": "Bořivoj", "cyril": "Cecílie", "dora": "Dušan"}
COMES_BACK, NEVER_BACK = 3, 4
CARDS_UNTIL_GONE = 2
AWAY_AFTER = 2
MATCH_TARGET = 4 + 3 * (GONE_SECONDS // 8)
"""More than can be won while a player is gone: a bot plays a card a second for him at most, of eight in a
deal, and a deal brings three game points at most."""


class PassingPlayer(Player):
    """A player who may be gone after some cards, with all that he knew."""

    cards_left: int | None = None

    def send(self, action: action_pb2.LegalAction, revision: int) -> table_pb2.TableView:
        if self.cards_left == 0:
            self.cards_left = None
            raise Gone
        if self.cards_left is not None:
            self.cards_left -= 1
        return super().send(action, revision)


def entropy(seat: int) -> bytes:
    """A player's share in the chance of the packs."""
    return bytes([seat]) * 8 * seat


def new_player(settings: Settings, channel: grpc.Channel) -> PassingPlayer:
    """A player as he is when the day begins."""
    settings = replace(settings, entropy=entropy(settings.seat), match_seconds=MATCH_SECONDS)
    player = PassingPlayer(settings, channel)
    if settings.seat in (COMES_BACK, NEVER_BACK):
        player.cards_left = CARDS_UNTIL_GONE
    return player


def new_table() -> table_lifecycle_pb2.CreateTableRequest:
    """Four players by name. Who lets two turns pass in a row is away, and a bot plays for him."""
    rules = rules_pb2.SedmaRules(preset="classic", match_target=MATCH_TARGET)
    return table_lifecycle_pb2.CreateTableRequest(
        request_id=request_id(),
        rules=rules_pb2.GameRules(sedma=rules),
        external_ref="a platform's day",
        seats=[
            table_lifecycle_pb2.NewSeat(player_id=player_id, display_name=name)
            for player_id, name in PLAYERS.items()
        ],
        timing=timing_pb2.Timing(
            turn_timeout=duration_pb2.Duration(seconds=1),
            timeout_policy=timing_pb2.TIMEOUT_POLICY_AUTOPLAY,
            away_after=AWAY_AFTER,
            join_timeout=duration_pb2.Duration(seconds=20),
            join_timeout_policy=timing_pb2.JOIN_TIMEOUT_POLICY_CLOSE,
            bot_level="steady",
        ),
    )


class ADay(Agreement):
    """Four players, two replicas of which one is killed, a player who comes back and one who never does."""

    seats = [1, 2, 3, 4]
    entropies = [entropy(seat) for seat in seats]

    title: str
    began: float
    threads: ThreadPoolExecutor
    redis: Redis
    addresses: list[str]
    first: Replica
    platform: Platform
    following: Future[None]
    read_back: list[dict[str, Any]]
    """What each seat's history is to somebody who reads it when everything is over."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.began = time.monotonic()
        print(f"\n{cls.title}", flush=True)
        cls.start_servers()
        cls.open_table()
        cls.kill_a_replica()
        cls.wait_until_two_are_away()
        cls.give_a_seat_to_a_bot()
        cls.wait_until_one_is_back()
        cls.reports = cls.play_to_the_end()
        cls.tell_the_end()

    @classmethod
    def open_table(cls) -> None:
        """Makes the table, and has its four players say "here"."""
        raise NotImplementedError

    @classmethod
    def bring_back(cls) -> None:
        """The player who comes back says "here" again."""
        raise NotImplementedError

    @classmethod
    def play_to_the_end(cls) -> list[dict[str, Any]]:
        """Waits until everybody has seen the end, and answers what each seat was shown."""
        raise NotImplementedError

    @classmethod
    def watches(cls) -> Sequence[Watch]:
        """Every watch that was to see the end. Those at replica 1 are the first ones."""
        raise NotImplementedError

    @classmethod
    def start_servers(cls) -> None:
        """Starts one replica. The other one comes when who is to be at the first has connected."""
        cls.threads = ThreadPoolExecutor()
        cls.addClassCleanup(cls.threads.shutdown)
        cls.redis = Redis()
        cls.addClassCleanup(cls.redis.kill)
        cls.addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
        cls.first = Replica(cls.redis, cls.addresses[0])
        cls.addClassCleanup(cls.first.kill)
        cls.channel = cls.channel_by_way_of(1)

    @classmethod
    def start_another_replica(cls) -> None:
        second = Replica(cls.redis, cls.addresses[1])
        cls.addClassCleanup(second.terminate)

    @classmethod
    def channel_by_way_of(cls, replica: int) -> grpc.Channel:
        """A channel to this replica, and to the other one when this one is dead."""
        channel = channel_to(*(cls.addresses if replica == 1 else cls.addresses[::-1]))
        cls.addClassCleanup(channel.close)
        return channel

    @classmethod
    def kill_a_replica(cls) -> None:
        cls.platform.until("a trick is taken", lambda update: bool(update.after.table.sedma.last_trick.plays))
        cls.first.kill()
        cls.tell(f"replica 1 is killed; the platform had heard of revision {cls.platform.history.revision}")

    @classmethod
    def wait_until_two_are_away(cls) -> None:
        for seat in (COMES_BACK, NEVER_BACK):
            update = cls.platform.until(f"seat {seat} is away", lambda update: turns_away(update, seat))
            cls.tell(f"seat {seat} has let {AWAY_AFTER} turns pass and is away at revision {update.revision}")

    @classmethod
    def give_a_seat_to_a_bot(cls) -> None:
        cls.platform.until("the away seat is played for", lambda update: plays(update, NEVER_BACK, "bot"))
        revision = cls.platform.add_bot(NEVER_BACK)
        cls.tell(f"seat {NEVER_BACK} was played for, and is a bot's at revision {revision}")

    @classmethod
    def wait_until_one_is_back(cls) -> None:
        away = cls.platform.until("he is away", lambda update: turns_away(update, COMES_BACK))
        before = cls.platform.updates[: away.revision]
        own = [update for update in before if plays(update, COMES_BACK, "player")]
        until_ms = own[-1].time.ToMilliseconds() + 1_000 * GONE_SECONDS
        cls.platform.until(
            f"seat {COMES_BACK} is played for, {GONE_SECONDS} s after its player's last card",
            lambda update: update.time.ToMilliseconds() >= until_ms and plays(update, COMES_BACK, "bot"),
        )
        cls.bring_back()
        update = cls.platform.until("he is back", lambda update: comes_back(update, COMES_BACK))
        cls.tell(f"seat {COMES_BACK} is back at revision {update.revision}, after {GONE_SECONDS} s")

    @classmethod
    def read(cls, seat: int, token: str | None = None) -> dict[str, Any]:
        """A seat's whole history, read when everything is over; with its token, or by the platform."""
        seats = [seat] if token is None else []
        history = History(seat)
        request = watch_pb2.WatchTableRequest(name=cls.table.name, seats=seats)
        for update in Watch(cls.channel, request, token):
            history.add(update)
        return history.report()

    @classmethod
    def tell(cls, what: str) -> None:
        """One line of the account."""
        print(f"  {time.monotonic() - cls.began:5.1f} s  {what}", flush=True)

    @classmethod
    def tell_the_end(cls) -> None:
        updates = cls.platform.updates
        table = updates[-1].after.table
        winners = " and ".join(str(seat) for seat in table.winner_seats)
        points = " to ".join(str(side.game_points) for side in table.sedma.sides)
        cls.tell(f"seats {winners} have won {points} in {table.sedma.deal} deals, {table.revision} updates")
        for seat in cls.seats:
            by = Counter(who_played(updates, seat))
            cls.tell(f"cards of seat {seat}: {', '.join(f'{who} {count}' for who, count in by.items())}")
        cls.tell(f"streams of each watch: {', '.join(str(watch.streams) for watch in cls.watches())}")

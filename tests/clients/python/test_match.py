"""A process for every seat plays whole matches through generated stubs, each with its own token.

    SEDMA_TARGET=localhost:50051 python -m unittest -v test_match

The server runs without authentication: this process, without a credential, is the platform.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import fairness
import grpc
from agreement import Agreement
from calls import call, request_id
from stubs import rules_pb2, table_lifecycle_pb2, table_service_pb2_grpc

MATCH_SECONDS = 60
PLAYER = Path(__file__).with_name("play_match.py")
NAMES = ("Ana", "Bořivoj", "Cecílie", "Dušan")


class AMatch(Agreement):
    """One table, a process for every seat, one history. What a game is comes from the classes below."""

    preset: str

    @classmethod
    def setUpClass(cls) -> None:
        target = os.environ.get("SEDMA_TARGET")
        if not target:
            raise RuntimeError("SEDMA_TARGET is not set: start a server and name its address")
        cls.seats = sorted(seat for side in cls.sides for seat in side)
        cls.entropies = [bytes([seat]) * 8 * seat for seat in range(len(cls.seats))]  # seat 1 gives none
        cls.channel = grpc.insecure_channel(target)
        cls.addClassCleanup(cls.channel.close)
        created = cls.create_table()
        cls.table = created.view.table
        players = [cls.start_player(target, token) for token in created.seat_tokens]
        cls.reports = [cls.wait_for(player) for player in players]

    @classmethod
    def create_table(cls) -> table_lifecycle_pb2.CreateTableResponse:
        request = table_lifecycle_pb2.CreateTableRequest(
            request_id=request_id(),
            rules=rules_pb2.GameRules(sedma=rules_pb2.SedmaRules(preset=cls.preset)),
            external_ref="python-clients",
            seats=[
                table_lifecycle_pb2.NewSeat(player_id=f"player-{seat}", display_name=name)
                for seat, name in zip(cls.seats, NAMES)
            ],
        )
        created = call(table_service_pb2_grpc.TableServiceStub(cls.channel).CreateTable, request)
        assert [token.seat for token in created.seat_tokens] == cls.seats, created.seat_tokens
        return created

    @classmethod
    def start_player(cls, target: str, token: Any) -> subprocess.Popen[str]:
        options = {
            "target": target,
            "table": cls.table.name,
            "seat": str(token.seat),
            "token": token.token,
            "seed": "python-clients",
            "entropy": cls.entropies[token.seat - 1].hex(),
            "match-seconds": str(MATCH_SECONDS),
        }
        player = subprocess.Popen(
            [sys.executable, str(PLAYER), *(f"--{name}={value}" for name, value in options.items())],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        cls.addClassCleanup(stop, player)
        return player

    @staticmethod
    def wait_for(player: subprocess.Popen[str]) -> dict[str, Any]:
        output, errors = player.communicate(timeout=MATCH_SECONDS + 10)
        if player.returncode != 0:
            raise AssertionError(f"a player failed: {errors}")
        return json.loads(output)


class Classic(AMatch, unittest.TestCase):
    preset = "classic"


class Cervena(AMatch, unittest.TestCase):
    """Leaders go on or end a trick, partners exchange hands, deals burn."""

    preset = "cervena"
    whole_pack_is_held = False


class Ristikontra(AMatch, unittest.TestCase):
    """Cards are played from the stock, unseen."""

    preset = "ristikontra"
    hand_size = 6
    pack = fairness.PACK_52
    whole_pack_is_held = False


class ThreeRedKing(AMatch, unittest.TestCase):
    """Three play, and one of them is a soloist that the others don't know."""

    preset = "three_red_king"
    sides = ([1], [2], [3])
    pack = fairness.PACK_30
    whole_pack_is_held = False


class Hola(AMatch, unittest.TestCase):
    """Leaders fight, and tricks lie in abeyance."""

    preset = "hola"
    pack = fairness.PACK_52


def stop(player: subprocess.Popen[str]) -> None:
    """Ends a player that is still there, so that no test leaves a process behind."""
    if player.poll() is None:
        player.kill()
        player.wait()
    for pipe in (player.stdout, player.stderr):
        if pipe is not None:
            pipe.close()


if __name__ == "__main__":
    unittest.main()

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
from calls import call, request_id
from stubs import rules_pb2, table_lifecycle_pb2, table_pb2, table_reads_pb2, table_service_pb2_grpc

MATCH_SECONDS = 60
PLAYER = Path(__file__).with_name("play_match.py")
NAMES = ("Ana", "Bořivoj", "Cecílie", "Dušan")


class AMatch:
    """One table, a process for every seat, one history. What a game is comes from the classes below."""

    preset: str
    sides: tuple[list[int], ...] = ([1, 3], [2, 4])
    hand_size = 4
    pack: tuple[str, ...] = fairness.PACK_32
    whole_pack_is_held = True
    """Whether every card comes into some hand: not where a deal may end early or a card be played unseen."""

    channel: grpc.Channel
    table: table_pb2.PublicTable
    reports: list[dict[str, Any]]
    seats: list[int]
    entropies: list[bytes]

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

    def test_every_seat_saw_the_same_public_history(self) -> None:
        self.assertEqual([report["seat"] for report in self.reports], self.seats)
        for part in ("updates", "history_sha256"):
            self.assertEqual(len({report[part] for report in self.reports}), 1, part)
        self.assertEqual(self.read_table().revision, self.reports[0]["updates"])

    def test_every_seat_saw_the_same_side_win(self) -> None:
        winners = self.reports[0]["winner_seats"]
        self.assertEqual(winners, sorted(seat for side in self.sides if set(side) & set(winners) for seat in side))
        self.assertTrue(winners)
        for report in self.reports:
            self.assertEqual(report["winner_seats"], winners)
        table = self.read_table()
        self.assertEqual(table.phase, table_pb2.TABLE_PHASE_FINISHED)
        self.assertEqual(list(table.winner_seats), winners)

    def test_no_card_was_held_by_two_seats(self) -> None:
        # Each process checked for itself that it was shown no card but its own and the played ones.
        for deals in zip(*(report["deals"] for report in self.reports), strict=True):
            held = [card for deal in deals for card in deal["dealt"] + deal["drawn"]]
            self.assertEqual(len(held), len(set(held)), f"deal {deals[0]['deal']}")
            self.assertLessEqual(set(held), set(self.pack))
            if self.whole_pack_is_held:
                self.assertEqual(len(held), len(self.pack))

    def test_every_pack_was_the_committed_one(self) -> None:
        table = fairness.table_id(self.table.name)
        for number, deals in enumerate(zip(*(report["deals"] for report in self.reports)), start=1):
            public = deals[0]
            seed = bytes.fromhex(public["seed"])
            self.assertEqual(public["entropies"], [entropy.hex() for entropy in self.entropies])
            self.assertTrue(fairness.check_chain(table, number, seed, self.table.commitment))
            pack = fairness.pack(table, number, seed, self.entropies, self.pack)
            hands = fairness.dealt_hands(pack, public["dealer_seat"], len(self.seats), self.hand_size)
            for seat, deal in enumerate(deals, start=1):
                self.assertCountEqual(deal["dealt"], hands[seat], f"seat {seat} in deal {number}")
            if number == 1:
                self.assertEqual(public["dealer_seat"], fairness.first_dealer(table, seed, self.entropies))

    def read_table(self) -> table_pb2.PublicTable:
        tables = table_service_pb2_grpc.TableServiceStub(self.channel)
        request = table_reads_pb2.GetTableRequest(name=self.table.name)
        return call(tables.GetTable, request).view.table


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

"""How tables ended, as a platform's backend books it: at least once, and no result twice.

    SEDMA_TARGET=127.0.0.1:50051 python -m unittest test_results
"""

from __future__ import annotations

import os
import unittest
import uuid
from collections.abc import Iterator

import grpc

from stubs import (
    result_pb2,
    result_service_pb2,
    result_service_pb2_grpc,
    table_lifecycle_pb2,
    table_service_pb2_grpc,
)

TARGET = os.environ.get("SEDMA_TARGET", "127.0.0.1:50051")
STREAM_SECONDS = 20.0
MATCHES = 3


class Books(unittest.TestCase):
    """Bots play some matches; the backend's books must have each once."""

    def setUp(self) -> None:
        channel = self.enterContext(grpc.insecure_channel(TARGET))
        self.tables = table_service_pb2_grpc.TableServiceStub(channel)
        self.results = result_service_pb2_grpc.ResultServiceStub(channel)
        self.cup = uuid.uuid4().hex
        self.group = self.cup[:8]

    def play(self, number: int) -> str:
        """A match that bots play to its end."""
        bots = [table_lifecycle_pb2.NewSeat(bot_level="steady")] * 4
        request = table_lifecycle_pb2.CreateTableRequest(
            request_id=str(uuid.uuid4()),
            external_ref=f"{self.cup}/{number}",
            seats=bots,
        )
        return str(self.tables.CreateTable(request, timeout=STREAM_SECONDS).view.table.name)

    def told(self) -> Iterator[result_pb2.Result]:
        """Results of this cup, as they come."""
        request = result_service_pb2.StreamResultsRequest(group=self.group)
        request.redelivery.seconds = 1
        for message in self.results.StreamResults(request, timeout=STREAM_SECONDS):
            if message.HasField("result") and message.result.external_ref.startswith(self.cup):
                yield message.result

    def acknowledge(self, result: result_pb2.Result) -> bool:
        request = result_service_pb2.AckResultsRequest(group=self.group, result_ids=[result.result_id])
        return len(self.results.AckResults(request).acknowledged_ids) == 1

    def test_each_match_is_booked_once_though_one_is_told_again(self) -> None:
        tables = {self.play(number) for number in range(MATCHES)}
        books: dict[str, result_pb2.Result] = {}
        repeats = 0
        for result in self.told():
            if result.result_id in books:
                repeats += 1
                self.assertEqual(result, books[result.result_id])
                self.assertTrue(self.acknowledge(result))
                break
            books[result.result_id] = result
            # The last one is not acknowledged, as by a consumer that was too slow: it is told again.
            if len(books) < MATCHES:
                self.assertTrue(self.acknowledge(result))
        self.assertEqual(repeats, 1)
        self.assertEqual({result.table for result in books.values()}, tables)
        for result in books.values():
            self.assertEqual(result.outcome, result_pb2.OUTCOME_FINISHED)
            self.assertEqual(sorted(side.place for side in result.sides), [1, 2])
            best = max(result.sides, key=lambda side: side.game_points)
            self.assertEqual(best.place, 1)
            self.assertGreater(sum(seat.bot_actions for seat in result.seats), 0)
            self.assertEqual(len(result.record_sha256), 32)


if __name__ == "__main__":
    unittest.main()

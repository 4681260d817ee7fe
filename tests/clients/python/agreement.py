"""What the seats of a match must agree on, and what its packs must be, whoever played it and how."""

from __future__ import annotations

from typing import Any

import fairness
import grpc
from calls import call
from stubs import table_pb2, table_reads_pb2, table_service_pb2_grpc


class Agreement:
    """Tests of one ended match, for test cases that have it played and keep every seat's `History.report`."""

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

    def test_every_seat_saw_the_same_public_history(self) -> None:
        self.assertEqual([report["seat"] for report in self.reports], self.seats)
        for part in ("updates", "history_sha256"):
            self.assertEqual(len({report[part] for report in self.reports}), 1, part)
        self.assertEqual(self.read_table().revision, self.reports[0]["updates"])

    def test_every_seat_saw_the_same_side_win(self) -> None:
        winners = self.reports[0]["winner_seats"]
        won = [side for side in self.sides if set(side) & set(winners)]
        self.assertEqual(winners, sorted(seat for side in won for seat in side))
        self.assertTrue(winners)
        for report in self.reports:
            self.assertEqual(report["winner_seats"], winners)
        table = self.read_table()
        self.assertEqual(table.phase, table_pb2.TABLE_PHASE_FINISHED)
        self.assertEqual(list(table.winner_seats), winners)

    def test_no_card_was_held_by_two_seats(self) -> None:
        # Each history checked for itself that it was shown no card but its own and the played ones.
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

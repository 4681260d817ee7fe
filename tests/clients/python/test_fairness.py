"""The check of FAIRNESS.md against its vectors, which the server's own code is held to as well."""

from __future__ import annotations

import json
import struct
import unittest
from pathlib import Path

import fairness

VECTORS = Path(__file__).parents[3] / "proto" / "fairness_vectors.json"


class Vectors(unittest.TestCase):
    """Every value of every vector, from its table, root and entropies."""

    def test_every_vector(self) -> None:
        vectors = json.loads(VECTORS.read_text())
        self.assertGreaterEqual(len(vectors), 3)
        for vector in vectors:
            with self.subTest(table=vector["table"]):
                self.check(vector)

    def check(self, vector: dict) -> None:
        table = fairness.table_id(vector["table"])
        entropies = [bytes.fromhex(entropy) for entropy in vector["entropies"]]
        links = fairness.links(table, bytes.fromhex(vector["root"]))
        self.assertEqual(links[0].hex(), vector["commitment"])
        self.assertEqual(fairness.first_dealer(table, links[1], entropies), vector["first_dealer_seat"])
        for deal in vector["deals"]:
            number, seed = deal["deal"], links[deal["deal"]]
            self.assertEqual(seed.hex(), deal["seed"])
            self.assertEqual(fairness.deal_key(table, number, seed, entropies).hex(), deal["key"])
            self.assertEqual(fairness.pack(table, number, seed, entropies), deal["pack"])
            self.assertTrue(fairness.check_chain(table, number, seed, links[0]))


class Parts(unittest.TestCase):
    """What the check is made of."""

    def test_chacha20_is_that_of_rfc_8439(self) -> None:
        # Section 2.3.2.
        key, nonce = bytes(range(32)), bytes.fromhex("000000090000004a00000000")
        block = struct.pack("<16I", *fairness.chacha20_block(key, 1, nonce))
        self.assertEqual(
            block.hex(),
            "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
            "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
        )

    def test_another_seed_does_not_belong_to_the_commitment(self) -> None:
        table, root = bytes(16), bytes(range(32))
        links = fairness.links(table, root)
        self.assertFalse(fairness.check_chain(table, 2, links[1], links[0]))
        self.assertFalse(fairness.check_chain(table, 1, bytes(32), links[0]))

    def test_the_first_card_goes_to_the_seat_after_the_dealer(self) -> None:
        hands = fairness.dealt_hands(fairness.PACK_32, dealer=3, seats=4, hand_size=4)
        self.assertEqual([hands[seat][0] for seat in (4, 1, 2, 3)], ["7c", "8c", "9c", "10c"])


if __name__ == "__main__":
    unittest.main()

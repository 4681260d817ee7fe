"""Fair dealing, checked from outside: proto/FAIRNESS.md in Python's standard library alone.

Nothing here comes from the server. `pack` gives the pack of a deal from its revealed seed, and
`check_chain` says whether the seed belongs to the commitment that was public before the first deal.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence

CHAIN = b"sedma/v1/chain"
DEAL = b"sedma/v1/deal"
DEALER_LOT = b"sedma/v1/lot/dealer"
DEALS = 1024

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PACK_52 = tuple(rank + suit for suit in "cdhs" for rank in RANKS)
"""The whole French pack in canonical order: suits in order, in each two to ace."""
PACK_32 = tuple(card for card in PACK_52 if card[:-1] not in RANKS[:5])
"""Seven to ace, in the same order."""
PACK_30 = tuple(card for card in PACK_32 if card not in ("8d", "9d"))
"""The same without the eight and the nine of diamonds."""


def table_id(name: str) -> bytes:
    """The 16 bytes of a table's name."""
    text = name.removeprefix("tables/").upper()
    return base64.b32decode(text + "=" * (-len(text) % 8))


def check_chain(table: bytes, deal: int, seed: bytes, commitment: bytes) -> bool:
    """Whether `seed`, revealed for `deal`, hashes down to the commitment."""
    link = seed
    for k in range(deal, 0, -1):
        link = previous_link(table, k, link)
    return link == commitment


def previous_link(table: bytes, deal: int, seed: bytes) -> bytes:
    """Link k-1 of the chain from link k."""
    return hashlib.sha256(_prefixed(CHAIN) + table + struct.pack(">I", deal) + seed).digest()


def links(table: bytes, root: bytes) -> list[bytes]:
    """The whole chain of a table, the commitment first: links[k] is the seed of deal k."""
    chain = [root]
    for k in range(DEALS, 0, -1):
        chain.append(previous_link(table, k, chain[-1]))
    return chain[::-1]


def pack(
    table: bytes, deal: int, seed: bytes, entropies: Sequence[bytes], cards: Sequence[str] = PACK_32
) -> list[str]:
    """The pack of a deal, top first."""
    words = _words(deal_key(table, deal, seed, entropies))
    shuffled = list(cards)
    for i in range(len(shuffled) - 1, 0, -1):
        j = _below(i + 1, words)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled


def first_dealer(table: bytes, seed_of_deal_1: bytes, entropies: Sequence[bytes]) -> int:
    """The seat that deals first."""
    words = _words(_key(DEALER_LOT, table, 1, seed_of_deal_1, entropies))
    return 1 + _below(len(entropies), words)


def dealt_hands(top_first: Sequence[str], dealer: int, seats: int, hand_size: int) -> dict[int, list[str]]:
    """Each seat's hand: cards are dealt one by one from the seat after the dealer."""
    order = [(dealer + i) % seats + 1 for i in range(seats)]
    return {seat: list(top_first[i : seats * hand_size : seats]) for i, seat in enumerate(order)}


def deal_key(table: bytes, deal: int, seed: bytes, entropies: Sequence[bytes]) -> bytes:
    """The key that a deal's pack is shuffled under."""
    return _key(DEAL, table, deal, seed, entropies)


def _key(label: bytes, table: bytes, deal: int, seed: bytes, entropies: Sequence[bytes]) -> bytes:
    message = _prefixed(label) + table + struct.pack(">IB", deal, len(entropies))
    message += b"".join(_prefixed(entropy) for entropy in entropies)
    return hmac.digest(seed, message, "sha256")


def _prefixed(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def _below(bound: int, words: Iterator[int]) -> int:
    """A number from 0 to bound - 1, each as likely as the other."""
    limit = 2**32 // bound * bound
    return next(word for word in words if word < limit) % bound


def _words(key: bytes) -> Iterator[int]:
    """The ChaCha20 stream (RFC 8439, nonce 0, counter from 0) as little-endian 32-bit words."""
    counter = 0
    while True:
        yield from chacha20_block(key, counter, bytes(12))
        counter += 1


def chacha20_block(key: bytes, counter: int, nonce: bytes) -> tuple[int, ...]:
    """One block of the ChaCha20 stream, as 16 words."""
    start = struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key)
    start += (counter,) + struct.unpack("<3I", nonce)
    state = list(start)
    for _ in range(10):
        for column in range(4):
            _quarter_round(state, column, column + 4, column + 8, column + 12)
        for column in range(4):
            a, b, c, d = column, (column + 1) % 4 + 4, (column + 2) % 4 + 8, (column + 3) % 4 + 12
            _quarter_round(state, a, b, c, d)
    return tuple((x + y) & 0xFFFFFFFF for x, y in zip(state, start))


def _quarter_round(s: list[int], a: int, b: int, c: int, d: int) -> None:
    for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = (s[x] + s[y]) & 0xFFFFFFFF
        mixed = s[z] ^ s[x]
        s[z] = (mixed << turn | mixed >> (32 - turn)) & 0xFFFFFFFF

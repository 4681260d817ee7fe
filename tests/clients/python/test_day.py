"""A platform's day, played by real processes and sockets: once with a token for each player, once with one
backend that plays for all of them.

    DAY_SECONDS=40 python -m unittest test_day

Starts servers of its own. DAY_SECONDS says for how long the player who comes back is gone.
"""

from __future__ import annotations

import unittest
from concurrent.futures import Future
from typing import Any

from backend import Gone, Platform, Proxy
from calls import Refused, call
from day import AWAY_AFTER, COMES_BACK, MATCH_SECONDS, NEVER_BACK, PLAYERS, ADay, new_player, new_table
from play_match import Player, Settings
from stubs import event_pb2, table_pb2, table_reads_pb2, watch_pb2
from updates import comes_back, deal_score, facts, is_here, turns_away, who_played
from watching import Watch


class Checks(ADay):
    """What must hold after the day, whoever watched and acted."""

    replica_1_watches: int
    """How many of the watches had begun at the replica that was killed."""

    def test_every_watch_saw_the_end(self) -> None:
        for watch in self.watches():
            self.assertEqual(watch.end, watch_pb2.End(phase=table_pb2.TABLE_PHASE_FINISHED))

    def test_the_watches_of_the_killed_replica_went_on_at_the_other(self) -> None:
        for watch in self.watches()[: self.replica_1_watches]:
            self.assertGreater(watch.streams, 1)

    def test_every_history_reads_the_same_afterwards(self) -> None:
        self.assertEqual(self.reports, self.read_back)
        self.assertEqual(self.platform.history.digests[-1], self.reports[0]["history_sha256"])

    def test_the_score_has_the_deals_that_ended(self) -> None:
        ended = [fact for update in self.platform.updates for fact in facts(update, "deal_ended")]
        score = self.platform.score()
        self.assertEqual(list(score.deals), [deal_score(fact) for fact in ended])
        self.assertEqual(list(score.sides), list(ended[-1].totals))
        self.assertEqual(list(score.winner_seats), self.reports[0]["winner_seats"])

    def test_who_was_gone_was_played_for_and_plays_on_in_his_seat(self) -> None:
        updates = self.platform.updates
        away = next(update.revision for update in updates if turns_away(update, COMES_BACK))
        back = next(update.revision for update in updates if comes_back(update, COMES_BACK))
        self.assertEqual(who_played(updates[:away], COMES_BACK)[-AWAY_AFTER:], ["timeout"] * AWAY_AFTER)
        self.assertEqual(set(who_played(updates[away:back], COMES_BACK)), {"bot"})
        self.assertIn("player", who_played(updates[back:], COMES_BACK))
        seats = [update.after.table.seats[COMES_BACK - 1] for update in updates]
        self.assertEqual({seat.player_id for seat in seats}, {"cyril"})
        self.assertTrue(all(seat.away for seat in seats[away - 1 : back - 1]))
        self.assertFalse(seats[back - 1].away)

    def test_a_bot_played_to_the_end_for_who_never_came_back(self) -> None:
        updates = self.platform.updates
        seated = next(update for update in updates if facts(update, "bot_seated"))
        self.assertEqual((seated.actor, seated.seat), (event_pb2.ACTOR_PLATFORM, NEVER_BACK))
        self.assertEqual(set(who_played(updates[seated.revision :], NEVER_BACK)), {"bot"})
        self.assertEqual(updates[-1].after.table.seats[NEVER_BACK - 1].bot_level, "steady")

    def test_the_token_of_who_never_came_back_is_worthless(self) -> None:
        request = table_reads_pb2.GetTableRequest(name=self.table.name)
        with self.assertRaises(Refused) as refused:
            call(self.platform.tables.GetTable, request, self.platform.tokens[NEVER_BACK])
        self.assertEqual(refused.exception.failure.reason, "TOKEN_INVALID")


class ATokenForEachPlayer(Checks, unittest.TestCase):
    """Each player watches and plays by himself, in a thread and on a connection of his own."""

    title = "a platform's day: a token for each player"
    replica_1_watches = 3

    players: dict[int, Player]
    playing: dict[int, Future[None]]
    lost: list[Player]
    """Those who were gone, as they were when they went."""

    @classmethod
    def open_table(cls) -> None:
        cls.players, cls.playing = {}, {}
        cls.platform = Platform(cls.channel, new_table(), seconds=MATCH_SECONDS)
        cls.table = cls.platform.table
        cls.following = cls.threads.submit(cls.platform.follow)
        cls.tell(f"{cls.table.name}: a token for each of {', '.join(PLAYERS)}")
        cls.seat_players(1, 2, replica=1)
        cls.start_another_replica()
        cls.seat_players(3, 4, replica=2)
        cls.tell("all are here: seats 1 and 2 at replica 1, seats 3 and 4 at replica 2")

    @classmethod
    def seat_players(cls, *seats: int, replica: int) -> None:
        for seat in seats:
            settings = Settings(cls.table.name, seat, cls.platform.tokens[seat])
            cls.start_player(new_player(settings, cls.channel_by_way_of(replica)))
            cls.platform.until(f"seat {seat} is here", lambda update: is_here(update, seat))

    @classmethod
    def start_player(cls, player: Player) -> None:
        seat = player.settings.seat
        cls.players[seat], cls.playing[seat] = player, cls.threads.submit(play, player)

    @classmethod
    def bring_back(cls) -> None:
        """The player starts over, and knows nothing but a new token."""
        cls.lost = [cls.players[COMES_BACK], cls.players[NEVER_BACK]]
        token = cls.platform.new_token(COMES_BACK)
        settings = Settings(cls.table.name, COMES_BACK, token, match_seconds=MATCH_SECONDS)
        cls.start_player(Player(settings, cls.channel_by_way_of(2)))

    @classmethod
    def play_to_the_end(cls) -> list[dict[str, Any]]:
        for future in (*cls.playing.values(), cls.following):
            future.result(MATCH_SECONDS)
        cls.read_back = [cls.read(seat) for seat in cls.seats]
        seen = {seat: player.history.report() for seat, player in cls.players.items()}
        return [*(seen[seat] for seat in (1, 2, COMES_BACK)), cls.read_back[NEVER_BACK - 1]]

    @classmethod
    def watches(cls) -> list[Watch]:
        return [cls.platform.watch, *(cls.players[seat].watch for seat in (1, 2, COMES_BACK))]

    def test_what_the_lost_saw_is_how_the_history_begins(self) -> None:
        whole = self.players[1].history
        for player in self.lost:
            seen = player.history
            self.assertIsNone(player.watch.end)
            self.assertGreater(seen.revision, 0)
            self.assertEqual(seen.digests, whole.digests[: seen.revision])


class OneBackend(Checks, unittest.TestCase):
    """One backend watches all seats on one stream and acts for them; players come and go in its memory."""

    title = "a platform's day: one backend for all players"
    replica_1_watches = 1

    platform: Proxy

    @classmethod
    def open_table(cls) -> None:
        cls.platform = Proxy(cls.channel, new_table(), new_player, MATCH_SECONDS)
        cls.table = cls.platform.table
        cls.start_another_replica()
        for seat in cls.seats:
            cls.platform.connect(seat)
        cls.following = cls.threads.submit(cls.platform.follow)
        cls.tell(f"{cls.table.name}: one watch for {', '.join(PLAYERS)}")

    @classmethod
    def bring_back(cls) -> None:
        cls.platform.connect(COMES_BACK)

    @classmethod
    def play_to_the_end(cls) -> list[dict[str, Any]]:
        cls.following.result(MATCH_SECONDS)
        tokens = {**cls.platform.tokens, NEVER_BACK: None}
        cls.read_back = [cls.read(seat, tokens[seat]) for seat in cls.seats]
        return [cls.platform.players[seat].history.report() for seat in cls.seats]

    @classmethod
    def watches(cls) -> list[Watch]:
        return [cls.platform.watch]


def play(player: Player) -> None:
    """Plays to the end of the match, or of the player."""
    try:
        player.play()
    except Gone:
        pass


if __name__ == "__main__":
    unittest.main()

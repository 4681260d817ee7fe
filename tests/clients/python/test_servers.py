"""What the helpers of servers.py rest on."""

from __future__ import annotations

import unittest

from servers import Redis, Replica, free_port


class Goodbye(unittest.TestCase):
    """A server that is told to end drains, and says so by exit 0."""

    def test_a_replica_that_is_told_to_end_as_soon_as_it_listens_drains(self) -> None:
        redis = Redis()
        self.addCleanup(redis.kill)
        for _ in range(5):
            Replica(redis, f"127.0.0.1:{free_port()}").terminate()


if __name__ == "__main__":
    unittest.main()

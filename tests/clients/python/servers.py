"""Servers of a test's own, and channels to them: a redis-server, and replicas of sedmad on it."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import grpc

ROOT = Path(__file__).parents[3]
SEDMAD = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "debug" / "sedmad"
PATIENCE_SECONDS = 20.0
PORTS = range(10_000, 30_000)
PORTS_TRIED = 10


class Server:
    """A child process, from the line that says that it listens."""

    def __init__(self, command: list[str | Path], listens: str) -> None:
        self.lines: list[str] = []
        self.listening = False
        self._told = threading.Event()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._reader = threading.Thread(target=self._read, args=[listens], daemon=True)
        self._reader.start()
        self._told.wait(PATIENCE_SECONDS)
        if not self.listening:
            self.kill()
            raise RuntimeError(f"{command[0]} does not listen; it said {self.lines}")

    def _read(self, listens: str) -> None:
        for line in self.process.stdout or ():
            self.lines.append(line.rstrip())
            if listens in line:
                self.listening = True
                self._told.set()
        self._told.set()

    def kill(self) -> None:
        """Ends it at once, without a goodbye; one that has ended already stays so."""
        self.process.kill()
        self._ended()

    def terminate(self) -> None:
        """Asks it to drain, and waits for its end, which must be exit 0."""
        self.process.send_signal(signal.SIGTERM)
        status = self._ended()
        if status != 0:
            raise RuntimeError(f"exit {status}; it said {self.lines}")

    def _ended(self) -> int:
        status = self.process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status


class Redis(Server):
    """A redis-server that keeps nothing on disk."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        port = str(free_port())
        self.url = f"redis://127.0.0.1:{port}/"
        arguments = ["--port", port, "--bind", "127.0.0.1", "--dir", self.folder.name, "--save", ""]
        super().__init__(["redis-server", *arguments], "Ready to accept connections")

    def kill(self) -> None:
        super().kill()
        self.folder.cleanup()


class Replica(Server):
    """A sedmad on a Redis."""

    def __init__(self, redis: Redis, address: str) -> None:
        drain = ["--drain-delay", "0s", "--drain-spread", "0s"]
        options = ["--listen", address, "--redis-url", redis.url, "--log", "json", *drain]
        super().__init__([SEDMAD, *options], '"message":"listening"')


def free_port() -> int:
    """A port that nobody has; the system gives none of these away by itself."""
    for _ in range(PORTS_TRIED):
        port = random.choice(PORTS)
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise RuntimeError(f"{PORTS_TRIED} ports were taken")


def channel_to(*addresses: str) -> grpc.Channel:
    """A channel of its own to the first of these that answers, and to another one when that dies."""
    options = [
        # A list of addresses is no name that HTTP/2 takes for `:authority`, and gRPC would send it.
        ("grpc.default_authority", "sedma"),
        # Channels to the same addresses would share their connections.
        ("grpc.use_local_subchannel_pool", 1),
    ]
    return grpc.insecure_channel("ipv4:" + ",".join(addresses), options=options)

"""A watch of one table that goes on where it stopped, whatever becomes of its streams.

    for update in Watch(channel, watch_pb2.WatchTableRequest(name="tables/..."), token):
        ...
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import grpc
from calls import Failure, Refused, bearer, pause
from history import Broken
from stubs import event_pb2, table_service_pb2_grpc, watch_pb2

WATCH_TRIES = 8


class Watch:
    """The updates of one table in order, from the first to the end of the table."""

    def __init__(
        self,
        channel: grpc.Channel,
        request: watch_pb2.WatchTableRequest,
        token: str | None = None,
        seconds: float = 120.0,
    ) -> None:
        self.tables = table_service_pb2_grpc.TableServiceStub(channel)
        self.request = watch_pb2.WatchTableRequest()
        self.request.CopyFrom(request)
        self.request.after_revision = request.after_revision  # 0 is sent too: the whole history
        self.token = token
        self.deadline = time.monotonic() + seconds
        self.streams = 0
        self.end: watch_pb2.End | None = None

    def __iter__(self) -> Iterator[event_pb2.Update]:
        attempt = 0
        while self.end is None:
            before = self.request.after_revision
            try:
                yield from self.stream()
                attempt = 0
            except grpc.RpcError as error:
                failure = Failure.of(error)
                attempt = 0 if self.request.after_revision > before else attempt + 1
                if not failure.same_request_again or attempt == WATCH_TRIES or self.time_left() <= 0:
                    raise Refused(failure) from error
                pause(attempt, failure)

    def stream(self) -> Iterator[event_pb2.Update]:
        """Follows the table on one stream, from the last update seen to the stream's end."""
        self.streams += 1
        messages = self.tables.WatchTable(
            self.request, timeout=max(self.time_left(), 0.0), metadata=bearer(self.token)
        )
        promised = False
        try:
            for message in messages:
                promised = message.WhichOneof("payload") in ("planned_end", "end")
                yield from self.take(message)
        finally:
            messages.cancel()  # for a reader who stops before the end
        if not promised:
            raise Broken("the watch closed OK without saying why")

    def take(self, message: watch_pb2.WatchTableResponse) -> Iterator[event_pb2.Update]:
        """Takes one message, and gives the update that it brings, if it does."""
        known = self.request.after_revision
        match message.WhichOneof("payload"):
            case "update":
                known += 1
            case "snapshot" | "reset":
                raise Broken("a watch that resumes started over")
            case "end":
                self.end = message.end
        if message.revision != known:
            raise Broken(f"told {message.revision} after update {self.request.after_revision}")
        self.request.after_revision, self.request.history = message.revision, message.history
        if message.HasField("update"):
            yield message.update

    def time_left(self) -> float:
        """Seconds until the watch gives the table up."""
        return self.deadline - time.monotonic()

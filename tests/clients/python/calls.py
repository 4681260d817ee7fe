"""Calls that survive a bad network: one request, sent until its fate is known."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

CALL_SECONDS = 2.0
TRIES = 8
FIRST_BACKOFF_SECONDS = 0.1
LONGEST_BACKOFF_SECONDS = 2.0

Response = TypeVar("Response")


@dataclass(frozen=True)
class Failure:
    """What a failed call said: its code, its reason and when to try again."""

    code: grpc.StatusCode
    reason: str
    message: str
    retry_seconds: float | None

    @staticmethod
    def of(error: grpc.RpcError) -> Failure:
        reason, retry_seconds = "", None
        status = rpc_status.from_call(error)
        for detail in status.details if status is not None else ():
            info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
            if detail.Unpack(info):
                reason = info.reason
            elif detail.Unpack(retry):
                retry_seconds = retry.retry_delay.ToTimedelta().total_seconds()
        return Failure(error.code(), reason, error.details() or "", retry_seconds)

    @property
    def same_request_again(self) -> bool:
        """Whether the answer may be had by sending the very same request again."""
        passing = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
        return self.code in passing or self.reason == "CONTENTION"

    @property
    def stale(self) -> bool:
        """Whether the decision was made on a view that no longer holds."""
        return self.reason == "STALE_REVISION"


class Refused(Exception):
    """A call that failed for good."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.code.name} {failure.reason}: {failure.message}")
        self.failure = failure


def request_id() -> str:
    """A fresh id for one action, kept through all its tries."""
    return str(uuid.uuid4())


def bearer(token: str | None) -> Sequence[tuple[str, str]]:
    """The metadata that carries a credential; none for the platform of a server without auth."""
    return () if token is None else (("authorization", f"Bearer {token}"),)


def pause(attempt: int, failure: Failure) -> None:
    """Waits before try number `attempt + 1`: as long as the server asks, else longer each time."""
    longest = min(LONGEST_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * 2**attempt)
    wait = failure.retry_seconds if failure.retry_seconds is not None else random.uniform(0, longest)
    time.sleep(wait)


def call(method: Callable[..., Response], request: Any, token: str | None = None) -> Response:
    """Sends one request, again and unchanged while it may only have been bad luck."""
    for attempt in range(TRIES):
        try:
            return method(request, timeout=CALL_SECONDS, metadata=bearer(token))
        except grpc.RpcError as error:
            failure = Failure.of(error)
            if not failure.same_request_again or attempt == TRIES - 1:
                raise Refused(failure) from error
            pause(attempt, failure)
    raise AssertionError("unreachable: the last try returns or raises")

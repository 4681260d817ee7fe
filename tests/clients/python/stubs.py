"""The generated stubs, found beside this file, and names for what is used of them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "gen"))

from sedma.v1 import (  # noqa: E402
    action_pb2,
    card_pb2,
    error_pb2,
    event_pb2,
    result_pb2,
    result_service_pb2,
    result_service_pb2_grpc,
    rules_pb2,
    score_pb2,
    scoring_service_pb2,
    scoring_service_pb2_grpc,
    table_control_pb2,
    table_lifecycle_pb2,
    table_pb2,
    table_reads_pb2,
    table_seats_pb2,
    table_service_pb2_grpc,
    timing_pb2,
    trick_service_pb2,
    trick_service_pb2_grpc,
    watch_pb2,
)

__all__ = [
    "action_pb2",
    "card_pb2",
    "error_pb2",
    "event_pb2",
    "result_pb2",
    "result_service_pb2",
    "result_service_pb2_grpc",
    "rules_pb2",
    "score_pb2",
    "scoring_service_pb2",
    "scoring_service_pb2_grpc",
    "table_control_pb2",
    "table_lifecycle_pb2",
    "table_pb2",
    "table_reads_pb2",
    "table_seats_pb2",
    "table_service_pb2_grpc",
    "timing_pb2",
    "trick_service_pb2",
    "trick_service_pb2_grpc",
    "watch_pb2",
]

#!/usr/bin/env bash
# Starts a server of its own on a free port and runs the Python client's tests against it.
#
#   run.sh               all of them
#   run.sh test_match    only these
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=../../..
target=${CARGO_TARGET_DIR:-target}
[[ $target = /* ]] || target=$root/$target
[ $# -gt 0 ] || set -- test_match test_fairness test_servers test_day

log=$(mktemp)
"$target/debug/sedmad" --listen 127.0.0.1:0 --log json --drain-delay 0s --drain-spread 0s >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -f "$log"' EXIT

address=
for _ in $(seq 100); do
  address=$(sed -n 's/.*"address":"\([0-9.:]*\)".*/\1/p' "$log" | head -n 1)
  [ -n "$address" ] && break
  kill -0 "$server" 2>/dev/null || { cat "$log" >&2; exit 1; }
  sleep 0.1
done
[ -n "$address" ] || { echo "the server did not say where it listens" >&2; exit 1; }

SEDMA_TARGET=$address ../../.venv/bin/python -m unittest "$@"
kill -TERM "$server"
wait "$server"

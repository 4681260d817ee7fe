#!/usr/bin/env bash
# Checks the contract: style, format, and that nothing breaks clients of the last release.
#
#   proto/check.sh              checks
#   proto/check.sh --release    makes the contract as it is now the one that later changes must not break
#
# The last release's contract is the file released.binpb beside this one, so that the check needs neither
# a network nor the repository's history. Before the first release there is none, and nothing to break.
# Until version 1.0 a release may break its clients on purpose; the changelog then says how.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
released=released.binpb

buf=$(command -v buf || true)
[ -n "$buf" ] || buf=../tests/.tools/bin/buf
if [ ! -x "$buf" ]; then
  echo "proto: buf is missing: tests/setup.sh python brings it" >&2
  exit 1
fi

failed=
check() { # what it means when it fails, command...
  local meaning=$1
  shift
  "$@" || { echo "proto: $meaning" >&2; failed=yes; }
}
stop_if_failed() { [ -z "$failed" ] || exit 1; }

check "lint: see the rule's name in the line above and buf.yaml" "$buf" lint
check "format: run buf format -w in this folder" "$buf" format --diff --exit-code
stop_if_failed

if [ "${1:-}" = --release ]; then
  if [ -f "$released" ] && ! "$buf" breaking --against "$released"; then
    echo "proto: released all the same; the changelog should say what breaks" >&2
  fi
  "$buf" build --exclude-source-info --output "$released"
  echo "proto: $released is the contract of this release"
  exit 0
fi

if [ -f "$released" ]; then
  check "breaking: clients of the last release would fail" "$buf" breaking --against "$released"
else
  echo "proto: no release yet, so nothing that could be broken"
fi
stop_if_failed
echo "proto: style, format and compatibility hold"

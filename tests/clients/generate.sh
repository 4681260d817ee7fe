#!/usr/bin/env bash
# Generates the stubs of all four clients from proto/ into their git-ignored gen/ folders.
# Needs tests/setup.sh to have run. `generate.sh python` makes only Python's, which needs less of it.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
proto=../../proto
only=${1:-all}
case $only in
  all | python) ;;
  *) echo "generate: $only is not a choice: python, or nothing for all" >&2; exit 2 ;;
esac

if [ "$only" = all ]; then
  ../.tools/bin/buf generate "$proto" --template buf.gen.yaml
fi

rm -rf python/gen
mkdir -p python/gen
../.venv/bin/python -m grpc_tools.protoc --proto_path "$proto" \
  --python_out python/gen --pyi_out python/gen --grpc_python_out python/gen \
  "$proto"/sedma/v1/*.proto

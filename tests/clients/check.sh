#!/usr/bin/env bash
# Compiles the four clients against the generated stubs. Needs tests/setup.sh and generate.sh to have run.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"

step() {
  local name=$1 start=$SECONDS
  shift
  echo "check-clients: $name"
  "$@" || { echo "check-clients: $name does not compile" >&2; exit 1; }
  echo "check-clients: $name compiles ($((SECONDS - start)) s)"
}

check_python() {
  ../.venv/bin/python -m compileall -q python \
    && (cd python && ../../.venv/bin/python -c 'import fairness, play_match, test_day, test_match')
}
check_go() { (cd go && go vet ./... && go build -buildvcs=false -o /dev/null ./...); }
check_java() { mvn --quiet --batch-mode -Dstyle.color=never --file java/pom.xml compile; }
check_typescript() { typescript/node_modules/.bin/tsc --noEmit --project typescript; }

step Python check_python
step Go check_go
step Java check_java
step TypeScript check_typescript
